"""What is asked about constraints, each question with what it takes to answer it: here, or in a process of its own.

A job holds what a stranger sent and little else, so that it can be done anywhere; see `codec`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from gateway.core.constraints import (
    ChoiceConstraint,
    Constraint,
    GrammarConstraint,
    JsonConstraint,
    Piece,
    RegexConstraint,
    SequenceConstraint,
    TagsConstraint,
    TokenConstraint,
    TokensConstraint,
)
from gateway.core.json_text import json_text
from gateway.errors import ConstraintError
from gateway.service.constraints.codec import Codec
from gateway.service.constraints.match_position import FollowingTokens, MatchPosition, following, place_of
from gateway.service.constraints.matcher_recheck import MatcherRecheck
from gateway.service.constraints.token_texts import vocabulary_tokens
from gateway.verify import CostError, UnreadableError, Verdict, Verifier
from gateway.verify.effort import is_light
from grammars import Compiler, Explanation, Vocabulary
from grammars.frontends.base import Constraint as Spec

T_co = TypeVar("T_co", covariant=True)

_LIGHT_CHARACTERS = 2_000
"""Of a pattern or a grammar that is read here and now, and of a text under it."""


@dataclass(frozen=True, slots=True)
class JobContext:
    """What jobs are done with."""

    compiler: Compiler
    verifier: Verifier


class Job(Protocol[T_co]):
    """A question, and who answers it.

    Attributes:
        is_light: It is surely done in some milliseconds.
    """

    @property
    def is_light(self) -> bool: ...

    def do(self, bench: JobContext) -> T_co:
        """The answer.

        Raises:
            GrammarError, ConstraintError, InvalidRequestError: There is none; says why.
        """


@dataclass(frozen=True, slots=True)
class _Heavy:
    @property
    def is_light(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Compile(_Heavy):
    """The network of a constraint, for `Compiler.load`."""

    spec: Spec

    def do(self, bench: JobContext) -> bytes:
        return bench.compiler.compile(self.spec).to_bytes()


@dataclass(frozen=True, slots=True)
class Explain(_Heavy):
    """What it enforces, with the shortest example."""

    spec: Spec

    def do(self, bench: JobContext) -> Explanation:
        return bench.compiler.compile(self.spec).explain()


@dataclass(frozen=True, slots=True)
class Locate(_Heavy):
    """How much of a text matches."""

    spec: Spec
    data: bytes

    def do(self, bench: JobContext) -> MatchPosition:
        return place_of(bench.compiler.compile(self.spec), self.data)


@dataclass(frozen=True, slots=True)
class Follow(_Heavy):
    """What may come after a text; see `places.following`."""

    spec: Spec
    data: bytes
    most: int
    tokens_left: int | None

    def do(self, bench: JobContext) -> FollowingTokens:
        return following(bench.compiler.compile(self.spec), self.data, self.most, self.tokens_left)


@dataclass(frozen=True, slots=True)
class Match(_Heavy):
    """Whether a text is a whole match, found out without what masks remember."""

    spec: Spec
    text: str

    def do(self, bench: JobContext) -> bool:
        return MatcherRecheck(bench.compiler.compile(self.spec)).holds_text(self.text)


@dataclass(frozen=True, slots=True)
class Check:
    """Whether texts can be verified under a constraint; what decides about them is built now.

    Raises:
        ConstraintError: They cannot.
    """

    constraint: Constraint

    @property
    def is_light(self) -> bool:
        return _is_light(self.constraint, 0)

    def do(self, bench: JobContext) -> None:
        constraint = self.constraint
        try:
            if isinstance(constraint, RegexConstraint):
                bench.verifier.check_pattern(constraint.pattern)
            elif isinstance(constraint, JsonConstraint):
                bench.verifier.check_schema(constraint.schema)
            elif isinstance(constraint, GrammarConstraint):
                bench.verifier.can_read(constraint.text, constraint.language)
        except ConstraintError as error:
            place = "" if error.where is None else f" (at {error.where or '/'})"
            message = f"{constraint.origin}: {error.message}{place}"
            raise ConstraintError(message, kind=error.kind, where=error.where, param=constraint.origin) from error


@dataclass(frozen=True, slots=True)
class Verify:
    """What the verifier says of a text; None where it cannot read the grammar, or finding out takes too long.

    Attributes:
        token_ids: The tokens that the text was written in, where they are known: they tell special ones from text.
    """

    constraint: Constraint
    text: str
    token_ids: tuple[int, ...] = ()

    @property
    def is_light(self) -> bool:
        return _is_light(self.constraint, len(self.text))

    def do(self, bench: JobContext) -> Verdict | None:
        match self.constraint:
            case JsonConstraint(schema=schema):
                return bench.verifier.verify_json(schema, self.text)
            case RegexConstraint(pattern=pattern):
                return bench.verifier.verify_regex(pattern, self.text)
            case ChoiceConstraint(options=options):
                return bench.verifier.verify_choice(options, self.text)
            case GrammarConstraint(text=grammar, language=language):
                judge = partial(bench.verifier.verify_grammar, grammar, self.text, language)
            case TagsConstraint() | SequenceConstraint():
                tokens = vocabulary_tokens(bench.compiler.vocabulary)
                text = self.text
                if _names_token(self.constraint, bench.compiler.vocabulary):
                    if not self.token_ids:
                        return None
                    text = tokens.written(self.token_ids)
                judge = partial(bench.verifier.verify_pieces, self.constraint, text, tokens)
        try:
            return judge()
        except (CostError, UnreadableError):
            return None


def _names_token(constraint: Constraint, vocabulary: Vocabulary) -> bool:
    """Whether tokens are asked for: special ones, which have no text, in what is given of the constraint's texts."""
    given = [*_given(constraint)]
    text = "\0".join(each for each in given if isinstance(each, str))
    return None in given or any(name and name in text for name, _ in vocabulary.special_tokens)


