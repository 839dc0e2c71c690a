"""What is decided about a model's reasoning for one request, and how it joins the answer's constraint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gateway.core.ignored_fields import ignore_field
from gateway.core.request import ReasoningOptions
from gateway.service.constraints.section_budget import SectionBudget
from grammars import Vocabulary
from grammars.frontends.base import Constraint
from grammars.frontends.combined import Concat
from grammars.frontends.structural_tag import units
from tools.formats.constraint import shortest
from tools.formats.parser import Parser
from tools.reasoning import EFFORTS, EMPTY, Gap, Opening, Reasoning, any_text, nearest_effort

_SWITCHES = ("enable_thinking", "thinking", "reasoning")
"""Variables by which chat templates let a model think or not."""

_EFFORTS = ("reasoning_effort", "thinking_effort", "reasoning_strength")
"""Variables by which chat templates tell a model how hard to think."""

_BUDGETS = ("thinking_budget",)
"""Variables by which chat templates tell a model how long it may think."""


_WORDS = tuple(word for word in EFFORTS if word != "none")
_NO_WORDS = ("no_think", "none")
"""Words for how hard to think that mean not at all."""


def template_variables(
    options: ReasoningOptions,
    known: frozenset[str],
    given: Mapping[str, Any],
    spec: Reasoning | None = None,
    words: Callable[[str, tuple[str, ...]], tuple[str, ...]] | None = None,
) -> dict[str, Any]:
    """The variables of a chat template: what the client set itself, and its wishes where the template knows them.

    Words for how hard to think are those of the template; where there is no switch, one of them stands for thinking.

    Args:
        known: Variables that the template reads.
        words: Those of some words that the template knows as what a variable says; None where that is not known.
    """
    wished: dict[str, Any] = {}
    enabled = is_enabled(options)
    if enabled is not None:
        wished |= dict.fromkeys(_SWITCHES, enabled)
    has_switch = not known.isdisjoint(_SWITCHES)
    effort = None if options.effort == "none" else options.effort
    for name in known.intersection(_EFFORTS) if enabled is not None or effort is not None else ():
        own = spec.efforts if spec is not None else ()
        told = own or (() if words is None else words(name, _WORDS))
        # Without a switch one of the words is it, where the template tells them apart.
        is_switch = words is not None and not own and not has_switch and 0 < len(told) < len(_WORDS)
        if enabled is not False and (effort or is_switch):
            wished[name] = nearest_effort(effort or "high", told)
        elif enabled is False and is_switch and words is not None and (none := words(name, _NO_WORDS)):
            wished[name] = none[0]
    if options.budget is not None:
        wished |= dict.fromkeys(_BUDGETS, options.budget)
    elif enabled is False and not has_switch:
        wished |= dict.fromkeys(_BUDGETS, 0)
    return {name: value for name, value in wished.items() if name in known} | dict(given)


def is_enabled(options: ReasoningOptions) -> bool | None:
    """Whether the client wants the model to reason; None where it does not say."""
    return False if options.enabled is None and options.effort == "none" else options.enabled


def leave_out_thoughts(options: ReasoningOptions, can_think: bool) -> None:
    """Leave out what is asked of a model that does not think.

    Raises:
        UnsupportedParameterError: The server refuses such requests.
    """
    if not can_think and (options.enabled or (is_enabled(options) is None and options.effort is not None)):
        ignore_field(options.origin, f"{options.origin}: this model does not think")


UNBOUNDED = 1 << 40
"""More tokens than any answer has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningPlan:
    """How the reasoning before an answer is marked, bounded and told.

    Attributes:
        opening: Whether the prompt began it; "closed" where there shall be none.
        gap: What may stand behind it and belongs to no answer.
        budget: Most tokens of it; None sets no bound beyond that of the whole answer.
        include: It is told.
        calls: Markers with which calls begin, where there may be any.
        has_begun: The prompt began the answer.
    """

    spec: Reasoning
    opening: Opening
    gap: Gap = "any"
    budget: int | None = None
    include: bool = True
    calls: tuple[str, ...] = ()
    has_begun: bool = False

    @classmethod
    def of(cls, spec: Reasoning, prompt: str, options: ReasoningOptions) -> ReasoningPlan:
        """The plan for a prompt that the chat template has rendered."""
        spec = spec.begun_by(prompt)
        opening, budget = spec.opening(prompt), options.budget
        if is_enabled(options) is False and opening != "closed":
            budget = 0  # its template has no switch, or ignores it
        if budget == 0 and opening == "undecided":
            opening = "closed"
        has_begun = spec.has_begun(prompt)
        return cls(spec=spec, opening=opening, budget=budget, include=options.include, has_begun=has_begun)

    @property
    def without(self) -> tuple[str, ...]:
        """What free text does not contain, so that it can be told where it begins and ends."""
        ends = "".join(self.spec.answer.end).strip()
        return shortest((self.spec.begin.strip(), ends, self.spec.tail, *self.spec.excluded))

    def free_text(self, without: Sequence[str] = ()) -> Constraint:
        """The constraint on an answer that is free but for its reasoning, and contains none of some texts."""
        return self.wrapped(any_text(shortest((*self.without, *without))))

    def wrapped(self, answer: Constraint) -> Constraint:
        """The constraint on an answer with what it stands between, as far as the prompt does not hold it."""
        return self.spec.wrapped(answer, self.has_begun)

    def before_calls(self, rest: Constraint, answer: Constraint = EMPTY) -> Constraint:
        """The constraint on calls with what a family writes before them: an answer, maybe an empty one."""
        return Concat((self.wrapped(answer), rest)) if self.spec.calls_follow else rest

    def constraint(self, rest: Constraint) -> Constraint:
        """The constraint on reasoning and what follows it, which is under `rest`."""
        rest = self.spec.with_tail(rest)
        if self.opening == "closed":
            return rest
        return self.spec.constraint(rest, self.opening, self.gap, self.calls)

    def parser(self, rest: Parser) -> Parser:
        """A parser that tells the reasoning from what `rest` reads."""
        if self.opening == "closed" and self.gap != "any" and not self.spec.is_framed:
            return rest  # the constraint leaves no room for any
        return self.spec.reader(rest, self.opening, self.gap, self.calls, self.has_begun)

    def bound(self, vocabulary: Vocabulary) -> SectionBudget | None:
        """Where it is, and the bound on its tokens; None where there is none."""
        if self.opening == "closed":
            return None
        budget = UNBOUNDED if self.budget is None else self.budget
        special = vocabulary.special_tokens
        begin = b"" if self.opening == "open" else b"".join(units(self.spec.begin, special))
        return SectionBudget(begin, b"".join(units(self.spec.end, special)), budget)
