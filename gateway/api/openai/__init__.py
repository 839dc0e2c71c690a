"""OpenAI's chat completions, completions and models, with the extras of vLLM's, SGLang's and TGI's clients."""
