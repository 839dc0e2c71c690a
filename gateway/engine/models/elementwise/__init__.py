"""What stands between the matrix products of a decoder layer: norms, rotations, gates."""

from gateway.engine.models.elementwise.base import Elementwise, Norms
from gateway.engine.models.elementwise.choice import choose_elementwise

__all__ = ["Elementwise", "Norms", "choose_elementwise"]
