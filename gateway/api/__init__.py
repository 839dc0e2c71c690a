"""Wire dialects: bodies to the gateway's requests, its deltas to bodies or events. One folder per dialect."""
