"""OpenAI's chats, completions and models, with extensions of vLLM, SGLang and TGI."""
