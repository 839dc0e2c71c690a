"""How many of a CPU's cores the forward pass takes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from engine_runs import make_engine


@pytest.fixture(autouse=True)
def own_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize(
    ("own", "settings", "taken"),
    [
        (4, {}, 4),
        (4, {"spare_threads": 1}, 3),
        (1, {"spare_threads": 1}, 1),
        (4, {"spare_threads": 1, "num_threads": 4}, 4),
    ],
)
def test_cores_are_left_to_others_unless_a_number_is_named(own: int, settings: dict[str, int], taken: int) -> None:
    torch.set_num_threads(own)
    make_engine(**settings)
    assert torch.get_num_threads() == taken
