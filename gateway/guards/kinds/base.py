"""What a guard of the registry is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.guards.rule import Rule
from gateway.guards.spellings import Spelling


class OptionError(ValueError):
    """An option of a guard has a value that it cannot work with.

    Attributes:
        option: Its name.
    """

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """One member of the registry.

    Attributes:
        name: As policies spell it.
        options: The type of each option beside `guard`, `action` and `replacement`: bool, int, str, or list (of texts).
        required: Those that must be there.
        unmasked: Why no mask keeps out what it finds; empty where one does.
        rules: Options to rules; an `OptionError` where they say nothing sensible.
    """

    name: str
    options: Mapping[str, type]
    required: Sequence[str] = field(default=())
    unmasked: str = ""
    rules: Callable[[Mapping[str, Any]], Sequence[Rule]]


SPELLINGS: dict[str, type] = {"nfkc": bool, "confusables": bool}
"""Options that say which other characters count as those that are named."""


def spelling_of(options: Mapping[str, Any]) -> Spelling:
    """What the options of `SPELLINGS` say."""
    return Spelling(**{name: options.get(name, False) for name in SPELLINGS})


def chosen(options: Mapping[str, Any], known: Sequence[str]) -> list[str]:
    """The kinds that are asked for, in the registry's order; all without the option.

    Raises:
        OptionError: None, or one that is not known.
    """
    wanted = options.get("kinds", list(known))
    unknown = [kind for kind in wanted if kind not in known]
    if unknown or not wanted:
        told = f", not '{unknown[0]}'" if unknown else ""
        raise OptionError("kinds", f"must name some of {', '.join(known)}{told}")
    return [kind for kind in known if kind in wanted]
