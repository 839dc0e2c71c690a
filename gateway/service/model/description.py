"""Description of the served model, for lists of models."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import NamedTuple

from gateway.gguf.file import SUFFIX, GgufFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """Weights and abilities of the served model.

    Attributes:
        family: Architecture, as named in `config.json`.
        num_parameters: Parameters of the weights, each counted once.
        num_bytes: Size of the files of weights.
        dtype: Type of most parameters, as named in the files (`BF16`).
        modified_ns: Time of the last change of a file of weights, in nanoseconds since the epoch.
        digest: SHA-256 over the configuration, and the names and headers of the files of weights; in hexadecimal.
        template: Chat template; None without one.
        can_call: The model can call tools.
        can_think: The model may reason before it answers.
        can_see: The model reads images.
        is_encoder: It writes nothing: it embeds texts, or scores pairs.
    """

    family: str
    num_parameters: int
    num_bytes: int
    dtype: str
    digest: str
    modified_ns: int
    template: str | None
    can_call: bool
    can_think: bool
    can_see: bool = False
    is_encoder: bool = False

    @classmethod
    def of(
        cls,
        path: Path,
        template: str | None,
        *,
        can_call: bool,
        can_think: bool,
        can_see: bool = False,
        is_encoder: bool = False,
    ) -> Description:
        """Return the description of the model in a folder or file.

        Cost: reads the headers of the files, not the weights.
        """
        weights = _of_file(path) if path.suffix == SUFFIX else _of_folder(path)
        return cls(
            family=weights.family,
            num_parameters=sum(weights.counts.values()),
            num_bytes=weights.num_bytes,
            dtype=max(weights.counts, key=weights.counts.__getitem__, default="unknown"),
            digest=weights.digest,
            modified_ns=weights.modified_ns,
            template=template,
            can_call=can_call and template is not None,
            can_think=can_think,
            can_see=can_see and template is not None,
            is_encoder=is_encoder,
        )


class _Weights(NamedTuple):
    """Weights of a model; `counts` has the numbers of parameters by the name of their type."""

    family: str
    counts: Counter[str]
    num_bytes: int
    digest: str
    modified_ns: int


def _of_folder(folder: Path) -> _Weights:
    config = (folder / "config.json").read_bytes()
    digest = sha256(config)
    counts: Counter[str] = Counter()
    num_bytes, modified_ns = 0, 0
    for path in sorted(folder.glob("*.safetensors")):
        header = _header(path)
        digest.update(path.name.encode() + header)
        status = path.stat()
        num_bytes, modified_ns = num_bytes + status.st_size, max(modified_ns, status.st_mtime_ns)
        for name, tensor in json.loads(header).items():
            if name != "__metadata__":
                counts[tensor["dtype"]] += prod(tensor["shape"])
    return _Weights(
        str(json.loads(config).get("model_type", "unknown")), counts, num_bytes, digest.hexdigest(), modified_ns
    )


def _of_file(path: Path) -> _Weights:
    file = GgufFile.open(path)
    digest = sha256()
    for header in file.headers:
        digest.update(header)
    counts: Counter[str] = Counter()
    for tensor in file.tensors.values():
        counts[tensor.kind.name] += prod(tensor.shape)
    found = [each.stat() for each in file.paths]
    num_bytes, modified_ns = sum(each.st_size for each in found), max(each.st_mtime_ns for each in found)
    return _Weights(file.get("general.architecture", str), counts, num_bytes, digest.hexdigest(), modified_ns)


def _header(path: Path) -> bytes:
    """Return the JSON header of a safetensors file; its first eight bytes are the header's length."""
    with path.open("rb") as file:
        return file.read(int.from_bytes(file.read(8), "little"))
