"""`language`: texts in a language that is not allowed, detected by py3langid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from gateway.guards.kinds.base import JUDGED, JUDGED_OPTIONS, UNMASKED, Guard, OptionError, judged, likely
from gateway.guards.rule import Rule, Said


@dataclass(frozen=True, slots=True)
class Languages:
    """Judge of languages: matches if the likeliest is not allowed and likely enough."""

    allowed: frozenset[str]
    threshold: float

    def open(self) -> None:
        """Do nothing: the model was loaded with the options."""

    def close(self) -> None:
        """Others may use it."""

    def judge(self, texts: Sequence[str], said: Said | None) -> list[bool]:
        """Return for each text whether its language is not allowed."""
        return [self._is_found(text) for text in texts]

    def _is_found(self, text: str) -> bool:
        # A character that is half of another has no bytes.
        language, likelihood = _identifier().classify(text.encode("utf-8", "replace"))
        return language not in self.allowed and likelihood >= self.threshold


@cache
def _identifier() -> Any:
    try:
        module = import_module("py3langid.langid")
    except ModuleNotFoundError as error:
        raise OptionError("guard", "is language, which needs py3langid (portcullis[languages])") from error
    return module.LanguageIdentifier.from_model_file(module.MODEL_FILE, norm_probs=True)


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """Return one rule for all languages that are not allowed."""
    known = sorted(set(_identifier().labels))
    allowed, threshold = options["allowed"], likely(options)
    unknown = [language for language in allowed if language not in known]
    if unknown or not allowed:
        told = f", not '{unknown[0]}'" if unknown else ""
        raise OptionError("allowed", f"must name some of {', '.join(known)}{told}")
    return judged("language", options, Languages(frozenset(allowed), threshold))


GUARD = Guard(
    name="language",
    options={
        **{name: kind for name, kind in JUDGED_OPTIONS.items() if name in ("name", "hold_characters")},
        "allowed": list,
        "threshold": float,
    },
    required=("allowed",),
    unmasked=UNMASKED,
    rules=rules,
    actions=JUDGED,
)