def _given(constraint: Constraint | Piece) -> Iterator[str | None]:
    """The texts that stand in a constraint; None for tokens."""
    match constraint:
        case SequenceConstraint(parts=parts):
            for part in parts:
                yield from _given(part)
        case TagsConstraint(segments=segments):
            yield from (constraint.separator, *constraint.triggers)
            for segment in segments:
                yield from (segment.begin, segment.end, *_given(segment.content))
        case TokenConstraint() | TokensConstraint():
            yield None


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """See `verify.verifier.DeclaredTool`."""

    name: str
    arguments_schema: dict[str, Any] | bool


@dataclass(frozen=True, slots=True)
class MadeCall:
    """See `verify.verifier.MadeCall`."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class VerifyCalls:
    """Whether each call names a declared tool and has valid arguments.

    Attributes:
        tools: Those that are called.
    """

    tools: tuple[DeclaredTool, ...]
    calls: tuple[MadeCall, ...]

    @property
    def is_light(self) -> bool:
        size = sum(len(call.arguments) for call in self.calls)
        return all(is_light(json_text(tool.arguments_schema), size) for tool in self.tools)

    def do(self, bench: JobContext) -> Verdict:
        return bench.verifier.verify_tool_calls(self.tools, self.calls)


def _is_light(constraint: Constraint, size: int) -> bool:
    match constraint:
        case JsonConstraint(schema=schema):
            return is_light(json_text(schema), size)
        case RegexConstraint(pattern=text) | GrammarConstraint(text=text):
            # A count in braces makes much of few characters.
            return len(text) + size <= _LIGHT_CHARACTERS and "{" not in text
        case TagsConstraint(segments=segments):
            return size <= _LIGHT_CHARACTERS and all(_is_light_piece(each.content, size) for each in segments)
        case SequenceConstraint(parts=parts):
            return size <= _LIGHT_CHARACTERS and all(_is_light_piece(each, size) for each in parts)
    return True


def _is_light_piece(constraint: Constraint | Piece, size: int) -> bool:
    """Texts of patterns and grammars may end in many places, all of which are followed."""
    return isinstance(
        constraint, ChoiceConstraint | JsonConstraint | SequenceConstraint | TagsConstraint
    ) and _is_light(constraint, size)


CODEC = Codec(Compile, Explain, Locate, Follow, Match, Check, Verify, VerifyCalls, DeclaredTool, MadeCall)
"""Jobs, and what comes of them, as bytes."""
