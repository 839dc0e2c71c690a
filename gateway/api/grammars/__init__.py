"""`/v1/grammars`: constraints compiled, linted, explained, matched and stored; and `/v1/verify`."""
