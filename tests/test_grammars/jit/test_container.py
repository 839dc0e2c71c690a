"""Containers: what kernels read and set, and what is refused."""

import numba
import numpy as np
import pytest

from grammars.jit.container import ContainerType, fields_of, new_container
from grammars.jit.options import entry
from grammars.kernels.record import SIZE, new_record, record_at

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


@entry
def _read(c):
    return c.counts[3] + c.rows[1, 2] + c.rows.shape[0] + len(c.text) + c.inner.numbers[1]


@entry
def _write(c, counts):
    c.rows[0, 0] = 7
    c.counts = counts[1:]


@entry
def _first_bytes(c, texts, starts):
    total = np.int64(0)
    for i in range(len(starts) - 1):
        c.text = texts[starts[i] : starts[i + 1]]
        total = total * 1000 + np.int64(c.text[0]) * len(c.text)
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


def test_a_changing_field_is_read_anew_after_it_was_set():
    texts = np.frombuffer(b"\x01\x02..\x03....", dtype=np.uint8).copy()
    assert _first_bytes(_outer(), texts, np.array([0, 1, 4, 9])) == 1_006_015


@entry
def _sizes(addresses):
    total = 0
    for address in addresses:
        total = 100 * total + record_at(address)[SIZE]
    return total


def test_kernels_find_records_by_their_addresses():
    records = [new_record(4, 0), new_record(9, 13)]
    for record, size in zip(records, (31, 7), strict=True):
        record[SIZE] = size
    assert _sizes(np.array([record.ctypes.data for record in records])) == 3107


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


def test_a_container_with_another_layout_is_of_another_type():
    wider = ContainerType("test inner", fields_of(int64="more numbers"))
    assert wider != INNER
    assert ContainerType("test inner", fields_of(int64="numbers")) == INNER
