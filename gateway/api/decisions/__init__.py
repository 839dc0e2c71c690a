"""Typed decisions: `/v1/decisions` as in OpenAI's SDK, `/v1/systemone` as in vLLM and transformers."""
