"""Spellings of one call between its markers, one per file."""
