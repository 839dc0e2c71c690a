"""Extensions of llguidance to Lark's language, extracted from a grammar's text before lark reads it.

``%json {...}``, ``%regex {...}`` and special tokens become the name of a declared rule, or stand for the terminal that
they are the whole definition of; ``x{2,5}`` becomes ``x~2..5``; attributes of rules become plain terminals, see
`attributes.py`; operators on terminals and other grammars are refused by name. What would take lark too long is refused
here as well: groups nested too deeply, terminals that are long once they are written out.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import NoReturn

from grammars.errors import GrammarError, InvalidGrammarError, TooComplexError, UnsupportedError
from grammars.frontends.base import Constraint
from grammars.frontends.json import JsonSchema
from grammars.frontends.lark.attributes import HEAD, attributes_of, body_at, ended
from grammars.frontends.lark.substrings import Substring
from grammars.frontends.rules.grammar import Source
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder

_NUMBERS = re.compile(r"<\[(\d{1,9}(?:-\d{1,9})?(?:,\d{1,9}(?:-\d{1,9})?)*)\]>")
_MAX_NUMBERS = 4096


@dataclass(frozen=True, slots=True)
class TokenReference:
    """Token by name, or any one of several numbers.

    The vocabulary gives its meaning: it is looked up when the network is written.
    """

    text: str

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        return f"token:{self.text}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        special = builder.special_tokens
        if special is None:
            raise UnsupportedError(f"the token {self.text} without a vocabulary")
        numbers = self._numbers()
        found = [special.named(self.text)] if numbers is None else [special.numbered(number) for number in numbers]
        start = builder.rule()
        for token_id in dict.fromkeys(found):
            # A chain of its own for each: a shared beginning would hide that one token covers it.
            chain = builder.state()
            builder.epsilon(start, chain)
            builder.literal(chain, special.spelling(token_id), builder.end())
        return start

    def _numbers(self) -> list[int] | None:
        """The token ids that are listed; None where the token is named."""
        if not self.text.startswith("<["):
            return None
        listed = _NUMBERS.fullmatch(self.text)
        if listed is None:
            if re.match(r"<\[(\^|\*)", self.text):
                raise UnsupportedError(f"any token but some ({self.text})")
            raise InvalidGrammarError(f"{self.text} lists no token numbers")
        numbers: list[int] = []
        for part in listed[1].split(","):
            low, _, high = part.partition("-")
            count = int(high or low) - int(low) + 1
            if count < 1:
                raise InvalidGrammarError(f"the range {part} is empty")
            if len(numbers) + count > _MAX_NUMBERS:
                raise TooComplexError("max_token_numbers", len(numbers) + count, _MAX_NUMBERS)
            numbers += range(int(low), int(high or low) + 1)
        return numbers


# Means "no bound" in the counts that lark reads.
UNBOUNDED = 999_999_999

_TOKENS = re.compile(
    rf"""
      (?P<skip>[ \t\r\n]++|//[^\n]*+|\#[^\n]*+)
    | (?P<literal>"(?>\\[^\n]|[^"\\\n])*+"i?|/(?!/)(?>\\.|[^/\\])*+/[imslux]*+)
    | (?P<block>%(?>json|regex|llguidance|lark)\b)
    | (?P<special><[^<>\s]++>)
    | (?P<count>\{{\s*+\d*+\s*+(?>,\s*+\d*+\s*+)?+\}})
    | (?P<head>{HEAD})
    | (?P<name>[A-Za-z_]\w*+)
    | (?P<reference>@\w++)
    | (?P<operator>&|~(?![ \t]*+[-+\d]))
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_DEFINES = re.compile(r"\s*+(?>\.\s*+[-+]?\d++\s*+)?+:")
_IMPORTED_SIZE = 200
# A terminal of which the definition begins, and what shows that it has not ended.
_DEFINED = re.compile(r"(?:^|(?<=\n))[ \t]*+(_?[A-Z][A-Z_0-9]*+)[ \t]*+(?>\.[ \t]*+[-+]?\d++[ \t]*+)?:[ \t]*+\Z")
_GOES_ON = re.compile(r"[ \t]*+(?![ \t\r\n#]|//|\Z)|(?>[ \t\r\n]++|//[^\n]*+|#[^\n]*+)*+\|")
_PLACEHOLDER = '"."'


