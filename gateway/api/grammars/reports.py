"""Reports on constraints as reply bodies, with warnings about misspelled keywords."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from msgspec import UNSET

from gateway.api.grammars.bodies import (
    Acceptance,
    EnforcementOut,
    Expected,
    ExplanationOut,
    GrammarReport,
    LintError,
    NextTokens,
    Timings,
    TokenOut,
    VerdictOut,
    WarningCode,
    WarningOut,
)
from gateway.api.grammars.spelling import kind_of
from gateway.api.openai.reply_parts import guards_out
from gateway.core.constraints import JsonConstraint
from gateway.errors import ConstraintError, GatewayError
from gateway.service import Service
from gateway.service.constraint_inspection import Inspected
from gateway.service.constraints.match_position import FollowingTokens, MatchPosition
from gateway.service.policy.moderation import Screened
from gateway.verify import Verdict
from gateway.verify.verdict import pointer
from grammars import Enforcement, Explanation

_ENFORCED = (
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "additionalItems",
    "enum",
    "const",
    "pattern",
    "format",
    "oneOf",
    "anyOf",
    "allOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "patternProperties",
    "minProperties",
    "maxProperties",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "multipleOf",
    "uniqueItems",
    "propertyNames",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedProperties",
    "unevaluatedItems",
)
"""Keywords that constrain values, but for those too short to compare."""

_SIMILARITY = 0.8
_LONGEST = 40
_OTHERS = frozenset(("definitions", "description", "title", "default"))
_MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_SINGLE = ("items", "additionalItems", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else")


@dataclass(frozen=True, slots=True)
class Misspelled:
    """An unknown word in the place of a keyword."""

    pointer: str
    word: str
    meant: str


def misspelled(schema: Any) -> Iterator[Misspelled]:
    """Yield the words in a schema that look like misspelled keywords."""
    waiting: list[tuple[Any, list[str | int]]] = [(schema, [])]
    while waiting:
        found, path = waiting.pop()
        if not isinstance(found, dict):
            continue
        for word in found:
            meant = _meant_by(word)
            if meant is not None:
                yield Misspelled(pointer(path), word, meant)
        waiting += [(found[name], [*path, name]) for name in _SINGLE if name in found]
        for name in _MAPS:
            members = found.get(name)
            if isinstance(members, dict):
                waiting += [(member, [*path, name, key]) for key, member in members.items()]
        for name in _LISTS:
            items = found.get(name)
            if isinstance(items, list):
                waiting += [(item, [*path, name, index]) for index, item in enumerate(items)]


@lru_cache(maxsize=1024)
def _meant_by(word: str) -> str | None:
    if word in _OTHERS or word in _ENFORCED or word.startswith(("$", "x-")) or len(word) > _LONGEST:
        return None
    close = difflib.get_close_matches(word, _ENFORCED, n=1, cutoff=_SIMILARITY)
    return close[0] if close else None


_SURPRISES: dict[str, tuple[WarningCode, str]] = {
    "check": ("checked", "is held where its value ends; before, more is allowed"),
    "partly": ("partly", "is written in its usual forms alone; others are valid, and never written"),
}


def report_of(inspected: Inspected, name: str, *, is_kept: bool) -> GrammarReport:
    """Return the report of a constraint that compiles."""
    compiled = inspected.compiled
    return GrammarReport(
        id=name,
        kept=is_kept,
        kind=kind_of(inspected.constraint),
        min_tokens=compiled.min_tokens,
        report=_entries(compiled.report),
        counts=compiled.report.counts(),
        warnings=warnings_of(inspected),
        timings=Timings(compile_ms=round(inspected.milliseconds, 3)),
    )


def warnings_of(inspected: Inspected) -> list[WarningOut]:
    """Return the warnings about a constraint: keywords enforced by guards or in part, unwritable members, misspelled
    keywords."""
    warnings = [
        WarningOut(
            code=_SURPRISES[entry.how][0],
            message=f"{entry.keyword} at {entry.pointer or '/'} {_SURPRISES[entry.how][1]}",
            pointer=entry.pointer,
            keyword=entry.keyword,
        )
        for entry in inspected.compiled.report
        if entry.how in _SURPRISES
    ]
    warnings += [
        WarningOut(
            code="never_written",
            message=f"the member at {pointer} is never written: no value fits it",
            pointer=pointer,
            keyword="properties",
        )
        for pointer in inspected.compiled.report.never_written
    ]
    schema = inspected.constraint.schema if isinstance(inspected.constraint, JsonConstraint) else None
    warnings += [
        WarningOut(
            code="misspelled_keyword",
            message=f"{found.word} at {found.pointer or '/'} is no keyword and says nothing; is {found.meant} meant?",
            pointer=found.pointer,
            keyword=found.word,
        )
        for found in misspelled(schema)
    ]
    return warnings


def lint_error(error: GatewayError) -> LintError:
    """Why a constraint is refused."""
    return LintError(
        code=error.code,
        message=error.message,
        param=error.param,
        where=error.where if isinstance(error, ConstraintError) else None,
        hint=error.hint or UNSET,
    )


def explanation_of(inspected: Inspected, explained: Explanation) -> ExplanationOut:
    """Return the explanation of a constraint as a body."""
    return ExplanationOut(
        kind=kind_of(inspected.constraint),
        by_mask=_entries(explained.by_mask),
        by_check=_entries(explained.by_check),
        example=None if explained.example is None else explained.example.decode("utf-8", "replace"),
        example_tokens=explained.example_tokens,
        forced_bytes=explained.forced_bytes,
        forced_share=explained.forced_share,
        min_tokens=explained.min_tokens,
        min_bytes=explained.min_bytes,
        num_states=explained.num_states,
        num_checks=explained.num_checks,
    )


def acceptance_of(place: MatchPosition, size: int) -> Acceptance:
    """Return whether a text of `size` bytes matches, and where it stops matching."""
    return Acceptance(
        accepted=place.is_match,
        is_prefix=place.num_bytes == size,
        byte_offset=place.num_bytes,
        character_offset=place.num_characters,
        expected=Expected(
            end=place.is_whole,
            bytes=_ranges(place.expected),
            characters="".join(chr(byte) for byte in place.expected if 32 <= byte < 127),
        ),
    )


def next_tokens_of(following: FollowingTokens, size: int, service: Service) -> NextTokens:
    """Return the tokens that may follow a text of `size` bytes."""
    return NextTokens(
        is_prefix=following.place.num_bytes == size,
        complete=following.place.is_match,
        byte_offset=following.place.num_bytes,
        num_allowed=following.num_allowed,
        tokens=[_token(service, token) for token in following.token_ids],
        forced=[_token(service, token) for token in following.forced],
        tokens_to_complete=following.tokens_to_complete,
    )


def verdict_of(verdict: Verdict, screened: Screened | None = None) -> VerdictOut:
    """Return the verdict on a text: the verifier's, then the policy's."""
    guards = UNSET if screened is None else guards_out([each for each in screened.findings if each.action != "pass"])
    if verdict.passed and screened is not None and screened.blocked is not None:
        blocked = screened.blocked
        verdict = Verdict.failed("policy", f"the policy does not let it leave ({blocked.guard}: {blocked.kind})")
    return VerdictOut(
        guards=guards,
        passed=verdict.passed,
        check=verdict.check,
        reason=verdict.reason,
        path=verdict.path,
        keyword=verdict.keyword,
        offset=verdict.offset,
    )


def _entries(report: Iterable[Enforcement]) -> list[EnforcementOut]:
    return [EnforcementOut(pointer=entry.pointer, keyword=entry.keyword, how=entry.how) for entry in report]


def _ranges(data: bytes) -> list[tuple[int, int]]:
    """Sorted bytes as ranges."""
    ranges: list[tuple[int, int]] = []
    for byte in data:
        if ranges and ranges[-1][1] == byte - 1:
            ranges[-1] = ranges[-1][0], byte
        else:
            ranges.append((byte, byte))
    return ranges


def _token(service: Service, token: int) -> TokenOut:
    text = service.decode([token], with_special=True)
    return TokenOut(id=token, text=text, bytes=list(service.token_bytes(token)))
