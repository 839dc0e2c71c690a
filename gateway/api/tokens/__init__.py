"""Tokenization endpoints of vLLM, SGLang, llama.cpp and TGI."""
