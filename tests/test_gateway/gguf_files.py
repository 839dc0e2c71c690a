"""GGUF files for tests, written value by value."""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

FORMS = {"u8": (0, "<B"), "u32": (4, "<I"), "i32": (5, "<i"), "f32": (6, "<f"), "bool": (7, "<?"), "u64": (10, "<Q")}
STRING, ARRAY = 8, 9
F32, F16, Q8_0, MXFP4 = 0, 1, 8, 39
ALIGNMENT = 32


def text(value: str | bytes) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(data)) + data


def scalar(form: str, value: Any) -> bytes:
    """A value of a type by its short name, with that type before it."""
    number, packed = FORMS[form]
    return struct.pack("<I", number) + struct.pack(packed, value)


def value_of(value: Any) -> bytes:
    """A value with its type: of a bool, an int, a float, a string, or a list of one of these."""
    if isinstance(value, bytes):  # as it is to stand in the file
        return value
    if isinstance(value, str):
        return struct.pack("<I", STRING) + text(value)
    if isinstance(value, list):
        if all(isinstance(each, str) for each in value):
            return struct.pack("<IIQ", ARRAY, STRING, len(value)) + b"".join(map(text, value))
        form = {bool: "bool", int: "i32", float: "f32"}[type(value[0])]
        number, packed = FORMS[form]
        return struct.pack("<IIQ", ARRAY, number, len(value)) + b"".join(struct.pack(packed, each) for each in value)
    return scalar({bool: "bool", int: "u32", float: "f32"}[type(value)], value)


def entry(name: str, shape: Sequence[int], kind: int, offset: int) -> bytes:
    """A tensor's entry; its shape as numpy has it."""
    return text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *reversed(shape), kind, offset)


def header(metadata: Mapping[str, Any], entries: Sequence[bytes], num_tensors: int | None = None) -> bytes:
    count = len(entries) if num_tensors is None else num_tensors
    head = b"GGUF" + struct.pack("<IQQ", 3, count, len(metadata))
    pairs = b"".join(text(name) + value_of(value) for name, value in metadata.items())
    return head + pairs + b"".join(entries)


def padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % ALIGNMENT)


def quantized(kind: int, data: np.ndarray) -> bytes:
    """The bytes of a tensor: in float32, in float16, in blocks of 32 by a scale (Q8_0), or as many zeros (MXFP4)."""
    if kind == MXFP4:
        return bytes(data.size // 32 * 17)
    if kind != Q8_0:
        return data.astype({F32: np.float32, F16: np.float16}[kind]).tobytes()
    blocks = data.astype(np.float32).reshape(-1, 32)
    scales = (np.abs(blocks).max(axis=1, keepdims=True) / 127).astype(np.float16)
    numbers = np.round(blocks / np.maximum(scales.astype(np.float32), 1e-12)).astype(np.int8)
    return np.concatenate((scales.view(np.uint8), numbers.view(np.uint8)), axis=1).tobytes()


def write_gguf(
    path: Path, metadata: Mapping[str, Any], tensors: Mapping[str, np.ndarray], kinds: Mapping[str, int] | None = None
) -> Path:
    """A file of these values; tensors in float32 where `kinds` says nothing else."""
    entries, body = [], b""
    for name, data in tensors.items():
        kind = (kinds or {}).get(name, F32)
        entries.append(entry(name, data.shape, kind, len(body)))
        body += padded(quantized(kind, data))
    path.write_bytes(padded(header(metadata, entries)) + body)
    return path
