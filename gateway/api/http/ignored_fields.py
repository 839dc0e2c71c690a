"""Fields of a request that are ignored: reported in a header of the reply, in the log, and as counts."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Any

from gateway.core.ignored_fields import IgnoredFields, collect_ignored

logger = logging.getLogger(__name__)

HEADER = b"x-portcullis-ignored"
"""The names of what a request is served without, in replies of every dialect, streamed or not."""

_SCOPE_KEY = "portcullis.ignored_fields"


def collect_ignored_fields(scope: Any, *, refuses: bool) -> None:
    """Begin collecting the ignored fields of this scope's request, in this task and those it starts."""
    scope[_SCOPE_KEY] = collect_ignored(refuses)


class IgnoredFieldsReporter:
    """Reports the ignored fields of each request when its reply begins.

    Attributes:
        counts: Requests, by the fields' names without the numbers in them.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    async def report(self, message: Any, scope: Any) -> None:
        """Add the header to the first message of a reply."""
        if message["type"] != "http.response.start" or message["status"] >= 400:
            return
        found: IgnoredFields | None = scope.get(_SCOPE_KEY)
        if found is not None and found.names:
            message["headers"] = [*message["headers"], (HEADER, found.told.encode("latin-1"))]
            logger.info("served without: %s", found.told)
            self.counts.update(found.kinds)
