"""Compile the engine's GPU kernels ahead, on a machine without a GPU: registers, spills, shared memory of each.

    python tests/bench/compile_gpu_kernels.py [--targets 80 90] [--kernels attend_tiles] [--json out.json]

A kernel that spills, or wants more shared memory than its GPU has, is an error. Triton must be installed.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from gateway.engine.attention.triton import MAX_PARTS, Form, forms_for
from gateway.engine.gpu_kernels import attention, choice, products, rows

SHARED_BYTES = {80: 163 << 10, 86: 99 << 10, 89: 99 << 10, 90: 227 << 10, 100: 227 << 10, 120: 99 << 10}
"""Of a program, by compute capability."""
TYPES = {torch.bfloat16: "bf16", torch.float16: "fp16", torch.float32: "fp32"}
PAGE = 16
BFLOAT16 = ((4, 64), (4, 80), (7, 96), (1, 128), (4, 128), (5, 128), (16, 128), (2, 256), (8, 256), (64, 64))
"""Heads that share a key head, and their size."""


@dataclass(frozen=True, slots=True)
class Case:
    """One kernel in one form.

    Attributes:
        types: Of its arguments that are not constants, by name; what is not named is an int32.
        constants: By name.
    """

    kernel: Any
    name: str
    types: dict[str, str]
    constants: dict[str, Any]
    warps: int = 4
    stages: int = 3


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a kernel takes of a GPU.

    Attributes:
        spilled: Bytes of memory that stand in for registers.
    """

    kernel: str
    target: int
    registers: int
    spilled: int
    shared: int

    @property
    def fits(self) -> bool:
        """Whether it runs without spills."""
        return self.spilled == 0 and self.shared <= SHARED_BYTES[self.target]


def compiled(case: Case, target: int) -> Compiled:
    """The kernel for GPUs of this compute capability, 90 for 9.0."""
    names = case.kernel.arg_names
    signature = {name: "constexpr" if name in case.constants else case.types.get(name, "i32") for name in names}
    # As at run time: tensors begin at multiples of 16 bytes, and so do their rows.
    attributes = {
        (number,): [["tt.divisibility", 16]]
        for number, name in enumerate(names)
        if signature[name].startswith("*") or (name.startswith("stride") and name != "stride_table")
    }
    source = ASTSource(
        fn=case.kernel,
        signature=signature,
        constexprs={(names.index(name),): value for name, value in case.constants.items()},
        attrs=attributes,
    )
    options = {"num_warps": case.warps, "num_stages": case.stages}
    binary = triton.compile(source, target=GPUTarget("cuda", target, 32), options=options)
    tool = triton.knobs.nvidia.cuobjdump.path
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(binary.asm["cubin"])
        file.flush()
        said = subprocess.run([tool, "-res-usage", file.name], capture_output=True, text=True, check=True).stdout
    found = re.search(r"REG:(\d+) STACK:(\d+).*LOCAL:(\d+)", said)
    assert found, said
    registers, stack, local = map(int, found.groups())
    return Compiled(case.name, target, registers, stack + local, binary.metadata.shared)


def attention_cases() -> Iterator[Case]:
    """Heads of all sizes that models have, rows of all forms; plain, and with all that a layer may ask."""
    layers = [(group, size, size, torch.bfloat16) for group, size in BFLOAT16]
    layers += [(1, 192, 128, torch.bfloat16), (4, 128, 128, torch.float16)]
    layers += [(4, 64, 64, torch.float32), (4, 128, 128, torch.float32), (8, 256, 256, torch.float32)]
    for group, key_size, value_size, dtype in layers:
        for is_fp8, has_all in product((False, True), (False, True)):
            for form in forms_for(group, key_size, dtype.itemsize, is_fp8=is_fp8):
                yield _attend(group, key_size, value_size, dtype, form, has_all, is_fp8)
    for size in (64, 80, 128, 256):
        types = {"part_mixed": "*fp32", "part_state": "*fp32", "out": "*bf16", "shared": "*i32"}
        yield Case(attention.add_parts, f"add_parts of {size}", types, _sizes(size))


