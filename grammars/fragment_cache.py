"""Parts that constraints share: where one tool of a set changes, the others are not compiled again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from weakref import WeakValueDictionary

from grammars.frontends.base import Constraint, Kept, Once
from grammars.frontends.combined import Concat, Either
from grammars.frontends.structural_tag import StructuralTag
from grammars.network.builder import NetworkBuilder
from grammars.network.network import Network

# Reused networks have most of the parts, and at most this many other states, or as many as they need.
_LOOKED_AT, _FEW_STATES = 4, 1_000


class FragmentCache:
    """Cache of networks of one vocabulary by the parts in them, for as long as they are referenced."""

    def __init__(self) -> None:
        self._networks: WeakValueDictionary[str, Network] = WeakValueDictionary()

    def add(self, network: Network) -> None:
        """Find the network's parts in it from now on."""
        if network.parts is not None:
            self._networks.update(dict.fromkeys(network.parts.by_key, network))

    def emit(self, constraint: Constraint, builder: NetworkBuilder) -> None:
        """Put what is kept of the constraint into an empty builder."""
        kept = {part.key: part for part in _kept(constraint, set())}
        for network, _ in Counter(filter(None, map(self._networks.get, kept))).most_common(_LOOKED_AT):
            assert network.parts is not None
            by_key, number = network.parts.by_key, network.parts.num_states
            needed = {key: by_key[key] for key in kept if key in by_key}
            num_unused = number - sum([part.num_states for part in needed.values()])
            if num_unused <= max(_FEW_STATES, number // 2):
                builder.begin_with(network, network.parts._replace(by_key=needed), num_unused)
                break
        for part in kept.values():
            part.emit(builder)


def _kept(constraint: Constraint | str, seen: set[int]) -> Iterator[Kept]:
    match constraint:
        case Kept():
            yield constraint
        case Once(content) if id(content) not in seen:
            seen.add(id(content))
            yield from _kept(content, seen)
        case Concat(parts) | Either(parts):
            for part in parts:
                yield from _kept(part, seen)
        case StructuralTag(tags, then=then):
            for part in (*(tag.content for tag in tags), then or ""):
                yield from _kept(part, seen)
