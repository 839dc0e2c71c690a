"""Networks of schemas: objects, arrays, whitespace and the rules that all schemas share."""
