"""The formats that are asserted, as patterns of a full match.

Each pattern is sound: every string that it allows is of the format. Some are narrower than their format where the
rest is rare and no regular expression of a sensible size says it: no leap seconds, no IP literals in URIs, no
quoted local parts in addresses, bounded labels in host names, no part of a URI beyond its share of a large
`maxLength`. What is surely not of a format is said apart.
"""

from __future__ import annotations

from functools import lru_cache

from grammars.errors import TooComplexError
from grammars.frontends.regex import Language, language_of
from grammars.frontends.regex.syntax import NOTHING
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
# The host of an address is shorter, so that an address has at most 253 characters.
_MAIL_LABEL = "[A-Za-z0-9]{1,12}(?:-[A-Za-z0-9]{1,12})?"
_MAIL_HOST = rf"(?:{_LABEL}(?:\.{_LABEL}){{0,2}}|{_MAIL_LABEL}(?:\.{_MAIL_LABEL}){{3,6}})"
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


def _uri(extra: str, *, reference: bool, most: int | None = None) -> str:
    """RFC 3986, or RFC 3987 with `extra` characters; without IP literals.

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
    authority = rf"(?:(?:[{plain}:]|{escaped}){user}@)?(?:[{plain}]|{escaped}){host}(?::[0-9]{{0,5}})?"
    tail = rf"(?:\?(?:[{plain}:@/?]|{escaped}){query})?(?:#(?:[{plain}:@/?]|{escaped}){fragment})?"
    network = f"//{authority}(?:/{rest})?"
    scheme = f"[A-Za-z][A-Za-z0-9+.-]{'*' if most is None else '{0,60}'}"
    absolute = f"{scheme}:(?:{network}|/(?:{character}{rest})?|{character}{rest})?{tail}"
    if not reference:
        return absolute
    segment = f"(?:[{plain}@]|{escaped}){'+' if most is None else '{1,30}'}(?:/{rest})?"
    return f"{absolute}|(?:{network}|/(?:{character}{rest})?|{segment})?{tail}"


_UCS = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U0001fffd\U00020000-\U0002fffd\U00030000-\U0003fffd"
_URIS = {"uri": ("", False), "uri-reference": ("", True), "iri": (_UCS, False), "iri-reference": (_UCS, True)}
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
    "email": f"{_LOCAL}@{_MAIL_HOST}",
    "idn-email": f"{_LOCAL}@{_MAIL_HOST}",
    "hostname": _HOSTNAME,
    "idn-hostname": _HOSTNAME,
    "ipv4": _IPV4,
    "ipv6": _IPV6,
    **{name: _uri(extra, reference=reference) for name, (extra, reference) in _URIS.items()},
    "uri-template": _TEMPLATE,
    "json-pointer": _POINTER,
    "relative-json-pointer": f"(?:0|[1-9][0-9]{{0,8}})(?:#|{_POINTER})",
    "regex": rf"\^?{_REGEX_ITEMS}(?:\|{_REGEX_ITEMS})*\$?",
}

# What every string of a format looks like, whoever reads the specification; what does not look so is surely not of
# the format. A format that is not listed here is said exactly above.
_ANY_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_ANY_TIME = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})?"
_URI_CHARACTER = r"[!#-;=?-\[\]_a-z~]"
_IRI_CHARACTER = r'[^\x00-\x20"<>\\^`{|}]'
_SCHEME = "[A-Za-z][A-Za-z0-9+.-]*"
_WIDE_PATTERNS = {
    "date": _ANY_DATE,
    "time": _ANY_TIME,
    "date-time": f"{_ANY_DATE}[Tt ]{_ANY_TIME}",
    "duration": r"P[0-9A-Z.,]+",
    "email": r"[^]*@[^]*",
    "idn-email": r"[^]*@[^]*",
    "hostname": r"[A-Za-z0-9._-]{1,255}",
    "idn-hostname": r"[^\x00-\x20/:@?#\[\]\\]+",
    "ipv4": r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}",
    "ipv6": r"[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[^]*)?",
    "uri": f"{_SCHEME}:{_URI_CHARACTER}*",
    "uri-reference": f"{_URI_CHARACTER}*",
    "iri": f"{_SCHEME}:{_IRI_CHARACTER}*",
    "iri-reference": f"{_IRI_CHARACTER}*",
    "uri-template": r'(?:[^\x00-\x20"<>\\^`{|}]|\{[^{}]*\})*',
    "relative-json-pointer": f"[0-9]+(?:#|{_POINTER})",
    "regex": r"(?:[^*+?][^]*)?",
}
# As automata these are smaller, or their loops become spans.
_DETERMINIZED = frozenset(_PATTERNS) - {"uuid", "email", "idn-email", "hostname", "idn-hostname"}
NAMES = tuple(_PATTERNS)
# From this many characters on a URI is bounded part by part; no bound is larger than the other.
_LONG, _LONGEST = 1_000, 1_000_000


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


@lru_cache(maxsize=256)
def bounded(name: str, high: int | None) -> Language | None:
    """`language`, for texts of at most `high` characters: long URIs are bounded part by part, not as a whole."""
    if name not in _URIS or high is None or high < _LONG:
        return language(name)
    extra, reference = _URIS[name]
    limits = Limits()
    pattern = _uri(extra, reference=reference, most=min(high, _LONGEST))
    return language_of(pattern, "ecma", False, limits.max_depth, limits.max_pattern_states)


@lru_cache(maxsize=len(_PATTERNS) + 1)
def complement(name: str) -> Language:
    """Strings that are surely not of a format; none for a name that no dialect knows, which nothing fails."""
    if name not in _PATTERNS:
        return Language(NOTHING)
    found = wide(name)
    assert found is not None
    return found.complement(Limits().max_pattern_states)


@lru_cache(maxsize=len(_PATTERNS) + 1)
def wide(name: str) -> Language | None:
    """Every string of a format and perhaps more; None for a name that no dialect knows."""
    if name not in _PATTERNS:
        return None
    limits = Limits()
    pattern = _WIDE_PATTERNS.get(name, _PATTERNS[name])
    return language_of(pattern, "ecma", False, limits.max_depth, limits.max_pattern_states)
