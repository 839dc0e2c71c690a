"""Hot loops, compiled by numba: configurations, walks over the vocabulary's trie, masks."""
