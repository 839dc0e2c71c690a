"""The served model: its files, its engine, and what its folder says of it."""
