"""Decisions: the probability of each label of a question under the model's distribution.

Nothing is sampled, so the result is deterministic and temperature has no effect. A question costs one engine request
per node of its label tree: one, if all labels are single tokens. The requests of a question share their prompt, and
questions about the same text share its beginning: the first runs alone and fills the prefix cache for the others.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import replace

from gateway.core.decisions import DecisionRequest, LabelQuestion, LabelWeights
from gateway.core.request import ChatRequest, ReasoningOptions
from gateway.engine import GenerationRequest, SamplingParams, TokenEvent
from gateway.errors import ContextLengthError, InvalidRequestError
from gateway.service.decisions.label_tree import LabelTree, Tokens
from gateway.service.model.loaded import LoadedModel
from gateway.service.request.context import RequestContext
from gateway.service.request.engine_requests import last_event, together
from gateway.service.request.limits import check_options
from gateway.service.request.preparation import Preparer
from gateway.service.request.tokenizing import TokenizerThreads
from tools.reasoning import Reasoning

MAX_QUESTIONS = 400
MAX_LABELS = 255
MAX_PASSES = 8_192
"""Positions whose probabilities one request may ask for: one a question where labels are single tokens."""


class DecisionScorer:
    """Scorer of labels."""

    def __init__(self, loaded: LoadedModel, preparer: Preparer, tokenizer_threads: TokenizerThreads) -> None:
        self._loaded = loaded
        self._limits = loaded.config.limits
        self._preparer = preparer
        self._tokenizer_threads = tokenizer_threads

    async def decide(self, request: DecisionRequest, context: RequestContext) -> list[LabelWeights]:
        """Return the weights of each question's labels.

        Raises:
            GatewayError: The request cannot be served, or the engine failed.
        """
        self._check(request)
        return await self.weigh(request, context, MAX_PASSES)

    async def weigh(
        self, request: DecisionRequest, context: RequestContext, max_passes: int | None = None
    ) -> list[LabelWeights]:
        """Return the weights of each question's labels, without checking the request's limits.

        Raises:
            GatewayError: It cannot be served, or the engine failed.
        """
        # Render the first alone: it may be refused. Short ones are rendered on the event loop, others run in between.
        prompts: list[Tokens] = []
        for question in request.questions:
            prompts.append(await self._prompt(question, request, context.tenant))
            await asyncio.sleep(0)
        trees = await asyncio.to_thread(self.trees, request.questions)
        if max_passes is not None:
            _check_passes(trees, max_passes)
        for question, prompt, tree in zip(request.questions, prompts, trees, strict=True):
            self._check_size(question, _num_needed(prompt, tree))
        asking = _Asking(self._loaded, context)
        first = await asking.weigh(prompts[0], trees[0])
        rest = await together([asking.weigh(prompt, tree) for prompt, tree in zip(prompts[1:], trees[1:], strict=True)])
        return [first, *rest]

    def _check(self, request: DecisionRequest) -> None:
        self._loaded.served.resolve(request.options.model)
        check_options(request.options, self._limits, len(self._loaded.vocabulary))
        if not 1 <= len(request.questions) <= MAX_QUESTIONS:
            raise InvalidRequestError(
                f"questions has {len(request.questions)} entries; 1 to {MAX_QUESTIONS} are served", param="questions"
            )
        for question in request.questions:
            if len(question.labels) > MAX_LABELS:
                raise InvalidRequestError(
                    f"{question.origin} has {len(question.labels)} answers to choose from; at most "
                    f"{MAX_LABELS} are served",
                    param=question.origin,
                )

    async def _prompt(self, question: LabelQuestion, request: DecisionRequest, tenant: str) -> Tokens:
        if self._loaded.template is None:
            text = f"{question.text}\n\nAnswer:"
            return await self._read(text, tenant, add_special_tokens=True)
        chat = ChatRequest(
            messages=({"role": "user", "content": question.text},),
            template_kwargs=request.template_kwargs,
            # Labels are scored where an answer begins.
            options=replace(request.options, reasoning=ReasoningOptions(enabled=False)),
        )
        rendered = await self._preparer.render(chat, tenant)
        head = "" if self._loaded.reasoning is None else answer_head(self._loaded.reasoning, rendered.text)
        if not head:
            return rendered.ids
        return await self._read(rendered.text + head, tenant, add_special_tokens=False, breaks=rendered.breaks)

    async def _read(self, text: str, tenant: str, *, add_special_tokens: bool, breaks: tuple[int, ...] = ()) -> Tokens:
        return await self._tokenizer_threads.read(
            lambda: self._loaded.encode(text, add_special_tokens, breaks), len(text), tenant
        )

    async def num_tokens(self, question: LabelQuestion, context: RequestContext) -> int:
        """Return the tokens of context that a question needs."""
        (tree,) = self.trees((question,))
        return _num_needed(await self._prompt(question, DecisionRequest(questions=(question,)), context.tenant), tree)

    def trees(self, questions: Sequence[LabelQuestion]) -> list[LabelTree]:
        """Return the label tree of each question.

        Raises:
            InvalidRequestError: Two of a question's labels have the same tokens.
        """
        ends = self._loaded.engine.eos_token_ids
        # After a prompt without a template an answer begins with a space.
        lead = "" if self._loaded.template is not None else " "
        trees: dict[tuple[str, ...], LabelTree] = {}
        for question in questions:
            if question.labels not in trees:
                spelled = [self._loaded.encode(lead + label, add_special_tokens=False) for label in question.labels]
                if len(set(spelled)) < len(spelled) or not all(spelled):
                    raise InvalidRequestError(
                        f"{question.origin}: two answers are the same to this model", param=question.origin
                    )
                trees[question.labels] = LabelTree(spelled, ends)
        return [trees[question.labels] for question in questions]

    def _check_size(self, question: LabelQuestion, needed: int) -> None:
        if needed > self._loaded.served.max_context:
            raise ContextLengthError(
                f"{question.origin} takes {needed} tokens with what it is about; the context has "
                f"{self._loaded.served.max_context}",
                param=question.origin,
            )


def _num_needed(prompt: Tokens, tree: LabelTree) -> int:
    return len(prompt) + max(map(len, tree.children)) + 1


def _check_passes(trees: Sequence[LabelTree], most: int) -> None:
    total = sum(len(tree.children) for tree in trees)
    if total > most:
        raise InvalidRequestError(
            f"the questions take {total} passes of the model; at most {most} are served", param="questions"
        )


def answer_head(reasoning: Reasoning, prompt: str) -> str:
    """Return the text between the prompt and an answer: the end of reasoning that it began, the answer's marker."""
    mark = "".join(reasoning.answer.begin)
    if reasoning.opening(prompt) == "open":
        return reasoning.end + (reasoning.bridge + mark or "\n\n")
    return "" if prompt.rstrip().endswith(mark.rstrip()) else mark


