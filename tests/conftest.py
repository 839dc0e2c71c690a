"""Settings of the whole suite."""

from __future__ import annotations

from hypothesis import settings

# The first call of a kernel compiles it, which no deadline should see.
settings.register_profile("portcullis", deadline=None)
settings.load_profile("portcullis")
