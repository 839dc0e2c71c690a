"""What was decided about a request before its first token. Nothing later decides again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gateway.core.answer import Finding
from gateway.core.constraints import Constraint, JsonConstraint
from gateway.core.request import ChatRequest
from gateway.engine import SamplingParams
from gateway.guards import Policy
from gateway.service.constraints.matcher_recheck import MatcherRecheck
from gateway.service.constraints.section_budget import BoundedMatcher, SectionBudget, bounded
from gateway.service.request.calls_or_text import EitherParser
from gateway.service.request.context import RequestContext
from gateway.service.request.reasoning_plan import ReasoningPlan
from gateway.text import StopAutomaton
from grammars import CompiledGrammar
from grammars.matcher import Matcher
from tools.choice import ToolChoice
from tools.formats.base import Format
from tools.formats.parser import Parser, PassThrough
from tools.tool import Tool
from tools.toolset import ToolSet


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPlan:
    """What may be called and how the model writes it.

    Attributes:
        tools: Those that may be called.
        choice: Whether one must be, which one, how many.
        format: The model's way to write calls.
        max_calls: Most calls in one answer, which ends before one more; None sets no bound.
    """

    tools: ToolSet
    choice: ToolChoice
    format: Format
    max_calls: int | None = None

    @property
    def is_forced(self) -> bool:
        """The answer is calls and nothing else."""
        return self.choice.mode in ("required", "named")

    @property
    def placed(self) -> list[tuple[Tool, str]]:
        """The tools that may be called, each with the place of its schema in the request."""
        return [(tool, f"{tool.place}.function.parameters") for tool in self.tools]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The shape of every answer to one request.

    Attributes:
        constraint: What the text must be where it is no call, its schema as it is enforced; None leaves it free.
        tool_plan: None when nothing may be called.
        reasoning: What may come before both; None for a model that does not reason.
        constraint_digest: Of what the text must be, see `verdicts.digest`; empty where nothing is asked for.
        tools_digest: Of the tools that may be called.
        compiled: The mask's source for all three; None when everything is free.
        bound: On the tokens of the reasoning; None leaves it what the rest does not need.
        marks: The special tokens that are markers of calls or reasoning, by id.
        recheck: Matches an answer under a grammar anew; None without one.
        inputs: The same for the inputs of custom tools that are under a grammar, by their names.
        stops: Stop strings; None without any, or where there are calls alone.
        stops_under: The constraint, bytewise, where there are stop strings as well: they end whole texts alone.
        include_stop: The stop string stays.
        seed: Of the first answer; also fixes the ids of calls.
        report_fields: Values inside JSON are told when they are complete.
        confidence: How sure the model was of its values is told.
        num_top: Candidates that are told of each token, where more are known; None: all.
        reasoning_end_ids: Tokens that end the thoughts before an answer that is free; none where it has none.
    """

    constraint: Constraint | None = None
    constraint_digest: str = ""
    tool_plan: ToolPlan | None = None
    tools_digest: str = ""
    reasoning: ReasoningPlan | None = None
    compiled: CompiledGrammar | None = None
    bound: SectionBudget | None = None
    marks: Mapping[int, str] = field(default_factory=dict)
    recheck: MatcherRecheck | None = None
    inputs: Mapping[str, MatcherRecheck] = field(default_factory=dict)
    stops: StopAutomaton | None = None
    stops_under: CompiledGrammar | None = None
    include_stop: bool = False
    seed: int | None = None
    report_fields: bool = False
    confidence: bool = False
    num_top: int | None = None
    reasoning_end_ids: tuple[int, ...] = ()

    @property
    def has_free_text(self) -> bool:
        """Text may end anywhere, so running out of tokens is an ordinary end of it."""
        return self.constraint is None and not (self.tool_plan is not None and self.tool_plan.is_forced)

    @property
    def is_free(self) -> bool:
        """The whole answer is free text, but for its reasoning."""
        return self.constraint is None and self.tool_plan is None

    @property
    def json_schema(self) -> dict[str, Any] | bool | None:
        """What its text is under, where that is JSON."""
        return self.constraint.schema if isinstance(self.constraint, JsonConstraint) else None

    @property
    def argument_schemas(self) -> dict[str, Any]:
        """Of the tools that may be called, by name."""
        return {} if self.tool_plan is None else {tool.name: tool.arguments_schema for tool in self.tool_plan.tools}

    @property
    def is_named_call(self) -> bool:
        """The client named the one tool to call."""
        return self.tool_plan is not None and self.tool_plan.choice.mode == "named"

    @property
    def is_read(self) -> bool:
        """Content has to be told from something else."""
        return self.tool_plan is not None or self.reasoning is not None

    def new_parser(self, choice: int) -> Parser | None:
        """A parser for answer number `choice`; None when its text is all content."""
        if not self.is_read:
            return None
        answer: Parser = PassThrough()
        if self.tool_plan is not None:
            spec, tools = self.tool_plan.format, self.tool_plan.tools
            ids = spec.ids(None if self.seed is None else derive_seed(self.seed, choice))
            answer = spec.parser(tools, self.tool_plan.choice, ids)
            if self.constraint is not None and not spec.tells_answers:
                answer = EitherParser(answer, spec.beginnings(tools))
        return answer if self.reasoning is None else self.reasoning.parser(answer)

    def new_constraint(self) -> Matcher | BoundedMatcher | None:
        """What decides about the tokens of one answer; None when everything is free."""
        if self.compiled is None:
            return None
        return self.compiled.matcher() if self.bound is None else bounded(self.compiled, self.bound).matcher()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """What the chat template made of a conversation.

    Attributes:
        ids: `text` as the model reads it.
        breaks: Places in the text that no token reaches across, for a marker there is text, see `spelled`.
    """

    text: str
    ids: tuple[int, ...]
    breaks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt, counted.

    Attributes:
        ids: What the model reads.
        sampling: With the answer's length fitted into what the context has left.
        echo: What stands before the answer.
        echo_begin: Place of the first of the tokens that `echo` stands for.
        echo_end: Place after the last of them.
    """

    ids: tuple[int, ...]
    sampling: SamplingParams
    echo: str = ""
    echo_begin: int = 0
    echo_end: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A request ready to run.

    Attributes:
        model_name: The name the client used.
        prompts: Each is answered `candidates` times; candidate `i` belongs to prompt `i // candidates`.
        n: Of the answers to a prompt, so many are told.
        continuous_usage: Whatever a stream tells comes with what was used so far.
        reports_logprobs: Log-probabilities are told, and not just there to find the likeliest answers.
        policy: What screens the answers.
        findings: What it found in the prompts, and tells.
        weights: How likely what counts as found in them was, by rules that say so.
        tells_verdict: What was checked is told with the usage.
        asked: The chat, where its policy may have answers written anew.
    """

    model_name: str
    prompts: tuple[Prompt, ...]
    n: int
    candidates: int
    reports_logprobs: bool = False
    continuous_usage: bool = False
    plan: Plan = field(default_factory=Plan)
    context: RequestContext = field(default_factory=RequestContext)
    policy: Policy | None = None
    findings: tuple[Finding, ...] = ()
    weights: Mapping[int, float] = field(default_factory=dict)
    tells_verdict: bool = False
    asked: ChatRequest | None = None

    @property
    def num_choices(self) -> int:
        """Answers that are told, in all."""
        return len(self.prompts) * self.n

    @property
    def num_candidates(self) -> int:
        """Answers that are written, in all."""
        return len(self.prompts) * self.candidates

    @property
    def echoes(self) -> list[str]:
        """What stands before each answer."""
        return [prompt.echo for prompt in self.prompts for _ in range(self.n)]


def derive_seed(seed: int, index: int) -> int:
    """The seed of answer `index` to a prompt: the request's own for the first, unrelated ones after it."""
    if index == 0:
        return seed
    # splitmix64's finaliser: neighbouring inputs give unrelated outputs.
    mixed = (seed + index * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return (mixed ^ (mixed >> 31)) >> 1


NUM_CANDIDATES = 20
"""Tokens that are looked at in each place for what else a value might have been."""
