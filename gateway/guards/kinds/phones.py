"""Phone numbers, for `pii`: by the numbering plan of a country, or with `region = "any"` by their format."""

from __future__ import annotations

import re
from functools import partial

from gateway.guards.kinds.base import OptionError
from gateway.guards.patterns import chars, compile_pattern, word_characters
from gateway.guards.rule import CompiledPattern

ANY = "any"
"""The region of who does not know where numbers are from."""
_BETWEEN = r"[ .\-/()]{1,2}"
_ABROAD = rf"\+[0-9]{{1,15}}(?:{_BETWEEN}[0-9]{{1,10}}){{0,6}}"
_AT_HOME = rf"\(?[0-9]{{1,15}}(?:{_BETWEEN}[0-9]{{2,10}}){{0,5}}"
_EXTENSION = r"(?:x[0-9]{1,5})?"

_WRITTEN = re.compile(
    r"(?:\+|00)[1-9][0-9]{0,14}(?:[ .\-/()]{1,2}[0-9]{1,10}){0,6}"
    r"|[0-9]{10,11}"
    r"|\([0-9]{1,5}\)[ -]?[0-9]{2,8}(?:[ .-][0-9]{2,4}){0,3}"  # (212) 555-0123
    r"|0[0-9]{1,4}[ /-][0-9]{5,8}"  # 030/901820
    r"|[0-9]{2} [0-9]{6}|[0-9]{3}-[0-9]{7}"
    r"|[0-9]{1,5}(?P<between>[ .-])[0-9]{2,4}(?:(?P=between)[0-9]{2,4}){1,3}"  # 212-555-0123, 06 12 34 56 78
)
_SHORT = r"[0-9]{3,4} [0-9]{4}|[0-9]{2}(?: [0-9]{2}){2}"
"""Local numbers. House addresses begin with such digits too, so only the end of a phrase may follow."""
_OTHERS = re.compile(
    r"[0-9]{3,4}-[0-9]{2}-[0-9]{4}"  # of social security, of licences
    r"|[0-9]{1,2}([-./ ])[0-9]{1,2}\1(?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}([-./ ])[0-9]{1,2}\2[0-9]{1,2}"  # days
    r"|[0-9]{1,3}(?:\.[0-9]{1,3}){2,3}"  # an address, a large number
)


def check_region(region: str | None) -> None:
    """Refuse an unknown region.

    Raises:
        OptionError: The region is unknown.
    """
    import phonenumbers  # only where it is wanted, and not while a text waits

    if region not in (None, ANY) and region not in phonenumbers.SUPPORTED_REGIONS:
        raise OptionError("region", f"must be a country in two capital letters, as in 'DE', or 'any', not '{region}'")


def shapes(region: str | None) -> list[CompiledPattern]:
    """Digits in groups. Without a region only what begins with `+` says where it is from."""
    word = word_characters()
    if region == ANY:
        before = chars(r"\w+./$\-")
        pattern = f"(?:{_ABROAD}|{_AT_HOME}){_EXTENSION}"
        return [
            compile_pattern(pattern, before=before, after=word, check=is_written_as_phone),
            compile_pattern(_SHORT, before=before, after=chars(r"\w ")),
        ]
    pattern = _ABROAD if region is None else f"{_ABROAD}|{_AT_HOME}"
    return [
        compile_pattern(
            pattern, before=(*word, (ord("+"), ord("+"))), after=word, check=partial(is_phone, region=region)
        )
    ]


def is_phone(text: str, region: str | None) -> bool:
    """True if the number is possible in its country."""
    import phonenumbers

    if not 7 <= sum(map(str.isdigit, text)) <= 17:
        return False
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(text, region))
    except phonenumbers.NumberParseException:
        return False


def is_written_as_phone(text: str) -> bool:
    """True if length and grouping are those of a phone number, and of nothing else."""
    number, _, _ = text.partition("x")
    digits = sum(map(str.isdigit, number))
    if not 7 <= digits <= 15:
        return False
    return bool(_WRITTEN.fullmatch(number)) and not _OTHERS.fullmatch(number)
