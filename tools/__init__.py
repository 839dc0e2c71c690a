"""Portcullis: tools."""
