"""Retrievers: from a query to documents of a store, for requests whose answers rest on them."""

from gateway.retrieval.base import Embed, Found, Retriever
from gateway.retrieval.opening import open_retrievers

__all__ = ["Embed", "Found", "Retriever", "open_retrievers"]
