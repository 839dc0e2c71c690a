"""The bytes that a network tells apart: rows of successors have an entry for each class of bytes, not for each byte."""

from __future__ import annotations

from grammars.kernels.options import kernel


@kernel
def set_byte_classes(a, units):
    """Puts neighbours that no edge and no unit class tells apart into one class; the number of classes.

    Args:
        units: the tables of the unit classes, see `UnitTables`.
    """
    begins, number = a.loop_bytes, -1
    begins[:] = units.begins
    for e in range(len(a.edge_low)):
        begins[a.edge_low[e]] = 1
        if a.edge_high[e] < 255:
            begins[a.edge_high[e] + 1] = 1
    for byte in range(256):
        if byte == 0 or begins[byte] != 0:
            number += 1
            a.class_byte[number] = byte
        a.byte_class[byte] = number
    return number + 1
