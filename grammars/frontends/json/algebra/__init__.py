"""Conjunctions and complements of schemas as choices of bounds by type."""
