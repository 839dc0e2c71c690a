"""Duties of a server beside its requests: draining, reloading, memory, watch of the event loop, spans."""
