"""Temporary LoRA adapters, which answers train while they are written."""
