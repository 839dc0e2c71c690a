"""Rules of one side of a policy, with their automaton."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace

from gateway.guards.patterns import forbidden
from gateway.guards.quotes import Source, source_of
from gateway.guards.rule import Applied, Bound, CompiledPattern, Judged, Quoted, Said, Tagged, Tagging
from gateway.guards.scanner import Scanner


class Rules:
    """Rules of one side of a policy, applicable to any number of texts.

    Attributes:
        applied: The rules, the first of which names what several cover.
        max_retries: Most answers that are given up.
        forbidden: Patterns that are found nowhere in what a model may write.
        judged: Rules for judges, with their positions.
        taggings: Taggers, each with the positions of its rules by kind.
        said: Conversation before the texts, if they are answers.
        sources: Texts that are not to be quoted, with the rules that say so, by their place.
    """

    def __init__(self, applied: Sequence[Applied]) -> None:
        self.applied = tuple(applied)
        shapes = [each.rule.what if isinstance(each.rule.what, CompiledPattern) else None for each in self.applied]
        self.scanner = Scanner(shapes)
        self.bounds = tuple(
            (number, each.rule.what.max_characters)
            for number, each in enumerate(self.applied)
            if isinstance(each.rule.what, Bound)
        )
        whats = [each.rule.what for each in self.applied if each.action == "forbid"]
        self.forbidden = forbidden(what for what in whats if isinstance(what, CompiledPattern))
        self.max_retries = max((each.retries for each in self.applied if each.action == "retry"), default=0)
        self.judged = tuple(
            (number, each.rule.what) for number, each in enumerate(self.applied) if isinstance(each.rule.what, Judged)
        )
        taggings: dict[Tagging, dict[str, int]] = {}
        for number, each in enumerate(self.applied):
            if isinstance(each.rule.what, Tagged):
                taggings.setdefault(each.rule.what.tagging, {})[each.rule.what.kind] = number
        self.taggings: Mapping[Tagging, Mapping[str, int]] = taggings
        self.said: Said | None = None
        self.sources: tuple[tuple[int, Source], ...] = ()

    def holds(self, tagging: Tagging) -> bool:
        """True if text that the tagger has not read must be held back. All rules of a guard have one action."""
        return self.applied[next(iter(self.taggings[tagging].values()))].holds

    @property
    def depends(self) -> bool:
        """True if the rules depend on the conversation that the texts answer."""
        return bool(self.judged) or any(isinstance(each.rule.what, Quoted) for each in self.applied)

    def for_answer(self, said: Said) -> Rules:
        """Return the rules for answers to this conversation.

        Raises:
            InvalidRequestError: The system prompt is too long.
        """
        changed = copy(self)
        quoted = [(number, each.rule.what) for number, each in enumerate(self.applied)]
        sources = [
            (number, source_of(said.system, what.num_characters)) for number, what in quoted if isinstance(what, Quoted)
        ]
        changed.said = said
        changed.sources = tuple((number, source) for number, source in sources if source is not None)
        return changed

    def without_redaction(self) -> Rules:
        """Return the rules for constrained text: they block instead of redacting."""
        return self._changed(lambda each: replace(each, action="block") if each.action == "redact" else each)

    def without_bounds(self) -> Rules:
        """Return the rules without bounds on the length."""
        changed = copy(self)
        changed.bounds = ()
        return changed

    def observe_only(self) -> Rules:
        """Return rules that only report matches: they replace nothing and end nothing."""
        return self._changed(lambda each: each if each.action == "annotate" else replace(each, action="pass"))

    def for_attempt(self, num_tries: int) -> Rules:
        """Return the rules after this many discarded attempts: rules without retries left take their `otherwise`
        action."""
        return self._changed(
            lambda each: (
                replace(each, action=each.otherwise) if each.action == "retry" and each.retries <= num_tries else each
            )
        )

    def _changed(self, change: Callable[[Applied], Applied]) -> Rules:
        """Return the rules with the same automaton and other actions."""
        changed = copy(self)
        changed.applied = tuple(map(change, self.applied))
        return changed
