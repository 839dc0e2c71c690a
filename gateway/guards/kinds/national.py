"""National identity numbers, for `pii`: patterns here, check digits by python-stdnum."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module

from gateway.guards.kinds.base import OptionError
from gateway.guards.patterns import compile_pattern, word_characters
from gateway.guards.rule import CompiledPattern

_LETTER = "[0-9LMNP-V]"
_FORMS = {
    # Nine digits alone are too many things.
    "us_ssn": (r"[0-9]{3}-[0-9]{2}-[0-9]{4}", "us.ssn"),
    "uk_nino": (r"(?i:[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]) ?(?:[0-9]{2} ?){3}(?i:[A-D])", None),
    "de_idnr": (r"[1-9](?: ?[0-9]){10}", "de.idnr"),
    "fr_nir": (r"[1-8] ?[0-9]{2} ?[0-9]{2} ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}", "fr.nir"),
    "es_dni": (r"[0-9]{8}-?(?i:[A-Z])", "es.dni"),
    "es_nie": (r"(?i:[XYZ])-?[0-9]{7}-?(?i:[A-Z])", "es.nie"),
    "it_cf": (
        rf"(?i:[A-Z]{{6}}{_LETTER}{{2}}[A-EHLMPRST]{_LETTER}{{2}}[A-Z]{_LETTER}{{3}}[A-Z])",
        "it.codicefiscale",
    ),
    "nl_bsn": (r"[0-9]{9}|[0-9]{4}\.[0-9]{2}\.[0-9]{3}", "nl.bsn"),
}  # fmt: skip
KINDS = tuple(_FORMS)
_NOT_GIVEN = ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ")


def shape(kind: str) -> CompiledPattern:
    """Return the pattern of one kind of number.

    Raises:
        OptionError: The library for the check digits is not installed.
    """
    pattern, module = _FORMS[kind]
    if module is None:
        check: Callable[[str], bool] = _is_nino
    else:
        _validity(kind, module)
        check = partial(_is_valid, kind, module)
    word = word_characters()
    return compile_pattern(pattern, before=word, after=word, check=check)


def _is_nino(text: str) -> bool:
    return text[:2].upper() not in _NOT_GIVEN


def _is_valid(kind: str, module: str, text: str) -> bool:
    return _validity(kind, module)(text)


@cache
def _validity(kind: str, module: str) -> Callable[[str], bool]:
    try:
        found: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
    except ModuleNotFoundError as error:
        raise OptionError("kinds", f"has {kind}, which needs python-stdnum (portcullis[national-ids])") from error
    return found