class Plain:
    """A grammar that lark can read, and how its places correspond to those of the text that it was made from.

    Attributes:
        text: what lark reads.
        embedded: meaning of the names of declared rules, and of terminals with a placeholder.
    """

    def __init__(self, source: Source, limits: Limits) -> None:
        self._source = source
        self._limits = limits
        self.embedded: dict[str, Constraint] = {}
        self._added: list[str] = []
        self._pieces: list[str] = []
        self._length = 0
        self._new_starts: list[int] = [0]
        self._old_starts: list[int] = [0]
        self._first_places: dict[str, int] | None = None
        self._rewrite()
        self._check_terminals()
        self.text = "".join(self._pieces) + "".join(f"\n{line}" for line in self._added)

    def place(self, offset: int) -> str:
        """Return the position in the original text of an offset of `text`."""
        index = bisect_right(self._new_starts, offset) - 1
        old = self._old_starts[index] + offset - self._new_starts[index]
        return self._source.place(min(old, len(self._source.text)))

    def place_of_name(self, name: str) -> str:
        """Return the position of a name's first use; the beginning if there is none."""
        if self._first_places is None:
            self._first_places = {}
            for match in _TOKENS.finditer(self._source.text):
                if match["name"]:
                    self._first_places.setdefault(match["name"], match.start())
        return self._source.place(self._first_places.get(name, 0))

    def _rewrite(self) -> None:
        text, at, depth, line_begins = self._source.text, 0, 0, True
        while at < len(text):
            match = _TOKENS.match(text, at)
            assert match is not None
            kind, piece, end = match.lastgroup, match[0], match.end()
            if kind == "head" and not line_begins:
                # A group after a name, not a rule's attributes.
                end = at + len(piece[: piece.index("[")])
                kind, piece = "name", text[at:end]
            self._refuse(kind, piece, at)
            if kind == "head":
                end = self._head(piece, at, end)
            elif kind == "block":
                end = self._block(piece, at, end)
            elif kind == "special":
                self._embed(TokenReference(piece), "token__", at, end)
            elif kind == "skip":
                # Lark takes quadratic time for many blank lines.
                is_break = "\n" in piece and self._pieces[-1:] != ["\n"]
                self._put("\n" if is_break else "" if "\n" in piece or piece[0] in "/#" else " ", at, end)
            elif kind == "count":
                self._put(_count(piece) or self._fail("expected counts in the braces", at), at, end)
            else:
                self._put(piece, at, end)
            depth += (piece in "([{") - (piece in ")]}") if len(piece) == 1 else 0
            if depth > self._source.max_depth:
                raise TooComplexError("max_depth", depth, self._source.max_depth, self._source.place(at))
            line_begins = "\n" in piece if kind == "skip" else False
            depth = 0 if line_begins and depth < 0 else depth
            at = end

    def _refuse(self, kind: str | None, piece: str, at: int) -> None:
        place = self._source.place
        if kind == "reference":
            raise UnsupportedError("a reference to another grammar", place(at))
        if kind == "other" and piece in '"/':
            self._fail("a literal is not closed", at)
        if piece.startswith('""'):
            self._fail("an empty literal", at)
        if kind == "operator":
            raise UnsupportedError(f"the operator {piece} on terminals", place(at))

    def _head(self, piece: str, at: int, end: int) -> int:
        """Put the head of a rule with attributes, and where these end the rule's terminal one that ends so; returns
        where what was read ends."""
        text, name = self._source.text, piece[: piece.index("[")].rstrip()
        try:
            attributes = attributes_of(piece)
            body = body_at(text, end)
            terminal = "" if body is None else body["body"]
            defined = re.search(rf"(?m)^[ \t]*+{re.escape(terminal)}[ \t]*+:[ \t]*+(.*?)[ \t]*+$", text)
            found = ended(attributes, terminal, defined[1] if defined else terminal)
        except GrammarError as error:
            error.place(self._source.place(at))
            raise
        if found is None:
            self._put(f"{name}:", at, end)
            return end
        if body is None:
            raise UnsupportedError("an end of a rule that is not defined as one terminal", self._source.place(at))
        own = f"ENDED__{len(self._added)}"
        while own in text:
            own += "_"
        self._put(f"{name}: {own}", at, body.end())
        self._added.append(f"{own}: /{found.pattern}/ {found.rest}")
        return body.end()

    def _block(self, piece: str, at: int, end: int) -> int:
        """Replace ``%json {...}`` by a name; return its end."""
        text = self._source.text
        brace = re.compile(r"\s*+").match(text, end)
        assert brace is not None
        if piece == "%lark":
            raise UnsupportedError(piece, self._source.place(at))
        try:
            value, end = json.JSONDecoder().raw_decode(text, brace.end())
        except json.JSONDecodeError as error:
            self._fail(f"{piece} is not followed by JSON: {error.msg}", error.pos)
        except RecursionError:
            raise TooComplexError("max_depth", 1_000, self._source.max_depth, self._source.place(at)) from None
        if piece == "%llguidance":
            if value != {}:
                raise UnsupportedError("options of %llguidance", self._source.place(at))
            return end
        if piece == "%json" and not isinstance(value, (dict, bool)):
            self._fail("a JSON schema is an object or a boolean", brace.end())
        try:
            constraint: Constraint = JsonSchema(value) if piece == "%json" else Substring.read(value)
        except InvalidGrammarError as error:
            self._fail(error.message, brace.end())
        self._embed(constraint, "json__", at, end)
        return end

    def _embed(self, constraint: Constraint, prefix: str, at: int, end: int) -> None:
        """Replace the constraint from `at` to `end` by a name."""
        text = self._source.text
        defined = _DEFINED.search(text, 0, at)
        if defined and not _GOES_ON.match(text, end):
            name = defined[1]
            self._put(_PLACEHOLDER, at, end)
        else:
            name = f"{prefix}{len(self.embedded)}"
            while name in text:
                name += "_"
            self._put(f" {name} ", at, end)
            self._added.append(f"%declare {name}")
        self.embedded[name] = _Placed(constraint, self._source.place(at))

    def _put(self, piece: str, start: int, end: int) -> None:
        """Add a piece in place of the original text from `start` to `end`."""
        if self._source.text[start:end] != piece or self._old_starts[-1] - self._new_starts[-1] != start - self._length:
            self._new_starts.append(self._length)
            self._old_starts.append(start)
        self._pieces.append(piece)
        self._length += len(piece)
        if len(piece) != end - start:
            self._new_starts.append(self._length)
            self._old_starts.append(end)

    def _check_terminals(self) -> None:
        """Sizes of terminals with their terminals written out, as lark does it."""
        own, callees, places = _terminals("".join(self._pieces))
        sizes: dict[str, int] = {}
        for name in own:
            stack = [name]
            for callee in callees[name]:
                if callee in self.embedded:
                    raise UnsupportedError(f"terminal {callee!r} inside another one", self.place(places[name]))
            while stack:
                top = stack[-1]
                waiting = [callee for callee in callees[top] if callee in own and callee not in sizes]
                if top in sizes or not waiting:
                    sizes[stack.pop()] = own[top] + sum(sizes.get(c, _IMPORTED_SIZE) for c in callees[top])
                    continue
                if waiting[0] in stack:
                    self._fail(f"terminal {waiting[0]!r} contains itself", None, self.place(places[waiting[0]]))
                stack.append(waiting[0])
            if sizes[name] > self._limits.max_pattern_length:
                limit = self._limits.max_pattern_length
                raise TooComplexError("max_pattern_length", sizes[name], limit, self.place(places[name]))
        total, limit = sum(sizes.values()), self._limits.max_grammar_bytes
        if total > limit:
            raise TooComplexError("max_grammar_bytes", total, limit)

    def _fail(self, message: str, at: int | None, place: str | None = None) -> NoReturn:
        raise InvalidGrammarError(message, place or self._source.place(at or 0))


