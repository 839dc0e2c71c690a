"""Portcullis: gateway."""
