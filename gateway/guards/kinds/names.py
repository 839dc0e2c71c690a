"""`names`: persons, places and organisations, found by presidio-analyzer with the operator's model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, ClassVar

from gateway.guards.kinds.base import Guard, OptionError, chosen, failing_open, held, likely, timeout_of
from gateway.guards.processes import ModelProcess
from gateway.guards.rule import JudgeError, Rule, Span, Tagged, Tagging

KINDS = ("person", "location", "organization")
_KNOWN = (*KINDS, "nrp")
"""As presidio calls them; the last are nationalities, religions and parties."""


class NamesProcess(ModelProcess):
    """Process of a model of names."""

    module: ClassVar[str] = "gateway.guards.models.names"
    name: ClassVar[str] = "model of names"


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Finds names that the model is sure enough of."""

    process: NamesProcess
    kinds: tuple[str, ...]
    threshold: float
    timeout_s: int

    def open(self) -> None:
        """Have the model loaded."""
        self.process.open()
        folder, known = self.process.folder, self.process.told["kinds"]
        for kind in self.kinds:
            if kind not in known:
                told = ", ".join(known) or "no names"
                raise JudgeError(f"the model of names in {folder} finds no {kind}; it finds {told}")

    def close(self) -> None:
        """End its process."""
        self.process.close()

    def spans(self, texts: Sequence[str]) -> list[list[Span]]:
        """Return the names in each text."""
        told = self.process.ask(texts, self.timeout_s, threshold=self.threshold)["spans"]
        return [[Span(*each) for each in spans if each[0] in self.kinds] for spans in told]


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """Return one rule per kind."""
    if find_spec("presidio_analyzer") is None:
        raise OptionError("guard", "is names, which needs presidio-analyzer (pip install 'portcullis[names]')")
    kinds = chosen(options, KINDS, _KNOWN)
    names = Names(
        process=NamesProcess.of(options["model"]),
        kinds=tuple(kinds),
        threshold=likely(options),
        timeout_s=timeout_of(options),
    )
    tagging = Tagging(tagger=names, hold_characters=held(options), is_lenient=failing_open(options))
    return [Rule(guard="names", kind=kind, what=Tagged(tagging, kind)) for kind in kinds]


GUARD = Guard(
    name="names",
    options={
        "model": str,
        "kinds": list,
        "threshold": float,
        "hold_characters": int,
        "on_failure": str,
        "timeout_s": int,
    },
    required=("model",),
    unmasked="what a name is depends on all that is around it, and no mask could be made of that",
    rules=rules,
)
