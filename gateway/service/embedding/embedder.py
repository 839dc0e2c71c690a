"""Embeddings and scores of a request: checks, screening, tokens, the engine, vectors."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gateway.audit.request_record import current_record
from gateway.config import Config
from gateway.core.answer import Usage
from gateway.core.embedding import EmbeddingRequest, Embeddings, Input, ScoreRequest, Scores
from gateway.core.request import Caller, CompletionRequest, Options
from gateway.engine import GenerationRequest, SamplingParams
from gateway.errors import InvalidRequestError, WrongModelError
from gateway.service.embedding.text_encoding import EmbeddingModel, Encoded
from gateway.service.gate import Gate
from gateway.service.policy.input_screening import InputScreener, InputScreening
from gateway.service.request.context import RequestContext, in_time
from gateway.service.request.engine_requests import last_event, together
from gateway.service.request.limits import check_scheduling
from gateway.service.request.tokenizing import TokenizerThreads
from gateway.service.shared import Shared

Vectors = NDArray[np.float32]

MAX_DIMENSIONS = 1 << 20
DOCUMENT_PROMPTS = ("document", "passage", "corpus")
"""Names of prompts that encoders have for the texts to be found."""


class Embedder:
    """Embeds texts and scores pairs by one model. For one event loop."""

    def __init__(
        self,
        model: EmbeddingModel,
        config: Config,
        shared: Shared,
        gate: Gate,
        screener: InputScreener,
        tokenizer_threads: TokenizerThreads,
    ) -> None:
        self._model, self._config, self._shared, self._gate = model, config, shared, gate
        self._screener = screener
        self._tokenizer_threads = tokenizer_threads

    async def embed(self, request: EmbeddingRequest, caller: Caller) -> Embeddings:
        """Return one vector a text. Cancelling the call cancels the work.

        Raises:
            GatewayError: It cannot be served; says which field is at fault.
        """
        model = self._model
        if model.pooling is None:
            raise WrongModelError(f"the model {model.served.name} computes no embeddings", param="model")
        if request.dimensions is not None and not 1 <= request.dimensions <= MAX_DIMENSIONS:
            raise InvalidRequestError("dimensions must be at least 1, and at most the model's own", param="dimensions")
        self._check(request.options, request.truncate_to, len(request.inputs), request.origin)
        prompt = model.prompt_of(request.prompt_name)
        async with self._begun(request.options, caller) as context:
            inputs = await self._screened(request.inputs, request.options, caller, context)
            texts = [prompt + each if isinstance(each, str) else each for each in inputs]
            vectors, num_tokens = await self._embedded(texts, request.origin, request.truncate_to, context)
            if request.dimensions is not None:
                if request.dimensions > vectors.shape[1]:
                    raise InvalidRequestError(
                        f"dimensions is {request.dimensions}; the model's vectors have {vectors.shape[1]}",
                        param="dimensions",
                    )
                vectors = vectors[:, : request.dimensions]
            is_normalized = model.is_normalized if request.normalize is None else request.normalize
            return Embeddings(_normalized(vectors) if is_normalized else vectors, num_tokens)

    async def score(self, request: ScoreRequest, caller: Caller) -> Scores:
        """Return one score a document: a cross-encoder's, or the cosine of query and document.

        Raises:
            GatewayError: It cannot be served; says which field is at fault.
        """
        model, (query_origin, origin) = self._model, request.origins
        if model.pooling is None and not model.scores_pairs:
            raise WrongModelError(f"the model {model.served.name} computes no scores", param="model")
        self._check(request.options, request.truncate_to, len(request.documents), origin)
        if len(request.queries) not in (1, len(request.documents)):
            raise InvalidRequestError(
                f"{query_origin} has {len(request.queries)} texts and {origin} {len(request.documents)}; send one, or "
                "as many",
                param=query_origin,
            )
        async with self._begun(request.options, caller) as context:
            given = (*request.queries, *request.documents)
            texts = [str(each) for each in await self._screened(given, request.options, caller, context)]
            queries, documents = texts[: len(request.queries)], texts[len(request.queries) :]
            queries = queries * len(documents) if len(queries) == 1 else queries
            if model.scores_pairs:
                return await self._scored(list(zip(queries, documents, strict=True)), request, context)
            query_prompt, document_prompt = model.prompt_like("query"), model.prompt_like(*DOCUMENT_PROMPTS)
            queries = [query_prompt + query for query in queries]
            documents = [document_prompt + document for document in documents]
            different = list(dict.fromkeys([*queries, *documents]))
            vectors, num_tokens = await self._embedded(different, origin, request.truncate_to, context)
            vector_of = dict(zip(different, _normalized(vectors), strict=True))
            pairs = zip(queries, documents, strict=True)
            return Scores([float(vector_of[query] @ vector_of[document]) for query, document in pairs], num_tokens)

    def _check(self, options: Options, truncate_to: int | None, num_inputs: int, origin: str) -> None:
        self._model.served.resolve(options.model)
        most = self._config.limits.max_inputs
        if not 1 <= num_inputs <= most:
            raise InvalidRequestError(f"{origin} has {num_inputs} texts; 1 to {most} are served", param=origin)
        if truncate_to is not None and (truncate_to < -1 or truncate_to == 0):
            raise InvalidRequestError(
                "truncate_prompt_tokens must be at least 1, or -1", param="truncate_prompt_tokens"
            )
        check_scheduling(options, self._config.limits)
        current_record().check_model(options.model or self._model.served.name)

    @asynccontextmanager
    async def _begun(self, options: Options, caller: Caller) -> AsyncIterator[RequestContext]:
        """Count the request as running, and end it in time."""
        notes = current_record()
        notes.operation, notes.model = "embeddings", self._model.served.resolve(options.model)
        context = RequestContext.of(options, caller, self._config.limits, self._model.served)
        with self._gate.entering():
            async with in_time(context.deadline):
                yield context

    async def _screened(
        self, inputs: tuple[Input, ...], options: Options, caller: Caller, context: RequestContext
    ) -> tuple[Input, ...]:
        """Return the texts as the policy lets them pass."""
        request = CompletionRequest(prompts=inputs, options=options)
        screen = partial(InputScreening.completion, decode=lambda ids: self._model.tokenizer.decode(list(ids)))
        screened, _ = await self._screener.screened_request(self._shared.policies, request, caller, context, screen)
        current_record().model = self._model.served.resolve(options.model)
        return screened.prompts

    async def _embedded(
        self, texts: Sequence[Input], origin: str, truncate_to: int | None, context: RequestContext
    ) -> tuple[Vectors, int]:
        """Return the pooled states of texts, and the number of their tokens."""
        names = [origin] if len(texts) == 1 else [f"{origin}[{number}]" for number in range(len(texts))]

        def encoded() -> list[Encoded]:
            return [self._model.encoded(text, name, truncate_to) for text, name in zip(texts, names, strict=True)]

        assert self._model.pooling is not None
        return await self._computed(
            await self._tokenizer_threads.read(encoded, sum(map(len, texts)), context.tenant), context
        )

    async def _scored(self, pairs: Sequence[tuple[str, str]], request: ScoreRequest, context: RequestContext) -> Scores:
        """Return the scores of a cross-encoder."""
        names = [f"{request.origins[1]}[{number}]" for number in range(len(pairs))]

        def encoded() -> list[Encoded]:
            return [
                self._model.encoded_pair(query, document, name, request.truncate_to)
                for (query, document), name in zip(pairs, names, strict=True)
            ]

        size = sum(len(query) + len(document) for query, document in pairs)
        tokens = await self._tokenizer_threads.read(encoded, size, context.tenant)
        logits, num_tokens = await self._computed(tokens, context)
        scores = logits[:, 0].astype(np.float64)
        if self._model.is_sigmoid:
            scores = np.exp(-np.logaddexp(0.0, -scores))
        return Scores(scores.tolist(), num_tokens)

    async def _computed(self, texts: Sequence[Encoded], context: RequestContext) -> tuple[Vectors, int]:
        """Return the engine's vector of each text, and the number of tokens; texts of about one length run together."""
        num_tokens, notes = sum(len(text.ids) for text in texts), current_record()
        if notes.admission is not None:
            notes.admission.reserve(num_tokens)
        notes.usage = lambda: Usage(prompt_tokens=num_tokens)
        name, places = secrets.token_hex(8), asyncio.Semaphore(self._config.engine.least_num_seqs)

        async def vector(number: int) -> Vectors:
            request = GenerationRequest(
                request_id=f"{name}-{number}",
                prompt_ids=texts[number].ids,
                second_text=texts[number].second_text,
                sampling=SamplingParams(max_tokens=1, temperature=0.0),
                pooling=self._model.pooling or "cls",
                priority=context.priority,
                tenant=context.tenant,
                deadline=context.deadline,
                cache_salt=context.cache_salt,
                adapter=context.adapter,
            )
            async with places:
                event = await last_event(self._model.engine, request)
            return np.frombuffer(event.pooled, dtype="<f4")

        order = sorted(range(len(texts)), key=lambda number: len(texts[number].ids))
        vectors = await together([vector(number) for number in order])
        return np.stack([vectors[place] for place in np.argsort(order)]), num_tokens


def _normalized(vectors: Vectors) -> Vectors:
    """Return the vectors scaled to length 1; zero stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled
