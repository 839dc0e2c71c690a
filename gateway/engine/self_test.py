"""Self-tests at load: kernels and private operators are used only where their numbers are right."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import torch

P = ParamSpec("P")


def self_test(test: Callable[P, str | None]) -> Callable[P, str | None]:
    """Decorate a function that returns what is wrong, or None: an exception counts as a failure, and no gradients are
    recorded."""

    @wraps(test)
    @torch.inference_mode()
    def run(*args: P.args, **kwargs: P.kwargs) -> str | None:
        try:
            return test(*args, **kwargs)
        except Exception as failure:  # a kernel or a private operator may fail in any way
            return f"failed: {failure!r}"

    return run
