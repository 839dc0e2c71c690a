"""Guards of other packages, by the entry points of `GROUP`; imported when a policy names them."""

from __future__ import annotations

from collections.abc import Collection
from importlib.metadata import EntryPoint, entry_points

from gateway.guards.kinds.base import Guard, OptionError

GROUP = "portcullis.guards"


def installed_names() -> list[str]:
    """Return their names without importing them."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def installed_guard(name: str, ours: Collection[str]) -> Guard | None:
    """Return the guard of this name from an installed package; None if there is none.

    Raises:
        OptionError: The guard cannot be used; names the package.
    """
    points = list(entry_points(group=GROUP, name=name))
    if not points:
        return None
    packages = " and ".join(sorted(map(_package, points)))
    if name in ours:
        raise OptionError("guard", f"is {name}, which is a guard of this server's, and {packages} has one of that name")
    if len(points) > 1:
        raise OptionError("guard", f"is {name}, and several packages have a guard of that name: {packages}")
    (point,) = points
    try:
        guard = point.load()
    except Exception as error:  # whatever a stranger's module does while it is imported
        told = f"{type(error).__name__}: {error}"
        raise OptionError("guard", f"is {name} of {packages}, which cannot be imported: {told}") from error
    if not isinstance(guard, Guard) or guard.name != name:
        raise OptionError("guard", f"is {name} of {packages}, and {point.value} is no Guard of that name")
    return guard


def _package(point: EntryPoint) -> str:
    return "a package without a name" if point.dist is None else f"{point.dist.name} {point.dist.version}"
