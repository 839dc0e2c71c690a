"""Guards of the registry, and the options that several share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.core.answer import GuardAction
from gateway.guards.rule import ACTIONS, Judge, Judged, Question, Rule
from gateway.guards.spellings import Spelling

JUDGED: tuple[GuardAction, ...] = ("pass", "annotate", "block", "retry")
"""Actions on texts that are judged as a whole."""
UNMASKED = "a judge reads whole texts, and has no pattern that a mask could be made of"
JUDGED_OPTIONS: Mapping[str, type] = {"name": str, "hold_characters": int, "on_failure": str, "timeout_s": int}


class OptionError(ValueError):
    """An option of a guard has an invalid value.

    Attributes:
        option: Name of the option.
    """

    def __init__(self, option: str, message: str) -> None:
        super().__init__(message)
        self.option = option


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """A guard of the registry.

    Attributes:
        name: As policies spell it.
        options: The type of each option beside `guard`, `action` and `replacement`: bool, int, float, str, or list (of
            texts).
        required: Required options.
        unmasked: Why no mask keeps out what it finds; empty where one does.
        rules: Options to rules; an `OptionError` where they say nothing sensible.
        actions: Allowed actions.
    """

    name: str
    options: Mapping[str, type]
    required: Sequence[str] = field(default=())
    unmasked: str = ""
    rules: Callable[[Mapping[str, Any]], Sequence[Rule]]
    actions: Sequence[GuardAction] = field(default=ACTIONS)


SPELLINGS: dict[str, type] = {"nfkc": bool, "confusables": bool}
"""Options that say which other characters count as those that are named."""


def spelling_of(options: Mapping[str, Any]) -> Spelling:
    """Return the spelling from the options in `SPELLINGS`."""
    return Spelling(**{name: options.get(name, False) for name in SPELLINGS})


def chosen(options: Mapping[str, Any], usual: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the chosen kinds in the registry's order; the default ones without the option.

    Raises:
        OptionError: The list is empty, or has an unknown entry.
    """
    wanted = options.get("kinds", list(usual))
    unknown = [kind for kind in wanted if kind not in known]
    if unknown or not wanted:
        told = f", not '{unknown[0]}'" if unknown else ""
        raise OptionError("kinds", f"must name some of {', '.join(known)}{told}")
    return [kind for kind in known if kind in wanted]


def timeout_of(options: Mapping[str, Any]) -> int:
    """Seconds that a judge is waited for.

    Raises:
        OptionError: There are none.
    """
    timeout_s: int = options.get("timeout_s", 10)
    if timeout_s < 1:
        raise OptionError("timeout_s", f"must be at least 1, not {timeout_s}")
    return timeout_s


def held(options: Mapping[str, Any]) -> int | None:
    """Characters of an answer that are held back; None: all.

    Raises:
        OptionError: It is none.
    """
    hold: int | None = options.get("hold_characters")
    if hold is not None and hold < 1:
        raise OptionError("hold_characters", f"must be at least 1, not {hold}")
    return hold


def failing_open(options: Mapping[str, Any]) -> bool:
    """True if a judge that cannot be asked counts as finding nothing.

    Raises:
        OptionError: It is neither said nor denied.
    """
    on_failure = options.get("on_failure", "block")
    if on_failure not in ("block", "pass"):
        raise OptionError("on_failure", f"must be block or pass, not {on_failure!r}")
    return bool(on_failure == "pass")


def likely(options: Mapping[str, Any]) -> float:
    """Return the threshold.

    Raises:
        OptionError: All is, or nothing.
    """
    threshold: float = options.get("threshold", 0.5)
    if not 0 < threshold <= 1:
        raise OptionError("threshold", f"must be above 0 and at most 1, not {threshold}")
    return threshold


def judged(guard: str, options: Mapping[str, Any], judge: Judge | Question) -> list[Rule]:
    """Return the rule of a guard that judges whole texts.

    Raises:
        OptionError: One of `JUDGED_OPTIONS` is of no use.
    """
    what = Judged(judge=judge, hold_characters=held(options), is_lenient=failing_open(options))
    return [Rule(guard=guard, kind=options.get("name", guard), what=what)]
