"""A server whose model writes what a test tells it to: everything but the engine is real, and so is that where no
answer is asked for."""

from collections.abc import Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import replace
from unittest.mock import patch

from serving import Live

from gateway.engine import GenerationRequest, MaskedLogprobs, TokenEvent
from gateway.engine.request import TokenLogprobs
from gateway.guards import Policies
from gateway.guards.policy import read_policies


class Script:
    """What answers say, in turn; each is written a token at a time. Of one that is written anew: what each try says.

    Attributes:
        num_written: Tokens that were asked for, of each answer, its tries together.
        requests: What the engine was asked.
    """

    def __init__(self, live: Live, texts: Sequence[str | Sequence[str]]) -> None:
        self._service = live.service
        self._texts = [[self._ids(text)] if isinstance(text, str) else list(map(self._ids, text)) for text in texts]
        self.num_written: dict[int, int] = {}
        self.requests: list[GenerationRequest] = []

    def _ids(self, text: str) -> list[int]:
        """The tokens of the text, markers of calls and thoughts included."""
        return self._service._loaded.tokenizer.encode(text, add_special_tokens=False).ids

    def num_tokens(self, index: int = 0) -> int:
        return sum(map(len, self._texts[index]))

    async def batches(self, request, tick_s=None):
        self.requests.append(request)
        number, index = map(int, request.request_id.split(".")[1].split("-"))
        tries = self._texts[index % len(self._texts)]
        ids = tries[number % len(tries)]
        before = self.num_written.get(index, 0) if number else 0
        wants = request.sampling.logprobs is not None
        for place, token in enumerate(ids):
            self.num_written[index] = before + place + 1
            entry = TokenLogprobs(token, -1.0, ((token, -1.0),) if wants and request.sampling.logprobs else ())
            if request.constraint is not None:
                entry = replace(entry, masked=MaskedLogprobs(-0.5, ((token, -0.5), (2, -3.0)), 0.1))
            yield [TokenEvent(request.request_id, [token], [entry] if wants else None, num_prompt_tokens=3)]
        entry = TokenLogprobs(2, -1.0, ())
        yield [TokenEvent(request.request_id, [], None, "stop", ending=entry if wants else None)]


@contextmanager
def scripted(live: Live, *texts: str | Sequence[str]) -> Iterator[Script]:
    """The engine writes these texts meanwhile."""
    engine = live.service._loaded.engine
    script, real = Script(live, texts), type(engine).batches

    async def batches(self, request, tick_s=None):
        is_answer = "." in request.request_id
        async with aclosing(script.batches(request, tick_s) if is_answer else real(self, request, tick_s)) as written:
            async for batch in written:
                yield batch

    with patch.object(type(engine), "batches", batches):
        yield script


@contextmanager
def policies(live: Live, path, text: str) -> Iterator[Policies]:
    """The server has these policies meanwhile."""
    file = path / "policies.toml"
    file.write_text(text)
    live.service.shared.policies = read_policies(file)
    try:
        yield live.service.shared.policies
    finally:
        live.service.shared.policies = None
