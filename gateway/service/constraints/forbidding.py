"""Compilation of a policy's forbidden patterns into the constraint: the mask allows no token that completes a match.

The patterns are expressed in JSON Schema, which has complements and intersections of patterns: text without a pattern
is a string that does not match it, written without quotes.
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
from tools.reasoning import EMPTY

logger = logging.getLogger(__name__)

_NAME = "forbidden"
_DRAFT_4 = "http://json-schema.org/draft-04/"
_MOST_REFUSED = 1024


class Forbidding:
    """Excludes a policy's forbidden patterns from the specification of one answer.

    A grammar (Lark, GBNF) is not changed: the output screen blocks matches in its texts.

    Args:
        may_end: The answer is free, so it may also end within its reasoning.
    """

    def __init__(self, policy: Policy, *, may_end: bool) -> None:
        self._policy = policy
        self._may_end = may_end
        self._patterns = [{"pattern": pattern} for pattern in policy.output.forbidden]
        # By identity, so that a shared part stays shared and is changed once.
        self._known: dict[int, tuple[Constraint, Constraint]] = {}
        self._texts: dict[tuple[tuple[str, ...], tuple[str, ...]], Once] = {}

    def without_forbidden(self, spec: Constraint, *, is_text: bool = False) -> Constraint:
        """Return the specification without texts that contain a forbidden pattern.

        Args:
            is_text: The texts are content that the client reads. Other patterns, of markup around calls, are not
                changed.

        Raises:
            GrammarError: No text is left, or the specification is malformed.
        """
        if id(spec) in self._known:
            return self._known[id(spec)][1]
        found = self._without_forbidden(spec, is_text)
        self._known[id(spec)] = self._known[id(found)] = (spec, found)
        return found

    def _without_forbidden(self, spec: Constraint, is_text: bool) -> Constraint:
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
                return Once(self.without_forbidden(content, is_text=is_text))
            case Kept(content):
                return Kept(self.without_forbidden(content, is_text=is_text))
            case Either(options):
                # In formats whose calls are at the beginning, a pattern is the beginning of an answer without calls.
                return Either(
                    [self.without_forbidden(each, is_text=is_text or isinstance(each, Regex)) for each in options]
                )
            case Concat((Regex() as first, StructuralTag(free_text=True) as rest)):
                return self._free(rest, first)
            case Concat(parts):
                return Concat(
                    [part if isinstance(part, str) else self.without_forbidden(part, is_text=is_text) for part in parts]
                )
            case StructuralTag(free_text=True):
                return self._free(spec, None)
            case StructuralTag():
                return replace(spec, tags=self._tags(spec, is_text))
        return spec

    def _tags(self, spec: StructuralTag, is_text: bool) -> tuple[Tag, ...]:
        return tuple(replace(tag, content=self.without_forbidden(tag.content, is_text=is_text)) for tag in spec.tags)

    def _free(self, spec: StructuralTag, first: Regex | None) -> Constraint:
        """Return free text with tags as alternating text and tags.

        Args:
            first: Pattern of the beginning of the text.
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
        # After these, the reader would find a trigger at an earlier position.
        ends = [f"{''.join(f'(?<!{_literal(each)})' for each in found)}$" for found in [_begun(spec.triggers)] if found]
        segment = Once(replace(spec, tags=tags, free_text=False, at_least_one=True, stop_after_first=True,
                               triggers=(), separator="", then=None, not_first=()))  # fmt: skip
        after: Constraint = EMPTY if spec.then is None else self.without_forbidden(spec.then)
        if spec.then is None and not spec.stop_after_first:
            more = Tag("", Concat((self._text(ends, spec.triggers), segment)))
            after = Concat((StructuralTag((more,), free_text=False), text))
        whole = Concat((self._text([*begins, *ends], spec.triggers), segment, after))
        return whole if spec.at_least_one and not self._may_end else Either((begun, whole))

    def _text(self, patterns: Sequence[str], without: Sequence[str]) -> Constraint:
        """Return a specification of text in which each pattern is found; the same object for the same arguments."""
        known = tuple(patterns), tuple(without)
        if known not in self._texts:
            self._texts[known] = Once(RawString(JsonSchema(self._string(*patterns)), tuple(without)))
        return self._texts[known]

    def _string(self, *patterns: str) -> dict[str, Any]:
        found = {"allOf": [{"pattern": pattern} for pattern in patterns]} if patterns else {}
        return {"type": "string", "not": {"anyOf": self._patterns}, **found}

    def _schema(self, spec: JsonSchema) -> JsonSchema:
        """Return a schema of the values in which no string and no property name matches.

        The double negation hides its annotations from `unevaluatedProperties` and `unevaluatedItems`.
        """
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
            # In these drafts `$ref` hides its sibling keywords.
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
    """Return the pattern anchored at both ends, in JSON Schema's dialect (ECMA-262)."""
    return f"^(?:{written(spec.pattern) if spec.dialect == 'python' else spec.pattern})$"


def _literal(text: str) -> str:
    return "".join(f"\\x{ord(each):02x}" if each.isascii() and not each.isalnum() else each for each in text)


def _begun(triggers: Sequence[str]) -> list[str]:
    """Return the beginnings of triggers that another trigger can overlap."""
    found = {
        one[:at]
        for one in triggers
        for other in triggers
        for at in range(1, len(one))
        if other.startswith(one[at:]) or one[at:].startswith(other)
    }
    return sorted(found)


class ForbiddenCompilations:
    """Compiles constraints under policies, and remembers those for which no mask is possible."""

    def __init__(self, compilations: Compilations) -> None:
        self._compilations = compilations
        self._refused: set[bytes] = set()

    async def compiled(
        self, policy: Policy, build: Callable[[Policy | None], Constraint], origin: str, tenant: str
    ) -> CompiledGrammar | None:
        """Return the constraint under the policy; None where no mask can enforce both and the output screen has to.

        Args:
            build: Returns the constraint under a policy, or, given None, without one.

        Raises:
            ConstraintError: The policy leaves no text, or the constraint alone is refused.
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
        # An error of the constraint itself is reported as such.
        await self._compilations.compile(lambda: build(None), origin, tenant)
        if failure.kind == "unsatisfiable":
            raise ConstraintError(
                f"{origin}: the policy '{policy.name}' forbids every text that the constraint allows",
                kind=failure.kind,
                param=failure.param,
            ) from failure
        logger.info("policy %s is enforced on %s by the output screen, not by a mask: %s", policy.name, origin, failure)
        if len(self._refused) == _MOST_REFUSED:
            self._refused.clear()
        self._refused.add(key)
        return None


def _built(policy: Policy, build: Callable[[Policy | None], Constraint]) -> tuple[bytes, Constraint]:
    spec = build(policy)
    return sha256(spec.cache_key().encode("utf-8", "surrogatepass")).digest(), spec
