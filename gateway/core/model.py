"""The served model, as clients see it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from gateway.errors import ModelNotFoundError

PLACEHOLDERS = ("tgi", "dummy")
"""Model names that Hugging Face's clients send by default; TGI ignores them."""


class ServedAdapter(NamedTuple):
    """A LoRA adapter that requests may name instead of the model.

    Attributes:
        path: Its folder.
        stamp: Text that differs for other files.
    """

    path: str
    stamp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedModel:
    """Names and size of the model.

    Attributes:
        name: Primary name.
        aliases: Others that clients may use.
        has_any_name: Clients may use whatever name they like.
        max_context: Tokens of prompt and answer together.
        created: Load time, in seconds since the epoch.
        adapters: Its adapters by name, which come and go.
        term_classifiers: Names of classifiers that a formula may have.
        term_models: Names of other models, whose scores may be terms of a formula.
    """

    name: str
    aliases: tuple[str, ...]
    max_context: int
    created: int
    has_any_name: bool = False
    adapters: dict[str, ServedAdapter] = field(default_factory=dict)
    term_models: tuple[str, ...] = ()
    term_classifiers: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Return the first name, the aliases and the adapters, each once."""
        return tuple(dict.fromkeys((self.name, *self.aliases, *self.adapters)))

    def resolve(self, name: str | None) -> str:
        """Return the name if it may be used; the primary name for None and for placeholders.

        Raises:
            ModelNotFoundError: No model has this name.
        """
        if name is None or (name in PLACEHOLDERS and name not in self.names):
            return self.name
        if name not in self.names and not self.has_any_name:
            raise ModelNotFoundError(
                f"the model {name[:200]!r} is not served here; served: {', '.join(self.names)}", param="model"
            )
        return name
