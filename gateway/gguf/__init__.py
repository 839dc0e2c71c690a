"""A model in one `.gguf` file: its header, tokenizer, settings and weights. Nothing here computes the model."""
