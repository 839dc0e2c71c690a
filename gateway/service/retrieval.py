"""Documents that a retriever finds for a chat."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import replace

from gateway.core.documents import Document
from gateway.core.request import ChatRequest
from gateway.errors import GatewayError, InvalidRequestError, RetrievalError
from gateway.retrieval import Embed, Found, open_retrievers

logger = logging.getLogger(__name__)

MAX_QUERY_CHARACTERS = 10_000
TIMEOUT_S = 20.0


class Retrieval:
    """Retrievers of a server, by name. For one event loop."""

    def __init__(self, settings: Iterable[str], embed: Embed) -> None:
        """Args: settings: `server.retrievers`. Raises: ConfigError: One cannot be opened; names it."""
        self._retrievers = open_retrievers(settings, embed)

    async def with_found(self, request: ChatRequest, tenant: str) -> ChatRequest:
        """Return the request with the documents that it asks for. If none is found, and it brings none, it cites none.

        Raises:
            InvalidRequestError: There is no retriever of this name, or no query.
            RetrievalError: The retriever failed.
        """
        asked = request.retrieval
        if asked is None:
            return request
        if asked.source not in self._retrievers:
            names = ", ".join(self._retrievers) or "none; the setting is server.retrievers"
            raise InvalidRequestError(
                f"there is no retriever {asked.source[:100]!r}; this server has {names}", param="retrieval.source"
            )
        query = _query_of(request) if asked.query is None else asked.query
        if not query.strip() or len(query) > MAX_QUERY_CHARACTERS:
            raise InvalidRequestError(
                f"the query has {len(query)} characters; 1 to {MAX_QUERY_CHARACTERS} are served. Without one it is the "
                "last message of the user",
                param="retrieval.query",
            )
        documents = tuple(_document(each) for each in await self._found(asked.source, query, asked.limit, tenant))
        documents = request.documents + documents
        return replace(request, documents=documents, cites=request.cites and bool(documents), retrieval=None)

    async def _found(self, source: str, query: str, limit: int, tenant: str) -> list[Found]:
        try:
            async with asyncio.timeout(TIMEOUT_S):
                found = await self._retrievers[source].find(query, limit, tenant)
        except GatewayError:
            raise
        except Exception as error:  # of a store, or of a stranger's package
            logger.exception("the retriever %s failed", source)
            raise RetrievalError(f"the retriever {source} failed", param="retrieval") from error
        return [each for each in found if each.text.strip()][:limit]


def _query_of(request: ChatRequest) -> str:
    contents = (each.get("content") for each in reversed(request.messages) if each["role"] == "user")
    return str(next(contents, None) or "")


def _document(found: Found) -> Document:
    return Document(parts=(found.text,), title=found.title, id=found.id, place="retrieval")
