"""Preparation of a request: all decisions before its first token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from gateway.core.constraints import (
    Constraint,
    GrammarConstraint,
    JsonConstraint,
    RegexConstraint,
    SequenceConstraint,
    TagsConstraint,
)
from gateway.core.request import ChatRequest, CompletionRequest, Options
from gateway.engine import SamplingParams
from gateway.engine.errors import InvalidSamplingError
from gateway.engine.images.pixels import ImagePixels
from gateway.errors import ConstraintError, ContextLengthError, InvalidRequestError, UnsupportedParameterError
from gateway.guards import Policy
from gateway.service.constraints.compilations import Compilations
from gateway.service.constraints.forbidding import ForbiddenCompilations
from gateway.service.constraints.matcher_recheck import MatcherRecheck, bytewise
from gateway.service.constraints.specs import digest, enforced, inputs_of, spec_of
from gateway.service.model.loaded import LoadedModel
from gateway.service.model.sampling_defaults import with_defaults
from gateway.service.request.adaptation import adaptation_rule
from gateway.service.request.answer_bounds import answer_length, loop_rule
from gateway.service.request.answer_prefix import answers_at_once, prefix_ids, with_prefix
from gateway.service.request.answer_spec import is_free, whole_spec
from gateway.service.request.budget_message import with_budget_message
from gateway.service.request.companions import chat_companions, completion_prompts, longest_prompt
from gateway.service.request.context import RequestContext
from gateway.service.request.copying import copying_options
from gateway.service.request.documents import citing
from gateway.service.request.limits import MAX_SEED, check_capacity, check_chat, check_completion
from gateway.service.request.plan import NUM_CANDIDATES, Plan, Prepared, Prompt, Rendered, ToolPlan
from gateway.service.request.prompt_encoding import EncodedPrompt
from gateway.service.request.reasoning_plan import ReasoningPlan, check_reasoning
from gateway.service.request.rendering import render_async
from gateway.service.request.tokenizing import TokenizerThreads, size_of
from gateway.service.request.tool_weights import ToolWeights
from gateway.text import StopAutomaton
from grammars import CompiledGrammar, JsonSchema
from grammars.frontends.base import Constraint as Spec

MIN_TEMPERATURE = 1e-4


class Preparer:
    """Makes plans of requests. Slow steps run in threads, so the event loop is not blocked."""

    def __init__(self, loaded: LoadedModel, compilations: Compilations, tokenizer_threads: TokenizerThreads) -> None:
        self._loaded = loaded
        self._limits = loaded.config.limits
        self._compilations = compilations
        self._tokenizer_threads = tokenizer_threads
        self._forbidden = ForbiddenCompilations(compilations)
        self._weighing = ToolWeights(loaded, tokenizer_threads)

    async def chat(self, request: ChatRequest, context: RequestContext, policy: Policy | None = None) -> Prepared:
        """Return the plan of a chat, under a policy.

        Raises:
            GatewayError: The request cannot be served; names the field.
        """
        model_name = self._loaded.served.resolve(request.options.model)
        check_chat(request, self._limits, len(self._loaded.vocabulary))
        request = answers_at_once(citing(request))
        check_reasoning(request.options.reasoning, self._loaded.description.can_think)
        tool_plan = self._tool_plan(request)
        if tool_plan is not None and self._loaded.weighs_tools:
            request, tool_plan = await self._weighing.chosen(request, tool_plan, context)
        rendered = await render_async(
            self._tokenizer_threads, self._loaded, request, tool_plan, context.tenant, True, context.images
        )
        spec = self._loaded.reasoning
        reasoning = None if spec is None else ReasoningPlan.of(spec, rendered.text, request.options.reasoning)
        plan = await self._plan(request.options, tool_plan, reasoning, context.tenant, policy)
        # In a thread: 15 ms for the longest text that is biased to.
        options = await asyncio.to_thread(copying_options, self._loaded, request, tool_plan)
        companions = await chat_companions(self._tokenizer_threads, self._loaded, request, tool_plan, rendered, context)
        prompts = [EncodedPrompt(rendered.ids, companions=companions)]
        prepared = await self._prepared(model_name, options, context, prompts, plan, "messages")
        if not options.reasoning.budget_message:
            return prepared
        return await asyncio.to_thread(with_budget_message, self._loaded, prepared, options.reasoning)

    async def completion(
        self, request: CompletionRequest, context: RequestContext, policy: Policy | None = None
    ) -> Prepared:
        """Return the plan of a completion, under a policy.

        Raises:
            GatewayError: The request cannot be served; names the field.
        """
        model_name = self._loaded.served.resolve(request.options.model)
        check_completion(request, self._limits, len(self._loaded.vocabulary))
        encode = partial(completion_prompts, self._loaded, request)
        prompts = await self._tokenizer_threads.read(encode, size_of(request), context.tenant)
        plan = await self._plan(request.options, None, None, context.tenant, policy)
        return await self._prepared(model_name, request.options, context, prompts, plan, "prompt")

    def _tool_plan(self, request: ChatRequest) -> ToolPlan | None:
        choice = request.tool_choice
        if request.tools is None or choice is None or choice.mode == "none":
            return None
        if self._loaded.tool_format is None:
            raise UnsupportedParameterError("this model's way to call tools is not known", param="tools")
        if request.max_calls == 0:
            if choice.mode != "auto":
                raise InvalidRequestError("a call is required, and none is allowed", param="max_tool_calls")
            return None
        if request.max_calls == 1:
            choice = replace(choice, parallel=False)
        return ToolPlan(
            tools=choice.callable_tools(request.tools),
            choice=choice,
            format=self._loaded.tool_format,
            max_calls=request.max_calls,
        )

    async def render(self, request: ChatRequest, tenant: str, images: Sequence[ImagePixels] = ()) -> Rendered:
        """Return the prompt of a chat.

        Raises:
            GatewayError: The chat cannot be rendered; names the field.
        """
        self._loaded.served.resolve(request.options.model)
        check_chat(request, self._limits, len(self._loaded.vocabulary))
        request, loaded = answers_at_once(citing(request)), self._loaded
        tool_plan = self._tool_plan(request)
        done = await render_async(self._tokenizer_threads, loaded, request, tool_plan, tenant, False, images)
        return replace(done, ids=(*done.ids, *await asyncio.to_thread(prefix_ids, loaded, request.options, {})))

    async def _prepared(
        self,
        model_name: str,
        options: Options,
        context: RequestContext,
        prompts: list[EncodedPrompt],
        plan: Plan,
        prompt_field: str,
    ) -> Prepared:
        num_answers = len(prompts) * options.num_beginnings
        check_capacity(num_answers, options, self._loaded.config.engine, bool(context.tenant))
        bad_words = options.sampling.bad_words
        words = await asyncio.to_thread(self._bad_words_ids, bad_words) if bad_words else ()
        if options.answer_prefix:
            plan = await asyncio.to_thread(with_prefix, self._loaded, plan, options)
        fitted = tuple(
            Prompt(
                ids=(*prompt.ids, *plan.prefix_ids),
                sampling=self._sampling(
                    options, plan, words, *longest_prompt(prompt, plan.prefix_ids, options, prompt_field)
                ),
                companions=tuple(each.after(plan.prefix_ids) for each in prompt.companions),
                formula=() if options.arithmetic is None else options.arithmetic.formula,
                echo=prompt.echo,
                echo_begin=prompt.echo_begin,
                echo_end=prompt.echo_end,
            )
            for prompt in prompts
        )
        return Prepared(
            model_name=model_name,
            prompts=fitted,
            n=options.n,
            candidates=options.num_candidates,
            beams=options.beams,
            reports_logprobs=options.logprobs is not None,
            continuous_usage=options.continuous_usage,
            plan=plan,
            context=context,
        )

    def _bad_words_ids(self, words: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
        """Return the tokens of the words, at the beginning of a text and after a space."""
        texts = dict.fromkeys(start + word for word in words for start in ("", " "))
        spelled = dict.fromkeys(self._loaded.encode(text, add_special_tokens=False) for text in texts)
        return tuple(tokens for tokens in spelled if tokens)

    async def _plan(
        self,
        options: Options,
        tool_plan: ToolPlan | None,
        reasoning: ReasoningPlan | None,
        tenant: str,
        policy: Policy | None,
    ) -> Plan:
        if reasoning is not None and tool_plan is not None:
            reasoning = replace(reasoning, calls=tool_plan.format.marks(tool_plan.tools))
        # A forced call leaves no text for a constraint.
        constraint = None if tool_plan is not None and tool_plan.is_forced else options.constraint
        if reasoning is not None and constraint is not None:
            reasoning = await self._unambiguous(reasoning, constraint, tenant)
        elif reasoning is not None and tool_plan is not None and tool_plan.is_forced:
            reasoning = replace(reasoning, gap="lines")
        thinks_freely = is_free(tool_plan, constraint, reasoning) and reasoning is not None
        compiled = await self._compile(tool_plan, constraint, reasoning, tenant, policy)
        if constraint is not None:
            constraint = await asyncio.to_thread(enforced, constraint)
        if isinstance(constraint, JsonConstraint | RegexConstraint):
            await self._compilations.check(constraint, tenant)
        recheck = None
        if isinstance(constraint, GrammarConstraint | SequenceConstraint | TagsConstraint):
            recheck = await self._recheck(constraint, compiled if reasoning is not None else None, tenant)
        of_text = "" if constraint is None else await asyncio.to_thread(digest, constraint)
        of_tools = "" if tool_plan is None else await asyncio.to_thread(digest, tool_plan.tools)
        seed, vocabulary = options.sampling.seed, self._loaded.vocabulary
        marks = (*(tool_plan.format.texts if tool_plan else ()), *(reasoning.spec.marks if reasoning else ()))
        plan = Plan(
            constraint=constraint,
            constraint_digest=of_text,
            tool_plan=tool_plan,
            tools_digest=of_tools,
            reasoning=reasoning,
            compiled=compiled,
            bound=reasoning.bound(vocabulary) if reasoning is not None and not thinks_freely else None,
            marks=self._loaded.marks_in(marks),
            recheck=recheck,
            inputs=await self._inputs(tool_plan, tenant) if tool_plan is not None else {},
            seed=None if seed is None else seed % MAX_SEED,
            report_fields=options.report_fields,
            confidence=options.confidence,
            num_top=options.logprobs,
            reasoning_end_ids=self._loaded.encode(reasoning.spec.end, False)
            if thinks_freely and reasoning is not None
            else (),
        )
        if not options.stop or (tool_plan is not None and tool_plan.is_forced):
            return plan
        under = None if constraint is None else await asyncio.to_thread(bytewise, await self._alone(constraint, tenant))
        return replace(plan, stops=StopAutomaton(options.stop), stops_under=under, include_stop=options.include_stop)

    async def _alone(self, constraint: Constraint, tenant: str) -> CompiledGrammar:
        """Return the constraint compiled alone, without calls and reasoning."""
        return await self._compilations.compile(partial(spec_of, constraint), constraint.origin, tenant)

    async def _unambiguous(self, reasoning: ReasoningPlan, constraint: Constraint, tenant: str) -> ReasoningPlan:
        """Return the plan with a gap and opening that leave one position where the constrained answer can begin."""
        if reasoning.spec.is_framed:
            return replace(reasoning, gap="none")
        if isinstance(constraint, JsonConstraint):
            return replace(reasoning, gap="lines")
        compiled = await self._alone(constraint, tenant)
        mark = reasoning.spec.begin.strip()
        opening = reasoning.opening
        is_text = opening == "undecided" and not self._loaded.marks_in((mark,))
        if is_text and any(_may_begin(compiled, lines + mark) for lines in reasoning.spec.lines_before):
            opening = "closed"  # the beginning of reasoning would be ambiguous
        return replace(reasoning, opening=opening, gap="none" if _may_begin(compiled, "\n") else "lines")

    async def _compile(
        self,
        tool_plan: ToolPlan | None,
        constraint: Constraint | None,
        reasoning: ReasoningPlan | None,
        tenant: str,
        policy: Policy | None,
    ) -> CompiledGrammar | None:
        markers = await self._common_beginnings(tool_plan, constraint, tenant)
        build = partial(whole_spec, tool_plan, constraint, reasoning, markers=markers)
        origins = ("tools" if tool_plan is not None else "", constraint.origin if constraint is not None else "")
        origin = " and ".join(filter(None, origins))
        if policy is not None and policy.output.forbidden:
            masked = await self._forbidden.compiled(policy, build, origin or "the answer", tenant)
            if masked is not None:
                return masked
        if is_free(tool_plan, constraint, reasoning):
            return None
        try:
            compiled = await self._compilations.compile(build, origin or "reasoning", tenant)
        except ConstraintError as error:
            if tool_plan is None:
                raise
            raise await self._cause(tool_plan, constraint, tenant, error) from error
        for tool, origin in tool_plan.placed if tool_plan is not None else ():
            await self._compilations.check(JsonConstraint(schema=tool.arguments_schema, origin=origin), tenant)
        return compiled

    async def _common_beginnings(
        self, tool_plan: ToolPlan | None, constraint: Constraint | None, tenant: str
    ) -> tuple[str, ...]:
        """Return the beginnings of calls that a text under the constraint could have; none for JSON: calls go first."""
        if tool_plan is None or constraint is None or isinstance(constraint, JsonConstraint):
            return ()
        beginnings = () if tool_plan.format.separates_answers else tool_plan.format.beginnings(tool_plan.tools)
        # A special token is not text.
        spelled = [each for each in beginnings if not self._loaded.marks_in((each,))]
        if not spelled:
            return ()
        compiled = await self._alone(constraint, tenant)
        return tuple(each for each in spelled if _may_begin(compiled, each))

    async def _recheck(self, constraint: Constraint, whole: CompiledGrammar | None, tenant: str) -> MatcherRecheck:
        """Return the second match of an answer, including its reasoning. The verifier reads the grammar now, so that it
        does not delay the answer's end."""
        if whole is None:
            whole = await self._alone(constraint, tenant)
        if isinstance(constraint, GrammarConstraint):
            await self._compilations.check(constraint, tenant)
        return MatcherRecheck(whole)

    async def _inputs(self, tool_plan: ToolPlan, tenant: str) -> dict[str, MatcherRecheck]:
        """Return the second matches of custom tools' inputs; patterns are built for the verifier."""
        found: dict[str, MatcherRecheck] = {}
        for name, constraint in inputs_of(tool_plan.tools):
            if isinstance(constraint, GrammarConstraint):
                found[name] = await self._recheck(constraint, None, tenant)
            else:
                await self._compilations.check(constraint, tenant)
        return found

    async def _cause(
        self, tool_plan: ToolPlan, constraint: Constraint | None, tenant: str, error: ConstraintError
    ) -> ConstraintError:
        """Return the error of the first part that does not compile alone, else that of the whole."""
        parts: list[tuple[Callable[[], Spec], str]] = [
            (partial(JsonSchema, tool.arguments_schema), origin) for tool, origin in tool_plan.placed
        ]
        inputs = inputs_of(tool_plan.tools)
        parts += [(partial(spec_of, each), each.origin) for _, each in inputs]
        if constraint is not None:
            parts.append((partial(spec_of, constraint), constraint.origin))
        for build, origin in parts:
            try:
                await self._compilations.compile(build, origin, tenant)
            except ConstraintError as cause:
                return cause
        return error

    def _sampling(
        self, options: Options, plan: Plan, words: tuple[tuple[int, ...], ...], num_prompt: int, prompt_field: str
    ) -> SamplingParams:
        room = self._loaded.served.max_context - num_prompt
        if num_prompt < 1:
            raise InvalidRequestError(f"{prompt_field} is empty", param=prompt_field)
        if room < 1:
            raise ContextLengthError(
                f"the prompt has {num_prompt} tokens; prompt and answer together may have "
                f"{self._loaded.served.max_context}",
                param=prompt_field,
            )
        max_tokens = answer_length(options, plan, room, prompt_field, self._limits)
        sampling = options.sampling
        if sampling.min_tokens > max_tokens:
            raise InvalidRequestError(
                f"min_tokens is {sampling.min_tokens}, but the answer may have only {max_tokens} tokens",
                param="min_tokens",
            )
        # Ranking the answers needs the log-probabilities of the sampled tokens.
        logprobs = 0 if options.logprobs is None and options.num_candidates > options.n else options.logprobs
        if options.confidence:
            logprobs = max(logprobs or 0, min(NUM_CANDIDATES, len(self._loaded.vocabulary)))
        drawn = with_defaults(sampling, self._loaded.sampling)
        params = SamplingParams(
            max_tokens=max_tokens,
            # Logits divided by a smaller temperature may overflow, and the likeliest token would be sampled anyway.
            temperature=drawn.temperature if drawn.temperature >= MIN_TEMPERATURE else 0.0,
            top_p=drawn.top_p,
            top_k=drawn.top_k,
            min_p=drawn.min_p,
            typical_p=sampling.typical_p,
            seed=plan.seed,
            repetition_penalty=drawn.repetition_penalty,
            presence_penalty=sampling.presence_penalty,
            frequency_penalty=sampling.frequency_penalty,
            no_repeat_ngram_size=sampling.no_repeat_ngram_size,
            logit_bias=sampling.logit_bias,
            allowed_token_ids=sampling.allowed_token_ids,
            bad_words_ids=words,
            min_tokens=sampling.min_tokens,
            # A constraint determines where its text ends.
            stop_token_ids=options.stop_token_ids if plan.compiled is None or plan.is_free else (),
            ignore_eos=sampling.ignore_eos,
            logprobs=logprobs,
            logprob_details=options.logprob_details,
            prompt_logprobs=options.prompt_logprobs,
            loops=loop_rule(sampling, self._limits),
            adaptation=adaptation_rule(options, self._loaded.config.engine),
            classifiers=() if options.arithmetic is None else options.arithmetic.classifiers,
        )
        try:
            params.validate(len(self._loaded.vocabulary))
        except InvalidSamplingError as error:
            name = "bad_words" if error.parameter == "bad_words_ids" else error.parameter
            raise InvalidRequestError(f"{name} {error.message}", param=name) from error
        return params


def _may_begin(compiled: CompiledGrammar, text: str) -> bool:
    return compiled.matcher().allowed_prefix(text.encode()) == len(text.encode())
