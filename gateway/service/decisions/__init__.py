"""Decisions: probabilities of labels under the model's distribution."""
