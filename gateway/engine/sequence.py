"""Sequences: requests in the engine."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from gateway.engine.images.pixels import PromptImages
from gateway.engine.loops import LoopFinder
from gateway.engine.pooling import Pool
from gateway.engine.protocols import Budgeted
from gateway.engine.request import GenerationRequest, TokenLogprobs
from gateway.engine.scheduling.blocks import chain_hash, first_hash

NO_ADAPTER = -1
"""Slot of a text that is computed by the model itself."""


class Status(Enum):
    """Stage of a sequence."""

    WAITING = auto()
    RUNNING = auto()
    FINISHED = auto()


class Sequence:
    """Tokens of one request and the number of them that are computed.

    token_ids  |<-- prompt -->|<-- answer -->|
    computed   |<-- num_computed -->|            key/values are in the blocks of `block_table`
                                    |<- pending, scheduled in chunks; 1 while decoding
    scored     |<-- num_scored -->|              tokens whose successor's log-probability is known

    Attributes:
        num_given_back: Blocks at the front that are before the window of all tokens to come. The table holds the first
            block after them in their places, so blocks of others are never read.
        place: Its arrival, or that of the request that it continues, by `time.monotonic`, then by number.
        lane: The (priority, tenant) that it is scheduled with; see `TokenCounters`.
        adapter: Slot of its adapter.
        leader: Sequence whose answer it gets too; None: it has its own. See `arithmetic`.
        companions: Sequences that get the same answer.
        model: Name of the other model that computes it; None: the served one. See `other_models`.
        images: Images of the prompt; None: it has none.
        is_paused: Nothing of it is computed for now.
        salt: What is computed of it is shared with sequences of the same salt alone.
        num_charged: Of its tokens, those that its tenant has paid for, or got for nothing. Never falls.
        num_scored: Stays when the sequence is preempted. Never less than `num_computed` while `is_scoring`.
        num_short_drafted: Masks that took too long, of those that forks of the constraint filled.
        prompt_logprobs: None if not asked for, or already returned.
        pool: States of the prompt, of a request that writes nothing; None: it writes an answer.
        max_tokens: Of the answer: as requested, or less after a loop was found.
        loop: None where loops may be, or one was found already, which is `has_looped`.
        is_steered: The budget left out the token that the model would have chosen of those that the constraint allows.
        arrived_at, scheduled_at, first_token_at, last_token_at: Times of `time.monotonic`; 0: not yet.
        detailed_at: The same of the last token with `TokenDetails`.
        memory: What warpers keep about the text, which only ever grows; see `warpers.base.remembered`.
    """

    __slots__ = (
        "adapter",
        "arrival",
        "arrived_at",
        "block_hashes",
        "block_table",
        "budgeted",
        "companions",
        "constraint",
        "detailed_at",
        "first_token_at",
        "has_looped",
        "images",
        "is_paused",
        "is_steered",
        "key",
        "lane",
        "last_token_at",
        "leader",
        "loop",
        "max_tokens",
        "memory",
        "model",
        "num_cached_tokens",
        "num_charged",
        "num_computed",
        "num_given_back",
        "num_preemptions",
        "num_prompt_tokens",
        "num_published",
        "num_scored",
        "num_short_drafted",
        "place",
        "pool",
        "prompt_logprobs",
        "request",
        "request_id",
        "salt",
        "sampling",
        "scheduled_at",
        "seed",
        "status",
        "stop",
        "token_ids",
    )

    def __init__(self, request: GenerationRequest, arrival: int) -> None:
        self.request = request
        self.request_id = request.request_id
        self.sampling = request.sampling
        self.constraint = request.constraint
        self.budgeted = request.constraint if isinstance(request.constraint, Budgeted) else None
        self.is_steered = False
        self.stop = request.stop
        self.arrival = arrival
        self.place = (time.monotonic() if request.since is None else request.since, arrival)
        self.key = (request.priority, self.place)
        self.lane = (request.priority, request.tenant)
        self.salt = request.cache_salt
        self.adapter = NO_ADAPTER
        self.leader: Sequence | None = None
        self.companions: tuple[Sequence, ...] = ()
        self.model: str | None = None
        self.images: PromptImages | None = None
        self.is_paused = False
        self.num_charged = 0
        seed = request.sampling.seed
        self.seed = secrets.randbits(64) if seed is None else seed % (1 << 64)
        self.token_ids = list(request.prompt_ids)
        self.num_prompt_tokens = len(self.token_ids)
        self.num_computed = 0
        self.num_cached_tokens = 0
        self.num_preemptions = 0
        self.block_table: list[int] = []
        self.block_hashes: list[bytes] = []
        self.num_published = 0
        self.num_given_back = 0
        self.num_scored = 0
        self.num_short_drafted = 0
        self.prompt_logprobs: list[TokenLogprobs] | None = None if self.sampling.prompt_logprobs is None else []
        self.pool = None if request.pooling is None else Pool(request.pooling, self.num_prompt_tokens)
        self.max_tokens = self.sampling.max_tokens
        self.loop = None if self.sampling.loops is None else LoopFinder(self.sampling.loops)
        self.has_looped = False
        self.memory: dict[Any, Any] = {}
        self.status = Status.WAITING
        self.arrived_at = self.scheduled_at = self.first_token_at = self.last_token_at = self.detailed_at = 0.0

    def drop_references(self) -> None:
        """Drop the references to constraint and images, which may hold much memory, after the end."""
        self.constraint = self.budgeted = self.stop = self.images = None
        self.request = replace(self.request, constraint=None, stop=None, images=())

    @property
    def num_pending(self) -> int:
        """Tokens whose key/values are still to be computed."""
        return len(self.token_ids) - self.num_computed

    @property
    def is_ready(self) -> bool:
        """True unless rows of its images, or of a companion's, are still to be computed."""
        return (self.images is None or self.images.rows is not None) and all(each.is_ready for each in self.companions)

    @property
    def is_one_row(self) -> bool:
        """True if a single token is pending, whose state is not pooled: then the prompt is no chunk."""
        return len(self.token_ids) - self.num_computed == 1 and self.pool is None

    @property
    def ensemble(self) -> tuple[Sequence, ...]:
        """The leader and its companions, of whichever this is one; mostly this sequence alone."""
        leader = self.leader or self
        return (leader, *leader.companions)

    @property
    def is_plain(self) -> bool:
        """True if it writes an answer of its own alone, by a model that does not change."""
        return self.pool is None and not self.is_ensemble and self.sampling.adaptation is None

    @property
    def is_ensemble(self) -> bool:
        """True if it has companions, or is one."""
        return self.leader is not None or bool(self.companions)

    @property
    def num_readable(self) -> int:
        """Pending tokens that may be computed as a prompt: of an ensemble, the last one waits for the others'."""
        return self.num_pending - self.is_ensemble

    @property
    def num_output(self) -> int:
        """Tokens of the answer so far."""
        return len(self.token_ids) - self.num_prompt_tokens

    @property
    def tokens_left(self) -> int:
        """Tokens that the answer may still get."""
        return self.max_tokens + self.num_prompt_tokens - len(self.token_ids)

    @property
    def may_be_steered(self) -> bool:
        """True if the budget may have left tokens out of the last mask, and was not yet seen to matter."""
        budgeted = self.budgeted
        return budgeted is not None and not self.is_steered and budgeted.is_narrowed_by(self.tokens_left)

    @property
    def is_answering(self) -> bool:
        """True if the prompt was read and neither log-probabilities nor an adaptation are asked for, so tokens may be
        appended without a step."""
        needs_steps = self.sampling.logprobs is not None or self.sampling.adaptation is not None
        return self.num_computed >= self.num_prompt_tokens and not needs_steps and not self.companions

    @property
    def is_scoring(self) -> bool:
        """True if log-probabilities of the prompt are still to be computed."""
        return self.prompt_logprobs is not None and self.num_scored < self.num_prompt_tokens - 1

    @property
    def first_needed(self) -> int:
        """First token whose output is needed: the last one, or the first that is to be scored or pooled."""
        if self.is_scoring:
            return self.num_scored
        if self.pool is not None and self.pool.first < self.pool.stop:
            return self.pool.first
        return len(self.token_ids) - 1

    def take_prompt_logprobs(self) -> list[TokenLogprobs] | None:
        """Return those of the whole prompt, once they are known; None after that, and where they were not asked for."""
        if self.is_scoring:
            return None
        taken, self.prompt_logprobs = self.prompt_logprobs, None
        return taken

    def hash_blocks(self, num_blocks: int, block_size: int) -> list[bytes]:
        """The chained hashes of the first `num_blocks` full blocks; each is computed once."""
        hashes = self.block_hashes
        while len(hashes) < num_blocks:
            start = len(hashes) * block_size
            previous = hashes[-1] if hashes else first_hash(self.salt)
            hashes.append(chain_hash(previous, self.token_ids[start : start + block_size]))
        return hashes[:num_blocks]

    def tail_hash(self, stop: int, block_size: int) -> bytes:
        """The chained hash of the tokens up to `stop`, of which those of the last block do not fill it."""
        full = stop // block_size
        previous = self.hash_blocks(full, block_size)[-1] if full else first_hash(self.salt)
        return chain_hash(previous, self.token_ids[full * block_size : stop])

    def shareable_hashes(self, block_size: int) -> list[bytes]:
        """The hashes of the full blocks before the first token whose output is needed."""
        return self.hash_blocks(self.first_needed // block_size, block_size)
