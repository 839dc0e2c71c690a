"""Policies: what a client sends and what a model answers, screened."""
