"""The formats, exactly as the documents say that the dialects refer to."""

from __future__ import annotations

from collections.abc import Callable

from grammars.frontends.json.validation.formats.dates import is_date, is_date_time, is_duration, is_time
from grammars.frontends.json.validation.formats.hosts import (
    is_email,
    is_hostname,
    is_idn_email,
    is_idn_hostname,
    is_ipv4,
    is_ipv6,
)
from grammars.frontends.json.validation.formats.identifiers import (
    is_iri,
    is_iri_reference,
    is_uri,
    is_uri_reference,
    is_uri_template,
    is_uuid,
)
from grammars.frontends.json.validation.formats.patterns import is_pattern
from grammars.frontends.json.validation.formats.pointers import (
    is_json_pointer,
    is_relative_json_pointer,
    is_relative_json_pointer_with_offset,
)

_CHECKS: dict[str, Callable[[str], bool]] = {
    "date": is_date,
    "date-time": is_date_time,
    "duration": is_duration,
    "email": is_email,
    "hostname": is_hostname,
    "idn-email": is_idn_email,
    "idn-hostname": is_idn_hostname,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "iri": is_iri,
    "iri-reference": is_iri_reference,
    "json-pointer": is_json_pointer,
    "regex": is_pattern,
    "relative-json-pointer": is_relative_json_pointer,
    "time": is_time,
    "uri": is_uri,
    "uri-reference": is_uri_reference,
    "uri-template": is_uri_template,
    "uuid": is_uuid,
}
_SINCE_2020: dict[str, Callable[[str], bool]] = {"relative-json-pointer": is_relative_json_pointer_with_offset}
NAMES = frozenset(_CHECKS)


def format_holds(name: str, value: str, dialect: int) -> bool:
    """Whether a text is of a format. Formats that no dialect knows hold always.

    A name that a later dialect has introduced means the same in the earlier ones, which allow further formats.

    Args:
        name: of the format.
        value: the text.
        dialect: 4, 6, 7, 2019 or 2020.
    """
    check = _CHECKS.get(name)
    if dialect >= 2020:
        check = _SINCE_2020.get(name, check)
    return check is None or check(value)
