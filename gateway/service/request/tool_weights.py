"""Which tool a request means: the one whose purpose makes the user's words likeliest, or none, where a question does.

A small model seldom says that it would call a tool, and is hardly right about which. How likely it finds the words of a
request, told what the tool does, tells both.

See: Min et al. 2022, "Noisy Channel Language Model Prompting for Few-Shot Text Classification".
"""

from __future__ import annotations

import asyncio
import math
import secrets
from dataclasses import replace

from gateway.core.request import ChatRequest, Options, ReasoningOptions
from gateway.engine import GenerationRequest, SamplingParams
from gateway.errors import EngineError
from gateway.service.model.loaded import LoadedModel
from gateway.service.request.context import RequestContext
from gateway.service.request.engine_requests import last_event, together
from gateway.service.request.plan import ToolPlan
from gateway.service.request.rendering import is_told_by, rendered_in_time
from gateway.service.request.tokenizing import TokenizerThreads
from gateway.service.request.tools_in_prompt import ask_for_call, text_of
from tools.tool import Tool

MAX_TOOLS = 32
"""Of more tools the model chooses by itself: each costs a short prompt."""

MAX_TOKENS = 128
"""So many tokens at the end of the user's words are weighed."""

MAX_DESCRIPTION = 400
"""So many characters of a description say what a tool does."""

_NONE = "Write a question."


class ToolWeights:
    """Weighs tools by the last words of the user."""

    def __init__(self, loaded: LoadedModel, tokenizer_threads: TokenizerThreads) -> None:
        self._loaded = loaded
        self._tokenizer_threads = tokenizer_threads
        self._places = asyncio.Semaphore(loaded.config.engine.least_num_seqs)

    async def chosen(
        self, request: ChatRequest, plan: ToolPlan, context: RequestContext
    ) -> tuple[ChatRequest, ToolPlan | None]:
        """The request, and the plan of one call, of the tool that is meant; without tools where none is meant.

        Both as they are where the client named the tool, where the user did not speak last, and of too many tools.

        Raises:
            GatewayError: The engine failed.
        """
        said = self._loaded.encode(_last_words(request), add_special_tokens=False)[-MAX_TOKENS:]
        is_open = plan.choice.mode == "auto" or (plan.choice.mode == "required" and len(plan.tools) > 1)
        if not (said and is_open and len(plan.tools) <= MAX_TOOLS):
            return request, plan
        tools = list(plan.tools)
        purposes = [*map(_purpose, tools), *([_NONE] if plan.choice.mode == "auto" else [])]
        logprobs = await together([self._logprob(purpose, said, context) for purpose in purposes])
        best = max(range(len(purposes)), key=logprobs.__getitem__)
        if best == len(tools):
            return replace(request, tools=None), None
        name = tools[best].name
        choice = replace(plan.choice, mode="required", parallel=False, allowed=(name,))
        plan = replace(plan, tools=plan.tools.only((name,)), choice=choice)
        template = self._loaded.template_for(True)
        if template is not None and not is_told_by(plan.format, template):
            return replace(
                request, messages=tuple(ask_for_call(request.messages, tools[best], plan.format)), tools=None
            ), plan
        return replace(request, tools=plan.tools), plan

    async def _logprob(self, purpose: str, said: tuple[int, ...], context: RequestContext) -> float:
        """The log-probability of these words, and of nothing more, as what is written for a purpose."""
        asked = ChatRequest(
            messages=({"role": "user", "content": purpose},), options=Options(reasoning=ReasoningOptions(enabled=False))
        )
        head = await rendered_in_time(
            self._tokenizer_threads, self._loaded, asked, None, context.tenant, must_fit=False
        )
        end = self._loaded.engine.eos_token_ids[:1]
        asking = GenerationRequest(
            request_id=f"weighing-{secrets.token_hex(8)}",
            prompt_ids=[*head.ids, *said, *end],
            sampling=SamplingParams(max_tokens=1, temperature=0.0, ignore_eos=True, prompt_logprobs=0),
            priority=context.priority,
            tenant=context.tenant,
            deadline=context.deadline,
            cache_salt=context.cache_salt,
        )
        async with self._places:
            event = await last_event(self._loaded.engine, asking)
        if event.prompt_logprobs is None:
            raise EngineError("the engine told nothing of a prompt")
        return math.fsum(token.logprob for token in event.prompt_logprobs[-len(said) - len(end) :])


def _purpose(tool: Tool) -> str:
    described = f": {tool.description[:MAX_DESCRIPTION]}" if tool.description else "."
    return f"Write a request that the tool {tool.name} serves{described}"


def _last_words(request: ChatRequest) -> str:
    """The text of the last message, if it is the user's."""
    if not request.messages or request.messages[-1].get("role") != "user":
        return ""
    return text_of(request.messages[-1])
