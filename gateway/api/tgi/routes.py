"""Routes of TGI's dialect, with its timing headers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any

import msgspec
from litestar import Request, Response, Router, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import ControllerRouterHandler, Guard

from gateway.api.http.caller import caller_of, tenant_in
from gateway.api.http.decode import decode
from gateway.api.http.disconnect import begun, while_connected
from gateway.api.http.openapi import failures, json_post, replies
from gateway.api.http.sse import events
from gateway.api.tgi.bodies import GenerateReply, Info, PrefillToken, SentEvent, TgiError
from gateway.api.tgi.envelope import error_event, respond
from gateway.api.tgi.generation import ReplyContext, generation_events, reply_of
from gateway.api.tgi.parameters import ReplyFields, reply_fields_of, truncated
from gateway.api.tgi.requests import GenerateBody
from gateway.api.tokens.conversion import read
from gateway.core.answer import Usage
from gateway.service import Service
from gateway.service.request.limits import MAX_STOP_SEQUENCES
from gateway.service.request.plan import Prepared, derive_seed

STATUSES = {
    401: "No valid API key",
    403: "A page of another site, or a name of another machine, on a server that asks for no key",
    413: "The body is too long",
    415: "The body says that it is not JSON",
    422: "The request is malformed, or asks for what cannot be served; the message names the parameter",
    424: "The model failed on this request",
    429: "Too many requests wait, or too many of this API key; `Retry-After` says for how long",
    500: "The request failed, or its answer did not pass verification",
    503: "The engine is starting, or the server is shutting down; `Retry-After` says for how long",
    504: "The request's time was over before its answer was done",
}
FAILURES = failures(TgiError, STATUSES)
GENERATE_RESPONSES = replies(GenerateReply, FAILURES)
STREAM_RESPONSES = {200: ResponseSpec(SentEvent, generate_examples=False, media_type="text/event-stream"), **FAILURES}
COMPAT_RESPONSES = replies(list[GenerateReply], FAILURES)
INFO_RESPONSES = {401: FAILURES[401]}


@dataclass(slots=True)
class Stopwatch:
    """Timings of one request, in seconds of `time.monotonic`. Queueing is not measured apart.

    Attributes:
        num_characters: Characters of the prompt.
    """

    started_at: float
    prepared_at: float = 0.0
    finished_at: float = 0.0
    num_characters: int = 0
    usage: Usage = Usage()  # noqa: RUF009  it cannot change

    @classmethod
    def started(cls) -> Stopwatch:
        """Return a running stopwatch."""
        return cls(time.monotonic())

    def finish(self, usage: Usage, num_characters: int) -> None:
        """Stop."""
        self.finished_at = time.monotonic()
        self.usage, self.num_characters = usage, num_characters

    def headers(self) -> dict[str, str]:
        """As TGI names them. Units: `x-compute-time` is in seconds, the others in milliseconds."""
        total, inference = self.finished_at - self.started_at, self.finished_at - self.prepared_at
        return {
            "x-compute-time": f"{total:.6f}",
            "x-compute-characters": str(self.num_characters),
            "x-total-time": _milliseconds(total),
            "x-validation-time": _milliseconds(total - inference),
            "x-inference-time": _milliseconds(inference),
            "x-time-per-token": _milliseconds(inference / max(self.usage.completion_tokens, 1)),
            "x-prompt-tokens": str(self.usage.prompt_tokens),
            "x-generated-tokens": str(self.usage.completion_tokens),
        }


def _milliseconds(seconds: float) -> str:
    return str(round(seconds * 1000))


@json_post("/generate", "Complete a prompt", "TGI", GenerateBody, GENERATE_RESPONSES)
async def generate(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[Any]:
    """Return the whole answer, constrained by `parameters.grammar`."""
    reply, watch = await _whole(request, service, decode(GenerateBody, await request.body()))
    return _response(reply, watch)


@json_post("/generate_stream", "Complete a prompt as a stream", "TGI", GenerateBody, STREAM_RESPONSES)
async def generate_stream(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[Any]:
    """Return one event per token; the last one carries the whole text."""
    return await _streamed(request, service, decode(GenerateBody, await request.body()))


@json_post("/", "Complete a prompt, streamed or not", "TGI", GenerateBody, COMPAT_RESPONSES, "events")
async def generate_either(request: Request[Any, Any, Any], service: NamedDependency[Service]) -> Response[Any]:
    """Return a list of one answer, or with `stream` events; Hugging Face's clients call this."""
    body = decode(GenerateBody, await request.body())
    if body.stream:
        return await _streamed(request, service, body)
    reply, watch = await _whole(request, service, body)
    return _response([reply], watch)


