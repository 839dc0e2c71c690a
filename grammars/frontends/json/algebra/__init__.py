"""Conjunctions of schemas: negation, overlap, enumeration and required members."""
