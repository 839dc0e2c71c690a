"""Tokenizers as tries of bytes."""
