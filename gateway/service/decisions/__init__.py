"""Decisions: probabilities of labels, read off the model's distribution."""
