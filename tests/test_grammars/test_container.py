"""Containers: what kernels read and set, and what is refused."""

import numba
import numpy as np
import pytest

from grammars.kernels.container import ContainerType, fields_of, new_container, point_at
from grammars.kernels.options import kernel

INNER = ContainerType("test inner", fields_of(int64="numbers"))
OUTER = ContainerType(
    "test outer",
    {**fields_of(uint8="text", int32="counts", uint32_rows="rows"), "inner": INNER},
    changing=frozenset(("text",)),
)


def _outer(**values):
    arrays = {
        "text": np.frombuffer(b"abc", dtype=np.uint8),
        "counts": np.arange(4, dtype=np.int32),
        "rows": np.arange(6, dtype=np.uint32).reshape(2, 3),
        "inner": new_container(INNER, {"numbers": np.array([10, 20], dtype=np.int64)}),
    }
    return new_container(OUTER, arrays | values)


@kernel
def _read(c):
    return c.counts[3] + c.rows[1, 2] + c.rows.shape[0] + len(c.text) + c.inner.numbers[1]


@kernel
def _write(c, counts):
    c.rows[0, 0] = 7
    c.counts = counts[1:]


@kernel
def _first_bytes(c, places):
    total = 0
    for i in range(len(places)):
        point_at(c, "text", places[i, 0], places[i, 1])
        total = total * 1000 + c.text[0] * len(c.text)
    return total


def test_kernels_read_arrays_and_containers():
    assert _read(_outer()) == 3 + 5 + 2 + 3 + 20


def test_what_python_puts_is_what_kernels_read():
    container = _outer()
    container.put("counts", np.array([0, 0, 0, 30], dtype=np.int32))
    container.put("inner", new_container(INNER, {"numbers": np.array([0, 1], dtype=np.int64)}))
    assert _read(container) == 30 + 5 + 2 + 3 + 1


def test_kernels_write_into_arrays_and_replace_them():
    rows, counts = np.zeros((2, 3), dtype=np.uint32), np.array([9, 0, 1, 2, 40], dtype=np.int32)
    container = _outer(rows=rows)
    _write(container, counts)
    assert rows[0, 0] == 7
    assert _read(container) == 40 + 0 + 2 + 3 + 20


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="addresses mean nothing to interpreted kernels")
def test_a_changing_field_is_read_anew_after_it_was_set():
    texts = [np.frombuffer(text, dtype=np.uint8) for text in (b"\x01", b"\x02..", b"\x03....")]
    places = np.array([(text.ctypes.data, len(text)) for text in texts], dtype=np.int64)
    assert _first_bytes(_outer(), places) == 1_006_015


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="a plain container takes anything")
@pytest.mark.parametrize(
    ("name", "value"),
    [("counts", np.zeros(2, dtype=np.int64)), ("rows", np.zeros(6, dtype=np.uint32)), ("text", np.zeros(2, np.int8))],
)
def test_an_array_of_another_type_is_refused(name, value):
    with pytest.raises(TypeError, match="for a field of"):
        _outer(**{name: value})


def test_an_array_that_is_not_contiguous_is_copied():
    assert _read(_outer(counts=np.arange(8, dtype=np.int32)[::2])) == 6 + 5 + 2 + 3 + 20
