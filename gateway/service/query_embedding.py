"""Embedding of queries for stores of documents, by a model of the server."""

from __future__ import annotations

import asyncio

import numpy as np
from numpy.typing import NDArray

from gateway.audit.request_record import begin_record
from gateway.core.embedding import EmbeddingRequest
from gateway.core.request import NOBODY
from gateway.service.model_pool import ModelPool


async def embed_query(pool: ModelPool, query: str, model: str, prompt: str | None) -> NDArray[np.float32]:
    """Return the vector of a query, of length 1, apart from record and limits of the request that searches.

    Raises:
        GatewayError: The model is not served, or cannot embed it.
    """

    async def embedded() -> NDArray[np.float32]:
        begin_record()
        entry = pool.find(model)
        service = await pool.use(entry)
        try:
            request = EmbeddingRequest(inputs=(query,), prompt_name=prompt, normalize=True, truncate_to=-1)
            vector: NDArray[np.float32] = (await service.embedder.embed(request, NOBODY)).vectors[0]
            return vector
        finally:
            pool.release(entry)

    return await asyncio.create_task(embedded())
