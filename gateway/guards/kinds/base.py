"""What a guard of the registry is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.guards.rule import Rule


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
        rules: Options to rules; an `OptionError` where they say nothing sensible.
    """

    name: str
    options: Mapping[str, type]
    required: Sequence[str] = field(default=())
    rules: Callable[[Mapping[str, Any]], Sequence[Rule]]


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
