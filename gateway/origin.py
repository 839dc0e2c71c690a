"""Are the three packages ours. Their names are common words, so another distribution may bring the same."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from gateway.errors import InstallationError

PACKAGES = ("gateway", "grammars", "tools")


def check_origin() -> None:
    """Return if all packages come from one place.

    Raises:
        InstallationError: One is missing or comes from elsewhere; the message says from where.
    """
    place = Path(__file__).resolve().parents[1]
    for name in PACKAGES:
        found = origin(name)
        if found is None:
            raise InstallationError(f"the package '{name}' is missing beside {place}; install portcullis again")
        if found != place:
            raise InstallationError(
                f"'{name}' is imported from {found}, not from {place} where portcullis is; "
                "another package of that name is in the way"
            )


def origin(name: str) -> Path | None:
    """The folder that a package is imported from; None when there is no such package."""
    spec = find_spec(name)
    if spec is None:
        return None
    locations = list(spec.submodule_search_locations or [])
    return Path(locations[0]).resolve().parent if locations else None
