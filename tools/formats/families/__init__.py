"""Formats of families that need code of their own; all others are in `families.toml`."""
