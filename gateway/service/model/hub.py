"""Download of a model from the hub, with its progress."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from gateway.errors import InvalidRequestError, ModelLoadError
from gateway.gguf.file import part_names
from gateway.service.model.folder import HUB_PATTERNS

_NAME = re.compile(r"(?:hf\.co/|huggingface\.co/)?(?P<repo>[\w.-]{1,96}/[\w.-]{1,96})(?::(?P<file>[\w./-]{1,200}))?")


class Step(NamedTuple):
    """Progress of a download.

    Attributes:
        file: Name in the repository.
        total, completed: Bytes of the file, and those that are there.
    """

    file: str
    total: int
    completed: int


def repository_of(name: str) -> tuple[str, str | None]:
    """Return the repository that a client names, and its GGUF file or quantization; None: the whole model.

    Raises:
        InvalidRequestError: It is no name on the hub.
    """
    match = _NAME.fullmatch(name)
    if match is None or ".." in name:
        raise InvalidRequestError("model must be a name on the hub: owner/name, or owner/name:FILE.gguf", param="model")
    file = match["file"]
    return match["repo"], None if file == "latest" else file


def download(repo: str, file: str | None, tell: Callable[[Step], None]) -> str:
    """Download a model; return the name by which `model.path` finds it without the network.

    Args:
        file: GGUF file, or a part of its name that no other file's has, such as a quantization. None: all that a
            model needs.
        tell: Called with each step, from this thread.

    Raises:
        ModelLoadError: The hub does not give it; says why.
    """
    from huggingface_hub import HfApi, hf_hub_download
    from huggingface_hub.utils._paths import filter_repo_objects

    try:
        sizes = {
            each.rfilename: each.size or 0 for each in HfApi().model_info(repo, files_metadata=True).siblings or ()
        }
        names = list(filter_repo_objects(sizes, allow_patterns=list(HUB_PATTERNS)))
        if file is not None:
            names = _parts(file, sizes)
        for name in names:
            tell(Step(name, sizes[name], 0))
            path = Path(hf_hub_download(repo, name, tqdm_class=_progress(name, sizes[name], tell)))
            tell(Step(name, sizes[name], path.stat().st_size))
    except ModelLoadError:
        raise
    except Exception as error:  # all failures, from no network to no such name, are reported alike
        raise ModelLoadError(f"the hub does not give {repo}: {error}") from error
    return repo if file is None else f"{repo}:{names[0]}"


def _parts(file: str, sizes: dict[str, int]) -> list[str]:
    """Return the GGUF file of a name, or of a part of it, with the other parts of a split model."""
    found = [name for name in sizes if name.endswith(".gguf") and file.lower() in name.lower()]
    firsts = [name for name in found if "-of-" not in name or "-00001-of-" in name]
    exact = [name for name in firsts if name == file] or firsts
    if len(exact) != 1:
        told = ", ".join(sorted(name for name in sizes if name.endswith(".gguf"))[:20]) or "none"
        raise ModelLoadError(f"{len(exact)} GGUF files have {file} in their name; the repository has: {told}")
    return part_names(exact[0])


def _progress(file: str, total: int, tell: Callable[[Step], None]) -> type[Any]:
    """Return the progress bar's class that the hub's library takes; this one tells instead of drawing."""
    from huggingface_hub.utils.tqdm import tqdm

    class Progress(tqdm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **{**kwargs, "disable": True})  # type: ignore[no-untyped-call]
            self._completed = int(kwargs.get("initial") or 0)

        def update(self, n: float | None = 1) -> None:
            self._completed += int(n or 0)
            tell(Step(file, total, min(self._completed, total)))

    return Progress
