"""Scheduling: the waiting queue, key/value blocks, and the plan of each step."""
