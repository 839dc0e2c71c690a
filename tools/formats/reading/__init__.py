"""Readers of model text: the cursor over it, JSON and other literals, and the events they report."""
