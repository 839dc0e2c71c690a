"""The formats that are asserted, as patterns of a full match.

Each pattern is sound: every string that it allows is of the format. Some are narrower than their format where the
rest is rare and no regular expression of a sensible size says it: no leap seconds, no IP literals in URIs, no
quoted local parts in addresses, bounded labels in host names.
"""

from __future__ import annotations

from functools import lru_cache

from grammars.errors import TooComplexError
from grammars.frontends.regex import Language, language_of
from grammars.limits import Limits

_YEAR = "(?:[1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"
_LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)"
_DATE = (
    f"(?:{_YEAR}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    f"|02-(?:0[1-9]|1[0-9]|2[0-8]))|{_LEAP_YEAR}-02-29)"
)
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_CLOCK = "(?:{n}H(?:{n}M(?:{n}S)?)?|{n}M(?:{n}S)?|{n}S)".format(n="[0-9]{1,9}")
_CALENDAR = "(?:{n}Y(?:{n}M(?:{n}D)?)?|{n}M(?:{n}D)?|{n}D)".format(n="[0-9]{1,9}")
_DURATION = f"P(?:[0-9]{{1,9}}W|{_CALENDAR}(?:T{_CLOCK})?|T{_CLOCK})"
_HEX = "[0-9A-Fa-f]"
_UUID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"

# A label has at most 63 characters and a name 253; double hyphens are left out, since only some of them are legal.
_LABEL = "(?:[A-Za-z0-9]{1,20}(?:-[A-Za-z0-9]{1,20}){0,2}|[A-Za-z0-9]{1,11}(?:-[A-Za-z0-9]{1,11}){3,4})"
_SHORT_LABEL = "[A-Za-z0-9]{1,14}(?:-[A-Za-z0-9]{1,14})?"
_HOSTNAME = rf"(?:{_LABEL}(?:\.{_LABEL}){{0,2}}|{_SHORT_LABEL}(?:\.{_SHORT_LABEL}){{3,6}})"
_ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_LOCAL = rf"(?:{_ATOM}{{1,64}}|{_ATOM}{{1,20}}(?:\.{_ATOM}{{1,20}}){{1,2}}|{_ATOM}{{1,12}}(?:\.{_ATOM}{{1,12}}){{3,4}})"

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


def _uri(extra: str, *, reference: bool) -> str:
    """RFC 3986, or RFC 3987 with `extra` characters; without IP literals."""
    plain = rf"A-Za-z0-9._~!$&'()*+,;=\-{extra}"
    escaped = f"%{_HEX}{{2}}"
    character = f"(?:[{plain}:@]|{escaped})"
    rest = f"(?:[{plain}:@/]|{escaped})*"
    authority = rf"(?:(?:[{plain}:]|{escaped})*@)?(?:[{plain}]|{escaped})*(?::[0-9]{{0,5}})?"
    tail = rf"(?:\?(?:[{plain}:@/?]|{escaped})*)?(?:#(?:[{plain}:@/?]|{escaped})*)?"
    network = f"//{authority}(?:/{rest})?"
    absolute = f"[A-Za-z][A-Za-z0-9+.-]*:(?:{network}|/(?:{character}{rest})?|{character}{rest})?{tail}"
    if not reference:
        return absolute
    segment = f"(?:[{plain}@]|{escaped})+(?:/{rest})?"
    return f"{absolute}|(?:{network}|/(?:{character}{rest})?|{segment})?{tail}"


_UCS = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U0001fffd\U00020000-\U0002fffd\U00030000-\U0003fffd"
_POINTER = "(?:/(?:[^/~]|~[01])*)*"
_VARIABLE = r"[A-Za-z0-9_]{1,40}(?:\.[A-Za-z0-9_]{1,40})*(?::[1-9][0-9]{0,3}|\*)?"
_TEMPLATE = rf"(?:[A-Za-z0-9._~!$&()*+,;=:@/?#\[\]-]|%{_HEX}{{2}}|\{{[+#./;?&]?{_VARIABLE}(?:,{_VARIABLE})*\}})*"
_REGEX_CLASS = r"\[\^?(?:[A-Za-z0-9_.@, ]|a-z|A-Z|0-9|a-f|A-F|\\[dwsDWS.\]\[\\/-])+\]"
_REGEX_COUNT = r"(?:[*+?]|\{[1-9][0-9]?,?\})?"
_REGEX_TERM = rf"(?:[A-Za-z0-9 _,;:'\"=<>@#%&!~`.-]|\\[dDwWsS.*+?^$()\[\]{{}}|\\/]|{_REGEX_CLASS}){_REGEX_COUNT}"
_REGEX_GROUP = rf"\((?:\?:)?(?:{_REGEX_TERM})+(?:\|(?:{_REGEX_TERM})+)*\){_REGEX_COUNT}"
_REGEX_ITEMS = rf"(?:{_REGEX_TERM}|{_REGEX_GROUP})*"

_PATTERNS = {
    "date": _DATE,
    "time": _TIME,
    "date-time": f"{_DATE}[Tt]{_TIME}",
    "duration": _DURATION,
    "uuid": _UUID,
    "email": f"{_LOCAL}@{_HOSTNAME}",
    "idn-email": f"{_LOCAL}@{_HOSTNAME}",
    "hostname": _HOSTNAME,
    "idn-hostname": _HOSTNAME,
    "ipv4": _IPV4,
    "ipv6": _IPV6,
    "uri": _uri("", reference=False),
    "uri-reference": _uri("", reference=True),
    "iri": _uri(_UCS, reference=False),
    "iri-reference": _uri(_UCS, reference=True),
    "uri-template": _TEMPLATE,
    "json-pointer": _POINTER,
    "relative-json-pointer": f"(?:0|[1-9][0-9]{{0,8}})(?:#|{_POINTER})",
    "regex": rf"\^?{_REGEX_ITEMS}(?:\|{_REGEX_ITEMS})*\$?",
}
_DETERMINIZED = frozenset(("date", "time", "date-time", "duration", "ipv4", "ipv6"))
NAMES = tuple(_PATTERNS)


@lru_cache(maxsize=len(_PATTERNS) + 1)
def language(name: str) -> Language | None:
    """The strings of a format; None for a name that no dialect knows, which is an annotation."""
    pattern = _PATTERNS.get(name)
    if pattern is None:
        return None
    limits = Limits()
    found = language_of(pattern, "ecma", False, limits.max_depth, limits.max_pattern_states)
    if name in _DETERMINIZED:
        try:
            return Language(None, found.dfa(limits.max_pattern_states))
        except TooComplexError:
            return found
    return found
