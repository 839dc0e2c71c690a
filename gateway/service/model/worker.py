"""Body of the engine's processes, which `gateway.service.model.start_worker` starts.

It connects the engine with `grammars`: constraints arrive as bytes, and become matchers of the engine's Protocol. Its
helpers are the constraint workers, which share the vocabulary, the compiler and the reader of images.
"""

from __future__ import annotations

import itertools
import socket
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NoReturn

from gateway.engine.engine import Engine
from gateway.engine.errors import EngineMemoryError, WireError
from gateway.engine.process.forkserver import Forks
from gateway.engine.process.messages import Setup
from gateway.engine.process.worker import Parts
from gateway.service.constraints.masks import fill_masks
from gateway.service.constraints.section_budget import BoundedMatcher, load
from gateway.service.model.folder import ModelFolder
from gateway.service.model.memory import HeapTrimmer
from gateway.text import StopSequences
from grammars import Compiler, Limits, TooComplexError, Vocabulary
from grammars.matcher import Matcher
from grammars.process_memory import trim_heap
from grammars.warmup import warm_up

MAX_KEPT_BYTES = 16 << 20
"""Most bytes of compiled constraints that are cached beside those in use. The API's process has its own cache."""
_LOADS_A_LOOK = 16


def prepare(setup: Setup) -> Forks:
    """Read the tokenizer and load the kernels; return the functions that build workers and helpers."""
    if setup.is_encoder:
        return Forks(partial(_encoder_parts, setup), _refuse)
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
            raise EngineMemoryError(f"constraints in use take all the memory reserved for them: {error}") from error

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

    return Forks(build, partial(_prepare_help, compiler, Path(setup.model)))


def _encoder_parts(setup: Setup) -> Parts:
    from gateway.engine.encoders.engine import EncoderEngine

    engine = EncoderEngine(setup.model, setup.config, setup.pooling)
    trim_heap()
    return Parts(engine, _refuse, _refuse)


def _refuse(*arguments: object) -> NoReturn:
    raise WireError("an encoder has no constraints, stop strings and helpers")


@cache
def _trimming() -> HeapTrimmer:
    """Return the trimmer of this process; cached, so that a fork creates its own at first use."""
    return HeapTrimmer()


def _prepare_help(compiler: Compiler, model: Path) -> Callable[[socket.socket], None]:
    # Imported after the first worker's start.
    from gateway.engine.images.reader import ImageReader
    from gateway.service.constraints.constraint_worker import serve
    from gateway.service.constraints.jobs import JobContext
    from gateway.verify import Verifier

    images = ImageReader.of(model)
    if images is not None:
        images.load()  # once, for all helpers
    return partial(serve, context=JobContext(compiler, Verifier(), images))
