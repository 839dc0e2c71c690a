"""A tool as the generator knows it: its schema, and the ways people ask for it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from embedded_model.data.source import Source
from embedded_model.data.values import JsonValue, Kind, kind_of

_DESCRIPTIONS = ("the {}", "The {}", "{} to use", "The {}: {}", "{}", "Which {}", "{} name", "{} of the request")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """Argument of a tool. `clause` is its wording in requests; empty if every phrase holds it.

    For a boolean the clause reads "words for true|words for false".
    """

    key: str
    kind: Kind
    required: bool
    clause: str = ""
    description: str = ""

    def say(self, value: JsonValue, spoken: str) -> str:
        """The request's words for `value`, whose spelling is `spoken`."""
        if self.kind.is_boolean:
            yes, _, no = self.clause.partition("|")
            return yes if value else no
        return self.clause.replace("{" + self.key + "}", spoken)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool, its phrasings, and what its results look like.

    Attributes:
        origin: the name that it has in the list of tools, where it goes by another.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    phrases: tuple[str, ...]
    result: tuple[tuple[str, Kind], ...] = field(default=())
    answer: str = ""
    origin: str = ""

    @property
    def own_name(self) -> str:
        """Name of the tool in the list of tools."""
        return self.origin or self.name

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the arguments, properties in the order of the parameters."""
        properties = {
            p.key: {**p.kind.schema, "description": p.description} if p.description else p.kind.schema
            for p in self.parameters
        }
        required = [p.key for p in self.parameters if p.required]
        return {"type": "object", "properties": properties, "required": required}

    def described(self, source: Source) -> ToolSpec:
        """Return the same tool in a client's words: its description varies, its parameters have descriptions.

        Examples in them are values of the right kind, independent of the request.
        """
        parameters = []
        for p in self.parameters:
            words = source.pick(_DESCRIPTIONS).format(p.key.replace("_", " "), self.description.lower())
            if source.chance(0.25) and not p.kind.is_boolean:
                words += f", e.g. {p.kind.say(p.kind.draw(source), source)}"
            parameters.append(replace(p, description=words + source.pick(("", "", "."))))
        spoken = self.name.replace("_", " ")
        wordings = (
            self.description,
            self.description,
            f"{self.description}.",
            spoken.capitalize(),
            f"Tool to {spoken}",
        )
        return replace(self, parameters=tuple(parameters), description=source.pick(wordings))

    def renamed(self, keys: dict[str, str]) -> ToolSpec:
        """The same tool with other names for its arguments, old to new; their places in texts are renamed along."""

        def put(text: str) -> str:
            for old, new in keys.items():
                text = text.replace("{" + old + "}", "{" + new + "}")
            return text

        parameters = tuple(replace(p, key=keys.get(p.key, p.key), clause=put(p.clause)) for p in self.parameters)
        phrases = tuple(put(phrase) for phrase in self.phrases)
        return replace(self, parameters=parameters, phrases=phrases, answer=put(self.answer))

    def to_openai(self) -> dict[str, Any]:
        """The entry of an OpenAI `tools` list."""
        function = {"name": self.name, "description": self.description, "parameters": self.schema()}
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class Request:
    """Request to one tool, in words and as the call that answers it."""

    spec: ToolSpec
    text: str
    arguments: dict[str, JsonValue]
    begins_with_value: bool = False


def tool(name: str, description: str, signature: str, phrases: str, **clauses: str) -> ToolSpec:
    """A tool from a compact notation.

    Args:
        name: the function's name.
        description: its description in the prompt.
        signature: `key=kind key?=kind ...`; the question mark makes an argument optional.
        phrases: alternatives separated by ` / `, with `{key}` for the arguments that each of them holds.
        clauses: words added for an argument that the phrases do not hold; also `result` (a signature) and
            `answer` (a sentence over results and arguments).
    """
    parameters = []
    for item in signature.split():
        key, _, kind = item.partition("=")
        bare = key.removesuffix("?")
        parameters.append(Parameter(key=bare, kind=kind_of(kind), required=bare == key, clause=clauses.get(bare, "")))
    result = tuple(
        (key, kind_of(kind)) for key, _, kind in (item.partition("=") for item in clauses.get("result", "").split())
    )
    return ToolSpec(
        name=name,
        description=description,
        parameters=tuple(parameters),
        phrases=tuple(phrases.split(" / ")),
        result=result,
        answer=clauses.get("answer", ""),
    )


def ask(spec: ToolSpec, source: Source) -> Request:
    """A request for `spec` with drawn values; optional arguments are there about every other time."""
    chosen = [p for p in spec.parameters if p.required or source.chance(0.5)]
    values = {p.key: p.kind.draw(source) for p in chosen}
    phrase = source.pick(spec.phrases)
    spoken = {p.key: p.kind.say(values[p.key], source) for p in chosen if not p.kind.is_boolean}
    clauses = [p.say(values[p.key], spoken.get(p.key, "")) for p in chosen if p.clause]
    clauses = [clause for clause in clauses if clause]
    source.shuffle(clauses)
    text = fill(phrase, spoken)
    for clause in clauses:
        text += ("" if clause.startswith(",") else " ") + clause
    return Request(spec, text, values, phrase.startswith(("{", '"{')))


def fill(template: str, spoken: dict[str, str]) -> str:
    """`template` with its `{key}` places filled; values may hold braces."""
    pieces = template.split("{")
    text = pieces[0]
    for piece in pieces[1:]:
        key, _, rest = piece.partition("}")
        text += spoken[key] + rest
    return text
