"""Retrievers that the settings name: ours, and those of other packages by their entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import entry_points

from gateway.errors import ConfigError
from gateway.retrieval.base import Embed, Retriever
from gateway.retrieval.sqlite import SqliteRetriever

GROUP = "portcullis.retrievers"
"""Entry points of other packages; each is called with a place and an `Embed`, and returns a `Retriever`."""

SQLITE = "sqlite"


def open_retrievers(settings: Iterable[str], embed: Embed) -> dict[str, Retriever]:
    """Return the retrievers of settings, `NAME=KIND:PLACE` each, by name.

    Raises:
        ConfigError: A kind is not installed, or a place cannot be opened; names the setting.
    """
    opened: dict[str, Retriever] = {}
    for setting in settings:
        name, _, rest = setting.partition("=")
        kind, mark, place = rest.partition(":")
        if not mark or not place:
            raise ConfigError(
                f"server.retrievers: {setting} must be NAME=KIND:PLACE, such as manuals=sqlite:manuals.db"
            )
        if name in opened:
            raise ConfigError(f"server.retrievers: two have the name {name}")
        try:
            retriever = _factory(kind)(place, embed)
        except Exception as error:  # whatever a stranger's module does
            raise ConfigError(f"server.retrievers: {setting} cannot be opened: {error}") from error
        if not isinstance(retriever, Retriever):
            raise ConfigError(f"server.retrievers: {setting}: {kind} returns no retriever")
        opened[name] = retriever
    return opened


def _factory(kind: str) -> Callable[[str, Embed], Retriever]:
    if kind == SQLITE:
        return SqliteRetriever
    points = list(entry_points(group=GROUP, name=kind))
    if len(points) != 1:
        names = ", ".join(sorted({SQLITE, *(point.name for point in entry_points(group=GROUP))}))
        many = "several packages have" if points else "there is no"
        raise ConfigError(f"{many} kind {kind}; installed: {names}")
    factory: Callable[[str, Embed], Retriever] = points[0].load()
    return factory
