"""Attention over the pages: one interface, one file a backend, and the choice among them."""
