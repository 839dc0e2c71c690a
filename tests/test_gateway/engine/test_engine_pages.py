"""Pages of weight files: those that are needed no longer are given back, and what stands in them is not lost."""

import re
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from gateway.engine.models.measure import give_back_pages

SMAPS = Path("/proc/self/smaps")
ROWS = 512


def resident_kb(file):
    """Of all mappings of the file; None where it is not mapped."""
    found = re.findall(
        rf"^\S+ \S+ \S+ \S+ \S+ +{re.escape(str(file))}$.*?^Rss: +(\d+) kB", SMAPS.read_text(), re.M | re.S
    )
    return sum(map(int, found)) if found else None


@pytest.fixture
def mapped(tmp_path):
    """A weight that is mapped from a file and was read, and the file."""
    file = tmp_path / "model.safetensors"
    save_file({"weight": torch.arange(ROWS * 1024, dtype=torch.float32).view(ROWS, 1024)}, file)
    weight = load_file(file)["weight"]
    weight.sum()
    if not SMAPS.exists() or resident_kb(file) is None:
        pytest.skip("the system does not tell what is mapped")
    return weight, file


def test_pages_that_were_read_are_given_back_and_read_again(mapped):
    weight, file = mapped
    assert resident_kb(file) >= ROWS * 4
    give_back_pages()
    assert resident_kb(file) == 0
    assert torch.equal(weight, torch.arange(ROWS * 1024, dtype=torch.float32).view(ROWS, 1024))


def test_a_mapping_that_was_written_to_is_left(mapped):
    weight, file = mapped
    weight[3] = -1.0
    give_back_pages()
    assert resident_kb(file) > 0
    assert weight[3, 0] == -1.0
