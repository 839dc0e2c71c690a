"""Check that all three packages are ours: their names are common words, which another distribution may use too."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from gateway.errors import InstallationError

PACKAGES = ("gateway", "grammars", "tools")


def check_packages() -> None:
    """Return if all packages come from one place.

    Raises:
        InstallationError: One is missing or comes from elsewhere; the message says from where.
    """
    place = Path(__file__).resolve().parents[1]
    for name in PACKAGES:
        found = folder_of(name)
        if found is None:
            raise InstallationError(f"the package '{name}' is missing beside {place}; install portcullis again")
        if found != place:
            raise InstallationError(
                f"'{name}' is imported from {found}, not from {place} where portcullis is; "
                "another package of that name is in the way"
            )


def folder_of(name: str) -> Path | None:
    """Return the folder that a package is imported from; None if there is no such package."""
    spec = find_spec(name)
    if spec is None:
        return None
    locations = list(spec.submodule_search_locations or [])
    return Path(locations[0]).resolve().parent if locations else None
