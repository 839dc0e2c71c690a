"""The service that all wire dialects call: requests in, verified answers out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TypeVar

from gateway.audit.request_record import current_record, stage
from gateway.config import Config
from gateway.core.answer import ChatAnswers, Delta, Usage
from gateway.core.decisions import DecisionRequest, LabelWeights
from gateway.core.request import NOBODY, Caller, ChatRequest, CompletionRequest, Options
from gateway.engine.process import EngineProcess
from gateway.errors import InvalidRequestError
from gateway.guards import Policies, Policy
from gateway.service.answers.generation import Generation
from gateway.service.answers.merge import merged
from gateway.service.answers.ranking import likeliest
from gateway.service.answers.recording import Recording
from gateway.service.answers.response_cache import findings_in, replayed, usage_in
from gateway.service.constraint_inspection import Inspector
from gateway.service.constraints.backends import JobBackend, ThreadBackend
from gateway.service.constraints.compilations import Compilations
from gateway.service.constraints.jobs import JobContext
from gateway.service.constraints.pool import ConstraintPool
from gateway.service.decisions.decision_scorer import DecisionScorer
from gateway.service.embedding.embedder import Embedder
from gateway.service.embedding.text_encoding import EmbeddingModel
from gateway.service.model.engines import PLAIN_START, EngineStart
from gateway.service.model.loaded import LoadedModel, PlacedToken, Progress
from gateway.service.model_adapters import ModelAdapters
from gateway.service.model_service import ModelService
from gateway.service.policy.collected import collected
from gateway.service.policy.input_screening import InputScreener, InputScreening
from gateway.service.policy.judge_model import JudgeModel
from gateway.service.policy.judges import Judges
from gateway.service.policy.moderation import Moderator
from gateway.service.policy.output_screening import may_report_token_ids
from gateway.service.request.companions import check_terms
from gateway.service.request.context import RequestContext, in_time
from gateway.service.request.images import ImageInputs
from gateway.service.request.plan import Prepared, Rendered
from gateway.service.request.preparation import Preparer
from gateway.service.request.tokenizing import TokenizerThreads
from gateway.service.shared import Shared, with_stored
from gateway.verify import Verifier

logger = logging.getLogger(__name__)
_Request = TypeVar("_Request", ChatRequest, CompletionRequest)


class Service(ModelService):
    """Service of one model. Owns the engine's thread or process and those of constraints; `close` ends them.

    For each request: `prepare_chat` or `prepare_completion`, then either `stream` or `answer`.

    Attributes:
        adapters: LoRA adapters that clients load and unload.
        inspector: Inspection of constraints without a generation.
        moderator: Moderation of texts without a generation.
        tokenizer_threads: Tokenization off the event loop.
    """

    def __init__(self, loaded: LoadedModel, shared: Shared | None = None) -> None:
        """Args: shared: See `ModelService`."""
        super().__init__(loaded.config, loaded.served, loaded.description, loaded.engine, shared)
        self._loaded = loaded
        self._verifier = Verifier()
        bench, limits = JobContext(loaded.compiler, self._verifier, loaded.images), loaded.config.limits
        engine = loaded.engine
        # With an engine process, clients' constraints get processes too.
        backend: JobBackend = (
            ConstraintPool(engine, loaded.compiler, limits, loaded.config.process.restart_wait_s)
            if isinstance(engine, EngineProcess)
            else ThreadBackend(bench, limits)
        )
        self._compilations = Compilations(backend, bench, limits, self.shared.compilation_counts)
        self.tokenizer_threads = TokenizerThreads(limits)
        self._images = ImageInputs(loaded, self._compilations)
        self._preparer = Preparer(loaded, self._compilations, self.tokenizer_threads)
        self._decision_scorer = DecisionScorer(loaded, self._preparer, self.tokenizer_threads)
        self._judge_model = JudgeModel(loaded, self._decision_scorer, self.tokenizer_threads)
        self._judges = Judges(limits.max_waiting_compilations, self._judge_model)
        self._input_screener = InputScreener(
            self.tokenizer_threads, self._judges, limits.compile_timeout_s, loaded.max_prompt_characters
        )
        self.moderator = Moderator(
            lambda: self.shared.policies, self.tokenizer_threads, self._judges, limits.compile_timeout_s
        )
        self.adapters = ModelAdapters(loaded)
        self.inspector = Inspector(loaded, self._compilations)
        self.embedder = Embedder(
            _embedding_model(loaded),
            loaded.config,
            self.shared,
            self._gate,
            self._input_screener,
            self.tokenizer_threads,
        )

    @classmethod
    def load(
        cls,
        config: Config,
        progress: Progress = logger.info,
        start: EngineStart = PLAIN_START,
        shared: Shared | None = None,
    ) -> Service:
        """Return the service of the model that the settings name, with its engine running.

        Args:
            start: How its engine is started.
            shared: See `__init__`.

        Raises:
            ModelLoadError: The model cannot be served; the message says why.
            ConfigError: The policy file is malformed, or a file that it or the settings name cannot be opened.
        """
        own = Shared.open(config) if shared is None else None
        try:
            service = cls(LoadedModel.load(config, progress, start), shared or own)
        except BaseException:
            if own is not None:
                own.close()
            raise
        service._owns_shared = own is not None
        try:
            service.check_policies(service.shared.policies)
        except BaseException:
            service.close()
            raise
        return service

    def check_policies(self, policies: Policies | None) -> None:
        """Raise unless this model can answer the questions of the policies.

        Raises:
            ConfigError: It cannot.
        """
        self._judge_model.check(() if policies is None else policies.questions)

    @property
    def compilations(self) -> Compilations:
        """Return the compilations of constraints, with their counts."""
        return self._compilations

    def close(self) -> None:
        """End threads and processes. Running answers fail as not ready; their audit records are written."""
        self._compilations.close()
        self._judges.close()
        super().close()

    async def prepare_chat(self, request: ChatRequest, caller: Caller = NOBODY) -> Prepared:
        """Return the plan of a chat. Its timeout starts now.

        Raises:
            GatewayError: It cannot be served; says which field is at fault.
        """
        return await self._prepared("chat", request, caller, InputScreening.chat, self._preparer.chat)

    async def prepare_completion(self, request: CompletionRequest, caller: Caller = NOBODY) -> Prepared:
        """Return the plan of a completion. Its timeout starts now.

        Raises:
            GatewayError: It cannot be served; says which field is at fault.
        """
        screen_texts = partial(InputScreening.completion, decode=self.decode)
        return await self._prepared("text_completion", request, caller, screen_texts, self._preparer.completion)

    async def _prepared(
        self,
        operation: str,
        request: _Request,
        caller: Caller,
        screen_texts: Callable[[InputScreening, _Request], _Request],
        prepare: Callable[[_Request, RequestContext, Policy | None], Awaitable[Prepared]],
    ) -> Prepared:
        current_record().operation = operation
        current_record().check_model(request.options.model or self.model.name)
        check_terms(request.options, self.model)
        context = RequestContext.of(request.options, caller, self.config.limits, self.model)
        with self._gate.entering():
            async with in_time(context.deadline):
                if request.options.kept is not None:
                    request = replace(request, options=self._with_constraint(request.options, caller.tenant))
                if isinstance(request, ChatRequest) and request.images:
                    request, images = await self._images.read(request, caller.tenant)
                    context = replace(context, images=images)
                if isinstance(request, ChatRequest):
                    request = await self.shared.retrieval.with_found(request, caller.tenant)
                received = request
                request, screened_request = await self._input_screener.screened_request(
                    self.shared.policies, request, caller, context, screen_texts
                )
                policy = screened_request.policy
                with stage("prepare"):
                    prepared = await prepare(request, context, policy)
                is_repeatable = policy is not None and policy.output.max_retries
                prepared = replace(
                    prepared,
                    **screened_request._asdict(),
                    tells_verdict=caller.wants_verdict,
                    reports_token_ids=may_report_token_ids(request.options, policy),
                    asked=request if is_repeatable and isinstance(request, ChatRequest) else None,
                )
                return self._noted(await with_stored(prepared, received, caller, self.shared, self._loaded))

    def _noted(self, prepared: Prepared) -> Prepared:
        notes, compiled = current_record(), prepared.plan.compiled
        notes.model, notes.n = prepared.model_name, prepared.n
        notes.has_tools = prepared.plan.tool_plan is not None
        if notes.admission is not None:
            notes.admission.reserve(sum(len(each.ids) + each.num_companion_tokens for each in prepared.prompts))
        notes.constraint = None if compiled is None else self._compilations.digest(compiled)
        return prepared

    def _with_constraint(self, options: Options, tenant: str) -> Options:
        """Return the options with a stored constraint in place of its id."""
        assert options.kept is not None
        if options.constraint is not None:
            raise InvalidRequestError(
                f"{options.constraint.origin} and {options.kept.origin} ask for different things; send one of them",
                param=options.kept.origin,
            )
        return replace(options, constraint=self.shared.kept.resolve(tenant, options.kept), kept=None)

    async def decide(self, request: DecisionRequest, caller: Caller = NOBODY) -> list[LabelWeights]:
        """Return the probability of each label of each question. Cancelling the call cancels the work.

        Raises:
            GatewayError: It cannot be served; says which field is at fault.
        """
        current_record().check_model(request.options.model or self.model.name)
        context = RequestContext.of(request.options, caller, self.config.limits, self.model)
        with self._gate.entering():
            async with in_time(context.deadline):
                request, _ = await self._input_screener.screened_request(
                    self.shared.policies, request, caller, context, InputScreening.decisions
                )
                return await self._decision_scorer.decide(request, context)

    async def render(self, request: ChatRequest, tenant: str = "") -> Rendered:
        """Return the prompt of a chat; nothing is generated.

        Raises:
            GatewayError: It cannot be rendered; names the field at fault.
        """
        if not request.images:
            return await self._preparer.render(request, tenant)
        request, images = await self._images.read(request, tenant)
        return await self._preparer.render(request, tenant, images)

    def encode(self, text: str, *, add_special_tokens: bool, breaks: Sequence[int] = ()) -> tuple[int, ...]:
        """Return the token ids of a text; of a rendered prompt with its breaks."""
        return self._loaded.encode(text, add_special_tokens, breaks)

    def decode(self, ids: Sequence[int], *, with_special: bool = False) -> str:
        """Return the text of token ids, without special tokens unless these are to be named."""
        return self._loaded.decode(ids, with_special=with_special)

    def placed(self, text: str, *, add_special_tokens: bool, breaks: Sequence[int] = ()) -> list[PlacedToken]:
        """Return the text's tokens with their offsets; of a rendered prompt with its breaks."""
        return self._loaded.placed(text, add_special_tokens, breaks)

    def special_name(self, token_id: int) -> str | None:
        """Return the name of a special token, which may be empty; None for a text token."""
        return None if self._loaded.vocabulary.tokens[token_id] is not None else self._loaded.special_name(token_id)

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of a token; empty for a special one."""
        return self._loaded.vocabulary.tokens[token_id] or b""

    @property
    def vocabulary_size(self) -> int:
        """Return the size of the vocabulary."""
        return len(self._loaded.vocabulary)

    async def answer(self, prepared: Prepared) -> ChatAnswers:
        """Return all answers, complete and verified. Cancelling the call cancels the generation.

        Raises:
            GatewayError: The engine or the verification failed; no answer is returned then.
        """
        generation = self._generation(prepared)
        usage = Usage()
        left: list[list[Delta]] = [[] for _ in range(prepared.num_candidates)]
        async with aclosing(self._run(prepared, generation, None)) as batches:
            async for batch in batches:
                for delta in batch:
                    if isinstance(delta, Usage):
                        usage = delta
                    else:
                        left[delta.choice].append(delta)
        answers = [collected(choice, deltas) for choice, deltas in enumerate(left)]
        chosen = likeliest(answers, generation.likelihoods, prepared.candidates, prepared.n)
        if prepared.tells_verdict:
            usage = replace(usage, verdicts=tuple(answer.verdict for answer in chosen))
        return ChatAnswers(chosen, usage)

    def stream(self, prepared: Prepared, tick_s: float | None = None) -> AsyncGenerator[list[Delta], None]:
        """Yield the answers' deltas as they are generated, those available together in one list. `Usage` comes last.
        Closing the stream cancels the generation.

        An answer has been verified as a whole when its `Finish` comes; one that fails ends the stream instead.

        Args:
            tick_s: Seconds without a delta after which an empty list is yielded; None for never.

        Raises:
            GatewayError: The engine or the verification failed.
        """
        assert prepared.candidates == prepared.n, "which answers are told is known at their ends"
        return self._run(prepared, self._generation(prepared), tick_s)

    def _generation(self, prepared: Prepared) -> Generation:
        ask = partial(self._compilations.verify, tenant=prepared.context.tenant)
        return Generation(self._loaded, ask, self._judges, self._preparer.chat, prepared)

    async def _run(
        self, prepared: Prepared, generation: Generation, tick_s: float | None
    ) -> AsyncGenerator[list[Delta], None]:
        stored, cache, kept = prepared.stored, self.shared.cache, list[list[Delta]]()
        if stored is None:
            batches, usage = merged(generation.streams(tick_s)), generation.usage
        else:
            batches, usage = replayed(stored), partial(usage_in, stored)
        recording = Recording(usage, prepared.num_candidates, generation.found if stored is None else findings_in)
        with self._gate.inside():
            async with aclosing(batches) as merging:
                async for deltas in merging:
                    await recording.take(deltas)
                    if deltas and prepared.cache_key is not None:
                        kept.append(deltas)
                    yield [usage(), *deltas] if prepared.continuous_usage and deltas else deltas
        last = usage()
        if stored is None and prepared.tells_verdict:
            last = replace(last, verdicts=tuple(generation.verdicts))
        if stored is None and cache is not None and prepared.cache_key is not None:
            await asyncio.to_thread(cache.put, prepared.cache_key, [*kept, [last]])
        yield [last]


def _embedding_model(loaded: LoadedModel) -> EmbeddingModel:
    """Return the model as one that embeds: by the state of a text's last token unless settings say otherwise."""
    pooling = loaded.config.model.pooling
    return EmbeddingModel(
        served=loaded.served,
        engine=loaded.engine,
        tokenizer=loaded.tokenizer,
        vocabulary_size=len(loaded.vocabulary),
        pooling="last" if pooling == "auto" else None if pooling == "none" else pooling,
    )
