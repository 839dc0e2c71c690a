"""Routes and middleware for operators: health, metrics, audit records, traces."""