class _Asking:
    """Questions of one request in the engine, as many at a time as it computes together."""

    def __init__(self, loaded: LoadedModel, context: RequestContext) -> None:
        self._engine = loaded.engine
        self._context = context
        self._name = secrets.token_hex(8)
        self._count = 0
        self._places = asyncio.Semaphore(loaded.config.engine.least_num_seqs)

    async def weigh(self, prompt: Tokens, tree: LabelTree) -> LabelWeights:
        """Return the weights of one question's labels. The root runs first and fills the prefix cache."""
        (root, tokens), *others = tree.children.items()
        first = await self._ask(prompt + root, tokens)
        events = await together([self._ask(prompt + written, following) for written, following in others])
        told = {written: _asked(event) for (written, _), event in zip(others, events, strict=True)}
        return LabelWeights(
            logprobs=tree.logprobs({root: _asked(first), **told}),
            is_best=first.token_ids[0] in tokens,
            num_places=len(tree.children),
            num_prompt_tokens=len(prompt),
            num_cached_tokens=min(first.num_cached_tokens, len(prompt)),
        )

    async def _ask(self, prompt: Tokens, tokens: Tokens) -> TokenEvent:
        """Return the event with the log-probabilities of these tokens after the prompt."""
        self._count += 1
        request = GenerationRequest(
            request_id=f"{self._name}-{self._count}",
            prompt_ids=list(prompt),
            sampling=SamplingParams(
                max_tokens=1, temperature=0.0, ignore_eos=True, logprobs=0, logprob_token_ids=tokens
            ),
            priority=self._context.priority,
            tenant=self._context.tenant,
            deadline=self._context.deadline,
            cache_salt=self._context.cache_salt,
            adapter=self._context.adapter,
        )
        async with self._places:
            return await last_event(self._engine, request)


def _asked(event: TokenEvent) -> tuple[float, ...]:
    assert event.logprobs, "one token is written, and it is told of"
    return event.logprobs[0].asked
