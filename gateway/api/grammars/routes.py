"""Routes of `/v1/grammars` and `/v1/verify`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import Request, Response, Router, delete, get, post, put
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath
from litestar.types import ControllerRouterHandler, Guard
from msgspec import UNSET

from gateway.api.grammars.bodies import (
    Acceptance,
    ExplanationOut,
    GrammarDeleted,
    GrammarErrorBody,
    GrammarErrorEnvelope,
    GrammarList,
    GrammarOut,
    GrammarReport,
    Lint,
    NextTokens,
    VerdictOut,
)
from gateway.api.grammars.reports import (
    acceptance_of,
    explanation_of,
    lint_error,
    next_tokens_of,
    report_of,
    verdict_of,
    warnings_of,
)
from gateway.api.grammars.requests import GrammarBody, NextTokensBody, TextBody, VerifyBody
from gateway.api.grammars.spelling import constraint_in, stored_out
from gateway.api.http.caller import caller_of, tenant_in
from gateway.api.http.decode import decode
from gateway.api.http.disconnect import while_connected
from gateway.api.http.failures import responder
from gateway.api.http.json_response import json_response
from gateway.api.http.openapi import failures, json_post, operation, replies
from gateway.api.openai.envelope import envelope as openai_envelope
from gateway.core.constraints import JsonConstraint
from gateway.errors import ConstraintError, GatewayError, InvalidRequestError, UnsupportedParameterError
from gateway.service import Service
from gateway.service.constraint_inspection import Inspected
from gateway.service.request.limits import check_max_tokens


def envelope(error: GatewayError) -> GrammarErrorEnvelope:
    """Return the error as OpenAI's clients read it."""
    plain = openai_envelope(error).error
    kind, where = (error.kind, error.where) if isinstance(error, ConstraintError) else (None, None)
    return GrammarErrorEnvelope(
        error=GrammarErrorBody(
            message=plain.message,
            type=plain.type,
            param=plain.param,
            code=plain.code,
            hint=plain.hint,
            kind=UNSET if kind is None else kind,
            where=UNSET if where is None else where,
        )
    )


respond = responder(envelope)


FAILURES = failures(GrammarErrorEnvelope)
DEFAULT_LIMIT = 32
AnyRequest = Request[Any, Any, Any]


def _post(path: str, summary: str, body: type[msgspec.Struct], reply: Any) -> post:
    responses = replies(reply, FAILURES, 400, 401, 403, 404, 413, 415, 429, 500, 503)
    return json_post(path, summary, "Grammars", body, responses)


@_post("/grammars", "Compile a constraint", GrammarBody, GrammarReport)
async def compile_grammar(request: AnyRequest, service: NamedDependency[Service]) -> Response[bytes]:
    """Compile a constraint and report how its keywords are enforced; requests may name it by id while it is stored."""
    body = decode(GrammarBody, await request.body())
    tenant = tenant_in(request, service)
    constraint = constraint_in(body, service.shared.kept, tenant)
    inspected = await while_connected(request, service.inspector.inspect(constraint, tenant))
    name, is_kept = service.shared.kept.remember(tenant, constraint)
    return json_response(report_of(inspected, name, is_kept=is_kept))


@_post("/grammars/lint", "Lint a constraint", GrammarBody, Lint)
async def lint_grammar(request: AnyRequest, service: NamedDependency[Service]) -> Response[bytes]:
    """Errors with their places; nothing is kept."""
    body = decode(GrammarBody, await request.body())
    try:
        inspected = await _inspected(request, service, body)
    except (ConstraintError, InvalidRequestError, UnsupportedParameterError) as error:
        return json_response(Lint(valid=False, errors=[lint_error(error)], warnings=[]))
    return json_response(Lint(valid=True, errors=[], warnings=warnings_of(inspected)))


@_post("/grammars/explain", "Explain a constraint", GrammarBody, ExplanationOut)
async def explain_grammar(request: AnyRequest, service: NamedDependency[Service]) -> Response[bytes]:
    """Return the keywords that masks and checks enforce, the shortest match, and the share of forced bytes."""
    inspected = await _inspected(request, service, decode(GrammarBody, await request.body()))
    explaining = service.inspector.explain(inspected, tenant_in(request, service))
    return json_response(explanation_of(inspected, await while_connected(request, explaining)))


@_post("/grammars/accept", "Match a text", TextBody, Acceptance)
async def accept_text(request: AnyRequest, service: NamedDependency[Service]) -> Response[bytes]:
    """Return whether a text matches, or the first offset that does not with the bytes possible there."""
    body = decode(TextBody, await request.body())
    data = _data(body, service)
    inspected = await _inspected(request, service, body)
    placing = service.inspector.place(inspected, data, tenant_in(request, service))
    return json_response(acceptance_of(await while_connected(request, placing), len(data)))


