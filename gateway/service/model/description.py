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
        digest: SHA-256 over the configuration, and the names and headers of the files of weights; in hexadecimal.
        template: Chat template; None without one.
        can_call: The model can call tools.
        can_think: The model may reason before it answers.
    """

    family: str
    num_parameters: int
    num_bytes: int
    dtype: str
    digest: str
    template: str | None
    can_call: bool
    can_think: bool

    @classmethod
    def of(cls, path: Path, template: str | None, *, can_call: bool, can_think: bool) -> Description:
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
            template=template,
            can_call=can_call and template is not None,
            can_think=can_think,
        )


class _Weights(NamedTuple):
    """Weights of a model; `counts` has the numbers of parameters by the name of their type."""

    family: str
    counts: Counter[str]
    num_bytes: int
    digest: str


def _of_folder(folder: Path) -> _Weights:
    config = (folder / "config.json").read_bytes()
    digest = sha256(config)
    counts: Counter[str] = Counter()
    num_bytes = 0
    for path in sorted(folder.glob("*.safetensors")):
        header = _header(path)
        digest.update(path.name.encode() + header)
        num_bytes += path.stat().st_size
        for name, tensor in json.loads(header).items():
            if name != "__metadata__":
                counts[tensor["dtype"]] += prod(tensor["shape"])
    return _Weights(str(json.loads(config).get("model_type", "unknown")), counts, num_bytes, digest.hexdigest())


def _of_file(path: Path) -> _Weights:
    file = GgufFile.open(path)
    digest = sha256()
    for header in file.headers:
        digest.update(header)
    counts: Counter[str] = Counter()
    for tensor in file.tensors.values():
        counts[tensor.kind.name] += prod(tensor.shape)
    num_bytes = sum(each.stat().st_size for each in file.paths)
    return _Weights(file.get("general.architecture", str), counts, num_bytes, digest.hexdigest())


def _header(path: Path) -> bytes:
    """Return the JSON header of a safetensors file; its first eight bytes are the header's length."""
    with path.open("rb") as file:
        return file.read(int.from_bytes(file.read(8), "little"))
