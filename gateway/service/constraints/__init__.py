"""Constraints of clients: compiled, matched and verified off the event loop, in processes that can be killed."""
