"""GGUF model files: header, tokenizer, settings and weights. Nothing here runs the model."""
