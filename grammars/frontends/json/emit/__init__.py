"""Automata of JSON values: objects, arrays, numbers and white space."""
