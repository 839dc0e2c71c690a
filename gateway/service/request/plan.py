"""Plan of a request: all decisions before its first token, which later stages only read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gateway.core.answer import Delta, Finding
from gateway.core.arithmetic import Formula
from gateway.core.constraints import Constraint, JsonConstraint
from gateway.core.request import BeamOptions, ChatRequest
from gateway.engine import SamplingParams
from gateway.engine.companions import Companion
from gateway.guards import Policy
from gateway.service.constraints.matcher_recheck import MatcherRecheck
from gateway.service.constraints.section_budget import BoundedMatcher, SectionBudget, bounded
from gateway.service.request.context import RequestContext
from gateway.service.request.reasoning_plan import ReasoningPlan
from gateway.text import StopAutomaton
from grammars import CompiledGrammar
from grammars.matcher import Matcher
from tools.choice import ToolChoice
from tools.formats.base import Format
from tools.formats.parser import EitherParser, Parser, PassThrough
from tools.tool import Tool
from tools.toolset import ToolSet

NUM_CANDIDATES = 20
"""Candidates considered at each position for alternatives to a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPlan:
    """Tools that may be called, and the format of calls.

    Attributes:
        tools: Tools that may be called.
        choice: The client's choice: required or not, which tool, several or one.
        format: Format in which the model writes calls.
        max_calls: Most calls in one answer, which ends before one more; None sets no bound.
    """

    tools: ToolSet
    choice: ToolChoice
    format: Format
    max_calls: int | None = None

    @property
    def is_forced(self) -> bool:
        """True if the answer is only calls."""
        return self.choice.mode in ("required", "named")

    @property
    def placed(self) -> list[tuple[Tool, str]]:
        """The tools, each with the place of its schema in the request."""
        return [(tool, f"{tool.place}.function.parameters") for tool in self.tools]