@_post("/grammars/next-tokens", "List allowed next tokens", NextTokensBody, NextTokens)
async def next_tokens(request: AnyRequest, service: NamedDependency[Service]) -> Response[bytes]:
    """Return the tokens that may follow the beginning of a text, and those that must."""
    body = decode(NextTokensBody, await request.body())
    if body.max_tokens is not None:
        check_max_tokens(body.max_tokens, "max_tokens")
    data = _data(body, service)
    limit = DEFAULT_LIMIT if body.limit is None else body.limit
    inspected = await _inspected(request, service, body)
    tenant = tenant_in(request, service)
    finding = service.inspector.following(inspected, data, limit, body.max_tokens, tenant)
    return json_response(next_tokens_of(await while_connected(request, finding), len(data), service))


@_post("/verify", "Verify a text", VerifyBody, VerdictOut)
async def verify_text(request: AnyRequest, service: NamedDependency[Service]) -> Response[bytes]:
    """Verify a text as answers are: with parsers independent of the compiler, then under a policy if one is named."""
    body = decode(VerifyBody, await request.body())
    caller = caller_of(request, service, is_streamed=False)
    asks = body.policy is not None or caller.policy is not None
    policy = service.moderator.policy(caller, body.policy, "policy") if asks else None
    inspected = await _inspected(request, service, body)
    verdict = await while_connected(request, service.inspector.verify(inspected, body.text, caller.tenant))
    if policy is None:
        return json_response(verdict_of(verdict))
    is_json = isinstance(inspected.constraint, JsonConstraint)
    screening = service.moderator.screen(policy, body.text, caller.tenant, is_json=is_json)
    return json_response(verdict_of(verdict, await while_connected(request, screening)))


@get("/grammars", summary="List stored grammars", tags=["Grammars"], responses=replies(GrammarList, FAILURES, 401, 403))
async def list_grammars(service: NamedDependency[Service], tenant: NamedDependency[str]) -> Response[bytes]:
    """Return the constraints stored for this key, and the library's."""
    kept = [stored_out(entry) for entry in service.shared.kept.entries(tenant)]
    return json_response(
        GrammarList(data=kept, library=[stored_out(entry) for entry in service.shared.kept.ready_made()])
    )


@get(
    "/grammars/{grammar_id:str}",
    summary="Return a stored grammar",
    tags=["Grammars"],
    responses=replies(GrammarOut, FAILURES, 400, 401, 403, 404),
)
async def get_grammar(
    service: NamedDependency[Service], tenant: NamedDependency[str], grammar_id: FromPath[str]
) -> Response[bytes]:
    """Return the constraint stored under this id."""
    return json_response(stored_out(service.shared.kept.get(tenant, grammar_id)))


@put(
    "/grammars/{grammar_id:str}",
    status_code=200,
    summary="Store a grammar",
    tags=["Grammars"],
    operation_class=operation(GrammarBody),
    responses={
        201: ResponseSpec(GrammarReport, generate_examples=False, description="It is new"),
        **replies(GrammarReport, FAILURES, 400, 401, 403, 404, 413, 415, 429, 500),
    },
)
async def put_grammar(
    request: AnyRequest, service: NamedDependency[Service], grammar_id: FromPath[str]
) -> Response[bytes]:
    """Keep a constraint that compiles under this id, for this key, until it is deleted or the server ends."""
    body = decode(GrammarBody, await request.body())
    tenant = tenant_in(request, service)
    constraint = constraint_in(body, service.shared.kept, tenant)
    inspected = await while_connected(request, service.inspector.inspect(constraint, tenant))
    is_new = service.shared.kept.put(tenant, grammar_id, constraint)
    return json_response(report_of(inspected, grammar_id, is_kept=True), 201 if is_new else 200)


@delete(
    "/grammars/{grammar_id:str}",
    status_code=200,
    summary="Delete a stored grammar",
    tags=["Grammars"],
    responses=replies(GrammarDeleted, FAILURES, 400, 401, 403, 404),
)
async def delete_grammar(
    service: NamedDependency[Service], tenant: NamedDependency[str], grammar_id: FromPath[str]
) -> Response[bytes]:
    """Requests under way are not touched."""
    service.shared.kept.delete(tenant, grammar_id)
    return json_response(GrammarDeleted(id=grammar_id))


async def _inspected(request: AnyRequest, service: Service, body: GrammarBody) -> Inspected:
    tenant = tenant_in(request, service)
    constraint = constraint_in(body, service.shared.kept, tenant)
    return await while_connected(request, service.inspector.inspect(constraint, tenant))


def _data(body: TextBody, service: Service) -> bytes:
    """Return the bytes of a text, or of tokens."""
    if body.text is not None and body.token_ids is not None:
        raise InvalidRequestError("send text or token_ids, not both", param="token_ids")
    if body.token_ids is not None:
        return service.inspector.spelled(body.token_ids)
    return (body.text or "").encode("utf-8", "surrogatepass")


def routers(guards: Sequence[Guard]) -> list[Router]:
    """Return the router of these routes, behind the guards."""
    handlers: list[ControllerRouterHandler] = [
        compile_grammar,
        lint_grammar,
        explain_grammar,
        accept_text,
        next_tokens,
        verify_text,
        list_grammars,
        get_grammar,
        put_grammar,
        delete_grammar,
    ]
    return [Router(path="/v1", route_handlers=handlers, guards=guards, exception_handlers={Exception: respond})]
