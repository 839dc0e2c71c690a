"""Machine code of Python functions: how it is compiled, stored and called."""
