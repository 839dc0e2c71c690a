"""Requests in, verified answers out: what every wire dialect stands on."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from gateway.audit import opened
from gateway.audit.notes import noted
from gateway.config import Config, ServerConfig
from gateway.core.answer import Answers, Delta, Usage
from gateway.core.decisions import DecisionRequest, LabelWeights
from gateway.core.model import ServedModel
from gateway.core.request import NOBODY, Caller, ChatRequest, CompletionRequest, Options
from gateway.engine import EngineStats
from gateway.engine.process import EngineProcess, Forkserver
from gateway.errors import ConfigError, InvalidRequestError
from gateway.guards import Policies, read_policies
from gateway.service.answers.generation import Generation
from gateway.service.answers.merge import merged
from gateway.service.answers.ranking import told
from gateway.service.answers.recording import Recording
from gateway.service.constraint_inspection import Inspector
from gateway.service.constraints.backends import JobBackend, ThreadBackend
from gateway.service.constraints.compilations import Compilations
from gateway.service.constraints.jobs import JobContext
from gateway.service.constraints.pool import ConstraintPool
from gateway.service.constraints.store import GrammarStore
from gateway.service.decisions.decision_scorer import DecisionScorer
from gateway.service.gate import Gate
from gateway.service.model.description import Description
from gateway.service.model.loaded import LoadedModel, PlacedToken, Progress
from gateway.service.policy.collected import collected
from gateway.service.policy.input_screening import InputScreener, InputScreening
from gateway.service.policy.judge_model import JudgeModel
from gateway.service.policy.judges import Judges
from gateway.service.policy.moderation import Moderator
from gateway.service.request.context import RequestContext, in_time
from gateway.service.request.plan import Prepared, Rendered
from gateway.service.request.preparation import Preparer
from gateway.service.request.tokenizing import TokenizerThreads
from gateway.verify import Verifier

if TYPE_CHECKING:
    from gateway.audit.log import AuditLog

logger = logging.getLogger(__name__)


class Service:
    """Serves one model. Owns its engine's thread or process, and those in which constraints are worked on; `close` ends
    all.

    For each request: `prepare_chat` or `prepare_completion`, then either `stream` or `answer`.

    Attributes:
        kept: Constraints by id.
        inspector: Looks at constraints by themselves.
        moderator: Looks at texts by themselves, as policies say.
        tokenizer_threads: Texts to tokens.
        audit: Where records of requests are kept; None keeps none.
        api_keys: Those that are let in.
    """

    def __init__(self, loaded: LoadedModel, policies: Policies | None = None, audit: AuditLog | None = None) -> None:
        self._loaded = loaded
        self.audit = audit
        self.api_keys = loaded.config.server.api_keys
        self._policies = policies
        self._gate = Gate()
        self._verifier = Verifier()
        bench, limits = JobContext(loaded.compiler, self._verifier), loaded.config.limits
        engine = loaded.engine
        # Where the engine has a process of its own, so have strangers' constraints.
        backend: JobBackend = (
            ConstraintPool(engine, loaded.compiler, limits, loaded.config.process.restart_wait_s)
            if isinstance(engine, EngineProcess)
            else ThreadBackend(bench, limits)
        )
        self._compilations = Compilations(backend, bench, limits)
        self.tokenizer_threads = TokenizerThreads(limits)
        self._preparer = Preparer(loaded, self._compilations, self.tokenizer_threads)
        self._decision_scorer = DecisionScorer(loaded, self._preparer, self.tokenizer_threads)
        self._judge_model = JudgeModel(loaded, self._decision_scorer, self.tokenizer_threads)
        self._judges = Judges(limits.max_waiting_compilations, self._judge_model)
        self._input_screener = InputScreener(
            self.tokenizer_threads, self._judges, limits.compile_timeout_s, loaded.max_prompt_characters
        )
        self.moderator = Moderator(
            lambda: self._policies, self.tokenizer_threads, self._judges, limits.compile_timeout_s
        )
        self.kept = GrammarStore(loaded.config.limits)
        self.inspector = Inspector(loaded, self._compilations)

    @classmethod
    def load(
        cls,
        config: Config,
        progress: Progress = logger.info,
        first: Forkserver | None = None,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Service:
        """A service for the model that the settings name, its engine running.

        Args:
            first, meanwhile: See `engines.started`.

        Raises:
            ModelLoadError: The model cannot be served; says why.
            ConfigError: The file of policies is not as it should be, or what it or the settings name cannot be opened.
        """
        path = config.server.policies
        policies = None if path is None else read_policies(path, config.server.api_keys)
        audit = opened(config.audit)
        try:
            if policies is not None:
                policies.open()
            service = cls(LoadedModel.load(config, progress, first, meanwhile), policies, audit)
        except BaseException:
            if policies is not None:
                policies.close()
            if audit is not None:
                audit.close()
            raise
        try:
            service._judge_model.check(() if policies is None else policies.questions)
        except BaseException:
            service.close()
            raise
        return service

    def reload(self, server: ServerConfig) -> None:
        """Let in the keys, and screen by the policies, that these settings name. What is under way goes on with those
        that it began with. Not for an event loop: models that judge may be loaded.

        Raises:
            ConfigError: They cannot be used; all is as before.
        """
        if bool(server.api_keys) != bool(self.api_keys):
            raise ConfigError("a server that asks for keys does so until its end, and one that asks for none likewise")
        policies = None if server.policies is None else read_policies(server.policies, server.api_keys)
        if policies is not None:
            self._judge_model.check(policies.questions)
            policies.open()
        # Models that judged by the old ones alone end with the last request that may ask them.
        self._policies, self.api_keys = policies, server.api_keys

    @property
    def config(self) -> Config:
        """The settings."""
        return self._loaded.config

    @property
    def model(self) -> ServedModel:
        """The model's names and size."""
        return self._loaded.served

    @property
    def description(self) -> Description:
        """What there is to tell about the model besides its names."""
        return self._loaded.description

    @property
    def trouble(self) -> str:
        """Why requests are not served now, in a few words; empty while they are."""
        if self._gate.is_shut:
            return "the server is shutting down"
        return self._loaded.engine.trouble or ("" if self.audit is None else self.audit.trouble)

    @property
    def is_given_up(self) -> bool:
        """Whether the engine died for good."""
        return self._loaded.engine.is_given_up

    @property
    def engine_stats(self) -> EngineStats:
        """What the engine counts, since it was last started."""
        return self._loaded.engine.stats()

    @property
    def num_restarts(self) -> int:
        """Times that the engine was started again after it had died."""
        return self._loaded.engine.num_restarts

    @property
    def num_under_way(self) -> int:
        """Requests that are being prepared or answered."""
        return self._gate.num_inside

    def drain(self) -> None:
        """Refuse what comes from now on; what is under way goes on. A signal's handler may call it."""
        self._gate.shut()

    def end_answers(self) -> None:
        """End the engine; answers under way fail as not ready."""
        self._loaded.engine.close()

    def close(self) -> None:
        """End threads and processes. Answers under way fail as not ready; what is to be recorded is."""
        self._compilations.close()
        self._judges.close()
        if self._policies is not None:
            self._policies.close()
        self._loaded.engine.close()
        if self.audit is not None:
            self.audit.close()

    async def prepare_chat(self, request: ChatRequest, caller: Caller = NOBODY) -> Prepared:
        """The plan of a chat. Its time begins now.

        Raises:
            GatewayError: It cannot be served; says which field is at fault.
        """
        noted().operation = "chat"
        context = RequestContext.of(request.options, caller, self.config.limits)
        with self._gate.entering():
            async with in_time(context.deadline):
                if request.options.kept is not None:
                    request = replace(request, options=self._with_constraint(request.options, caller.tenant))
                request, screened_request = await self._input_screener.screened_request(
                    self._policies, request, caller, context, InputScreening.chat
                )
                policy = screened_request.policy
                prepared = await self._preparer.chat(request, context, policy)
                asked = request if policy is not None and policy.output.max_retries else None
                prepared = replace(
                    prepared, **screened_request._asdict(), tells_verdict=caller.wants_verdict, asked=asked
                )
                return self._noted(prepared)

    async def prepare_completion(self, request: CompletionRequest, caller: Caller = NOBODY) -> Prepared:
        """The plan of a completion. Its time begins now.

        Raises:
            GatewayError: It cannot be served; says which field is at fault.
        """
        noted().operation = "text_completion"
        context = RequestContext.of(request.options, caller, self.config.limits)
        with self._gate.entering():
            async with in_time(context.deadline):
                if request.options.kept is not None:
                    request = replace(request, options=self._with_constraint(request.options, caller.tenant))
                screen_texts = partial(InputScreening.completion, decode=self.decode)
                request, screened_request = await self._input_screener.screened_request(
                    self._policies, request, caller, context, screen_texts
                )
                prepared = await self._preparer.completion(request, context, screened_request.policy)
                prepared = replace(prepared, **screened_request._asdict(), tells_verdict=caller.wants_verdict)
                return self._noted(prepared)

    def _noted(self, prepared: Prepared) -> Prepared:
        notes, compiled = noted(), prepared.plan.compiled
        notes.model = prepared.model_name
        notes.constraint = None if compiled is None else self._compilations.digest(compiled)
        return prepared

    def _with_constraint(self, options: Options, tenant: str) -> Options:
        """The options with the constraint itself in place of its id."""
        assert options.kept is not None
        if options.constraint is not None:
            raise InvalidRequestError(
                f"{options.constraint.origin} and {options.kept.origin} ask for different things; send one of them",
                param=options.kept.origin,
            )
        return replace(options, constraint=self.kept.resolve(tenant, options.kept), kept=None)

    async def decide(self, request: DecisionRequest, caller: Caller = NOBODY) -> list[LabelWeights]:
        """How likely the model finds each label of each question. Cancelling it cancels the work.

        Raises:
            GatewayError: It cannot be served; says which field is at fault.
        """
        context = RequestContext.of(request.options, caller, self.config.limits)
        with self._gate.entering():
            async with in_time(context.deadline):
                request, _ = await self._input_screener.screened_request(
                    self._policies, request, caller, context, InputScreening.decisions
                )
                return await self._decision_scorer.decide(request, context)

    async def render(self, request: ChatRequest, tenant: str = "") -> Rendered:
        """The prompt of a chat as its model reads it; nothing is generated.

        Raises:
            GatewayError: It cannot be rendered; says which field is at fault.
        """
        return await self._preparer.render(request, tenant)

    def encode(self, text: str, *, add_special_tokens: bool, breaks: Sequence[int] = ()) -> tuple[int, ...]:
        """The text as token ids; of a rendered prompt with its breaks."""
        return self._loaded.encode(text, add_special_tokens, breaks)

    def decode(self, ids: Sequence[int], *, with_special: bool = False) -> str:
        """Token ids as text; special tokens have none, unless they are to be named."""
        return self._loaded.decode(ids, with_special=with_special)

    def placed(self, text: str, *, add_special_tokens: bool, breaks: Sequence[int] = ()) -> list[PlacedToken]:
        """The text's tokens with their places; of a rendered prompt with its breaks."""
        return self._loaded.placed(text, add_special_tokens, breaks)

    def special_name(self, token_id: int) -> str | None:
        """What a special token is called, which may be nothing; None of one that is text."""
        return None if self._loaded.vocabulary.tokens[token_id] is not None else self._loaded.special_name(token_id)

    def token_bytes(self, token_id: int) -> bytes:
        """What a token writes; nothing, where it is special."""
        return self._loaded.vocabulary.tokens[token_id] or b""

    @property
    def vocabulary_size(self) -> int:
        """Token ids are below this."""
        return len(self._loaded.vocabulary)

    async def answer(self, prepared: Prepared) -> Answers:
        """All answers that are told, whole and verified. Cancelling it cancels the generation.

        Raises:
            GatewayError: The engine or the verification failed; no answer is returned then.
        """
        answering = self._answering(prepared)
        usage = Usage()
        left: list[list[Delta]] = [[] for _ in range(prepared.num_candidates)]
        async with aclosing(self._run(prepared, answering, None)) as batches:
            async for batch in batches:
                for delta in batch:
                    if isinstance(delta, Usage):
                        usage = delta
                    else:
                        left[delta.choice].append(delta)
        answers = [collected(choice, deltas) for choice, deltas in enumerate(left)]
        chosen = told(answers, answering.likelihoods, prepared.candidates, prepared.n)
        if prepared.tells_verdict:
            usage = replace(usage, verdicts=tuple(answer.verdict for answer in chosen))
        return Answers(chosen, usage)

    def stream(self, prepared: Prepared, tick_s: float | None = None) -> AsyncGenerator[list[Delta], None]:
        """The answers as they are written, what is there at once in one list; of several answers, in turn. Usage comes
        last. Closing it cancels the generation.

        What a `Finish` follows has been verified as a whole; an answer that fails ends the stream instead.

        Args:
            tick_s: After so many seconds without anything to tell comes an empty list; None: never.

        Raises:
            GatewayError: The engine or the verification failed.
        """
        assert prepared.candidates == prepared.n, "which answers are told is known at their ends"
        return self._run(prepared, self._answering(prepared), tick_s)

    def _answering(self, prepared: Prepared) -> Generation:
        ask = partial(self._compilations.verify, tenant=prepared.context.tenant)
        return Generation(self._loaded, ask, self._judges, self._preparer.chat, prepared)

    async def _run(
        self, prepared: Prepared, answering: Generation, tick_s: float | None
    ) -> AsyncGenerator[list[Delta], None]:
        recording = Recording(answering)
        with self._gate.inside():
            async with aclosing(merged(answering.streams(tick_s))) as merging:
                async for deltas in merging:
                    await recording.take(deltas)
                    yield [answering.usage(), *deltas] if prepared.usage_as_written and deltas else deltas
        usage = answering.usage()
        yield [replace(usage, verdicts=tuple(answering.verdicts)) if prepared.tells_verdict else usage]
