"""Service of an encoder: it embeds texts or scores pairs, and generates nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence

from gateway.config import Config
from gateway.core.model import ServedModel
from gateway.engine import RunningEngine
from gateway.errors import ModelLoadError
from gateway.guards import JudgeError, Question, Said
from gateway.service.embedding.embedder import Embedder
from gateway.service.embedding.text_encoding import EmbeddingModel
from gateway.service.model.description import Description
from gateway.service.model.encoder_folder import EncoderFolder
from gateway.service.model.engines import PLAIN_START, EngineStart, started_encoder
from gateway.service.model.folder import DEFAULT_CONTEXT
from gateway.service.model.loaded import Progress
from gateway.service.model_service import ModelService
from gateway.service.policy.input_screening import InputScreener
from gateway.service.policy.judges import Judges
from gateway.service.request.context import RequestContext
from gateway.service.request.tokenizing import TokenizerThreads
from gateway.service.shared import Shared


class NoJudge:
    """Judge in place of a generative model: it answers no question, so what it was to judge counts as found."""

    async def probabilities(
        self, question: Question, texts: Sequence[str], said: Said | None, where: str, context: RequestContext
    ) -> list[float]:
        """Raise `JudgeError`."""
        raise JudgeError("an encoder answers no questions")


class EncoderService(ModelService):
    """Service of one encoder."""

    def __init__(self, config: Config, folder: EncoderFolder, engine: RunningEngine, shared: Shared | None) -> None:
        """Args: shared: See `ModelService`."""
        super().__init__(config, served_of(config, folder, engine.max_model_len), described(folder), engine, shared)
        limits, is_classifier = config.limits, folder.layout.is_classifier
        tokenizer_threads = TokenizerThreads(limits)
        self._judges = Judges(limits.max_waiting_compilations, NoJudge())
        model = EmbeddingModel(
            served=self.model,
            engine=engine,
            tokenizer=folder.tokenizer,
            vocabulary_size=engine.vocab_size,
            pooling=None if is_classifier or config.model.pooling == "none" else folder.layout.pooling,
            is_normalized=folder.layout.is_normalized,
            scores_pairs=is_classifier,
            is_sigmoid=folder.is_sigmoid,
            prompts=folder.prompts,
            default_prompt=folder.default_prompt,
            lowercases=folder.layout.lowercases,
        )
        screener = InputScreener(tokenizer_threads, self._judges, limits.compile_timeout_s, None)
        self.embedder = Embedder(model, config, self.shared, self._gate, screener, tokenizer_threads)

    @classmethod
    def load(
        cls, config: Config, progress: Progress, start: EngineStart = PLAIN_START, shared: Shared | None = None
    ) -> EncoderService:
        """Return the service of the encoder that the settings name, with its engine running; see `Service.load`.

        Raises:
            ModelLoadError: The encoder cannot be served; says why.
        """
        if config.model.adapters or config.model.adapter_folder is not None:
            raise ModelLoadError("model.adapters and model.adapter_folder are not supported for encoders")
        if config.engine.term_models or config.engine.term_classifiers:
            raise ModelLoadError("engine.term_models and engine.term_classifiers are not supported for encoders")
        progress("reading the encoder's files")
        folder = EncoderFolder.open(config.model)
        progress("loading the weights")
        return cls(config, folder, started_encoder(config, folder.path, start), shared)

    def close(self) -> None:
        """End threads and processes. Running requests fail as not ready."""
        self._judges.close()
        super().close()


def served_of(config: Config, folder: EncoderFolder, max_tokens: int | None = None) -> ServedModel:
    """Return names and size of an encoder; without `max_tokens` the size is what its files name."""
    return ServedModel(
        name=config.model.name or (config.model.path or "").rstrip("/").rsplit("/", 1)[-1],
        aliases=config.model.aliases,
        max_context=max_tokens or folder.layout.max_tokens or DEFAULT_CONTEXT,
        created=int(time.time()),
        has_any_name=config.model.any_name,
    )


def described(folder: EncoderFolder) -> Description:
    """Return the description of an encoder."""
    return Description.of(folder.layout.transformer, None, can_call=False, can_think=False, is_encoder=True)
