"""OpenAI's Responses API: items, typed events, and a bounded store of responses."""
