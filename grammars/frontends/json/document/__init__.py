"""JSON Schema documents: options, dialects, references and numbers as written."""
