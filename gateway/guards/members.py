"""Numbers for names of a JSON object that redaction made equal."""

from __future__ import annotations

import json
import re

_PIECE = re.compile(r'[^"\\{}\[\],:]+|\\.?|.', re.DOTALL)


class DistinctNames:
    """Passes a JSON text on in pieces; a name that its object has already gets a number: `"[EMAIL]"`, `"[EMAIL]_2"`.

    Attributes:
        num_changed: Names that got one.
    """

    def __init__(self) -> None:
        self.num_changed = 0
        # Of each open object its names; None of an array.
        self._open: list[set[str] | None] = []
        self._awaits_name = self._is_string = self._is_name = False
        self._escape = ""
        self._name: list[str] = []

    def feed(self, text: str) -> str:
        """Return the text, with numbers."""
        return "".join(map(self._passed, _PIECE.findall(self._escape + text))) if text else ""

    def _passed(self, piece: str) -> str:
        if piece == "\\":
            self._escape = piece  # it goes on
            return ""
        self._escape = ""
        if self._is_string:
            if piece != '"':
                if self._is_name:
                    self._name.append(piece)
                return piece
            self._is_string = False
            return (self._number() if self._is_name else "") + piece
        match piece:
            case '"':
                self._is_string, self._is_name, self._awaits_name = True, self._awaits_name, False
                self._name.clear()
            case "{":
                self._open.append(set())
                self._awaits_name = True
            case "[":
                self._open.append(None)
                self._awaits_name = False
            case "}" | "]":
                if self._open:
                    self._open.pop()
                self._awaits_name = False
            case ",":
                self._awaits_name = bool(self._open) and self._open[-1] is not None
        return piece

    def _number(self) -> str:
        """Return the suffix for the name that ends here, and add the name to its object's."""
        names = self._open[-1] if self._open else None
        written = "".join(self._name)
        if names is None:
            return ""
        try:
            name = str(json.loads(f'"{written}"', strict=False))
        except ValueError:
            name = written  # no JSON, which is found elsewhere
        number, added = 1, ""
        while name + added in names:
            number += 1
            added = f"_{number}"
        names.add(name + added)
        self.num_changed += bool(added)
        return added
