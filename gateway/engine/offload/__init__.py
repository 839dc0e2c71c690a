"""A second tier of key/value blocks, by hash: host memory, and a file that survives a restart."""
