"""Embeddings of texts and scores of pairs, by encoders or by the states of a generative model."""
