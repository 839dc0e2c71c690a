"""Jobs on constraints, each with the code that does it, in this process or another.

A job contains little but the client's input, so that `codec` can send it to another process.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from gateway.core import constraints
from gateway.core.answer import Call
from gateway.core.constraints import Constraint, Piece
from gateway.core.json_text import json_text
from gateway.engine.images.pixels import ImagePixels
from gateway.engine.images.reader import ImageReader
from gateway.errors import ConstraintError
from gateway.service.constraints.codec import Codec
from gateway.service.constraints.match_position import FollowingTokens, MatchPosition, following, match_position
from gateway.service.constraints.matcher_recheck import MatcherRecheck
from gateway.service.constraints.token_texts import vocabulary_tokens
from gateway.verify import CostError, UnreadableError, Verdict, Verifier
from gateway.verify.effort import is_light
from grammars import Compiler, Explanation, Vocabulary
from grammars.frontends.base import Constraint as Spec

T_co = TypeVar("T_co", covariant=True)

_LIGHT_CHARACTERS = 2_000
"""Most characters of a pattern or grammar, together with a text under it, that are light."""


@dataclass(frozen=True, slots=True)
class JobContext:
    """Compiler, verifier and reader of images that jobs use; None: the model reads no images."""

    compiler: Compiler
    verifier: Verifier
    images: ImageReader | None = None


class Job(Protocol[T_co]):
    """Job on a constraint, or on an image.

    Attributes:
        is_light: The job surely takes only milliseconds.
    """

    @property
    def is_light(self) -> bool: ...

    def do(self, context: JobContext) -> T_co:
        """Return the result.

        Raises:
            GrammarError, ConstraintError, InvalidRequestError, InvalidImageError: The job has no result; says why.
        """


@dataclass(frozen=True, slots=True)
class _Heavy:
    @property
    def is_light(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Compile(_Heavy):
    """Job that returns the compiled network of a constraint, for `Compiler.load`."""

    spec: Spec

    def do(self, context: JobContext) -> bytes:
        return context.compiler.compile(self.spec).to_bytes()


@dataclass(frozen=True, slots=True)
class Explain(_Heavy):
    """Job that returns what a constraint enforces, with the shortest example."""

    spec: Spec

    def do(self, context: JobContext) -> Explanation:
        return context.compiler.compile(self.spec).explain()


@dataclass(frozen=True, slots=True)
class Locate(_Heavy):
    """Job that returns how much of a text matches."""

    spec: Spec
    data: bytes

    def do(self, context: JobContext) -> MatchPosition:
        return match_position(context.compiler.compile(self.spec), self.data)


@dataclass(frozen=True, slots=True)
class Follow(_Heavy):
    """Job that returns the tokens that may follow a text; see `match_position.following`."""

    spec: Spec
    data: bytes
    most: int
    tokens_left: int | None

    def do(self, context: JobContext) -> FollowingTokens:
        return following(context.compiler.compile(self.spec), self.data, self.most, self.tokens_left)


@dataclass(frozen=True, slots=True)
class Match(_Heavy):
    """Job that returns whether a text is a complete match, by a matcher without masks."""

    spec: Spec
    text: str

    def do(self, context: JobContext) -> bool:
        return MatcherRecheck(context.compiler.compile(self.spec)).holds_text(self.text)


@dataclass(frozen=True, slots=True)
class Check:
    """Job that builds the verifier's form of a constraint.

    Raises:
        ConstraintError: Texts cannot be verified under the constraint.
    """

    constraint: Constraint

    @property
    def is_light(self) -> bool:
        return _is_light(self.constraint, 0)

    def do(self, context: JobContext) -> None:
        constraint = self.constraint
        try:
            if isinstance(constraint, constraints.RegexConstraint):
                context.verifier.check_pattern(constraint.pattern)
            elif isinstance(constraint, constraints.JsonConstraint):
                context.verifier.check_schema(constraint.schema)
            elif isinstance(constraint, constraints.GrammarConstraint):
                context.verifier.can_read(constraint.text, constraint.language)
        except ConstraintError as error:
            place = "" if error.where is None else f" (at {error.where or '/'})"
            message = f"{constraint.origin}: {error.message}{place}"
            raise ConstraintError(message, kind=error.kind, where=error.where, param=constraint.origin) from error


@dataclass(frozen=True, slots=True)
class Verify:
    """Job that returns the verifier's verdict on a text; None where it cannot read the grammar or takes too long.

    Attributes:
        token_ids: Tokens of the text, where known: they distinguish special tokens from text.
    """

    constraint: Constraint
    text: str
    token_ids: tuple[int, ...] = ()

    @property
    def is_light(self) -> bool:
        return _is_light(self.constraint, len(self.text))

    def do(self, context: JobContext) -> Verdict | None:
        match self.constraint:
            case constraints.JsonConstraint(schema=schema):
                return context.verifier.verify_json(schema, self.text)
            case constraints.RegexConstraint(pattern=pattern):
                return context.verifier.verify_regex(pattern, self.text)
            case constraints.ChoiceConstraint(options=options):
                return context.verifier.verify_choice(options, self.text)
            case constraints.GrammarConstraint(text=grammar, language=language):
                judge = partial(context.verifier.verify_grammar, grammar, self.text, language)
            case constraints.TagsConstraint() | constraints.SequenceConstraint():
                tokens = vocabulary_tokens(context.compiler.vocabulary)
                text = self.text
                if _names_token(self.constraint, context.compiler.vocabulary):
                    if not self.token_ids:
                        return None
                    text = tokens.written(self.token_ids)
                judge = partial(context.verifier.verify_pieces, self.constraint, text, tokens)
        try:
            return judge()
        except (CostError, UnreadableError):
            return None


def _names_token(constraint: Constraint, vocabulary: Vocabulary) -> bool:
    """Return whether the constraint asks for tokens: by number, or by the name of a special token in its texts."""
    given = [*_given(constraint)]
    text = "\0".join(each for each in given if isinstance(each, str))
    return None in given or any(name and name in text for name, _ in vocabulary.special_tokens)


def _given(constraint: Constraint | Piece) -> Iterator[str | None]:
    """Yield the literal texts of a constraint; None for each token."""
    match constraint:
        case constraints.SequenceConstraint(parts=parts):
            for part in parts:
                yield from _given(part)
        case constraints.TagsConstraint(segments=segments):
            yield from (constraint.separator, *constraint.triggers)
            for segment in segments:
                yield from (segment.begin, segment.end, *_given(segment.content))
        case constraints.TokenConstraint() | constraints.TokensConstraint():
            yield None


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """Tool, as `verify.verifier.DeclaredTool` describes it."""

    name: str
    arguments_schema: dict[str, Any] | bool


@dataclass(frozen=True, slots=True)
class VerifyCalls:
    """Job that returns the verdict on calls: each names a declared tool and has valid arguments.

    Attributes:
        tools: Tools that are called.
    """

    tools: tuple[DeclaredTool, ...]
    calls: tuple[Call, ...]

    @property
    def is_light(self) -> bool:
        size = sum(len(call.arguments) for call in self.calls)
        return all(is_light(json_text(tool.arguments_schema), size) for tool in self.tools)

    def do(self, context: JobContext) -> Verdict:
        return context.verifier.verify_tool_calls(self.tools, self.calls)


@dataclass(frozen=True, slots=True)
class ReadImage(_Heavy):
    """Job that returns the image in a file; see `ImageReader.read`."""

    data: bytes
    max_pixels: int
    max_tokens: int

    def do(self, context: JobContext) -> ImagePixels:
        assert context.images is not None, "jobs of this kind are for models that read images"
        return context.images.read(self.data, self.max_pixels, self.max_tokens)


def _is_light(constraint: Constraint, size: int) -> bool:
    match constraint:
        case constraints.JsonConstraint(schema=schema):
            return is_light(json_text(schema), size)
        case constraints.RegexConstraint(pattern=text) | constraints.GrammarConstraint(text=text):
            # A count in braces makes a large automaton of a short pattern.
            return len(text) + size <= _LIGHT_CHARACTERS and "{" not in text
        case constraints.TagsConstraint(segments=segments):
            return size <= _LIGHT_CHARACTERS and all(_is_light_piece(each.content, size) for each in segments)
        case constraints.SequenceConstraint(parts=parts):
            return size <= _LIGHT_CHARACTERS and all(_is_light_piece(each, size) for each in parts)
    return True


def _is_light_piece(constraint: Constraint | Piece, size: int) -> bool:
    """Return whether a part is light. A pattern or grammar is not: its text may end at many positions."""
    return isinstance(
        constraint,
        constraints.ChoiceConstraint
        | constraints.JsonConstraint
        | constraints.SequenceConstraint
        | constraints.TagsConstraint,
    ) and _is_light(constraint, size)


CODEC = Codec(
    *(Compile, Explain, Locate, Follow, Match, Check, Verify, VerifyCalls, DeclaredTool, Call, ReadImage, ImagePixels)
)
"""Codec for jobs and their results."""
