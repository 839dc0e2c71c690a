"""Anthropic's Messages API and list of models."""
