"""Schemas that leave nothing to combine, from their JSON text to operations of a builder without an object between."""
