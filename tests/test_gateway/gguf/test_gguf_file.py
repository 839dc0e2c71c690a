"""Headers of GGUF files: what stands in them is read; what cannot be ends with one line that names file and place."""

import random
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from gguf_files import ALIGNMENT, ARRAY, F16, F32, STRING, entry, header, padded, scalar, text, write_gguf

from gateway.errors import ModelLoadError
from gateway.gguf.blocks import KINDS
from gateway.gguf.file import GgufFile, model_in

METADATA = {
    "general.architecture": "llama",
    "llama.block_count": 2,
    "is": True,
    "size": 0.5,
    "texts": ["a", "", "ĠÄ▁", "\n"],
    "numbers": [1, -2, 3],
}
TENSORS = {"first": np.arange(12, dtype=np.float32).reshape(3, 4), "second": np.arange(8, dtype=np.float32)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_gguf(tmp_path / "model.gguf", METADATA, TENSORS, {"second": F16})


def test_header_is_read(file: Path) -> None:
    read = GgufFile.open(file)
    values = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in read.metadata.items()}
    assert values == METADATA
    assert {name: tensor.shape for name, tensor in read.tensors.items()} == {"first": (3, 4), "second": (8,)}
    assert [tensor.kind.name for tensor in read.tensors.values()] == ["F32", "F16"]
    assert np.array_equal(read.tensors["first"].data.view(np.float32), TENSORS["first"])
    assert np.array_equal(read.tensors["second"].data.view(np.float16), [TENSORS["second"]])


def test_values_are_of_the_type_that_is_asked_for(file: Path) -> None:
    read = GgufFile.open(file)
    assert read.get("llama.block_count", int) == 2
    assert read.get("llama.block_count", float) == 2.0
    assert read.get("none", str, "default") == "default"
    for name, kind in (("is", int), ("size", int), ("texts", str), ("general.architecture", float)):
        with pytest.raises(ModelLoadError, match=f"'{name}' is .* of type {kind.__name__} expected"):
            read.get(name, kind)
    with pytest.raises(ModelLoadError, match="says nothing of 'none'"):
        read.get("none", str)


def write_parts(folder: Path, count: int = 3) -> list[Path]:
    return [
        write_gguf(
            folder / f"model-{number + 1:05}-of-{count:05}.gguf",
            {"split.no": number, "split.count": count, **(METADATA if number == 0 else {})},
            {f"tensor{number}": np.full((2, 2), number)},
        )
        for number in range(count)
    ]


def test_model_in_several_files_is_one(tmp_path: Path) -> None:
    parts = write_parts(tmp_path)
    read = GgufFile.open(parts[0])
    assert read.paths == tuple(parts)
    assert [tensor.data.view(np.float32)[0, 0] for tensor in read.tensors.values()] == [0, 1, 2]
    with pytest.raises(ModelLoadError, match=r"not the first part of its model; name model-00001-of-00003\.gguf"):
        GgufFile.open(parts[1])
    parts[2].unlink()
    with pytest.raises(ModelLoadError, match=r"1 are missing: model-00003-of-00003\.gguf"):
        GgufFile.open(parts[0])
    parts[0].rename(tmp_path / "model.gguf")
    with pytest.raises(ModelLoadError, match="is a part of 3"):
        GgufFile.open(tmp_path / "model.gguf")


def test_parts_share_no_tensor(tmp_path: Path) -> None:
    parts = write_parts(tmp_path)
    write_gguf(parts[2], {"split.no": 2, "split.count": 3}, {"tensor1": np.zeros((2, 2))})
    with pytest.raises(ModelLoadError, match=r"00003-of-00003\.gguf has tensor 'tensor1', which a part before it has"):
        GgufFile.open(parts[0])


def test_model_of_a_folder_is_the_only_one(tmp_path: Path) -> None:
    assert model_in(tmp_path) is None
    parts = write_parts(tmp_path)
    for name in ("mmproj-model.gguf", "notes.txt"):
        (tmp_path / name).touch()
    assert model_in(tmp_path) == parts[0]
    (tmp_path / "other.Q4_0.gguf").touch()
    with pytest.raises(ModelLoadError, match=r"2 GGUF models: model-00001-of-00003\.gguf, other\.Q4_0\.gguf; name"):
        model_in(tmp_path)


def long_text(length: int) -> bytes:
    return struct.pack("<IQ", STRING, length)


def array(kind: int, count: int) -> bytes:
    return struct.pack("<IIQ", ARRAY, kind, count)


HUGE = (1 << 64) - 1  # of -1 as well
START = b"GGUF" + struct.pack("<I", 3)


def with_entry(*entries: bytes, size: int = 64, num_tensors: int | None = None) -> bytes:
    return padded(header({}, entries, num_tensors)) + b"\0" * size


