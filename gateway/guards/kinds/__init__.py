"""The registry of guards: one file each, and those of installed packages."""

from gateway.guards.kinds import (
    classifier,
    guard_model,
    language,
    leak,
    length,
    names,
    pattern,
    pii,
    secrets,
    terms,
    verification,
)
from gateway.guards.kinds.base import Guard
from gateway.guards.kinds.installed import installed_guard, installed_names

GUARDS: dict[str, Guard] = {
    each.GUARD.name: each.GUARD
    for each in (pattern, terms, pii, secrets, length, leak, names, classifier, guard_model, verification, language)
}
"""Our own."""


def guard_named(name: str) -> Guard | None:
    """Return the guard with this name; None if there is none.

    Raises:
        OptionError: The guard's package cannot be used; says why.
    """
    return installed_guard(name, GUARDS) or GUARDS.get(name)


def guard_names() -> list[str]:
    """Return the names of all guards."""
    return [*GUARDS, *(name for name in installed_names() if name not in GUARDS)]
