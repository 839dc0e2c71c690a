"""Ollama's API: chats and completions as JSON lines, and information on the model."""