@dataclass(frozen=True, slots=True)
class AnswerPrefix:
    """Text that every answer begins with.

    Attributes:
        ids: Its tokens, the last ones of each prompt.
        min_tokens: Tokens that surely suffice to complete the answer after it.
        is_returned: Answers are returned with it.
    """

    text: str
    ids: tuple[int, ...]
    min_tokens: int
    is_returned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Format of every answer to one request.

    Attributes:
        constraint: Constraint on text that is not a call, with its schema as enforced; None leaves it free.
        constraint_digest: Digest of the constraint, see `specs.digest`; empty without one.
        tool_plan: None when no tool may be called.
        tools_digest: Digest of the tools that may be called.
        reasoning: Reasoning before text and calls; None for a model that does not reason.
        compiled: Compiled grammar of reasoning, calls and text; None when all are free.
        bound: Bound on the tokens of the reasoning; None: the answer's budget, less what the rest needs.
        marks: Special tokens that are markers of calls or reasoning, by id.
        recheck: Second match of an answer under a grammar; None without one.
        inputs: Second matches of custom tools' inputs under a grammar, by the tools' names.
        stops: Stop strings; None without any, or if the answer is only calls.
        stops_under: The constraint, bytewise, if there are stop strings too: they end only complete texts.
        include_stop: The stop string is part of the answer.
        seed: Seed of the first answer and of the ids of calls.
        report_fields: Values inside JSON are reported when complete.
        confidence: The model's confidence in its values is reported.
        num_top: Most candidates reported for each token; None: all that are known.
        reasoning_end_ids: Tokens that end the reasoning before a free answer; empty without reasoning.
        prefix: Text that answers begin with; None without one.
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
    prefix: AnswerPrefix | None = None

    @property
    def prefix_ids(self) -> tuple[int, ...]:
        """Tokens that answers begin with, the last ones of each prompt."""
        return () if self.prefix is None else self.prefix.ids

    @property
    def min_tokens(self) -> int:
        """Tokens of the shortest complete answer, its prefix not counted."""
        if self.prefix is not None:
            return self.prefix.min_tokens
        return 0 if self.compiled is None else self.compiled.min_tokens

    @property
    def has_free_text(self) -> bool:
        """True if the answer may have free text, which may be cut at `max_tokens`."""
        return self.constraint is None and not (self.tool_plan is not None and self.tool_plan.is_forced)

    @property
    def is_free(self) -> bool:
        """True if the answer, apart from reasoning, is free text."""
        return self.constraint is None and self.tool_plan is None

    @property
    def json_schema(self) -> dict[str, Any] | bool | None:
        """The schema of the answer's text; None if it is not constrained to JSON."""
        return self.constraint.schema if isinstance(self.constraint, JsonConstraint) else None

    @property
    def argument_schemas(self) -> dict[str, Any]:
        """Schemas of the arguments of the tools that may be called, by name."""
        return {} if self.tool_plan is None else {tool.name: tool.arguments_schema for tool in self.tool_plan.tools}

    @property
    def is_named_call(self) -> bool:
        """True if the client named the tool to call."""
        return self.tool_plan is not None and self.tool_plan.choice.mode == "named"

    @property
    def is_read(self) -> bool:
        """True if the text must be parsed, to separate content from calls or reasoning."""
        return self.tool_plan is not None or self.reasoning is not None

    def new_parser(self, choice: int) -> Parser | None:
        """Return a parser for answer number `choice`; None when all its text is content."""
        if not self.is_read:
            return None
        answer: Parser = PassThrough()
        if self.tool_plan is not None:
            spec, tools = self.tool_plan.format, self.tool_plan.tools
            ids = spec.ids(None if self.seed is None else derive_seed(self.seed, choice))
            answer = spec.parser(tools, self.tool_plan.choice, ids)
            if self.constraint is not None and not spec.separates_answers:
                answer = EitherParser(answer, spec.beginnings(tools))
        return answer if self.reasoning is None else self.reasoning.parser(answer)

    def new_constraint(self) -> Matcher | BoundedMatcher | None:
        """Return a matcher for one answer; None when it is free."""
        if self.compiled is None:
            return None
        return self.compiled.matcher() if self.bound is None else bounded(self.compiled, self.bound).matcher()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """Prompt rendered by the chat template.

    Attributes:
        ids: Token ids of `text`.
        breaks: Positions in the text that no token crosses; see `special_token_text`.
    """

    text: str
    ids: tuple[int, ...]
    breaks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Prompt with its sampling parameters.

    Attributes:
        ids: Token ids.
        sampling: Parameters, with the answer's length limited by the context.
        echo: Text before the answer.
        echo_begin: Position of the first token of `echo`.
        echo_end: Position after its last token.
        companions: Prompts whose scores are combined with its own, by `formula`.
    """

    ids: tuple[int, ...]
    sampling: SamplingParams
    echo: str = ""
    echo_begin: int = 0
    echo_end: int = 0
    companions: tuple[Companion, ...] = ()
    formula: Formula = ()

    @property
    def num_companion_tokens(self) -> int:
        """Tokens of its companions."""
        return sum(len(each.prompt_ids) for each in self.companions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Request that is ready to run.

    Attributes:
        model_name: The name that the client used.
        prompts: Each is answered `candidates` times; candidate `i` belongs to prompt `i // candidates`.
        n: Number of answers to a prompt that are returned.
        candidates: Number of answers to a prompt that are generated.
        beams: Options of the beam search; None: answers are sampled.
        reports_logprobs: Log-probabilities are returned, not only used to rank answers.
        reports_token_ids: Tokens of prompts and answers are returned.
        continuous_usage: Each event of a stream has the usage so far.
        policy: Policy that screens the answers.
        findings: Findings of the policy in the prompts, for the client.
        weights: Probabilities of findings in the prompts, for rules that report them.
        tells_verdict: The verdict is returned with the usage.
        asked: The chat, if its policy may retry answers.
        cache_key: Key of the response in the cache; None where it is not to be stored.
        stored: Deltas of the response, from the cache; None: to be generated.
    """

    model_name: str
    prompts: tuple[Prompt, ...]
    n: int
    candidates: int
    beams: BeamOptions | None = None
    reports_logprobs: bool = False
    reports_token_ids: bool = False
    continuous_usage: bool = False
    plan: Plan = field(default_factory=Plan)
    context: RequestContext = field(default_factory=RequestContext)
    policy: Policy | None = None
    findings: tuple[Finding, ...] = ()
    weights: Mapping[int, float] = field(default_factory=dict)
    tells_verdict: bool = False
    asked: ChatRequest | None = None
    cache_key: bytes | None = None
    stored: Sequence[Sequence[Delta]] | None = None

    @property
    def num_choices(self) -> int:
        """Number of answers that are returned, for all prompts."""
        return len(self.prompts) * self.n

    @property
    def num_candidates(self) -> int:
        """Number of answers that are generated, for all prompts."""
        return len(self.prompts) * self.candidates

    @property
    def echoes(self) -> list[str]:
        """Text before each returned answer."""
        return [prompt.echo for prompt in self.prompts for _ in range(self.n)]


def derive_seed(seed: int, index: int) -> int:
    """Return the seed of answer `index` to a prompt: the request's for the first, unrelated ones for the others."""
    if index == 0:
        return seed
    # splitmix64's finaliser: neighbouring inputs give unrelated outputs.
    mixed = (seed + index * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return (mixed ^ (mixed >> 31)) >> 1