@get("/info", summary="Return the model and the server's limits", tags=["TGI"], responses=INFO_RESPONSES)
async def info(service: NamedDependency[Service]) -> Info:
    """Return the model and the limits of the server."""
    config, model = service.config, service.model
    return Info(
        model_id=model.name,
        model_sha=None,
        model_pipeline_tag="text-generation",
        max_concurrent_requests=config.engine.least_num_seqs + config.engine.max_waiting,
        max_best_of=config.limits.max_n,
        max_stop_sequences=MAX_STOP_SEQUENCES,
        max_input_tokens=model.max_context - 1,
        max_total_tokens=model.max_context,
        validation_workers=config.limits.max_compilations,
        max_client_batch_size=1,
        router="portcullis",
        version=version("portcullis"),
        sha=None,
        docker_label=None,
    )


async def _whole(
    request: Request[Any, Any, Any], service: Service, body: GenerateBody
) -> tuple[GenerateReply, Stopwatch]:
    watch = Stopwatch.started()
    fields, prepared = await _prepared(request, service, body, streams=False)
    watch.prepared_at = time.monotonic()
    answers = await while_connected(request, service.answer(prepared))
    watch.finish(answers.usage, len(body.inputs))
    return reply_of(answers, _context(service, fields, prepared)), watch


async def _streamed(request: Request[Any, Any, Any], service: Service, body: GenerateBody) -> Response[Any]:
    fields, prepared = await _prepared(request, service, body, streams=True)
    deltas = await begun(request, service.stream(prepared, service.config.server.tick_s))
    chunks = generation_events(deltas, _context(service, fields, prepared))
    return events(chunks, error_event)


async def _prepared(
    request: Request[Any, Any, Any], service: Service, body: GenerateBody, *, streams: bool
) -> tuple[ReplyFields, Prepared]:
    fields, asked = reply_fields_of(body, streams=streams)
    truncate = body.parameters.truncate if body.parameters is not None else None
    if truncate is not None:
        encode = partial(service.encode, body.inputs, add_special_tokens=True)
        ids = await read(service, encode, len(body.inputs), "inputs", tenant_in(request, service))
        asked = truncated(asked, ids, truncate)
    caller = caller_of(request, service, is_streamed=streams)
    return fields, await while_connected(request, service.prepare_completion(asked, caller))


def _context(service: Service, fields: ReplyFields, prepared: Prepared) -> ReplyContext:
    (prompt,) = prepared.prompts
    first, seed = prompt.ids[0], prepared.plan.seed
    return ReplyContext(
        fields=fields,
        first=PrefillToken(id=first, text=service.decode([first], with_special=True), logprob=None),
        num_prompt=len(prompt.ids),
        max_tokens=prompt.sampling.max_tokens,
        seeds=[None if seed is None else derive_seed(seed, index) for index in range(prepared.n)],
        names=service.special_name,
    )


def _response(reply: GenerateReply | list[GenerateReply], watch: Stopwatch) -> Response[bytes]:
    return Response(
        content=msgspec.json.encode(reply), media_type="application/json", status_code=200, headers=watch.headers()
    )


def routers(guards: Sequence[Guard]) -> list[Router]:
    """Return the router of the dialect, behind the guards."""
    handlers: list[ControllerRouterHandler] = [generate, generate_stream, generate_either, info]
    return [Router(path="/", route_handlers=handlers, guards=guards, exception_handlers={Exception: respond})]
