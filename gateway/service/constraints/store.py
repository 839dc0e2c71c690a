"""Store of constraints under ids: those of clients, and those of the package's library."""

from __future__ import annotations

import json
import re
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256

from gateway.config import LimitsConfig
from gateway.core.constraints import Constraint, GrammarConstraint, RegexConstraint, StoredConstraint
from gateway.errors import GrammarNotFoundError, InvalidRequestError
from grammars import library

MAX_STORED_BYTES = 8 << 20
"""Text of one tenant's constraints."""

READY_MADE = "library:"
"""Prefix of the library's ids, which all tenants can read and none can change."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGrammar:
    """Constraint with its id.

    Attributes:
        is_named: A client chose the id, and the entry is kept until deleted; others are evicted when room is needed.
        created: In seconds since the epoch.
        size: Bytes of the constraint's text.
    """

    id: str
    constraint: Constraint
    is_named: bool
    created: int
    size: int


class GrammarStore:
    """Bounded store of constraints for each tenant. It compiles nothing. Used by one event loop."""

    def __init__(self, limits: LimitsConfig) -> None:
        self._most = limits.max_stored_grammars
        self._stores: dict[str, OrderedDict[str, StoredGrammar]] = {}

    def resolve(self, tenant: str, reference: StoredConstraint) -> Constraint:
        """Return the constraint with an id; its origin, for messages, is that of the reference.

        Raises:
            GrammarNotFoundError: There is no such id.
        """
        return replace(self.get(tenant, reference.id, reference.origin).constraint, origin=reference.origin)

    def get(self, tenant: str, name: str, origin: str = "id") -> StoredGrammar:
        """Return the entry with an id.

        Raises:
            GrammarNotFoundError: There is no such id.
        """
        if name.startswith(READY_MADE):
            return _ready_made(name, origin)
        store = self._stores.get(tenant, OrderedDict())
        if name not in store:
            raise GrammarNotFoundError(f"no grammar is kept under {name[:80]!r}", param=origin)
        store.move_to_end(name)
        return store[name]

    def remember(self, tenant: str, constraint: Constraint) -> tuple[str, bool]:
        """Store a constraint, if there is room, under an id of its content; return the id, and whether it is stored."""
        content = json.dumps(asdict(replace(constraint, origin="")), sort_keys=True)
        name = f"grammar-{sha256((type(constraint).__name__ + content).encode()).hexdigest()[:24]}"
        self._keep(tenant, name, constraint, is_named=False)
        return name, name in self._stores[tenant]

    def put(self, tenant: str, name: str, constraint: Constraint) -> bool:
        """Store a constraint under an id; return whether the id is new.

        Raises:
            InvalidRequestError: The id is malformed, or there is no room for another named entry.
        """
        if _ID.fullmatch(name) is None or name.startswith("grammar-"):
            raise InvalidRequestError(
                "an id has 1 to 64 letters, digits, '.', '_', '-', and does not begin with 'grammar-'", param="id"
            )
        is_new = name not in self._stores.get(tenant, ())
        self._keep(tenant, name, constraint, is_named=True)
        return is_new

    def delete(self, tenant: str, name: str) -> None:
        """Delete the entry with an id.

        Raises:
            GrammarNotFoundError: There is no such id.
        """
        if name.startswith(READY_MADE):
            raise InvalidRequestError("a grammar of the library cannot be deleted", param="id")
        self.get(tenant, name)
        del self._stores[tenant][name]

    def entries(self, tenant: str) -> Sequence[StoredGrammar]:
        """Return the entries of a tenant, the most recently used last."""
        return tuple(self._stores.get(tenant, {}).values())

    def ready_made(self) -> Sequence[StoredGrammar]:
        """Return the entries of the library."""
        return tuple(_ready_made(READY_MADE + name, "id") for name in library.names())

    def _keep(self, tenant: str, name: str, constraint: Constraint, *, is_named: bool) -> None:
        size = len(json.dumps(asdict(constraint)))
        store = self._stores.setdefault(tenant, OrderedDict())
        rest = [kept for key, kept in store.items() if key != name]
        named = [kept for kept in rest if kept.is_named]
        if len(named) >= self._most or sum(kept.size for kept in named) + size > MAX_STORED_BYTES:
            if not is_named:
                return
            raise InvalidRequestError(
                f"{len(named)} named grammars are kept, of {sum(kept.size for kept in named)} bytes; at most "
                f"{self._most} of {MAX_STORED_BYTES} bytes are",
                param="id",
            )
        num, total = len(rest), sum(kept.size for kept in rest)
        for kept in [kept for kept in rest if not kept.is_named]:
            if num < self._most and total + size <= MAX_STORED_BYTES:
                break
            del store[kept.id]
            num, total = num - 1, total - kept.size
        store[name] = StoredGrammar(
            id=name, constraint=constraint, is_named=is_named, created=int(time.time()), size=size
        )
        store.move_to_end(name)


def _ready_made(name: str, origin: str) -> StoredGrammar:
    short = name.removeprefix(READY_MADE)
    if short not in library.names():
        raise GrammarNotFoundError(f"the library has no grammar {short[:80]!r}", param=origin)
    kind, text = library.source(short)
    constraint: Constraint = (
        RegexConstraint(pattern=text, origin=origin)
        if kind == "regex"
        else GrammarConstraint(text=text, origin=origin, syntax=kind)
    )
    return StoredGrammar(id=name, constraint=constraint, is_named=True, created=0, size=len(text))
