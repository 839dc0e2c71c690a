"""Portcullis: grammars."""
