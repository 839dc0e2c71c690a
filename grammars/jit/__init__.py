"""Machine code of Python functions: compiled by Numba, kept in files, loaded without compiling."""
