"""Matrix products with weights laid out for the machine: `choose_kind(...)(weights, bias)` makes a `Linear`."""

from gateway.engine.models.linear.base import Linear, LinearKind
from gateway.engine.models.linear.choice import choose_dtype, choose_kind

__all__ = ["Linear", "LinearKind", "choose_dtype", "choose_kind"]
