"""Start of a model's engine: in a thread of this process, or in a process of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from gateway.config import Config
from gateway.engine import EngineConfig, RunningEngine
from gateway.engine.companions import DRAFT
from gateway.engine.errors import EngineFault
from gateway.engine.process import EngineProcess, Forkserver, Setup
from gateway.errors import ModelLoadError
from gateway.service.constraints.masks import fill_masks
from gateway.service.constraints.section_budget import BoundedGrammar, BoundedMatcher
from gateway.service.model import start_worker
from gateway.service.model.adapters import max_adapters
from gateway.service.model.encoder_folder import pooling_of
from gateway.service.model.folder import ModelFolder, locate
from gateway.text import StopSequences
from grammars.automaton import Automaton
from grammars.matcher import Matcher


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineStart:
    """How an engine's own process is started.

    Attributes:
        forkserver: Forkserver that was started before; None: a new one.
        meanwhile: Called while the process loads the model.
    """

    forkserver: Forkserver | None = None
    meanwhile: Callable[[], None] = lambda: None

    def run(self, engine: EngineProcess) -> RunningEngine:
        """Return the engine, running."""
        engine.begin()
        self.meanwhile()
        return engine.start()


PLAIN_START = EngineStart()
"""A process that begins with the engine."""


def engine_settings(config: Config) -> EngineConfig:
    """Return the engine's settings with the folders of its other models, downloaded where they are on the hub, and the
    number of its adapters.

    Raises:
        ModelLoadError: One of these models is not found, or its name is taken.
    """
    return replace(
        config.engine,
        draft_model=_draft_of(config),
        term_models=_term_models_of(config),
        term_classifiers=tuple(map(_located, config.engine.term_classifiers)),
        max_adapters=max_adapters(config),
    )


def started(
    config: Config, chosen: EngineConfig, folder: ModelFolder, vocabulary_size: int, start: EngineStart = PLAIN_START
) -> RunningEngine:
    """Return the engine, running.

    Args:
        chosen: The engine's settings, see `engine_settings`.
        start: How its process is started, if it has one.

    Raises:
        ModelLoadError: The model cannot be served; says why.
    """
    try:
        if config.process.mode == "process":
            return start.run(_in_process(config, chosen, folder.path, start.forkserver))
        return _in_thread(chosen, folder, vocabulary_size).start()
    except (EngineFault, OSError, ValueError) as error:
        raise ModelLoadError(f"the model in {folder.path} cannot be loaded: {error}") from error


def started_encoder(config: Config, path: Path, start: EngineStart = PLAIN_START) -> RunningEngine:
    """Return the engine of an encoder, running; see `started`.

    Raises:
        ModelLoadError: The encoder cannot be served; says why.
    """
    try:
        if config.process.mode == "process":
            return start.run(_in_process(config, config.engine, path, start.forkserver, is_encoder=True))
        from gateway.engine.encoders.engine import EncoderEngine
        from gateway.engine.in_process import InProcessEngine

        return InProcessEngine(EncoderEngine(str(path), config.engine, pooling_of(config.model))).start()
    except (EngineFault, OSError, ValueError) as error:
        raise ModelLoadError(f"the encoder in {path} cannot be loaded: {error}") from error


def _draft_of(config: Config) -> str | None:
    """Return the folder of the draft model: the configured one, or the bundled one for the bundled model."""
    if config.engine.speculation is not None and "model" not in config.engine.speculation:
        return None
    if config.engine.draft_model is not None:
        return str(locate(config.engine.draft_model))
    if config.model.path is not None:
        return None  # the engine reports that none is configured
    from gateway.embedded import EmbeddedModelError, draft_path

    try:
        return str(draft_path())
    except EmbeddedModelError as error:
        raise ModelLoadError(str(error)) from error


def _term_models_of(config: Config) -> tuple[str, ...]:
    """Return names and folders of the models that terms may name."""
    taken, found = {config.model.name, *config.model.aliases, *map(_name_of, config.model.adapters)}, list[str]()
    for name, _, path in (each.partition("=") for each in config.engine.term_models):
        if name in (DRAFT, *taken):
            raise ModelLoadError(f"engine.term_models: the name {name} is taken")
        taken.add(name)
        found.append(f"{name}={locate(path)}")
    return tuple(found)


def _located(given: str) -> str:
    """Return a classifier with the whole path of its folder."""
    name, _, place = given.partition("=")
    folder, _, label = place.rpartition(":")
    path = Path(folder).expanduser().resolve()
    if not (folder and label and name.isidentifier() and name.isascii() and path.is_dir()):
        raise ModelLoadError(f"engine.term_classifiers: {given} is not NAME=FOLDER:CLASS with a folder that is there")
    return f"{name}={path}:{label}"


def _name_of(given: str) -> str:
    return given.partition("=")[0]


def _in_thread(config: EngineConfig, folder: ModelFolder, vocabulary_size: int) -> RunningEngine:
    # Imported here, so that a process without the engine does not import torch.
    from gateway.engine import Engine, InProcessEngine

    engine = Engine(
        str(folder.path), config, fill_masks=fill_masks, vocab_size=vocabulary_size, eos_token_ids=folder.eos_token_ids
    )
    return InProcessEngine(engine)


def _in_process(
    config: Config, chosen: EngineConfig, path: Path, first: Forkserver | None, *, is_encoder: bool = False
) -> EngineProcess:
    supervision = config.process
    log_level = logging.getLogger("gateway").getEffectiveLevel()
    chosen = replace(chosen, spare_threads=1)  # this process's
    setup = Setup(
        model=str(path),
        config=chosen,
        beat_s=supervision.beat_s,
        log_level=log_level,
        max_constraint_bytes=config.limits.max_constraint_bytes,
        log_format=config.server.log_format,
        is_encoder=is_encoder,
        pooling=pooling_of(config.model) if is_encoder else None,
    )
    return EngineProcess(start_worker.WORKER, setup, _source_of, _stops_of, supervision, first)


def _source_of(matcher: Matcher | BoundedMatcher) -> Automaton | BoundedGrammar:
    return matcher.grammar if isinstance(matcher, BoundedMatcher) else matcher.compiled


def _stops_of(stop: StopSequences) -> tuple[str, ...]:
    return stop.stops
