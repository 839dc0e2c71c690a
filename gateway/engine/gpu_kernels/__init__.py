"""Kernels for NVIDIA GPUs, in Triton. Imported where they are used: Triton is not there without a CUDA torch."""
