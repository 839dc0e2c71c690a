"""What the engine's processes do, which `gateway.service.model.start_worker` starts.

Here the engine meets the grammars: constraints arrive as bytes, and leave as matchers of the engine's Protocol. Helpers
are the constraint workers, which share the vocabulary and the compiler with it.
"""

from __future__ import annotations

import itertools
import socket
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

from gateway.engine.engine import Engine
from gateway.engine.errors import EngineMemoryError
from gateway.engine.process.forkserver import Forks
from gateway.engine.process.messages import Setup
from gateway.engine.process.worker import Parts
from gateway.service.constraints.section_budget import BoundedMatcher, fill_masks, load
from gateway.service.model.folder import ModelFolder
from gateway.service.model.memory import HeapTrimmer
from gateway.text import StopSequences
from grammars import Compiler, Limits, TooComplexError, Vocabulary
from grammars.matcher import Matcher
from grammars.process_memory import trim_heap
from grammars.warmup import warm_up

MAX_KEPT_BYTES = 16 << 20
"""Of constraints that are ready for use, beside those in use. The API's process keeps its own, as compiled."""
_LOADS_A_LOOK = 16


def prepare(setup: Setup) -> Forks:
    """Read the tokenizer and load the kernels, once; returns what makes the parts of each worker, and helpers."""
    folder = ModelFolder.open(Path(setup.model))
    vocabulary = Vocabulary.from_tokenizer(folder.tokenizer, folder.eos_token_ids)
    limits = Limits(
        max_compiled_bytes=min(MAX_KEPT_BYTES, setup.max_constraint_bytes), max_held_bytes=setup.max_constraint_bytes
    )
    compiler = Compiler(vocabulary, limits)
    warm_up()

    numbers = itertools.count(1)

    def restore(digest: bytes, data: bytes) -> Matcher | BoundedMatcher:
        if next(numbers) % _LOADS_A_LOOK == 0:
            _trimming()()
        try:
            return load(compiler, data, digest.hex()).matcher()
        except TooComplexError as error:
            raise EngineMemoryError(f"constraints in use take all memory that there is for them: {error}") from error

    def watch(stops: Sequence[str]) -> StopSequences:
        return StopSequences(stops, vocabulary.tokens)

    def build() -> Parts:
        engine = Engine(
            setup.model,
            setup.config,
            fill_masks=fill_masks,
            vocab_size=len(vocabulary),
            eos_token_ids=folder.eos_token_ids,
        )
        trim_heap()  # what weights were packed from
        return Parts(engine, restore, watch)

    return Forks(build, partial(_prepare_help, compiler))


@cache
def _trimming() -> HeapTrimmer:
    """Of the process that first asks."""
    return HeapTrimmer()


def _prepare_help(compiler: Compiler) -> Callable[[socket.socket], None]:
    # Imported behind the first worker's start.
    from gateway.service.constraints.constraint_worker import serve
    from gateway.service.constraints.jobs import JobContext
    from gateway.verify import Verifier

    return partial(serve, context=JobContext(compiler, Verifier()))
