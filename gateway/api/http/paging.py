"""Pages of lists: bounds on what a request may ask for, and the part of a list that it gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from gateway.errors import InvalidRequestError

T = TypeVar("T")


def check_limit(limit: int, most: int) -> None:
    """Raise `InvalidRequestError` unless a page has 1 to `most` entries."""
    if not 1 <= limit <= most:
        raise InvalidRequestError(f"limit must be between 1 and {most}, not {limit}", param="limit")


def check_order(order: str) -> None:
    """Raise `InvalidRequestError` unless an order is `asc` or `desc`."""
    if order not in ("asc", "desc"):
        raise InvalidRequestError("order must be asc or desc", param="order")


def page(found: Sequence[T], limit: int) -> tuple[list[T], str | None, str | None, bool]:
    """Return the entries of a page, the ids of its first and last one, and if there are more."""
    data = list(found[:limit])
    ids: list[Any] = [getattr(each, "id") for each in (data[:1] + data[-1:])]  # noqa: B009  of any body
    return data, ids[0] if ids else None, ids[-1] if ids else None, len(found) > limit
