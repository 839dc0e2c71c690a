"""The text of a sequence as the draft model sees it: some of it computed, and proposals behind it."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from gateway.engine.sequence import Sequence


class KnownBlocks:
    """Which text the draft model computed into which block, by the hash that names the block in the prefix cache.

    The draft model has keys and values of its own in the blocks of the target, and computes them only when it is asked
    to propose. So a block that the prefix cache gives away holds the target's values for certain, and the draft's if
    it says so here. Nothing need be told of preemptions, evictions and forks: a block that was given to another text
    no longer bears the hash. At worst a proposal is bad, never an answer.
    """

    def __init__(self, block_size: int) -> None:
        self.block_size = block_size
        self._hashes: dict[int, bytes] = {}

    def leading_tokens(self, table: Seq[int], hashes: Seq[bytes]) -> int:
        """How many tokens from the beginning of a text are computed in the full blocks of its table."""
        count = 0
        for block, own in zip(table, hashes, strict=False):
            if self._hashes.get(block) != own:
                break
            count += 1
        return count * self.block_size

    def forget(self, blocks: Seq[int]) -> None:
        """Their content is about to change."""
        for block in blocks:
            self._hashes.pop(block, None)

    def learn(self, blocks: Seq[int], hashes: Seq[bytes]) -> None:
        """These full blocks now hold what these hashes name."""
        self._hashes.update(zip(blocks, hashes, strict=True))


class Shadow(Sequence):
    """What the draft model takes for a sequence; use: `follow`, compute, append proposals.

    token_ids  |<-- text when it was followed last -->| d1 | d2 | ... | dk |
    computed   |<-- num_computed ------------------------------>|            dk is never computed
    known      |<-- num_known blocks -->|                                    full, and findable in `KnownBlocks`

    Masks and warpers work on it as on any sequence; its constraint is a fork that has accepted what was proposed.
    """

    __slots__ = ("_num_draws", "_num_followed", "num_known")

    def __init__(self, sequence: Sequence) -> None:
        super().__init__(replace(sequence.request, prompt_ids=[], constraint=None, stop=None), sequence.arrival)
        self.num_prompt_tokens = sequence.num_prompt_tokens
        self.prompt_logprobs = None  # nobody asks the draft model
        self.loop = None
        self.seed = sequence.seed
        self.num_preemptions = -1
        self.num_known = 0
        self._num_draws = 0
        self._num_followed = 0

    def follow(self, sequence: Sequence, known: KnownBlocks) -> None:
        """Become the text as it is now. What was computed stays as far as the proposals came true."""
        text = sequence.token_ids
        same = self._num_followed
        while same < min(len(text), len(self.token_ids)) and text[same] == self.token_ids[same]:
            same += 1
        if same < len(self.token_ids):
            del self.token_ids[same:]
            self.memory.clear()  # warpers remember texts that only grow
        self.token_ids += text[same:]
        self._num_followed = len(text)
        self.max_tokens = sequence.max_tokens
        self._follow_blocks(sequence, same, known)

    def _follow_blocks(self, sequence: Sequence, same: int, known: KnownBlocks) -> None:
        table, size = sequence.block_table, known.block_size
        used = -(-self.num_computed // size)
        if self.num_preemptions != sequence.num_preemptions or self.block_table[:used] != table[:used]:
            hashes = sequence.hash_blocks(min((len(self.token_ids) - 1) // size, len(table)), size)
            self.num_computed = known.leading_tokens(table, hashes)
            self.num_known = self.num_computed // size
            self.num_preemptions = sequence.num_preemptions
        else:
            self.num_computed = min(self.num_computed, same, len(self.token_ids) - 1)
            full = self.num_computed // size
            self.num_known = min(self.num_known, full)
            known.learn(table[self.num_known : full], sequence.hash_blocks(full, size)[self.num_known :])
            self.num_known = full
        self.block_table = list(table)

    def blocks_of_next(self, tokens: int, block_size: int) -> list[int]:
        """The blocks that the next tokens to be computed lie in."""
        first, last = self.num_computed, self.num_computed + tokens - 1
        return self.block_table[first // block_size : last // block_size + 1]

    def next_draw(self) -> int:
        """A number that never comes again: what was drawn and thrown away says nothing about what is drawn next."""
        self._num_draws += 1
        return self._num_draws
