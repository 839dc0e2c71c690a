"""Schema documents: subschemas, references, dialects, exact numbers."""
