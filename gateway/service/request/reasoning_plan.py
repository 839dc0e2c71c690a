"""Plan of a model's reasoning for one request, and its part of the answer's constraint."""

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
"""Variables of chat templates that turn reasoning on and off."""

_EFFORTS = ("reasoning_effort", "thinking_effort", "reasoning_strength")
"""Variables of chat templates for the reasoning effort."""

_BUDGETS = ("thinking_budget",)
"""Variables of chat templates for the reasoning budget, in tokens."""

_WORDS = tuple(word for word in EFFORTS if word != "none")
_NO_WORDS = ("no_think", "none")
"""Values of an effort that turn reasoning off."""


def template_variables(
    options: ReasoningOptions,
    known: frozenset[str],
    given: Mapping[str, Any],
    spec: Reasoning | None = None,
    words: Callable[[str, tuple[str, ...]], tuple[str, ...]] | None = None,
) -> dict[str, Any]:
    """Return the variables of a chat template: the client's own, and those of its reasoning options that are known.

    An effort is mapped to the template's values; without a switch, an effort turns reasoning on.

    Args:
        known: Variables that the template reads.
        given: Variables that the client set; they have precedence.
        spec: Format of the reasoning, which may list efforts.
        words: Returns those of some words that the template compares a variable with; None if that is unknown.
    """
    wished: dict[str, Any] = {}
    enabled = is_enabled(options)
    if enabled is not None:
        wished |= dict.fromkeys(_SWITCHES, enabled)
    has_switch = not known.isdisjoint(_SWITCHES)
    effort = None if options.effort == "none" else options.effort
    for name in known.intersection(_EFFORTS) if enabled is not None or effort is not None else ():
        own = spec.efforts if spec is not None else ()
        efforts = own or (() if words is None else words(name, _WORDS))
        # Without a switch, the effort is one if the template distinguishes its values.
        is_switch = words is not None and not own and not has_switch and 0 < len(efforts) < len(_WORDS)
        if enabled is not False and (effort or is_switch):
            wished[name] = nearest_effort(effort or "high", efforts)
        elif enabled is False and is_switch and words is not None and (none := words(name, _NO_WORDS)):
            wished[name] = none[0]
    if options.budget is not None:
        wished |= dict.fromkeys(_BUDGETS, options.budget)
    elif enabled is False and not has_switch:
        wished |= dict.fromkeys(_BUDGETS, 0)
    return {name: value for name, value in wished.items() if name in known} | dict(given)


def is_enabled(options: ReasoningOptions) -> bool | None:
    """Return whether the client turns reasoning on or off; None where it does neither."""
    return False if options.enabled is None and options.effort == "none" else options.enabled


def check_reasoning(options: ReasoningOptions, can_think: bool) -> None:
    """Ignore, with a note, reasoning options for a model that does not reason.

    Raises:
        UnsupportedParameterError: The server refuses ignored fields.
    """
    if not can_think and (options.enabled or (is_enabled(options) is None and options.effort is not None)):
        ignore_field(options.origin, f"{options.origin}: this model does not think")


UNBOUNDED = 1 << 40
"""More tokens than any answer has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningPlan:
    """Markers, bound and visibility of the reasoning before an answer.

    Attributes:
        spec: Format of the reasoning.
        opening: "open" if the prompt began it, "closed" if there is none, else "undecided".
        gap: Text between reasoning and answer that belongs to neither.
        budget: Most tokens of reasoning; None: bounded only by the whole answer's budget.
        include: The reasoning is returned.
        calls: Markers that calls begin with, if there may be calls.
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
        """Return the plan for a rendered prompt."""
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
        """Texts that free text must not contain, so that its begin and end are unambiguous."""
        ends = "".join(self.spec.answer.end).strip()
        return shortest((self.spec.begin.strip(), ends, self.spec.tail, *self.spec.excluded))

    def free_text(self, without: Sequence[str] = ()) -> Constraint:
        """Return the constraint on an answer of free text without some texts."""
        return self.wrapped(any_text(shortest((*self.without, *without))))

    def wrapped(self, answer: Constraint) -> Constraint:
        """Return the constraint on an answer with its frame, without the part that the prompt has."""
        return self.spec.wrapped(answer, self.has_begun)

    def before_calls(self, rest: Constraint, answer: Constraint = EMPTY) -> Constraint:
        """Return the constraint on calls with the text that the format has before them: a possibly empty answer."""
        return Concat((self.wrapped(answer), rest)) if self.spec.calls_follow else rest

    def constraint(self, rest: Constraint) -> Constraint:
        """Return the constraint on reasoning followed by `rest`."""
        rest = self.spec.with_tail(rest)
        if self.opening == "closed":
            return rest
        return self.spec.constraint(rest, self.opening, self.gap, self.calls)

    def parser(self, rest: Parser) -> Parser:
        """Return a parser of reasoning that passes the other text to `rest`."""
        if self.opening == "closed" and self.gap != "any" and not self.spec.is_framed:
            return rest  # the constraint allows no reasoning
        return self.spec.reader(rest, self.opening, self.gap, self.calls, self.has_begun)

    def bound(self, vocabulary: Vocabulary) -> SectionBudget | None:
        """Return the section of reasoning with its bound; None without reasoning."""
        if self.opening == "closed":
            return None
        budget = UNBOUNDED if self.budget is None else self.budget
        special = vocabulary.special_tokens
        begin = b"" if self.opening == "open" else b"".join(units(self.spec.begin, special))
        return SectionBudget(begin, b"".join(units(self.spec.end, special)), budget)
