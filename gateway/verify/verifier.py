"""Independent verification of every finished answer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from gateway.core.constraints import Constraint
from gateway.errors import ConstraintError
from gateway.verify.earley import GrammarCache
from gateway.verify.pattern import CostError, PatternCache, PatternError
from gateway.verify.pieces import PLAIN, Pieces, Tokens
from gateway.verify.productions import UnreadableError
from gateway.verify.schema import Schema, SchemaCache
from gateway.verify.strict_json import MAX_DEPTH, StrictJsonError, parse_strict
from gateway.verify.verdict import Verdict


class DeclaredTool(Protocol):
    """A tool as the client declared it; `arguments_schema` is the schema of its arguments."""

    @property
    def name(self) -> str: ...

    @property
    def arguments_schema(self) -> Schema: ...


class MadeCall(Protocol):
    """A call as the model made it; `arguments` is JSON text."""

    @property
    def name(self) -> str: ...

    @property
    def arguments(self) -> str: ...


class Verifier:
    """Checks texts against the client's constraint, with code independent of the compiler.

    Thread-safe. Nothing is fetched, nothing evaluated.

    Args:
        max_validators: Compiled schemas kept.
        max_depth: Arrays and objects inside each other in an answer, at most `MAX_DEPTH`.
        resources: Documents that schemas may refer to, by URI.
    """

    def __init__(
        self, max_validators: int = 256, max_depth: int = MAX_DEPTH, resources: Mapping[str, Schema] | None = None
    ) -> None:
        if max_depth > MAX_DEPTH:
            raise ValueError(f"max_depth is at most {MAX_DEPTH}")
        self._schemas = SchemaCache(max_validators, resources)
        self._patterns = PatternCache()
        self._grammars = GrammarCache()
        self._max_depth = max_depth

    def check_schema(self, schema: Schema) -> None:
        """Build the schema's validator, so that one that cannot be verified is refused before anything is generated.

        Raises:
            ConstraintError: the schema is not one, or refers to a document that is not there.
        """
        self._schemas.keep(schema)

    def check_pattern(self, pattern: str) -> None:
        """Build the pattern's matcher, so that one that cannot be verified is refused before anything is generated.

        Raises:
            ConstraintError: the pattern is malformed, or not regular.
        """
        try:
            self._patterns.get(pattern)
        except PatternError as error:
            raise ConstraintError(f"the pattern cannot be verified: {error}", kind="unsupported") from error

    def can_read(self, grammar: str, syntax: str = "lark") -> bool:
        """Return whether texts can be checked against the grammar: one in GBNF, or in Lark's language.

        The first time it is read, which may take a second; then it is remembered.
        """
        try:
            self._grammars.get(grammar, syntax)
        except UnreadableError:
            return False
        return True

    def verify_grammar(self, grammar: str, text: str, syntax: str = "lark") -> Verdict:
        """Return whether a grammar (in Lark's language or in GBNF) derives the text.

        Raises:
            CostError: finding out takes too long.
            UnreadableError: the grammar cannot be read, see `can_read`.
        """
        if self._grammars.get(grammar, syntax).fullmatch(text):
            return Verdict.ok("grammar")
        return Verdict.failed("grammar", "the text is none of the grammar's")

    def verify_pieces(self, constraint: Constraint, text: str, tokens: Tokens = PLAIN) -> Verdict:
        """Return whether a text with tags in it, or of several parts, is one of the constraint's.

        Args:
            text: With special tokens between their marks, see `Pieces`.

        Raises:
            CostError: finding out takes too long.
            UnreadableError: a part cannot be verified.
        """
        if Pieces(text, self._patterns, self._grammars, self._is_valid, tokens).holds(constraint):
            return Verdict.ok("tags")
        return Verdict.failed("tags", "the text is not made of what it must be made of")

    def _is_valid(self, schema: Schema, text: str) -> bool:
        try:
            return bool(self.verify_json(schema, text))
        except ConstraintError as error:
            raise UnreadableError(error.message) from error

    def verify_json(self, schema: Schema | None, text: str) -> Verdict:
        """Return whether the text is strict JSON, in which no name comes twice, and, if a schema is given, valid."""
        try:
            value = parse_strict(text, self._max_depth)
        except StrictJsonError as error:
            return Verdict.failed("json", str(error), path=error.path, offset=error.offset)
        return Verdict.ok("json") if schema is None else self._schemas.check(schema, value)

    def verify_tool_calls(self, tools: Iterable[DeclaredTool], calls: Sequence[MadeCall]) -> Verdict:
        """Return whether each call names a declared tool and has valid arguments; the first fault otherwise."""
        declared = {tool.name: tool for tool in tools}
        for index, call in enumerate(calls):
            verdict = self._verify_call(declared, call, f"/{index}")
            if not verdict:
                return verdict
        return Verdict.ok("tool_call")

    def _verify_call(self, declared: Mapping[str, DeclaredTool], call: MadeCall, path: str) -> Verdict:
        tool = declared.get(call.name)
        if tool is None:
            return Verdict.failed("tool_call", f"no tool named {call.name!r} was declared", path=f"{path}/name")
        path += "/arguments"
        try:
            value = parse_strict(call.arguments, self._max_depth)
        except StrictJsonError as error:
            return Verdict.failed("tool_call", str(error), path=path + error.path, offset=error.offset)
        if not isinstance(value, dict):
            return Verdict.failed("tool_call", "the arguments are not an object", path=path, keyword="type")
        verdict = self._schemas.check(tool.arguments_schema, value, "tool_call")
        if not verdict:
            place = path + (verdict.path or "")
            return Verdict.failed("tool_call", verdict.reason or "", path=place, keyword=verdict.keyword)
        return Verdict.ok("tool_call")

    def verify_regex(self, pattern: str, text: str) -> Verdict:
        """Return whether the whole text matches, in the sense of Python's `re.fullmatch` but in linear time.

        What cannot be decided within bounds has failed.
        """
        try:
            matches = self._patterns.get(pattern).fullmatch(text)
        except PatternError as error:
            return Verdict.failed("regex", f"the pattern cannot be verified: {error}")
        except CostError:
            return Verdict.failed("regex", "the pattern is too ambiguous to verify a text of this length")
        return Verdict.ok("regex") if matches else Verdict.failed("regex", "the text does not match the pattern")

    def verify_choice(self, choices: Sequence[str], text: str) -> Verdict:
        """Return whether the text is exactly one of the choices."""
        if text in choices:
            return Verdict.ok("choice")
        return Verdict.failed("choice", f"the text is none of the {len(choices)} choices")
