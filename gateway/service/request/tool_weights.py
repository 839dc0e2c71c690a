"""Choice of a tool for small models: the one whose description makes the user's text likeliest, or none.

A small model rarely generates a call on its own, and often chooses the wrong tool. The likelihood of the user's text,
given each tool's description as the prompt, is a better choice. A general prompt for a question competes as no tool.

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
from gateway.service.request.rendering import render_async, shows_tools
from gateway.service.request.tokenizing import TokenizerThreads
from gateway.service.request.tools_in_prompt import ask_for_call, text_of
from tools.tool import Tool

MAX_TOOLS = 32
"""Most tools that are weighed, each for the cost of a short prompt; among more the model chooses."""

MAX_TOKENS = 128
"""Tokens at the end of the user's text that are scored."""

MAX_DESCRIPTION = 400
"""Most characters of a tool's description that are used."""

_NONE = "Write a question."


class ToolWeights:
    """Chooses tools by the likelihood of the user's last message."""

    def __init__(self, loaded: LoadedModel, tokenizer_threads: TokenizerThreads) -> None:
        self._loaded = loaded
        self._tokenizer_threads = tokenizer_threads
        self._places = asyncio.Semaphore(loaded.config.engine.least_num_seqs)

    async def chosen(
        self, request: ChatRequest, plan: ToolPlan, context: RequestContext
    ) -> tuple[ChatRequest, ToolPlan | None]:
        """Return the request, and the plan of one call of the chosen tool; without tools if none is chosen.

        Both are unchanged if the client named the tool, the last message is not the user's, or the tools are too many.

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
        if template is not None and not shows_tools(plan.format, template):
            return replace(
                request, messages=tuple(ask_for_call(request.messages, tools[best], plan.format)), tools=None
            ), plan
        return replace(request, tools=plan.tools), plan

    async def _logprob(self, purpose: str, said: tuple[int, ...], context: RequestContext) -> float:
        """Return the log-probability of a text, with its end, as the answer to a purpose."""
        asked = ChatRequest(
            messages=({"role": "user", "content": purpose},), options=Options(reasoning=ReasoningOptions(enabled=False))
        )
        head = await render_async(self._tokenizer_threads, self._loaded, asked, None, context.tenant, must_fit=False)
        end = self._loaded.engine.eos_token_ids[:1]
        asking = GenerationRequest(
            request_id=f"weighing-{secrets.token_hex(8)}",
            prompt_ids=[*head.ids, *said, *end],
            sampling=SamplingParams(max_tokens=1, temperature=0.0, ignore_eos=True, prompt_logprobs=0),
            priority=context.priority,
            tenant=context.tenant,
            deadline=context.deadline,
            cache_salt=context.cache_salt,
            adapter=context.adapter,
        )
        async with self._places:
            event = await last_event(self._loaded.engine, asking)
        if event.prompt_logprobs is None:
            raise EngineError("the engine returned no prompt log-probabilities")
        return math.fsum(token.logprob for token in event.prompt_logprobs[-len(said) - len(end) :])


def _purpose(tool: Tool) -> str:
    described = f": {tool.description[:MAX_DESCRIPTION]}" if tool.description else "."
    return f"Write a request that the tool {tool.name} serves{described}"


def _last_words(request: ChatRequest) -> str:
    """Return the text of the last message, if it is the user's."""
    if not request.messages or request.messages[-1].get("role") != "user":
        return ""
    return text_of(request.messages[-1])
