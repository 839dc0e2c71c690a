"""Kernels for CPUs, compiled by Numba and kept on disk."""
