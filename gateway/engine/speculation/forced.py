"""Forced tokens: where a constraint allows a single token, it is appended without a step."""

from __future__ import annotations

from collections.abc import Iterable, Set

from gateway.engine.masks import MaskFiller
from gateway.engine.output_collector import OutputCollector
from gateway.engine.request import EngineStats
from gateway.engine.sequence import Sequence, Status


class ForcedTokens:
    """Appends the tokens that are the only ones their constraint allows: they need no row, and no draw."""

    def __init__(
        self, masks: MaskFiller, outputs: OutputCollector, stats: EngineStats, terminators: Set[int], most: int
    ) -> None:
        """Args: terminators: End of sequence; not counted. most: Pending tokens of a text that gets no more of them."""
        self._masks, self._outputs, self._stats = masks, outputs, stats
        self._terminators, self._most = terminators, most

    def append(self, running: Iterable[Sequence]) -> None:
        """Append those of all texts that run.

        Looking costs nothing where masks are quick: they are needed in this step, and are not filled again.
        """
        asked = [each for each in running if each.constraint is not None and each.is_answering]
        if not asked or self._masks.is_slow:
            return
        for sequence in self._masks.look(asked):
            while sequence.num_pending <= self._most:
                token = self._masks.only_token(sequence)
                if token is None or sequence.may_be_steered:
                    break
                self._stats.num_forced += token not in self._terminators
                self._outputs.append(sequence, token)
                if sequence.status is not Status.RUNNING:
                    break
                self._masks.look_again(sequence)
