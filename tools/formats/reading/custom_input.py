"""The input of a custom tool, out of the arguments that it is written as: `{"input": "..."}`."""

from __future__ import annotations

from tools.formats.reading.frame import read_marks
from tools.formats.reading.text import Cursor, MalformedError, ParserRoutine, read_text_into
from tools.tool import INPUT_KEY


class InputReader:
    """Incremental reader of JSON text that returns the decoded string so far."""

    __slots__ = ("_cursor", "_is_broken", "_is_done", "_pieces", "_routine")

    def __init__(self) -> None:
        self._cursor = Cursor()
        self._pieces: list[str] = []
        self._is_done = self._is_broken = False
        self._routine = self._read()

    def feed(self, text: str) -> str:
        """Return more of the input.

        Text that is not the expected object is an error that `finish` raises: how much of the call was read when
        it shows depends on how the text was cut, and events must not.
        """
        if not self._is_broken:
            self._cursor.push(text)
            try:
                next(self._routine)
            except MalformedError:
                self._is_broken = True
        found = "".join(self._pieces)
        self._pieces.clear()
        return found

    def finish(self) -> None:
        """Return if the object is whole.

        Raises:
            MalformedError: it is not.
        """
        if not self._is_done or self._is_broken:
            raise MalformedError("a custom tool's input expected")

    def _read(self) -> ParserRoutine:
        cursor = self._cursor
        yield from read_marks(cursor, ("{", f'"{INPUT_KEY}"', ":"))
        yield from cursor.skip()
        yield from read_text_into(cursor, lambda text: self._pieces.append(text))
        yield from read_marks(cursor, ("}",))
        self._is_done = True
        yield from cursor.skip()
        raise MalformedError("nothing more expected")
