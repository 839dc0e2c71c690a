"""Answers while they are generated: tokens to deltas, verified before they leave."""
