"""One tool that a client declares."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, TypeVar

from grammars import Concat, GrammarError, JsonOptions, JsonSchema, JsonString, Lark, Regex
from grammars.frontends.base import Constraint
from tools.errors import InvalidToolError
from tools.openai_strict import converted_text

T = TypeVar("T")
ToolKind = Literal["function", "custom"]

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_ANY_TEXT = Regex(r"[\s\S]*")

ORDERED = JsonOptions(property_order="schema")
"""Options of arguments. In one order there are fewer choices: the names of required members are forced."""

NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
"""The schema of a tool that declares no parameters."""

INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {"input": {"type": "string"}},
    "required": ["input"],
    "additionalProperties": False,
}
"""The schema of what a custom tool's arguments are written as."""

INPUT_KEY = "input"
_INPUT_BEGIN, _INPUT_END = f'{{"{INPUT_KEY}": ', "}"


@dataclass(frozen=True, slots=True)
class InputGrammar:
    """Grammar of the input of a custom tool.

    Attributes:
        syntax: The language of the definition.
        definition: A grammar in Lark's language, or a regular expression.
    """

    syntax: Literal["lark", "regex"]
    definition: str

    @property
    def constraint(self) -> Constraint:
        """The constraint on the input."""
        return Lark(self.definition) if self.syntax == "lark" else Regex(self.definition)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool that the model may call: a function with arguments, or a custom tool, whose input is text.

    A custom tool is written as a function with one argument, the string `input`.

    Attributes:
        name: 1 to 128 of the characters a-z, A-Z, 0-9, `_`, `-` and `.`.
        description: Purpose, shown to the model.
        parameters: JSON schema of the arguments as declared; None when the client declared none.
        strict: The schema is meant in OpenAI's strict sense: closed objects, all properties required. Arguments are
            always held to the schema.
        kind: `function` or `custom`.
        grammar: Of a custom tool's input; None lets it be any text.
        place: Where it was declared, for messages: `tools[3]`.
    """

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None
    kind: ToolKind = "function"
    grammar: InputGrammar | None = None
    place: str = field(default="tool", compare=False)

    @property
    def arguments_schema(self) -> dict[str, Any]:
        """The schema that arguments must satisfy: the declared one, converted if it is strict, and an object.

        Raises:
            GrammarError: it cannot be converted.
        """
        if self.kind == "custom":
            return INPUT
        if self.parameters is None:
            return NO_ARGUMENTS
        schema = {**self.parameters, "type": "object"}
        return _converted(JsonSchema(schema).text) if self.strict else schema

    def arguments(self, options: JsonOptions) -> Constraint:
        """Return the constraint on the JSON text of the arguments."""
        if self.kind == "custom":
            return Concat((_INPUT_BEGIN, JsonString(self.input), _INPUT_END))
        return JsonSchema(self.arguments_schema, options)

    @property
    def input(self) -> Constraint:
        """The constraint on the input of a custom tool."""
        return _ANY_TEXT if self.grammar is None else self.grammar.constraint

    @classmethod
    def from_openai(cls, declaration: object, path: str = "tool") -> Tool:
        """Return the tool that `{"type": "function", "function": {...}}` or `{"type": "custom", ...}` declares.

        Raises:
            InvalidToolError: with the path of the field at fault.
        """
        return cls._read(declaration, path, is_flat=False)

    @classmethod
    def from_responses(cls, declaration: object, path: str = "tool") -> Tool:
        """Return the tool that a flat declaration, `{"type": "function", "name": ...}`, declares.

        Raises:
            InvalidToolError: with the path of the field at fault.
        """
        return cls._read(declaration, path, is_flat=True)

    def to_openai(self) -> dict[str, Any]:
        """Return the declaration as a function, without the fields that were not given.

        Chat templates know functions alone; a custom tool is declared as what it is written as.
        """
        parameters = self.parameters if self.kind == "function" else INPUT
        fields = {"description": self.description, "parameters": parameters, "strict": self.strict}
        given = {key: value for key, value in fields.items() if value is not None}
        return {"type": "function", "function": {"name": self.name, **given}}

    @classmethod
    def _read(cls, declaration: object, path: str, *, is_flat: bool) -> Tool:
        outer, place = _object(declaration, path), path
        kind = outer.get("type")
        if kind not in ("function", "custom"):
            raise InvalidToolError(
                f"only tools of type 'function' and 'custom' are known, not {kind!r}", f"{path}.type"
            )
        if not is_flat:
            path = f"{path}.{kind}"
        inner = outer if is_flat else _object(outer.get(kind), path)
        name = _name(inner.get("name"), f"{path}.name")
        description = _optional(inner.get("description"), str, "a string", f"{path}.description")
        if kind == "custom":
            grammar = _grammar(inner.get("format"), f"{path}.format", is_flat)
            return cls(name, description, kind=kind, grammar=grammar, place=place)
        tool = cls(
            name,
            description,
            parameters=_parameters(inner.get("parameters"), f"{path}.parameters"),
            strict=_optional(inner.get("strict"), bool, "a boolean", f"{path}.strict"),
            place=place,
        )
        try:
            _ = tool.arguments_schema
        except GrammarError as error:
            raise InvalidToolError(str(error), f"{path}.parameters") from None
        return tool


@lru_cache(maxsize=32)
def _converted(text: str) -> dict[str, Any]:
    """The schema in OpenAI's strict sense; shared, so not to be changed."""
    found: dict[str, Any] = json.loads(converted_text(text))
    return found


def _object(value: object, path: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidToolError("an object expected", path)
    return value


def _name(value: object, path: str) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise InvalidToolError("a name of 1 to 128 letters, digits, '_', '-' and '.' expected", path)
    return value


def _optional(value: object, kind: type[T], expected: str, path: str) -> T | None:
    if value is not None and not isinstance(value, kind):
        raise InvalidToolError(f"{expected} expected", path)
    return value


def _parameters(value: object, path: str) -> dict[str, Any] | None:
    if value is None:
        return None
    schema = dict(_object(value, path))
    kinds = schema.get("type", "object")
    if kinds != "object" and not (isinstance(kinds, list) and "object" in kinds):
        raise InvalidToolError(f"arguments are an object, but the schema asks for {kinds!r}", f"{path}.type")
    return schema


def _grammar(value: object, path: str, is_flat: bool) -> InputGrammar | None:
    if value is None:
        return None
    outer = _object(value, path)
    match outer.get("type"):
        case "text":
            return None
        case "grammar":
            inner_path = path if is_flat else f"{path}.grammar"
            inner = outer if is_flat else _object(outer.get("grammar"), inner_path)
        case kind:
            raise InvalidToolError(f"'text' or 'grammar' expected, not {kind!r}", f"{path}.type")
    syntax, definition = inner.get("syntax"), inner.get("definition")
    if syntax != "lark" and syntax != "regex":
        raise InvalidToolError("'lark' or 'regex' expected", f"{inner_path}.syntax")
    if not isinstance(definition, str):
        raise InvalidToolError("a string expected", f"{inner_path}.definition")
    return InputGrammar(syntax, definition)
