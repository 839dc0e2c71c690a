"""Formats as the documents say that the dialects refer to; those that an automaton says exactly, as it says them.

See: RFC 3339, section 5.7 (leap seconds); RFC 1123, section 2.1, and RFC 5890 (host names); RFC 5321, section 4.1.2,
and RFC 6531, section 3.3 (mailboxes); draft-bhutton-relative-json-pointer-00; ECMA-262, section 22.2.1 (patterns).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import idna

from grammars.frontends.json.meaning import formats
from grammars.limits import DEFAULT_LIMITS

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
    """True if the text is a pattern. Open groups are a list, so nesting is free."""
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
    """True if a class may have the characters from one to another, neither of which is a set of them."""
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


NAMES = frozenset(formats.NAMES)
_MAX_NAME, _MAX_LABEL, _MAX_LOCAL = 253, 63, 64
_DAY_MINUTES = 24 * 60
_HOUR, _MINUTE = "([01][0-9]|2[0-3])", "([0-5][0-9])"
_LEAP = re.compile(rf"{_HOUR}:{_MINUTE}:60(?:\.[0-9]+)?([+-]){_HOUR}:{_MINUTE}")
_LABEL = re.compile("[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?")
_DOTS = re.compile("[.\u3002\uff0e\uff61]")
_BEYOND_ASCII = "\u0080-\U0010ffff"
_LITERAL = re.compile(r"\[(?:IPv6:(?P<v6>[0-9A-Fa-f:.]+)|(?P<v4>[0-9.]+)|[A-Za-z0-9-]*[A-Za-z0-9]:[!-Z^-~]+)\]")
_OFFSET = re.compile(r"(0|[1-9][0-9]*)[+-](?:0|[1-9][0-9]*)(?=[#/]|\Z)")


def format_holds(name: str, value: str, dialect: int) -> bool:
    """True if a text is of a format. Formats that no dialect knows hold always.

    A name that a later dialect has introduced means the same in the earlier ones, which allow further formats.

    Args:
        name: of the format.
        value: the text.
        dialect: 4, 6, 7, 2019 or 2020.
    """
    if name == "relative-json-pointer" and dialect >= 2020:
        # It may go to another item of the same array.
        offset = _OFFSET.match(value)
        value = value if offset is None else offset[1] + value[offset.end() :]
    return _CHECKS[name](value) if name in _CHECKS else name not in NAMES or _is_said(name, value)


def _is_said(name: str, value: str) -> bool:
    language = formats.language(name)
    return language is not None and language.accepts(value, DEFAULT_LIMITS.max_pattern_states)


def _is_time(value: str) -> bool:
    """Second 60 only in the last minute of a day of UTC."""
    leap = _LEAP.fullmatch(value)
    if leap is None:
        return _is_said("time", value)
    minute, away = (60 * int(leap[group]) + int(leap[group + 1]) for group in (1, 4))
    return (minute + (away if leap[3] == "-" else -away)) % _DAY_MINUTES == _DAY_MINUTES - 1


def _is_date_time(value: str) -> bool:
    return value[10:11] in ("T", "t") and _is_said("date", value[:10]) and _is_time(value[11:])


def _is_hostname(value: str) -> bool:
    return len(value) <= _MAX_NAME and all(map(_is_ascii_label, value.split(".")))


def _is_ascii_label(label: str) -> bool:
    """True if encoded labels of other scripts are correct."""
    if len(label) > _MAX_LABEL or _LABEL.fullmatch(label) is None:
        return False
    try:
        return label[:4].lower() != "xn--" or idna.alabel(idna.ulabel(label)).decode() == label.lower()
    except (ValueError, OverflowError):
        return False


def _is_idn_hostname(value: str) -> bool:
    if len(value) > _MAX_NAME:
        return False  # nor is it shorter in ASCII
    labels = _DOTS.split(value)
    try:
        if not _is_hostname(".".join(label if label.isascii() else idna.alabel(label).decode() for label in labels)):
            return False
        if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in value):
            for label in labels:
                idna.check_bidi(label, check_ltr=True)
    except (ValueError, OverflowError):
        return False
    return True


def _local(extra: str) -> re.Pattern[str]:
    atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~" + extra + "-]++"
    quoted = '"(?:[ !#-\\[\\]-~' + extra + ']|\\\\[ -~])*+"'
    return re.compile(rf"{atom}(?:\.{atom})*|{quoted}")


def _is_mailbox(value: str, local: re.Pattern[str], is_name: Callable[[str], bool]) -> bool:
    name, sign, domain = value.rpartition("@")
    size = len(name.encode("utf-8", "surrogatepass"))
    if not sign or size > _MAX_LOCAL or local.fullmatch(name) is None:
        return False
    literal = _LITERAL.fullmatch(domain)
    if literal is None:
        return is_name(domain)
    if literal["v6"] is not None:
        return _is_said("ipv6", literal["v6"])
    return literal["v4"] is None or _is_said("ipv4", literal["v4"])


_ASCII_LOCAL, _ANY_LOCAL = _local(""), _local(_BEYOND_ASCII)
# What no automaton of a sensible size says.
_CHECKS: dict[str, Callable[[str], bool]] = {
    "time": _is_time,
    "date-time": _is_date_time,
    "hostname": _is_hostname,
    "idn-hostname": _is_idn_hostname,
    "email": lambda value: _is_mailbox(value, _ASCII_LOCAL, _is_hostname),
    # The domain may be written in any normal form: resolvers compose it.
    "idn-email": lambda value: _is_mailbox(
        value, _ANY_LOCAL, lambda domain: _is_idn_hostname(unicodedata.normalize("NFC", domain))
    ),
    "regex": is_pattern,
}
