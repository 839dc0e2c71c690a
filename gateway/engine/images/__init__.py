"""Images of prompts: from the bytes of a file to the rows that stand in for the tokens of an image."""
