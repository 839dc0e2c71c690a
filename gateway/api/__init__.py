"""Wire dialects: bytes to the gateway's own requests, its deltas to bytes. One folder per dialect."""
