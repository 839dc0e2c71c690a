"""Base of the services of one model: its names, its engine, its end."""

from __future__ import annotations

from gateway.config import Config
from gateway.core.model import ServedModel
from gateway.engine import EngineStats, RunningEngine
from gateway.engine.process import EngineProcess
from gateway.guards import Policies
from gateway.service.embedding.embedder import Embedder
from gateway.service.gate import Gate
from gateway.service.model.description import Description
from gateway.service.shared import Shared


class ModelService:
    """Service of one model, generative or an encoder. Owns its engine; `close` ends it.

    Attributes:
        config: Settings.
        model: Names and size of the model.
        description: Description of the model for clients that list it.
        shared: State that the models of a server share.
        embedder: Embeddings and scores.
    """

    embedder: Embedder

    def __init__(
        self, config: Config, model: ServedModel, description: Description, engine: RunningEngine, shared: Shared | None
    ) -> None:
        """Args: shared: State that other models of the server share; its owner closes it. None: this service's own."""
        self.config, self.model, self.description = config, model, description
        self._engine = engine
        self._owns_shared = shared is None
        self.shared = shared or Shared(config)
        self._gate = Gate()

    @property
    def trouble(self) -> str:
        """Return why requests are not served now; empty while they are."""
        if self._gate.is_shut:
            return "the server is shutting down"
        return self._engine.trouble or ("" if self.shared.audit is None else self.shared.audit.trouble)

    @property
    def is_given_up(self) -> bool:
        """True if the engine died and is not restarted any more."""
        return self._engine.is_given_up

    @property
    def engine_stats(self) -> EngineStats:
        """Return the engine's counters since the start of the server, those of engines that died included."""
        return self._engine.stats()

    @property
    def engine_pid(self) -> int | None:
        """Return the id of the engine's process; None while there is none, and for an engine in this process."""
        return self._engine.pid if isinstance(self._engine, EngineProcess) else None

    @property
    def num_restarts(self) -> int:
        """Return how often the engine was restarted."""
        return self._engine.num_restarts

    @property
    def num_under_way(self) -> int:
        """Return the number of running requests."""
        return self._gate.num_inside

    def check_policies(self, policies: Policies | None) -> None:
        """Raise unless this model can answer the questions of the policies.

        Raises:
            ConfigError: It cannot.
        """

    def drain(self) -> None:
        """Refuse new requests; running ones go on. A signal handler may call it."""
        self._gate.shut()

    def end_answers(self) -> None:
        """End the engine; running answers fail as not ready."""
        self._engine.close()

    def close(self) -> None:
        """End threads and processes. Running answers fail as not ready; their audit records are written."""
        self._engine.close()
        if self._owns_shared:
            self.shared.close()
