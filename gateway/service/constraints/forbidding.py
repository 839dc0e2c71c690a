"""What a policy forbids, compiled into what an answer may be: no token leads to it, so it does not arise.

All is said in the words of JSON Schema, in which patterns have complements and meet: text without a pattern is a string
that does not match it, written without quotes.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from hashlib import sha256
from typing import Any

from gateway.errors import ConstraintError
from gateway.guards import Policy, Screen
from gateway.guards.patterns import written
from gateway.service.constraints.compilations import Compilations
from gateway.service.constraints.specs import constraint_error
from grammars import (
    Arguments,
    Choice,
    CompiledGrammar,
    Concat,
    Either,
    GrammarError,
    JsonSchema,
    JsonString,
    RawString,
    Regex,
    StructuralTag,
    Tag,
    UnsatisfiableError,
)
from grammars.frontends.base import Constraint, Kept, Once
from grammars.frontends.base import Constraint as Spec
from tools.reasoning import EMPTY

_NAME = "forbidden"
_DRAFT_4 = "http://json-schema.org/draft-04/"


class Forbidding:
    """Takes what a policy forbids out of the specification of one answer.

    A grammar (Lark, GBNF) stays as it is: what arises there is blocked by the screen.

    Args:
        may_end: The answer is free, so it may also end within thoughts.
    """

    def __init__(self, policy: Policy, *, may_end: bool) -> None:
        self._policy = policy
        self._may_end = may_end
        self._patterns = [{"pattern": pattern} for pattern in policy.output.forbidden]
        # By identity, so that what stands once stays once, and nothing is taken out twice.
        self._known: dict[int, tuple[Spec, Spec]] = {}
        self._texts: dict[tuple[tuple[str, ...], tuple[str, ...]], Once] = {}

    def taken_out(self, spec: Spec, *, is_text: bool = False) -> Spec:
        """The texts of the specification in which nothing stands that is forbidden.

        Args:
            is_text: It is what the client reads; a pattern among what stands around calls is left as it is.

        Raises:
            GrammarError: There are none, or the specification is malformed.
        """
        if id(spec) in self._known:
            return self._known[id(spec)][1]
        found = self._taken_out(spec, is_text)
        self._known[id(spec)] = self._known[id(found)] = (spec, found)
        return found

    def _taken_out(self, spec: Spec, is_text: bool) -> Spec:
        match spec:
            case Regex() if is_text:
                return self._text([_whole(spec)], spec.without)
            case Choice(options) if is_text:
                if not (left := [option for option in options if self._may_stand(option)]):
                    raise UnsatisfiableError("every choice is forbidden")
                return Choice(left)
            case JsonSchema():
                return self._schema(spec)
            case Arguments() | RawString():
                return replace(spec, schema=self._schema(spec.schema))
            case JsonString(Regex() as content):
                return JsonSchema(self._string(_whole(content)))
            case Once(content):
                return Once(self.taken_out(content, is_text=is_text))
            case Kept(content):
                return Kept(self.taken_out(content, is_text=is_text))
            case Either(options):
                # Of formats whose calls stand at the beginning, a pattern is what other texts begin with.
                return Either([self.taken_out(each, is_text=is_text or isinstance(each, Regex)) for each in options])
            case Concat((Regex() as first, StructuralTag(free_text=True) as rest)):
                return self._free(rest, first)
            case Concat(parts):
                return Concat(
                    [part if isinstance(part, str) else self.taken_out(part, is_text=is_text) for part in parts]
                )
            case StructuralTag(free_text=True):
                return self._free(spec, None)
            case StructuralTag():
                return replace(spec, tags=self._tags(spec, is_text))
        return spec

    def _tags(self, spec: StructuralTag, is_text: bool) -> tuple[Tag, ...]:
        return tuple(replace(tag, content=self.taken_out(tag.content, is_text=is_text)) for tag in spec.tags)

    def _free(self, spec: StructuralTag, first: Regex | None) -> Spec:
        """Free text with tags as text and tags in turn.

        Args:
            first: What the text begins with.
        """
        tags = self._tags(spec, is_text=True)
        begins = []
        if first is not None:
            begins.append(f"^(?:{written(first.pattern)})")
        elif spec.not_first:
            begins.append(f"^(?![ \\t\\n\\r]*(?:{'|'.join(map(_literal, spec.not_first))}))")
        begun, text = self._text(begins, spec.triggers), self._text([], spec.triggers)
        if not tags:
            return begun
        # Behind these a marker would be read from where it does not begin.
        ends = [f"{''.join(f'(?<!{_literal(each)})' for each in found)}$" for found in [_begun(spec.triggers)] if found]
        segment = Once(replace(spec, tags=tags, free_text=False, at_least_one=True, stop_after_first=True,
                               triggers=(), separator="", then=None, not_first=()))  # fmt: skip
        after: Spec = EMPTY if spec.then is None else self.taken_out(spec.then)
        if spec.then is None and not spec.stop_after_first:
            more = Tag("", Concat((self._text(ends, spec.triggers), segment)))
            after = Concat((StructuralTag((more,), free_text=False), text))
        whole = Concat((self._text([*begins, *ends], spec.triggers), segment, after))
        return whole if spec.at_least_one and not self._may_end else Either((begun, whole))

    def _text(self, patterns: Sequence[str], without: Sequence[str]) -> Spec:
        """Text in which all of the patterns are found; the same one each time."""
        known = tuple(patterns), tuple(without)
        if known not in self._texts:
            self._texts[known] = Once(RawString(JsonSchema(self._string(*patterns)), tuple(without)))
        return self._texts[known]

    def _string(self, *patterns: str) -> dict[str, Any]:
        found = {"allOf": [{"pattern": pattern} for pattern in patterns]} if patterns else {}
        return {"type": "string", "not": {"anyOf": self._patterns}, **found}

    def _schema(self, spec: JsonSchema) -> JsonSchema:
        """The values in which no string, nor any name, matches. Two negations: what was evaluated is not told."""
        schema = json.loads(spec.text, parse_float=Decimal)
        if schema is False:
            return spec
        schema = {} if schema is True else schema
        named = schema.get("definitions", {})
        name = _NAME
        while name in named:
            name += "_"
        reference = {"$ref": f"#/definitions/{name}"}
        clean: dict[str, Any] = {
            "not": {"anyOf": [{"type": "string", **pattern} for pattern in self._patterns]},
            "items": reference,
            "additionalProperties": reference,
        }
        if str(schema.get("$schema", "")).startswith(_DRAFT_4):
            clean["patternProperties"] = {pattern["pattern"]: {"not": {}} for pattern in self._patterns}
        else:
            clean["propertyNames"] = {"not": {"anyOf": self._patterns}}
        kept = schema
        if "$ref" in schema and "draft-0" in str(schema.get("$schema", "")):
            # There it hides what stands beside it.
            kept = {key: schema[key] for key in ("$schema", "$id", "id", "definitions") if key in schema}
            kept["allOf"] = [{"$ref": schema["$ref"]}]
        both = [*kept.get("allOf", []), {"not": {"not": reference}}]
        whole = {**kept, "definitions": {**named, name: clean}, "allOf": both}
        return JsonSchema(whole, spec.options, dict(spec.resources))

    def _may_stand(self, text: str) -> bool:
        screen = Screen(self._policy.output)
        screen.feed(text)
        screen.flush()
        return screen.blocked is None or screen.blocked.action != "forbid"


def _whole(spec: Regex) -> str:
    """The pattern as one that is found in a text that matches as a whole; ECMA-262's is JSON Schema's own."""
    return f"^(?:{written(spec.pattern) if spec.dialect == 'python' else spec.pattern})$"


def _literal(text: str) -> str:
    return "".join(f"\\x{ord(each):02x}" if each.isascii() and not each.isalnum() else each for each in text)


def _begun(triggers: Sequence[str]) -> list[str]:
    """What one of the triggers begins with, where another one may go on from there."""
    found = {
        one[:at]
        for one in triggers
        for other in triggers
        for at in range(1, len(one))
        if other.startswith(one[at:]) or one[at:].startswith(other)
    }
    return sorted(found)


logger = logging.getLogger(__name__)

_MOST_REFUSED = 1024


class ForbiddenCompilations:
    """Compiles what policies leave of constraints, and remembers for which no mask can be made."""

    def __init__(self, compilations: Compilations) -> None:
        self._compilations = compilations
        self._refused: set[bytes] = set()

    async def compiled(
        self, policy: Policy, build: Callable[[Policy | None], Constraint], origin: str, tenant: str
    ) -> CompiledGrammar | None:
        """What is left of the constraint; None where no mask can say it, and the screen has to do.

        Args:
            build: The constraint under a policy, or as it is.

        Raises:
            ConstraintError: Nothing is left, or the constraint by itself is refused.
        """
        try:
            key, spec = await asyncio.to_thread(_built, policy, build)
            if key in self._refused:
                return None
            return await self._compilations.compile(lambda: spec, origin, tenant)
        except GrammarError as error:
            failure, key = constraint_error(error, origin), b""
        except ConstraintError as error:
            failure = error
        # What is wrong with the constraint itself is said in its own words.
        await self._compilations.compile(lambda: build(None), origin, tenant)
        if failure.kind == "unsatisfiable":
            raise ConstraintError(
                f"{origin}: the policy '{policy.name}' forbids whatever the constraint allows",
                kind=failure.kind,
                param=failure.param,
            ) from failure
        logger.info("policy %s: what it forbids in %s is blocked where it arises: %s", policy.name, origin, failure)
        if len(self._refused) == _MOST_REFUSED:
            self._refused.clear()
        self._refused.add(key)
        return None


def _built(policy: Policy, build: Callable[[Policy | None], Constraint]) -> tuple[bytes, Constraint]:
    spec = build(policy)
    return sha256(spec.cache_key().encode("utf-8", "surrogatepass")).digest(), spec
