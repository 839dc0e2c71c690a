"""Where whitespace may stand between the tokens of a JSON text."""

from __future__ import annotations

from grammars.network import expansion as op
from grammars.network.builder import NetworkBuilder
from grammars.network.units import UnitClass

_SPACE, _NEWLINE, _COMMA, _COLON = 0x20, 0x0A, 0x2C, 0x3A
_MAX_SPACES, _MAX_TABS = 20, 8
_SPACES = UnitClass.from_ranges(((_SPACE, _SPACE),))
_TABS = UnitClass.from_ranges(((0x09, 0x09),))
_BLANKS = UnitClass.from_ranges(((0x09, 0x0A), (0x0D, 0x0D), (_SPACE, _SPACE)))


class Layout:
    """Emits optional whitespace.

    Args:
        builder: of the network.
        whitespace: as in `JsonOptions`.
    """

    def __init__(self, builder: NetworkBuilder, whitespace: str) -> None:
        self._builder = builder
        self.name = whitespace
        self.is_bounded = whitespace == "bounded"
        self.indent = builder.shared_rule("json indent", self._build_indent) if whitespace == "bounded" else -1
        # By the bracket and the state behind it.
        self._closers: dict[tuple[int, int], Closer] = {}

    def gap(self, source: int, target: int) -> None:
        """Optional whitespace after ``{ [ ,`` and before ``} ]``."""
        builder = self._builder
        if self.name == "any":
            builder.epsilon(source, builder.span(_BLANKS, 0, None, target))
            return
        if self.name == "bounded":
            builder.gap(source, target, self.indent)
        else:
            builder.epsilon(source, target)

    def loose_gap(self, source: int) -> int:
        """Optional whitespace where only the layout "any" has some; the state after it."""
        if self.name != "any":
            return source
        target = self._builder.state()
        self.gap(source, target)
        return target

    def comma(self, source: int, target: int) -> None:
        """A comma with the whitespace around it."""
        after = self._builder.state()
        self._builder.byte(self.loose_gap(source), _COMMA, _COMMA, after)
        self.gap(after, target)

    def colon(self, source: int, target: int) -> None:
        """A colon with the whitespace around it."""
        after = self._builder.state()
        self._builder.byte(self.loose_gap(source), _COLON, _COLON, after)
        self.after_colon(after, target)

    def after_colon(self, source: int, target: int) -> None:
        """Optional whitespace after a colon: in the layout "bounded" a space, and never a new line."""
        if self.name != "bounded":
            self.gap(source, target)
            return
        self._builder.epsilon(source, target)
        self._builder.byte(source, _SPACE, _SPACE, target)

    def frame(self, brackets: bytes, start: int, end: int, first: int, done: int, may_be_empty: bool) -> None:
        """An object or array from `start` to `end`: what it holds runs from `first` to `done`."""
        builder = self._builder
        opening, closing = brackets
        closer = self.closer(closing, end)
        if self.is_bounded:
            # The same as below in fewer steps, since every object and most arrays are made here.
            opened, (before, indented) = builder.states(2), closer.ways
            builder.write((
                op.BYTE, start, opening | opening << 8, opened, op.GAP, opened, first, opened + 1, self.indent,
                op.BRANCH, done, 3, closing, end, _SPACE, before, _NEWLINE, indented,
            ))  # fmt: skip
            if may_be_empty:
                builder.write((op.BRANCH, opened, 3, closing, end, _SPACE, before, _NEWLINE, indented))
            return
        opened = builder.state()
        builder.byte(start, opening, opening, opened)
        if may_be_empty:
            closer.attach(opened)
        self.gap(opened, first)
        closer.attach(done)

    def closer(self, byte: int, end: int) -> Closer:
        """The end of an object or array, to be attached where it may stand; all with this end share it."""
        closer = self._closers.get((byte, end))
        if closer is None:
            closer = self._closers[byte, end] = Closer(self._builder, self, byte, end)
        return closer

    def _build_indent(self, start: int) -> None:
        builder = self._builder
        end = builder.state()
        builder.accept(end)
        builder.epsilon(start, builder.span(_SPACES, 0, _MAX_SPACES, end))
        builder.epsilon(start, builder.span(_TABS, 0, _MAX_TABS, end))


class Closer:
    """A closing bracket with whitespace before it; its states are shared by all places where it may stand."""

    def __init__(self, builder: NetworkBuilder, layout: Layout, byte: int, end: int) -> None:
        self._builder = builder
        self._byte = byte
        self._end = end
        self._is_bounded = layout.name == "bounded"
        self._indent = self._before = builder.state()
        builder.byte(self._before, byte, byte, end)
        if self._is_bounded:
            self._indent = builder.state()
            builder.call(self._indent, layout.indent, self._before)
        elif layout.name == "any":
            self._before = builder.span(_BLANKS, 0, None, self._before)

    @property
    def ways(self) -> tuple[int, int]:
        """Where one goes on behind a space and behind a newline."""
        return self._before, self._indent

    def attach(self, state: int) -> None:
        """The bracket may stand here."""
        if not self._is_bounded:
            self._builder.epsilon(state, self._before)
            return
        self._builder.branch(state, self._byte, self._end, _SPACE, self._before, _NEWLINE, self._indent)
