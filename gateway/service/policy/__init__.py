"""Policies: screening of requests and of answers."""
