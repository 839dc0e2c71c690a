"""Embeddings, reranking and scores, in the formats of OpenAI, Cohere, Jina and vLLM."""
