"""Requests before their first token: limits, prompts, plans."""
