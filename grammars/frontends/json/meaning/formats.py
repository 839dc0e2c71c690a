"""The formats that are asserted, as patterns of a full match.

Each pattern is sound: every string that it allows is of the format. Those of `PARTLY` are narrower than their format,
where the rest is rare and no regular expression of a sensible size says it: leap seconds at offsets of parts of an
hour, labels in Punycode, long labels in host names of many, small letters of some scripts in internationalized ones,
long parts of dotted local parts of mailboxes. Of a URI no part is beyond its share of a large `maxLength`. For those
what is surely not of the format is said separately. The others are exact, and validation holds texts against them.

`regex` alone is context-free, see `patterns`; the pattern here is for places where more is said of the string.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from grammars.errors import TooComplexError
from grammars.frontends.regex import Language, language_of
from grammars.frontends.regex.syntax import NOTHING
from grammars.limits import DEFAULT_LIMITS

_LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
_DATE = (
    "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    f"|02-(?:0[1-9]|1[0-9]|2[0-8]))|{_LEAP_YEAR}-02-29)"
)
_OFFSET = "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
# Second 60 is the last of a day of UTC; at other offsets it is written without a fraction, and for whole hours alone.
_LEAPS = "|".join(f"{hour:02}:59:60(?:[+]{hour + 1:02}:00|-{23 - hour:02}:00)" for hour in range(23))
_CLOCK_TIME = f"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?{_OFFSET}"
_TIME = f"(?:{_CLOCK_TIME}|23:59:60(?:\\.[0-9]+)?(?:[Zz]|[+-]00:00)|{_LEAPS})"
_CLOCK = "(?:{n}H(?:{n}M(?:{n}S)?)?|{n}M(?:{n}S)?|{n}S)".format(n="[0-9]+")
_CALENDAR = "(?:{n}Y(?:{n}M(?:{n}D)?)?|{n}M(?:{n}D)?|{n}D)".format(n="[0-9]+")
_DURATION = f"P(?:[0-9]+W|{_CALENDAR}(?:T{_CLOCK})?|T{_CLOCK})"
_HEX = "[0-9A-Fa-f]"
_UUID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"


def _name(letter: str, *most: int) -> str:
    """A host name of up to three labels of `most[0]` letters, seven of `most[1]`, and so on, see `_LABELS`.

    A label has no hyphens as its third and fourth character: only some of those are legal.
    """
    inner = f"(?:{letter}|-)"
    names = []
    for size, count in zip(most, _LABELS, strict=False):
        rest = rf"{inner}(?:{letter}{inner}|-{letter}){inner}{{0,{size - 5}}}{letter}"
        label = (
            letter
            if size == 1
            else f"{letter}(?:{inner}{{0,{min(size, 4) - 2}}}{letter}{f'|{rest}' if size > 4 else ''})?"
        )
        names.append(rf"{label}(?:\.{label}){{0,{count - 1}}}")
    return f"(?:{'|'.join(names)})"


# A name has at most 253 characters, a label 63: the more labels there are, the shorter they are.
_LABELS = (3, 7, 15, 94)
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_H16 = f"{_HEX}{{1,4}}"
_LS32 = f"(?:{_H16}:{_H16}|{_IPV4})"
_IPV6 = "|".join(
    [
        f"(?:{_H16}:){{6}}{_LS32}",
        *(f"(?:{_H16}(?::{_H16}){{0,{4 - n}}})?::(?:{_H16}:){{{n}}}{_LS32}" for n in range(4, -1, -1)),
        f"::(?:{_H16}:){{5}}{_LS32}",
        f"(?:{_H16}(?::{_H16}){{0,5}})?::{_H16}",
        f"(?:{_H16}(?::{_H16}){{0,6}})?::",
    ]
)
_HOSTNAME = _name("[A-Za-z0-9]", 63, 29, 11, 1)
# Of a mailbox, which has at most 254 characters, 64 of them before the sign.
_DOMAIN = _name("[A-Za-z0-9]", 62, 26, 11, 1)
# Small letters of scripts that are written from left to right, which every form of a name leaves unchanged; ten
# of them are never more than 63 characters of Punycode.
_LETTERS = (
    "a-z0-9\u00e0-\u00f6\u00f8-\u00ff\u03b1-\u03c1\u03c3-\u03c9\u0430-\u044f\u3041-\u3096\u4e00-\u9fa5\uac00-\ud7a3"
)
_IDN_NAME = _name(f"[{_LETTERS}]", 10, 5, 2)
_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
# Up to 64 characters: number of parts, most characters of each.
_DOTTED = "|".join(
    rf"{_ATOM}{{1,{most}}}(?:\.{_ATOM}{{1,{most}}}){{0,{62 // (most + 1)}}}" for most in (64, 31, 20, 12, 7, 3, 1)
)
# Before a bare `<` a validator may take what is quoted for a person's name.
_QUOTED, _ANY_QUOTED = r"(?:[ !#-;=-\[\]-~]|\\[!-~])", r"(?:[ !#-\[\]-~]|\\[ -~])"
_LOCAL = f'(?:{_DOTTED}|"{_QUOTED}{{0,31}}")'
# At most 64 bytes of UTF-8, whatever the characters are.
_IDN_ATOM = rf"[\u0080-\u{{10ffff}}{_ATOM[1:]}"
_IDN_LOCAL = rf"(?:{_IDN_ATOM}{{1,16}}|{_IDN_ATOM}{{1,7}}(?:\.{_IDN_ATOM}{{1,7}}))"
_LITERAL = rf"\[(?:{_IPV4}|IPv6:(?:{_IPV6}))\]"


def _uri(extra: str, private: str, *, reference: bool, most: int | None = None) -> str:
    """RFC 3986, or RFC 3987 with `extra` characters, and `private` ones in queries.

    Args:
        most: characters, at least 1000; half of them are the path's, a third the query's.
    """
    plain = rf"A-Za-z0-9._~!$&'()*+,;=\-{extra}"
    escaped = f"%{_HEX}{{2}}"
    character = f"(?:[{plain}:@]|{escaped})"
    # An escape has three characters; scheme, user, host and port have at most 420.
    share = 0 if most is None else (most - 430) // 18
    shares = (3 * share, 2 * share, share, 30, 70)
    path, query, fragment, user, host = ("*" if most is None else f"{{0,{count}}}" for count in shares)
    rest = f"(?:[{plain}:@/]|{escaped}){path}"
    future = (
        rf"[Vv]{_HEX}{'+' if most is None else '{1,9}'}\.[A-Za-z0-9._~!$&'()*+,;=:-]{'+' if most is None else '{1,60}'}"
    )
    literal = rf"\[(?:{_IPV6}|{future})\]"
    port = f"(?::[0-9]{'*' if most is None else '{0,5}'})?"
    authority = rf"(?:(?:[{plain}:]|{escaped}){user}@)?(?:(?:[{plain}]|{escaped}){host}|{literal}){port}"
    tail = rf"(?:\?(?:[{plain}:@/?{private}]|{escaped}){query})?(?:#(?:[{plain}:@/?]|{escaped}){fragment})?"
    network = f"//{authority}(?:/{rest})?"
    scheme = f"[A-Za-z][A-Za-z0-9+.-]{'*' if most is None else '{0,60}'}"
    absolute = f"{scheme}:(?:{network}|/(?:{character}{rest})?|{character}{rest})?{tail}"
    if not reference:
        return absolute
    segment = f"(?:[{plain}@]|{escaped}){'+' if most is None else '{1,30}'}(?:/{rest})?"
    return f"{absolute}|(?:{network}|/(?:{character}{rest})?|{segment})?{tail}"


_UCS = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 15)
).replace("\U000e0000-", "\U000e1000-")
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_SETS = {"uri": ("", ""), "iri": (_UCS, _PRIVATE)}
_URIS = {f"{name}{kind}": (*_SETS[name], kind != "") for name in _SETS for kind in ("", "-reference")}
_POINTER = "(?:/(?:[^/~]|~[01])*)*"
_NAME_CHARACTER = f"(?:[A-Za-z0-9_]|%{_HEX}{{2}})"
_VARIABLE = rf"{_NAME_CHARACTER}(?:\.?{_NAME_CHARACTER})*(?::[1-9][0-9]{{0,3}}|\*)?"
_EXPRESSION = rf"\{{[+#./;?&=,!@|]?{_VARIABLE}(?:,{_VARIABLE})*\}}"
_TEMPLATE = rf"(?:[!#$&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~{_UCS}{_PRIVATE}]|%{_HEX}{{2}}|{_EXPRESSION})*"
_REGEX_CLASS = r"\[\^?(?:[A-Za-z0-9_.@, ]|a-z|A-Z|0-9|a-f|A-F|\\[dwsDWS.\]\[\\/-])+\]"
_REGEX_COUNT = r"(?:(?:[*+?]|\{(?:[1-9][0-9]?,?|[0-9],[1-9][0-9])\})\??)?"
_REGEX_TERM = rf"(?:[A-Za-z0-9 _,;:'\"=<>@#%&!~`.-]|\\[dDwWsS.*+?^$()\[\]{{}}|\\/]|{_REGEX_CLASS}){_REGEX_COUNT}"
_REGEX_GROUP = rf"\((?:\?:)?(?:{_REGEX_TERM})+(?:\|(?:{_REGEX_TERM})+)*\){_REGEX_COUNT}"
_REGEX_ITEMS = rf"(?:{_REGEX_TERM}|{_REGEX_GROUP})*"

_PATTERNS = {
    "date": _DATE,
    "time": _TIME,
    "date-time": f"{_DATE}[Tt]{_TIME}",
    "duration": _DURATION,
    "uuid": _UUID,
    "email": f"{_LOCAL}@(?:{_DOMAIN}|{_LITERAL})",
    "idn-email": f"(?:{_LOCAL}|{_IDN_LOCAL})@(?:{_DOMAIN}|{_IDN_NAME}|{_LITERAL})",
    "hostname": _HOSTNAME,
    "idn-hostname": f"(?:{_HOSTNAME}|{_IDN_NAME})",
    "ipv4": _IPV4,
    "ipv6": _IPV6,
    **{name: _uri(extra, private, reference=reference) for name, (extra, private, reference) in _URIS.items()},
    "uri-template": _TEMPLATE,
    "json-pointer": _POINTER,
    "relative-json-pointer": f"(?:0|[1-9][0-9]*)(?:#|{_POINTER})",
    "regex": rf"\^?{_REGEX_ITEMS}(?:\|{_REGEX_ITEMS})*\$?",
}

# What every string of a format looks like, where that is not said exactly above; what does not look so is surely not of
# the format.
_ANY_TIME = f"(?:{_CLOCK_TIME}|[0-2][0-9]:[0-5][0-9]:60(?:\\.[0-9]+)?{_OFFSET})"
_ANY_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ANY_HOSTNAME = rf"{_ANY_LABEL}(?:\.{_ANY_LABEL})*"
_WIDE_PATTERNS = {
    "time": _ANY_TIME,
    "date-time": f"{_DATE}[Tt]{_ANY_TIME}",
    "email": rf"(?:{_ATOM}+(?:\.{_ATOM}+)*|\"{_ANY_QUOTED}*\")@(?:{_ANY_HOSTNAME}|\[[^]*)",
    "idn-email": r"[^]*@[^]*",
    "hostname": _ANY_HOSTNAME,
    "idn-hostname": r"[^\x00-\x20/:@?#\[\]\\]+",
    "uri-template": r'(?:[^\x00-\x20"<>\\^`{|}]|\{[^{}]*\})*',
    "regex": r"(?:[^*+?][^]*)?",
}
# As automata these are smaller, or their loops become spans.
_DETERMINIZED = frozenset(_PATTERNS) - {"uuid", "email", "idn-email", "hostname", "idn-hostname"}
NAMES = tuple(_PATTERNS)
PARTLY = frozenset(("time", "date-time", "email", "idn-email", "hostname", "idn-hostname", "regex"))
"""Those of which masks leave some texts out."""
# From this many characters on a URI is bounded part by part; no bound is larger than the other.
_LONG, _LONGEST = 1_000, 1_000_000


@lru_cache(maxsize=len(_PATTERNS) + 1)
def language(name: str) -> Language | None:
    """The strings of a format; None for a name that no dialect knows, which is an annotation."""
    pattern = _PATTERNS.get(name)
    if pattern is None:
        return None
    found = language_of(pattern, "ecma", False)
    if name in _DETERMINIZED:
        with suppress(TooComplexError):
            return Language(None, found.dfa(DEFAULT_LIMITS.max_pattern_states))
    return found


@lru_cache(maxsize=256)
def bounded(name: str, high: int | None) -> Language | None:
    """`language`, for texts of at most `high` characters: long URIs are bounded part by part, not as a whole."""
    if name not in _URIS or high is None or high < _LONG:
        return language(name)
    extra, private, reference = _URIS[name]
    return language_of(_uri(extra, private, reference=reference, most=min(high, _LONGEST)), "ecma", False)


@lru_cache(maxsize=len(_PATTERNS) + 1)
def complement(name: str) -> Language:
    """Strings that are surely not of a format; none for a name that no dialect knows, which nothing fails."""
    found = wide(name)
    return Language(NOTHING) if found is None else found.complement(DEFAULT_LIMITS.max_pattern_states)


@lru_cache(maxsize=len(_PATTERNS) + 1)
def wide(name: str) -> Language | None:
    """Every string of a format and perhaps more; None for a name that no dialect knows."""
    pattern = _WIDE_PATTERNS.get(name, _PATTERNS.get(name))
    return None if pattern is None else language_of(pattern, "ecma", False)
