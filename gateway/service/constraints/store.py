"""Constraints that clients keep under an id, and those that come with the package."""

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
"""Before the names of those that come with the package, which everybody has and nobody can replace."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGrammar:
    """A constraint with its id.

    Attributes:
        is_named: A client chose the id, and it stays until it is deleted; others go when room is needed.
        created: In seconds since the epoch.
        size: Bytes of its text.
    """

    id: str
    constraint: Constraint
    is_named: bool
    created: int
    size: int


class GrammarStore:
    """One bounded store for each tenant. Nothing is compiled here. Used by one event loop."""

    def __init__(self, limits: LimitsConfig) -> None:
        self._most = limits.max_stored_grammars
        self._stores: dict[str, OrderedDict[str, StoredGrammar]] = {}

    def resolve(self, tenant: str, reference: StoredConstraint) -> Constraint:
        """The constraint behind an id, to be named in messages as the reference is.

        Raises:
            GrammarNotFoundError: There is none.
        """
        return replace(self.get(tenant, reference.id, reference.origin).constraint, origin=reference.origin)

    def get(self, tenant: str, name: str, origin: str = "id") -> StoredGrammar:
        """What is kept under an id.

        Raises:
            GrammarNotFoundError: Nothing is.
        """
        if name.startswith(READY_MADE):
            return _ready_made(name, origin)
        store = self._stores.get(tenant, OrderedDict())
        if name not in store:
            raise GrammarNotFoundError(f"no grammar is kept under {name[:80]!r}", param=origin)
        store.move_to_end(name)
        return store[name]

    def remember(self, tenant: str, constraint: Constraint) -> tuple[str, bool]:
        """Keep a constraint while there is room, under an id that its content says; returns it, and whether it is."""
        content = json.dumps(asdict(replace(constraint, origin="")), sort_keys=True)
        name = f"grammar-{sha256((type(constraint).__name__ + content).encode()).hexdigest()[:24]}"
        self._keep(tenant, name, constraint, is_named=False)
        return name, name in self._stores[tenant]

    def put(self, tenant: str, name: str, constraint: Constraint) -> bool:
        """Keep a constraint under this id; returns whether there was none before.

        Raises:
            InvalidRequestError: It is no id that can be given, or there is no room among those that are named.
        """
        if _ID.fullmatch(name) is None or name.startswith("grammar-"):
            raise InvalidRequestError(
                "an id has 1 to 64 letters, digits, '.', '_', '-', and does not begin with 'grammar-'", param="id"
            )
        is_new = name not in self._stores.get(tenant, ())
        self._keep(tenant, name, constraint, is_named=True)
        return is_new

    def delete(self, tenant: str, name: str) -> None:
        """Forget what is kept under an id.

        Raises:
            GrammarNotFoundError: Nothing is.
        """
        if name.startswith(READY_MADE):
            raise InvalidRequestError("a grammar of the library cannot be deleted", param="id")
        self.get(tenant, name)
        del self._stores[tenant][name]

    def entries(self, tenant: str) -> Sequence[StoredGrammar]:
        """All that a tenant keeps, those used last at the end."""
        return tuple(self._stores.get(tenant, {}).values())

    def ready_made(self) -> Sequence[StoredGrammar]:
        """All that come with the package."""
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