def row_cases() -> Iterator[Case]:
    """Layers of small and large models, and tokens of small and large vocabularies."""
    number = "*bf16"
    for size in (2048, 4096, 8192):
        types = dict.fromkeys(("rows", "residual", "weight", "out"), number) | {"eps": "fp32"}
        for adds in (False, True):
            constants = {"BLOCK": size, "ADDS": adds, "WEIGHS_LAST": True}
            yield Case(rows.add_norm, f"add_norm of {size}, adds: {adds}", types, constants, rows.warps_for(size))
    sizes = ((64, False), (80, False), (128, False), (128, True), (256, True))
    for (size, has_norm), is_fp8 in product(sizes, (False, True)):
        types = dict.fromkeys(("heads", "cos", "sin", "weight"), number) | {"pool": "*u8" if is_fp8 else number}
        types |= {"positions": "*i64", "slots": "*i64", "eps": "fp32"}
        half = size // 2
        constants = {"HEADS": 48, "QUERIES": 32, "HALF": half, "BLOCK": 1 << (half - 1).bit_length()}
        constants |= {"HAS_NORM": has_norm, "IS_FP8": is_fp8}
        name = f"rotate, heads of {size}, norm: {has_norm}, eight bits: {is_fp8}"
        yield Case(rows.rotate, name, types, constants, 1)
    yield Case(rows.gate, "gate", {"rows": number, "out": number}, {"BLOCK": rows.GATE_BLOCK})
    types = dict.fromkeys(("masks", "mask_rows", "top_ks", "firsts", "tokens"), "*i32") | {"points": "*fp64"}
    types |= dict.fromkeys(("heats", "peaks", "sums", "best", "top_ps", "min_ps"), "*fp32")
    yield Case(choice.truncate, "truncate", types | {"logits": "*fp32"}, {"BLOCK": choice.BLOCK}, 8)
    for kind in ("*fp32", number):
        types["logits"] = kind
        yield Case(choice.scan, f"scan, {kind[1:]}", dict(types), {"BLOCK": choice.BLOCK})
        for blocks in (2, 32, 64):
            constants = {"BLOCK": choice.BLOCK, "BLOCKS": blocks}
            yield Case(choice.pick, f"pick, {kind[1:]}, {blocks} blocks", dict(types), constants)


def product_cases() -> Iterator[Case]:
    """Products in few bits, of few rows and of more."""
    for dtype in (torch.bfloat16, torch.float16, torch.float32):
        number = f"*{TYPES[dtype]}"
        types = {"rows": number, "codes": "*u8", "scales": "*fp32", "leasts": "*fp32", "out": "*fp32"}
        sizes = {"OUTPUTS": products.OUTPUTS, "WIDENS": dtype == torch.float32}
        for num_bits, least in ((4, 32), (8, 16)):
            most = products.INPUTS if dtype.itemsize < 4 else products.WIDE_BYTES * 8 // num_bits
            for num_rows, inputs in product((16, 32), sorted({least, most})):
                name = f"multiply_codes of {num_bits} bits, {num_rows} rows, {inputs} inputs, {TYPES[dtype]}"
                constants = sizes | {"ROWS": num_rows, "NUM_BITS": num_bits, "INPUTS": inputs}
                yield Case(products.multiply_codes, name, types, constants)
            name = f"unpack_codes of {num_bits} bits, {TYPES[dtype]}"
            constants = {"INPUTS": 1024, "NUM_BITS": num_bits}
            yield Case(products.unpack_codes, name, types | {"out": number}, constants)


def _attend(
    group: int, key_size: int, value_size: int, dtype: torch.dtype, form: Form, has_all: bool, is_fp8: bool
) -> Case:
    number = f"*{TYPES[dtype]}"
    types = dict.fromkeys(("query", "keys", "values", "sinks", "out"), number)
    types |= dict.fromkeys(("part_mixed", "part_state"), "*fp32")
    types |= dict.fromkeys(("tables", "starts", "contexts", "tiles"), "*i32")
    types |= {"scale": "fp32", "softcap": "fp32"} | (dict.fromkeys(("keys", "values"), "*u8") if is_fp8 else {})
    constants = _sizes(value_size) | {
        "GROUP": group,
        "KEY_SIZE": key_size,
        "KEY_BLOCK": attention.padded(key_size),
        "TILE_ROWS": form.rows,
        "TILE_HEADS": form.heads,
        "KEYS": form.keys,
        "PAGE": PAGE,
        "IS_FP8": is_fp8,
        "HAS_SINKS": has_all,
        "HAS_SOFTCAP": has_all,
        "HAS_WINDOW": has_all,
        "WIDENS": False,
    }
    sizes = f"{key_size}" if key_size == value_size else f"{key_size} and {value_size}"
    name = f"attend_tiles, {group} heads of {sizes} a key head, {TYPES[dtype]}, {form.rows} rows a tile"
    name += ", sinks, bound and window" if has_all else ""
    name += ", keys and values of eight bits" if is_fp8 else ""
    return Case(attention.attend_tiles, name, types, constants, form.warps, form.stages)


def _sizes(size: int) -> dict[str, Any]:
    return {"VALUE_SIZE": size, "VALUE_BLOCK": attention.padded(size), "MOST_PARTS": MAX_PARTS}


def main() -> None:
    """A line for each kernel and target."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--targets", type=int, nargs="+", default=[80, 90], choices=sorted(SHARED_BYTES))
    parser.add_argument("--kernels", default="", help="those whose name contains this")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    found = []
    for case in (*row_cases(), *product_cases(), *attention_cases()):
        for target in arguments.targets if arguments.kernels in case.name else ():
            row = compiled(case, target)
            found.append(row)
            print(
                f"sm_{row.target} {row.registers:>4} registers {row.spilled:>5} bytes spilled {row.shared:>7} shared"
                f"  {'' if row.fits else 'TOO LARGE: '}{row.kernel}",
                flush=True,
            )
    if arguments.json:
        fields = Compiled.__dataclass_fields__
        arguments.json.write_text(
            json.dumps([{name: getattr(row, name) for name in fields} for row in found], indent=1)
        )
    raise SystemExit(any(not row.fits for row in found))


if __name__ == "__main__":
    main()