class _Placed:
    """Constraint whose errors give its place in the grammar."""

    def __init__(self, constraint: Constraint, place: str) -> None:
        self._constraint = constraint
        self._place = place

    def cache_key(self) -> str:
        return self._constraint.cache_key()

    def emit(self, builder: object) -> int:
        try:
            return self._constraint.emit(builder)  # type: ignore[arg-type]
        except GrammarError as error:
            error.place_within(self._place)
            raise


def _count(piece: str) -> str:
    low, comma, high = piece[1:-1].replace(" ", "").replace("\t", "").replace("\n", "").partition(",")
    if not low and not high:
        return ""
    if not comma:
        return f"~{low}"
    return f"~{low or 0}..{high or UNBOUNDED}"


def _terminals(text: str) -> tuple[dict[str, int], dict[str, list[str]], dict[str, int]]:
    """For each terminal the size of its own text, the terminals in it, and where it is defined."""
    own: dict[str, int] = {}
    callees: dict[str, list[str]] = {}
    places: dict[str, int] = {}
    current: str | None = None
    last, new_line = "", True
    for match in _TOKENS.finditer(text):
        name, piece = match["name"], match[0]
        if match["skip"]:
            new_line = new_line or ("\n" in piece and last != "\\")
            continue
        if new_line and piece != "|":
            current = None
        new_line, last = False, piece
        if name and _DEFINES.match(text, match.end()):
            current = name if name.isupper() else None
            if current:
                own.setdefault(current, 0)
                callees.setdefault(current, [])
                places.setdefault(current, match.start())
        elif current and (name or match["literal"]):
            own[current] += len(piece)
            if name:
                callees[current].append(name)
    return own, callees, places
