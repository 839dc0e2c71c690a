"""Kernels that read a schema from its JSON text and write what a builder would, where nothing is to be combined."""
