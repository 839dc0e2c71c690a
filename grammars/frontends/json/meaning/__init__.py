"""Keywords of each JSON type, and the texts that they allow."""
