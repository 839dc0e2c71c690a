"""`POST /v1/chat/completions`: body to request, deltas to chunks, answers to a body."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import Literal

from msgspec import UNSET, UnsetType

from gateway.api.final_message import continuing_last
from gateway.api.http.sse import written
from gateway.api.openai.bodies import (
    ChatChoice,
    ChatChunk,
    ChatChunkChoice,
    ChatCompletion,
    ChatLogprobs,
    CustomDelta,
    CustomOut,
    CustomToolCallOut,
    DeltaOut,
    FunctionDelta,
    FunctionOut,
    MessageOut,
    ToolCallDelta,
    ToolCallOut,
)
from gateway.api.openai.chunks import ChunkFrames
from gateway.api.openai.documents import annotation, documents_of
from gateway.api.openai.logprobs import prompt_logprobs_out, token_logprobs
from gateway.api.openai.messages import template_messages
from gateway.api.openai.reply_parts import Identity, fields_out, finish_fields, usage_out
from gateway.api.openai.requests import ChatCompletionRequest
from gateway.api.openai.sampling import options_of, reasoning_of
from gateway.api.tools import tools_of
from gateway.api.verdict import verdict_out
from gateway.core.answer import (
    Answer,
    ArgumentsDelta,
    Call,
    CallDelta,
    ChatAnswers,
    CitationDelta,
    Delta,
    Finish,
    PromptDelta,
    ReasoningDelta,
    TextDelta,
    TokenLogprob,
    Usage,
)
from gateway.core.ignored_fields import note_ignored
from gateway.core.request import ChatRequest, RetrievalQuery
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from gateway.service.request.plan import Prepared


def chat_request(body: ChatCompletionRequest) -> ChatRequest:
    """Return the conversation that a body asks to continue.

    Raises:
        GatewayError: The body asks for nothing that can be served; says which field.
    """
    if body.top_logprobs is not None and not body.logprobs:
        raise InvalidRequestError("top_logprobs needs logprobs: true", param="top_logprobs")
    if body.echo:
        raise UnsupportedParameterError("echo is served by /v1/completions alone", param="echo")
    if body.store:
        note_ignored("store")
    logprobs = (body.top_logprobs or 0) if body.logprobs else None
    max_tokens, origin = body.max_tokens, "max_tokens"
    if body.max_completion_tokens is not None:
        max_tokens, origin = body.max_completion_tokens, "max_completion_tokens"
    options = options_of(body, logprobs, max_tokens, origin, reasoning=reasoning_of(body))
    tools, tool_choice = tools_of(body.tools, body.tool_choice, body.parallel_tool_calls)
    asked = body.retrieval
    request = ChatRequest(
        messages=template_messages(body.messages),
        tools=tools,
        tool_choice=tool_choice,
        template_kwargs=body.chat_template_kwargs or {},
        documents=documents_of(body.documents),
        cites=body.citations is not None and body.citations.enabled,
        retrieval=None if asked is None else RetrievalQuery(source=asked.source, query=asked.query, limit=asked.limit),
        options=options,
    )
    return _continued(request, body) if body.continue_final_message else request


def _continued(request: ChatRequest, body: ChatCompletionRequest) -> ChatRequest:
    """Return the request whose answer continues the last message.

    Raises:
        InvalidRequestError: `add_generation_prompt` is not false, or there is an `answer_prefix` too.
    """
    if body.add_generation_prompt is not False:
        raise InvalidRequestError(
            "continue_final_message needs add_generation_prompt: false", param="continue_final_message"
        )
    if body.answer_prefix:
        raise InvalidRequestError("send continue_final_message or answer_prefix, not both", param="answer_prefix")
    return continuing_last(request)


def chat_completion(
    identity: Identity, answers: ChatAnswers, prepared: Prepared, body: ChatCompletionRequest
) -> ChatCompletion:
    """Return the reply, whole."""
    marks = _inline_marks(prepared, body)
    prompt_token_ids = answers.choices[0].prompt_token_ids
    return ChatCompletion(
        id=identity.id,
        created=identity.created,
        model=identity.model,
        choices=[_choice(answer if marks is None else _inlined(answer, *marks), body) for answer in answers.choices],
        usage=usage_out(answers.usage),
        verdict=verdict_out(answers.usage),
        prompt_logprobs=prompt_logprobs_out(answers.choices[0].prompt_logprobs),
        prompt_token_ids=UNSET if prompt_token_ids is None else prompt_token_ids,
        metadata=UNSET if body.metadata is None else body.metadata,
        service_tier=_service_tier(body),
    )


def _service_tier(body: ChatCompletionRequest) -> Literal["default"] | UnsetType:
    """Return the only service tier, for requests that ask for one."""
    return UNSET if body.service_tier is None else "default"


def _inline_marks(prepared: Prepared, body: ChatCompletionRequest) -> tuple[str, str] | None:
    """Return the markers around reasoning in the content (`separate_reasoning: false`); None where it is apart."""
    plan = prepared.plan.reasoning
    return (plan.spec.begin, plan.spec.end) if body.separate_reasoning is False and plan is not None else None


def _inlined(answer: Answer, begin: str, end: str) -> Answer:
    text = f"{begin}{answer.reasoning}{end}{answer.text}" if answer.reasoning else answer.text
    return replace(answer, text=text, reasoning="")


class _Inliner:
    """Puts the reasoning of a stream into its content.

    Args:
        begin, end: Markers around it.
    """

    def __init__(self, begin: str, end: str) -> None:
        self._begin, self._end = begin, end
        self._thinking: set[int] = set()

    def feed(self, delta: Delta) -> Iterator[Delta]:
        """Yield the deltas to write in place of one."""
        if isinstance(delta, Usage | PromptDelta):
            yield delta
        elif isinstance(delta, ReasoningDelta):
            yield TextDelta(delta.choice, ("" if delta.choice in self._thinking else self._begin) + delta.text)
            self._thinking.add(delta.choice)
        else:
            if delta.choice in self._thinking:
                self._thinking.discard(delta.choice)
                yield TextDelta(delta.choice, self._end)
            yield delta


def _choice(answer: Answer, body: ChatCompletionRequest) -> ChatChoice:
    calls = [_call(call) for call in answer.calls]
    return ChatChoice(
        index=answer.choice,
        message=MessageOut(
            content=None if calls and not answer.text else answer.text,
            tool_calls=calls or UNSET,
            reasoning=answer.reasoning or UNSET,
            reasoning_content=answer.reasoning or UNSET,
            annotations=[annotation(citation) for citation in answer.citations] or UNSET,
        ),
        logprobs=_logprobs(answer.logprobs),
        **finish_fields(answer.finish_reason, answer, body),
    )


def _call(call: Call) -> ToolCallOut | CustomToolCallOut:
    if call.kind == "custom":
        return CustomToolCallOut(id=call.id, custom=CustomOut(name=call.name, input=call.arguments))
    return ToolCallOut(id=call.id, function=FunctionOut(name=call.name, arguments=call.arguments))


async def chat_chunks(
    identity: Identity, batches: AsyncGenerator[list[Delta], None], prepared: Prepared, body: ChatCompletionRequest
) -> AsyncGenerator[bytes, None]:
    """Yield the reply as events: the role of each answer, its deltas, its finish; usage last, if asked for."""
    base = ChatChunk(id=identity.id, created=identity.created, model=identity.model, service_tier=_service_tier(body))
    frames = ChunkFrames(base, body, prepared)
    custom: set[tuple[int, int]] = set()
    marks = _inline_marks(prepared, body)
    inliner = None if marks is None else _Inliner(*marks)

    def write(delta: Delta) -> bytes:
        return write_one(delta) if inliner is None else b"".join(map(write_one, inliner.feed(delta)))

    def write_one(delta: Delta) -> bytes:
        if isinstance(delta, Usage):
            return frames.count(delta)
        if isinstance(delta, PromptDelta):
            return b""  # only in replies that are not streamed
        if isinstance(delta, CallDelta) and delta.kind == "custom":
            custom.add((delta.choice, delta.index))
        is_custom = isinstance(delta, ArgumentsDelta) and (delta.choice, delta.index) in custom
        return frames.of(_chunk_choice(delta, is_custom, body))

    async with aclosing(written(batches, write)) as pieces:
        roles = [
            ChatChunkChoice(index=index, delta=DeltaOut(role="assistant", content=""))
            for index in range(prepared.num_choices)
        ]
        yield b"".join(map(frames.of, roles))
        async for piece in pieces:
            yield piece
        if last := frames.last():
            yield last


def _chunk_choice(
    delta: TextDelta | ReasoningDelta | CallDelta | ArgumentsDelta | CitationDelta | Finish,
    is_custom: bool,
    body: ChatCompletionRequest,
) -> ChatChunkChoice:
    if isinstance(delta, TextDelta):
        out, logprobs = DeltaOut(content=delta.text), _logprobs(delta.logprobs)
        return ChatChunkChoice(index=delta.choice, delta=out, logprobs=logprobs, fields=fields_out(delta))
    if isinstance(delta, ReasoningDelta):
        return ChatChunkChoice(index=delta.choice, delta=DeltaOut(reasoning=delta.text, reasoning_content=delta.text))
    if isinstance(delta, CitationDelta):
        return ChatChunkChoice(index=delta.choice, delta=DeltaOut(annotations=[annotation(delta.citation)]))
    if isinstance(delta, Finish):
        return ChatChunkChoice(index=delta.choice, delta=DeltaOut(), **finish_fields(delta.reason, delta, body))
    call = ToolCallDelta(index=delta.index)
    if isinstance(delta, CallDelta):
        call.id, call.type = delta.id, delta.kind
        if delta.kind == "custom":
            call.custom = CustomDelta(name=delta.name, input="")
        else:
            call.function = FunctionDelta(name=delta.name, arguments="")
    elif is_custom:
        call.custom = CustomDelta(input=delta.text)
    else:
        call.function = FunctionDelta(arguments=delta.text)
    fields = fields_out(delta) if isinstance(delta, ArgumentsDelta) else UNSET
    logprobs = _logprobs(delta.logprobs)
    return ChatChunkChoice(index=delta.choice, delta=DeltaOut(tool_calls=[call]), logprobs=logprobs, fields=fields)


def _logprobs(entries: tuple[TokenLogprob, ...]) -> ChatLogprobs | None:
    return ChatLogprobs(content=token_logprobs(entries)) if entries else None
