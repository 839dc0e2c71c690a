"""A server whose model plays a part: the API is the real one, over a socket, and behind it an engine writes what a test
tells it to, as far as masks allow it, within a context as long as agents want it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, Self

import uvicorn

from gateway.api.fallback import respond
from gateway.api.http.connection import bounded_by
from gateway.app import create_app
from gateway.config import Config, ModelConfig, ServerConfig
from gateway.engine import EngineStats, GenerationRequest, RunningEngine, TokenEvent
from gateway.engine.request import AdapterFile
from gateway.service import Service
from gateway.service.model.loaded import LoadedModel
from tools.calls import ToolCall

CONTEXT = 200_000
THOUGHTS = "One thing after the other."
ASIDE = "Nothing to add."
"""What is answered to all other requests: agents have their conversations named, summed up and remembered."""


@dataclass(frozen=True)
class Call:
    """A call of a tool."""

    name: str
    arguments: dict[str, Any]


Turn = str | Sequence[Call]
"""What one answer says, or calls."""


class PlayingEngine(RunningEngine):
    """Writes the turns of a play, one for each request that they are for."""

    def __init__(self, loaded: LoadedModel, play: Play, thoughts: str) -> None:
        self._loaded, self._play, self._thoughts = loaded, play, thoughts
        self.max_model_len = CONTEXT
        self.vocab_size = loaded.engine.vocab_size
        self.eos_token_ids = loaded.engine.eos_token_ids

    def start(self) -> Self:
        return self

    def close(self) -> None:
        pass

    @property
    def trouble(self) -> str:
        return ""

    def stats(self) -> EngineStats:
        return EngineStats()

    def _serve(self) -> None:
        raise NotImplementedError("answers are streamed")

    def _load_adapter(self, file: AdapterFile, future: Future[None]) -> None:
        raise NotImplementedError("it has no adapters")

    def _unload_adapter(self, name: str, future: Future[None]) -> None:
        raise NotImplementedError("it has no adapters")

    def _cancel(self, request_id: str) -> None:
        raise NotImplementedError("answers are streamed")

    async def batches(
        self, request: GenerationRequest, tick_s: float | None = None
    ) -> AsyncGenerator[list[TokenEvent], None]:
        constraint, play = request.constraint, self._play
        text = ASIDE
        # Without tools nothing is constrained.
        if play.by_tools == (constraint is not None):
            play.prompt = self._loaded.decode(request.prompt_ids, with_special=True)
            text = self._text(next(play.turns, ASIDE))
        ids = self._loaded.tokenizer.encode(self._thoughts + text, add_special_tokens=False).ids
        assert len(ids) <= request.sampling.max_tokens
        for token in ids:
            assert constraint is None or constraint.accept(token), "the mask allows what is played"
            yield [TokenEvent(request.request_id, [token], num_prompt_tokens=len(request.prompt_ids))]
        assert constraint is None or constraint.is_complete
        yield [TokenEvent(request.request_id, [], finish_reason="stop")]

    def _text(self, turn: Turn) -> str:
        if isinstance(turn, str):
            return turn
        written = self._loaded.tool_format
        assert written is not None
        return written.render(
            [ToolCall(f"call_{i}", call.name, json.dumps(call.arguments)) for i, call in enumerate(turn)]
        )


class Asked(NamedTuple):
    """One request, and how its reply began."""

    path: str
    body: dict[str, Any]
    status: int
    headers: dict[str, str]


@dataclass
class Play:
    """What the model says, and what comes of it.

    Attributes:
        turns: Those that are left.
        by_tools: They are said where tools may be called; or else where there are none.
        asked: The requests with bodies, in the order of their replies.
        prompt: What the model read before the last of them.
    """

    turns: Iterator[Turn]
    by_tools: bool = True
    url: str = ""
    prompt: str = ""
    asked: list[Asked] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Everything was said."""
        return next(self.turns, None) is None


class Stage:
    """A server for any number of plays, one after the other.

    Args:
        folder: The model's; None takes the one that ships with the package.
        thoughts: What is written before each answer, with the end of thoughts, of which the prompt has the begin.
    """

    def __init__(self, folder: Path | None = None, thoughts: str = "") -> None:
        model = ModelConfig(any_name=True, path=None if folder is None else str(folder))
        config = Config(server=ServerConfig(port=0), model=model)
        loaded = LoadedModel.load(config, lambda text: None)
        loaded.engine.close()
        self._loaded = replace(loaded, served=replace(loaded.served, max_context=CONTEXT), max_prompt_characters=None)
        self.play = Play(iter(()))
        self._service = Service(replace(self._loaded, engine=PlayingEngine(self._loaded, self.play, thoughts)))
        bounded = bounded_by(config.server, respond)
        settings = uvicorn.Config(
            self._watched, port=0, log_level="warning", http=bounded, ws="none", interface="asgi3"
        )
        self._app = create_app(self._service, is_local=True)
        self._server = uvicorn.Server(settings)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.play.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(20)
        self._service.close()

    @contextmanager
    def playing(self, *turns: Turn, by_tools: bool = True) -> Iterator[Play]:
        """The model says and calls this, in turn."""
        self.play.turns, self.play.by_tools = iter(turns), by_tools
        self.play.asked.clear()
        yield self.play

    async def _watched(self, scope: Any, receive: Any, send: Any) -> None:
        """The app; what is asked of its model, and what comes of it, is kept."""
        body, status, headers = bytearray(), 0, {}

        async def take() -> Any:
            message = await receive()
            body.extend(message.get("body", b""))
            return message

        async def give(message: Any) -> None:
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = {name.decode(): value.decode() for name, value in message["headers"]}
            await send(message)

        await self._app(scope, take, give)
        if scope["type"] == "http" and scope["method"] == "POST":
            self.play.asked.append(Asked(scope["path"], json.loads(body or b"{}"), status, headers))
