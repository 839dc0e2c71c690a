"""Matrix products with weights laid out for the machine: `choose_kind(...)(weights, bias)` makes a `Linear`."""

from gateway.engine.models.linear.base import Linear, LinearKind, Weights
from gateway.engine.models.linear.choice import choose_dtype, choose_kind
from gateway.engine.models.linear.modules import exchange_linears, restore_linears

__all__ = ["Linear", "LinearKind", "Weights", "choose_dtype", "choose_kind", "exchange_linears", "restore_linears"]
