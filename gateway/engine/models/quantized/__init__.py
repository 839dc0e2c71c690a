"""Checkpoints in few bits, made whole when they are read. `read_dequantized` finds the format."""

from gateway.engine.models.quantized.choice import read_dequantized

__all__ = ["read_dequantized"]
