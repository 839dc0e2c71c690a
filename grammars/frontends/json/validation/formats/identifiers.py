"""URIs, IRIs, templates of them, and UUIDs.

See: RFC 3986, appendix A; RFC 3987, section 2.2; RFC 6570, section 2; RFC 4122, section 3.
"""

from __future__ import annotations

import re

from grammars.frontends.json.validation.formats.hosts import is_ipv6

_HEX = "[0-9A-Fa-f]"
_ESCAPED = f"%{_HEX}{{2}}"
_UCS = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 15)
)
_UCS = _UCS.replace("\U000e0000-", "\U000e1000-")
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_UUID = re.compile(f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}")
_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*")
_FUTURE = re.compile(rf"[Vv]{_HEX}+\.[A-Za-z0-9._~!$&'()*+,;=:-]+")
_PARTS = re.compile(
    "(?:(?P<scheme>[^:/?#]*):)?(?://(?P<authority>[^/?#]*))?(?P<path>[^?#]*)(?:[?](?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)
_HOST = re.compile(r"(?:(?P<user>[^@]*)@)?(?:\[(?P<literal>[^\]]*)\]|(?P<name>[^:\[\]@]*))(?::[0-9]*)?")


class _Characters:
    """What the parts of an identifier are made of."""

    def __init__(self, extra: str, private: str) -> None:
        plain = rf"A-Za-z0-9._~!$&'()*+,;=\-{extra}"
        self.name = self._all(plain)
        self.user = self._all(plain + ":")
        self.path = self._all(plain + ":@/")
        self.query = self._all(plain + ":@/?" + private)
        self.fragment = self._all(plain + ":@/?")

    @staticmethod
    def _all(characters: str) -> re.Pattern[str]:
        return re.compile(f"(?:[{characters}]|{_ESCAPED})*+")


_ASCII, _ANY = _Characters("", ""), _Characters(_UCS, _PRIVATE)


def is_uri(value: str) -> bool:
    """RFC 3986 URI: with a scheme."""
    return _is_identifier(value, _ASCII, is_reference=False)


def is_uri_reference(value: str) -> bool:
    """RFC 3986 URI-reference."""
    return _is_identifier(value, _ASCII, is_reference=True)


def is_iri(value: str) -> bool:
    """RFC 3987 IRI: with a scheme."""
    return _is_identifier(value, _ANY, is_reference=False)


def is_iri_reference(value: str) -> bool:
    """RFC 3987 IRI-reference."""
    return _is_identifier(value, _ANY, is_reference=True)


def is_uuid(value: str) -> bool:
    """RFC 4122 UUID."""
    return _UUID.fullmatch(value) is not None


def _is_identifier(value: str, characters: _Characters, *, is_reference: bool) -> bool:
    match = _PARTS.fullmatch(value)
    assert match is not None  # every part is optional, and together they leave no character out
    scheme, authority, path, query, fragment = match.groups()
    if scheme is None:
        # Without a scheme the first segment has no colon: the pattern would have taken it for one.
        if not is_reference:
            return False
    elif _SCHEME.fullmatch(scheme) is None:
        return False
    if authority is not None:
        if not _is_authority(authority, characters):
            return False
    elif path.startswith("//"):
        return False
    return (
        characters.path.fullmatch(path) is not None
        and (query is None or characters.query.fullmatch(query) is not None)
        and (fragment is None or characters.fragment.fullmatch(fragment) is not None)
    )


def _is_authority(authority: str, characters: _Characters) -> bool:
    match = _HOST.fullmatch(authority)
    if match is None:
        return False
    if match["user"] is not None and characters.user.fullmatch(match["user"]) is None:
        return False
    if match["literal"] is not None:
        return is_ipv6(match["literal"]) or _FUTURE.fullmatch(match["literal"]) is not None
    return characters.name.fullmatch(match["name"]) is not None


_VARIABLE_CHARACTER = f"(?:[A-Za-z0-9_]|{_ESCAPED})"
_VARIABLE = rf"{_VARIABLE_CHARACTER}(?:\.?{_VARIABLE_CHARACTER})*+(?::[1-9][0-9]{{0,3}}|\*)?"
_EXPRESSION = rf"\{{[+#./;?&=,!@|]?{_VARIABLE}(?:,{_VARIABLE})*+\}}"
_TEMPLATE = re.compile(rf"(?:[!#$&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~{_UCS}{_PRIVATE}]|{_ESCAPED}|{_EXPRESSION})*+")


def is_uri_template(value: str) -> bool:
    """RFC 6570 URI template."""
    return _TEMPLATE.fullmatch(value) is not None
