"""The syntax of regular expressions as ECMA-262 has it with the flag `u`.

Names of Unicode properties are not looked up. The front end for patterns reads more (what other languages write) and
less (what no automaton can do) than this.

See: ECMA-262, section 22.2.1.
"""

from __future__ import annotations

import re

_HEX = "[0-9A-Fa-f]"
_PAIR = rf"u[Dd][89ABab]{_HEX}{{2}}\\u[Dd][C-Fc-f]{_HEX}{{2}}"
_CODE = rf"x{_HEX}{{2}}|{_PAIR}|u{_HEX}{{4}}|u\{{0*(?:10{_HEX}{{4}}|{_HEX}{{1,5}})\}}"
_CHARACTER = rf"\\(?:{_CODE}|c[A-Za-z]|[fnrtv]|0(?![0-9])|[\^$\\.*+?()\[\]{{}}|/])"
_SET = r"\\(?:[dDsSwW]|[pP]\{[A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?\})"
_MEMBER = rf"(?:{_SET}|{_CHARACTER}|\\[b-]|[^\]\\])"
_TOKEN = re.compile(
    rf"(?P<open>\((?:\?(?::|(?P<look><?[=!])|<(?P<name>[^<>]*)>|(?P<flags>[ims]*(?:-[ims]*)?):))?)|(?P<close>\))"
    rf"|(?P<set>\[\^?(?P<members>(?:{_MEMBER}(?:-(?!\]){_MEMBER})?)*+)\])"
    r"|(?P<many>(?:[*+?]|\{(?P<least>[0-9]+)(?:,(?P<most>[0-9]*))?\})\??)|(?P<place>[\^$|]|\\[bB])"
    rf"|(?P<reference>\\(?:(?P<number>[1-9][0-9]*)|k<(?P<to>[^<>]*)>))|(?P<atom>{_CHARACTER}|{_SET}|[^\^$\\*+?()\[\]{{}}|])",
    re.DOTALL,
)
_find_ranges = re.compile(rf"({_MEMBER})(?:-(?!\])({_MEMBER}))?", re.DOTALL).findall
_CONTROLS = {"b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}


def is_pattern(text: str) -> bool:
    """Whether the text is a pattern. Open groups are a list, so nesting is free."""
    at, is_repeatable = 0, False
    open_groups: list[bool] = []  # whether each can be repeated
    num_groups, highest = 0, 0
    names, referred = set[str](), set[str]()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return False
        at, kind, was_repeatable = token.end(), token.lastgroup, is_repeatable
        is_repeatable = kind in ("set", "reference", "atom")
        if kind == "open":
            name, flags = token["name"], token["flags"]
            letters = "i" if flags is None else flags.replace("-", "")
            if not letters or len(set(letters)) < len(letters):
                return False
            if name is not None and (name in names or not name.replace("$", "_").isidentifier()):
                return False
            names |= set() if name is None else {name}
            num_groups += token[0] == "(" or name is not None
            open_groups.append(token["look"] is None)
        elif kind == "close":
            if not open_groups:
                return False
            is_repeatable = open_groups.pop()
        elif kind == "set":
            if not all(_is_range(low, high) for low, high in _find_ranges(token["members"]) if high):
                return False
        elif kind == "many":
            if not was_repeatable or (token["most"] and _size(token["least"]) > _size(token["most"])):
                return False
        elif kind == "reference" and token["to"] is not None:
            referred.add(token["to"])
        elif kind == "reference":
            highest = max(highest, int(token["number"][:9]))
    return not open_groups and highest <= num_groups and referred <= names


def _is_range(low: str, high: str) -> bool:
    """Whether a class may have the characters from one to another, neither of which is a set of them."""
    return not any(re.fullmatch(_SET, member) for member in (low, high)) and _code(low) <= _code(high)


def _code(member: str) -> int:
    """The code of a character as it is written in a class."""
    if member[0] != "\\" or member[1] not in "xubtnvfr0c":
        return ord(member[-1])
    if member[1] in "xu":
        high, *low = (int(digits, 16) for digits in re.findall(f"{_HEX}+", member))
        return 0x10000 + ((high - 0xD800) << 10) + low[0] - 0xDC00 if low else high
    return ord(member[2]) % 32 if member[1] == "c" else _CONTROLS[member[1]]


def _size(digits: str) -> tuple[int, str]:
    """Compares as the number does, however many digits it has."""
    digits = digits.lstrip("0")
    return len(digits), digits
