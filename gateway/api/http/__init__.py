"""HTTP below the dialects: connections, callers, bodies, streams, and errors as responses."""