BROKEN = {
    "no begin": (b"GGML" + b"\0" * 64, "does not begin with GGUF .at byte 0"),
    "version 1": (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "version 2 or 3 of the format expected, found 1"),
    "big endian": (b"GGUF" + struct.pack(">IQQ", 3, 0, 0), "version 2 or 3 of the format expected"),
    "2^63 tensors": (START + struct.pack("<QQ", 1 << 63, 0), "is said to have 9223372036854775808 tensors"),
    "2^63 entries": (START + struct.pack("<QQ", 0, 1 << 63), "said to have 9223372036854775808 entries of metadata"),
    "more tensors than bytes": (with_entry(num_tensors=60_000), "is said to have 60000 tensors"),
    "text beyond the file": (header({"a": long_text(1000)}, []), "1000 bytes expected, 0 left"),
    "text of a negative length": (header({"a": long_text(HUGE)}, []), f"a string has {HUGE} bytes"),
    "name beyond the file": (START + struct.pack("<QQQ", 0, 1, 1 << 62) + b"abcdef", "a string has"),
    "no UTF-8": (header({"a": struct.pack("<I", STRING) + text(b"\xff\xfe")}, []), "a string is not UTF-8"),
    "no UTF-8 in an array": (header({"a": array(STRING, 1) + text(b"\xc3")}, []), "a string is not UTF-8"),
    "array of 2^61 numbers": (header({"a": array(4, 1 << 61)}, []), "bytes expected, 0 left"),
    "array of -1 texts": (header({"a": array(STRING, HUGE)}, []), "strings in 'a'"),
    "array of texts beyond the file": (
        header({"a": array(STRING, 3) + text("x") * 2 + text("y" * 9)[:-1]}, []),
        "reach",
    ),
    "array of arrays": (header({"a": array(ARRAY, 1 << 20) + array(ARRAY, 1) * 9}, []), "an array of arrays"),
    "value of an unknown type": (header({"a": struct.pack("<I", 77)}, []) + b"\0" * 16, "'a' is of type 77"),
    "array of an unknown type": (header({"a": array(77, 0)}, []) + b"\0" * 16, "'a' is of type 77"),
    "value twice": (
        START + struct.pack("<QQ", 0, 2) + 2 * (text("a") + scalar("u32", 1)) + b"\0" * 32,
        "'a' is there twice",
    ),
    "no alignment": (padded(header({"general.alignment": 0}, [])), "'general.alignment' is 0"),
    "odd alignment": (padded(header({"general.alignment": 48}, [])), "'general.alignment' is 48"),
    "alignment in words": (padded(header({"general.alignment": "a"}, [])), "a power of two expected"),
    "no dimension": (with_entry(entry("t", (), F32, 0)), "has 0 dimensions"),
    "2^32 dimensions": (with_entry(text("t") + struct.pack("<I", (1 << 32) - 1)), "has 4294967295 dimensions"),
    "unknown type": (with_entry(entry("t", (2, 2), 999, 0)), "tensor 't' is of type 999, which is not read; F32, F16"),
    "size 0": (with_entry(entry("t", (2, 0), F32, 0)), r"has shape \(0, 2\)"),
    "no whole block": (with_entry(entry("t", (2, 33), 8, 0)), "not of blocks of 32 numbers"),
    "beyond the file": (with_entry(entry("t", (5, 5), F32, 0)), "may be cut"),
    "2^64 x 2^64": (with_entry(entry("t", (HUGE, HUGE), F32, 0)), "may be cut"),
    "offset beyond the file": (with_entry(entry("t", (2, 2), F32, 1 << 62)), "may be cut"),
    "negative offset": (with_entry(entry("t", (2, 2), F32, HUGE)), "may be cut"),
    "overlap": (with_entry(entry("t", (2, 2), F32, 0), entry("u", (2, 2), F32, 8)), "'u' begins within another"),
    "tensor twice": (with_entry(entry("t", (2, 2), F32, 0), entry("t", (2, 2), F32, 16)), "'t' is there twice"),
    "empty": (b"", "cannot be read"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_is_refused_with_the_place(name: str, tmp_path: Path) -> None:
    data, says = BROKEN[name]
    path = tmp_path / "broken.gguf"
    path.write_bytes(data)
    tracemalloc.start()
    try:
        with pytest.raises(ModelLoadError, match=says) as caught:
            GgufFile.open(path)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_file_cut_anywhere_is_refused(file: Path, tmp_path: Path) -> None:
    data, cut = file.read_bytes(), tmp_path / "cut.gguf"
    for size in range(len(data) - ALIGNMENT):  # at its end are zeros that belong to nothing
        cut.write_bytes(data[:size])
        with pytest.raises(ModelLoadError, match=r"cut\.gguf"):
            GgufFile.open(cut)


def test_file_with_changed_bytes_is_read_or_refused(file: Path, tmp_path: Path) -> None:
    data, changed, draw = file.read_bytes(), tmp_path / "changed.gguf", random.Random(7)
    refused = 0
    for _ in range(400):
        other = bytearray(data)
        for _ in range(draw.randint(1, 3)):
            other[draw.randrange(len(other))] = draw.choice((0, 1, 127, 128, 255, draw.randrange(256)))
        changed.write_bytes(other)
        try:
            GgufFile.open(changed)
        except ModelLoadError:
            refused += 1
    assert refused > 100


def test_strings_are_bounded_in_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.gguf.reader.MAX_STRINGS", 5)
    for texts, is_read in ((["a"] * 5, True), (["a"] * 6, False)):
        path = write_gguf(tmp_path / "model.gguf", {"few": [], "texts": texts}, {})
        if is_read:
            assert GgufFile.open(path).metadata["texts"] == texts
        else:
            with pytest.raises(ModelLoadError, match="said to have 6 strings in 'texts'"):
                GgufFile.open(path)


def test_sizes_of_types_are_those_of_the_package() -> None:
    package = pytest.importorskip("gguf")
    for number, kind in KINDS.items():
        assert package.GGML_QUANT_SIZES[package.GGMLQuantizationType(number)] == (kind.block, kind.block_bytes)
        assert package.GGMLQuantizationType(number).name == kind.name
