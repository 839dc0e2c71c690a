"""Batches: the format of their lines, their execution within a bound, and the store of a server's files and results."""
