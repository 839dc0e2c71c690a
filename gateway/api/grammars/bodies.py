"""Reply bodies. UNSET fields are omitted, None is `null`."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from gateway.api.openai.bodies import Guards

Kind = Literal["json_schema", "regex", "choice", "lark", "gbnf", "structural_tag"]
WarningCode = Literal["checked", "partly", "never_written", "misspelled_keyword"]


class EnforcementOut(Struct, kw_only=True):
    """The enforcement of one keyword at one place.

    Attributes:
        how: `mask`, `partly` (by a narrower mask), `check` (where the value ends), or not at all (`annotation`).
    """

    pointer: str
    keyword: str
    how: str


class WarningOut(Struct, kw_only=True):
    """A warning about a constraint."""

    code: WarningCode
    message: str
    pointer: str
    keyword: str


class LintError(Struct, kw_only=True):
    """An error in a constraint.

    Attributes:
        where: JSON pointer, column or line in it.
        param: The field of the body.
    """

    code: str
    message: str
    param: str | None
    where: str | None
    hint: str | UnsetType = UNSET


class Timings(Struct, kw_only=True):
    """In milliseconds."""

    compile_ms: float


class GrammarReport(Struct, kw_only=True):
    """The reply of `POST /v1/grammars`.

    Attributes:
        id: Requests may name it, as long as it is kept.
        kept: The constraint is stored.
        min_tokens: Tokens that surely suffice for the shortest complete text.
        counts: Number of keywords by way of enforcement.
    """

    object: Literal["grammar"] = "grammar"
    id: str
    kept: bool
    kind: Kind
    min_tokens: int
    report: list[EnforcementOut]
    counts: dict[str, int]
    warnings: list[WarningOut]
    timings: Timings


class Lint(Struct, kw_only=True):
    """The reply of `POST /v1/grammars/lint`."""

    object: Literal["grammar.lint"] = "grammar.lint"
    valid: bool
    errors: list[LintError]
    warnings: list[WarningOut]


class ExplanationOut(Struct, kw_only=True):
    """The reply of `POST /v1/grammars/explain`; see `grammars.Explanation`."""

    object: Literal["grammar.explanation"] = "grammar.explanation"
    kind: Kind
    by_mask: list[EnforcementOut]
    by_check: list[EnforcementOut]
    example: str | None
    example_tokens: int
    forced_bytes: int
    forced_share: float
    min_tokens: int
    min_bytes: int
    num_states: int
    num_checks: int


class Expected(Struct, kw_only=True):
    """Bytes that were possible at a place.

    Attributes:
        end: The text could have ended there.
        bytes: As ranges, both ends included.
        characters: Printable ASCII among them.
    """

    end: bool
    bytes: list[tuple[int, int]]
    characters: str


class Acceptance(Struct, kw_only=True):
    """The reply of `POST /v1/grammars/accept`.

    Attributes:
        accepted: The text is a match.
        is_prefix: The whole text is a prefix of a match.
        byte_offset: Length of the longest prefix of a match; the byte at this offset, if any, is at fault.
    """

    object: Literal["grammar.acceptance"] = "grammar.acceptance"
    accepted: bool
    is_prefix: bool
    byte_offset: int
    character_offset: int
    expected: Expected


class TokenOut(Struct, kw_only=True):
    """A token; a special one is called by its name."""

    id: int
    text: str
    bytes: list[int]


class NextTokens(Struct, kw_only=True):
    """The reply of `POST /v1/grammars/next-tokens`.

    Attributes:
        num_allowed: Tokens that may come next, of which `tokens` lists the first.
        forced: Tokens that must come next.
        tokens_to_complete: Tokens that surely suffice to complete the text.
    """

    object: Literal["grammar.next_tokens"] = "grammar.next_tokens"
    is_prefix: bool
    complete: bool
    byte_offset: int
    num_allowed: int
    tokens: list[TokenOut]
    forced: list[TokenOut]
    tokens_to_complete: int


class GrammarOut(Struct, kw_only=True):
    """A stored constraint, or one of the library.

    Attributes:
        definition: Text, schema or choices.
        named: Stored until deleted; others are evicted when room is needed.
    """

    object: Literal["grammar"] = "grammar"
    id: str
    kind: Kind
    definition: Any
    named: bool
    created: int


class GrammarList(Struct, kw_only=True):
    """The reply of `GET /v1/grammars`: stored constraints and the library's."""

    object: Literal["list"] = "list"
    data: list[GrammarOut]
    library: list[GrammarOut]


class GrammarDeleted(Struct, kw_only=True):
    """The reply of `DELETE /v1/grammars/{id}`."""

    object: Literal["grammar.deleted"] = "grammar.deleted"
    id: str
    deleted: bool = True


class VerdictOut(Struct, kw_only=True):
    """The reply of `POST /v1/verify`; see `gateway.verify.Verdict`.

    Attributes:
        check: The check that decided. `matcher`: no independent parser could, so the text was matched byte by byte.
        path: JSON pointer to the part at fault.
        offset: Character of the text at fault.
        guards: Findings of the policy.
    """

    object: Literal["verdict"] = "verdict"
    passed: bool
    check: str
    reason: str | None
    path: str | None
    keyword: str | None
    offset: int | None
    guards: Guards = UNSET


class GrammarErrorBody(Struct, kw_only=True):
    """An error. `kind` and `where` belong to constraints: the error code of the compiler, and the place."""

    message: str
    type: str
    param: str | None
    code: str | None
    hint: str | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    where: str | UnsetType = UNSET


class GrammarErrorEnvelope(Struct, kw_only=True):
    """The body of every failure: OpenAI's, with two fields more."""

    error: GrammarErrorBody
