"""Addresses: of the internet protocol, hosts and mailboxes.

See: RFC 1123, section 2.1; RFC 5890 (internationalized); RFC 5321, section 4.1.2; RFC 6531, section 3.3.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Callable

from grammars.frontends.json.validation.formats.labels import is_a_label, is_bidi, is_readable, is_u_label

_MAX_NAME, _MAX_LABEL, _MAX_LOCAL = 253, 63, 64
_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}")
_LABEL = re.compile("[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?")
_DOTS = re.compile("[.\u3002\uff0e\uff61]")
_BEYOND_ASCII = "\u0080-\U0010ffff"
_LITERAL = re.compile(r"\[(?:IPv6:(?P<v6>[0-9A-Fa-f:.]+)|(?P<v4>[0-9.]+)|[A-Za-z0-9-]*[A-Za-z0-9]:[!-Z^-~]+)\]")


def _local(extra: str) -> re.Pattern[str]:
    atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~" + extra + "-]++"
    quoted = '"(?:[ !#-\\[\\]-~' + extra + ']|\\\\[ -~])*+"'
    return re.compile(rf"{atom}(?:\.{atom})*|{quoted}")


_ASCII_LOCAL, _ANY_LOCAL = _local(""), _local(_BEYOND_ASCII)


def is_ipv4(value: str) -> bool:
    """Four decimal numbers without leading zeros."""
    return _IPV4.fullmatch(value) is not None


def is_ipv6(value: str) -> bool:
    """RFC 4291, section 2.2; without a zone."""
    if "%" in value or not value.isascii():
        return False
    try:
        ipaddress.IPv6Address(value)
    except ValueError:
        return False
    return True


def is_hostname(value: str) -> bool:
    """A host name in ASCII; labels that stand for other scripts do so correctly."""
    return len(value) <= _MAX_NAME and all(map(_is_ascii_label, value.split(".")))


def is_idn_hostname(value: str) -> bool:
    """A host name in any script."""
    labels = _DOTS.split(value)
    size = len(labels) - 1
    for label in labels:
        if label.isascii():
            if not _is_ascii_label(label):
                return False
            size += len(label)
        else:
            if not is_u_label(label):
                return False
            encoded = len(b"xn--" + label.encode("punycode"))
            if encoded > _MAX_LABEL:
                return False
            size += encoded
    return size <= _MAX_NAME and (not any(map(is_bidi, labels)) or all(map(is_readable, labels)))


def is_email(value: str) -> bool:
    """A mailbox in ASCII."""
    return _is_mailbox(value, _ASCII_LOCAL) and _is_domain(value.rpartition("@")[2], is_hostname)


def is_idn_email(value: str) -> bool:
    """A mailbox in any script. Its domain may be written in any normal form: whoever looks it up composes it."""
    domain = unicodedata.normalize("NFC", value.rpartition("@")[2])
    return _is_mailbox(value, _ANY_LOCAL) and _is_domain(domain, is_idn_hostname)


def _is_mailbox(value: str, local: re.Pattern[str]) -> bool:
    name, sign, _ = value.rpartition("@")
    size = len(name.encode("utf-8", "surrogatepass"))
    return bool(sign) and size <= _MAX_LOCAL and local.fullmatch(name) is not None


def _is_domain(value: str, is_name: Callable[[str], bool]) -> bool:
    if not value.startswith("["):
        return is_name(value)
    match = _LITERAL.fullmatch(value)
    if match is None:
        return False
    if match["v6"] is not None:
        return is_ipv6(match["v6"])
    return match["v4"] is None or is_ipv4(match["v4"])


def _is_ascii_label(label: str) -> bool:
    if len(label) > _MAX_LABEL or _LABEL.fullmatch(label) is None:
        return False
    return label[:4].lower() != "xn--" or is_a_label(label)
