"""Held-out evaluation: cases, generation, scoring."""
