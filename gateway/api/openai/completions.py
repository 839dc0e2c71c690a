"""`POST /v1/completions`: body to request, deltas to chunks, answers to a body."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from dataclasses import replace

from msgspec import UNSET

from gateway.api.http.sse import written
from gateway.api.openai.bodies import Completion, CompletionChoice
from gateway.api.openai.chunks import ChunkFrames
from gateway.api.openai.logprobs import Echo, completion_logprobs, echo_with_logprobs, joined, prompt_logprobs_out
from gateway.api.openai.reply_parts import Identity, fields_out, finish_fields, usage_out
from gateway.api.openai.requests import CompletionBody
from gateway.api.openai.sampling import options_of
from gateway.api.verdict import verdict_out
from gateway.core.answer import ChatAnswers, Delta, Finish, PromptDelta, TextDelta, Usage
from gateway.core.request import CompletionRequest
from gateway.errors import InvalidRequestError
from gateway.service.request.plan import Prepared


def is_scoring(body: CompletionBody) -> bool:
    """True if only the echo is asked for."""
    return bool(body.echo) and body.max_tokens == 0


def without_answers(answers: ChatAnswers) -> ChatAnswers:
    """Return the answers with empty text."""
    empty = (
        replace(answer, text="", logprobs=(), rest=(), finish_reason="length", stop_reason=None)
        for answer in answers.choices
    )
    return ChatAnswers(tuple(empty), _unwritten(answers.usage))


async def without_text(batches: AsyncGenerator[list[Delta], None]) -> AsyncGenerator[list[Delta], None]:
    """Yield the deltas of a stream whose answers are empty."""
    async with aclosing(batches):
        async for deltas in batches:
            yield [_emptied(delta) for delta in deltas if not isinstance(delta, TextDelta)]


def _emptied(delta: Delta) -> Delta:
    if isinstance(delta, Finish):
        return replace(delta, reason="length", stop_reason=None, rest=())
    return _unwritten(delta) if isinstance(delta, Usage) else delta


def _unwritten(usage: Usage) -> Usage:
    return replace(usage, completion_tokens=0)


def completion_request(body: CompletionBody) -> CompletionRequest:
    """Return the prompts that a body asks to continue.

    Raises:
        GatewayError: The body asks for nothing that can be served; says which field.
    """
    logprobs = _num_top(body)
    options = options_of(body, logprobs, 1 if is_scoring(body) else body.max_tokens, "max_tokens")
    if body.echo and logprobs is not None:
        options = replace(options, prompt_logprobs=max(logprobs, body.prompt_logprobs or 0))
    return CompletionRequest(
        prompts=_prompts(body.prompt), echo=bool(body.echo), suffix=body.suffix or "", options=options
    )


def _num_top(body: CompletionBody) -> int | None:
    """Return the number of candidates per token; None without log-probabilities."""
    return None if body.logprobs is None or body.logprobs is False else int(body.logprobs)


def _prompts(given: str | list[str | int | list[int]]) -> tuple[str | tuple[int, ...], ...]:
    if isinstance(given, str):
        return (given,)
    if not given:
        raise InvalidRequestError("prompt is empty", param="prompt")
    if all(isinstance(item, int) for item in given):
        return (tuple(item for item in given if isinstance(item, int)),)
    prompts: list[str | tuple[int, ...]] = []
    for index, item in enumerate(given):
        if isinstance(item, int):
            raise InvalidRequestError("prompt mixes token ids with prompts", param=f"prompt[{index}]")
        prompts.append(item if isinstance(item, str) else tuple(item))
    return tuple(prompts)


def completion(
    identity: Identity, answers: ChatAnswers, prepared: Prepared, body: CompletionBody, decode: Callable[..., str]
) -> Completion:
    """Return the reply. `decode` returns the names of tokens."""
    num_top, choices = _num_top(body), []
    answers = without_answers(answers) if is_scoring(body) else answers
    for answer, text in zip(answers.choices, prepared.echoes, strict=True):
        echo = Echo(text)
        if body.echo and num_top is not None and answer.prompt_logprobs is not None:
            prompt = prepared.prompts[answer.choice // prepared.n]
            echo = echo_with_logprobs(prompt, answer.prompt_logprobs, num_top, decode)
        own, _ = completion_logprobs(answer.logprobs, echo.num_characters + len(body.answer_prefix or ""))
        choices.append(
            CompletionChoice(
                index=answer.choice,
                text=echo.text + answer.text,
                logprobs=joined(echo.logprobs, own),
                **finish_fields(answer.finish_reason, answer, body),
                prompt_logprobs=UNSET if body.prompt_logprobs is None else prompt_logprobs_out(answer.prompt_logprobs),
            )
        )
    return Completion(
        id=identity.id,
        created=identity.created,
        model=identity.model,
        choices=choices,
        usage=usage_out(answers.usage),
        verdict=verdict_out(answers.usage),
    )


async def completion_chunks(
    identity: Identity,
    batches: AsyncGenerator[list[Delta], None],
    prepared: Prepared,
    body: CompletionBody,
    decode: Callable[..., str],
) -> AsyncGenerator[bytes, None]:
    """Yield the reply as events; usage last, if asked for. `decode` returns the names of tokens."""
    frames = ChunkFrames(Completion(id=identity.id, created=identity.created, model=identity.model), body, prepared)
    num_begun = len(body.answer_prefix or "")
    offsets = [num_begun] * prepared.num_choices
    num_top = _num_top(body) if body.echo else None
    # One of a prompt's answers brings what is said of the prompt; what the others bring sooner has to wait for it.
    early: dict[int, list[TextDelta | Finish]] = {}
    if num_top is not None:
        early = {number: [] for number in range(len(prepared.prompts))}

    def write(delta: Delta) -> bytes:
        if early and isinstance(delta, (TextDelta, Finish)) and delta.choice // prepared.n in early:
            early[delta.choice // prepared.n].append(delta)
            return b""
        if isinstance(delta, TextDelta):
            logprobs, offsets[delta.choice] = completion_logprobs(delta.logprobs, offsets[delta.choice])
            fields = fields_out(delta)
            return frames.of(CompletionChoice(index=delta.choice, text=delta.text, logprobs=logprobs, fields=fields))
        if isinstance(delta, Finish):
            return frames.of(_finish(delta, body))
        if isinstance(delta, PromptDelta):
            return b"".join(begin(delta))
        return frames.count(delta) if isinstance(delta, Usage) else b""

    def begin(delta: PromptDelta) -> Iterator[bytes]:
        assert num_top is not None, "nobody else asks for it in a stream"
        number = delta.choice // prepared.n
        echo = echo_with_logprobs(prepared.prompts[number], delta.logprobs, num_top, decode)
        for index in range(number * prepared.n, (number + 1) * prepared.n):
            offsets[index] = echo.num_characters + num_begun
            if echo.text or echo.logprobs:
                yield frames.of(CompletionChoice(index=index, text=echo.text, logprobs=echo.logprobs))
        for waiting in early.pop(number):
            yield write(waiting)

    batches = without_text(batches) if is_scoring(body) else batches
    async with aclosing(written(batches, write)) as chunks:
        for index, text in enumerate(prepared.echoes if num_top is None else ()):
            if text:
                yield frames.of(CompletionChoice(index=index, text=text))
        async for chunk in chunks:
            yield chunk
        assert not early, "whoever ends has read the prompt"
        if last := frames.last():
            yield last


def _finish(delta: Finish, body: CompletionBody) -> CompletionChoice:
    return CompletionChoice(index=delta.choice, text="", **finish_fields(delta.reason, delta, body))
