"""Families of guard models: their prompts, and how their verdicts are read.

See: the model cards of Llama Guard 3, Qwen3Guard-Gen, ShieldGemma and Granite Guardian 3.3; each server renders the
conversation by the model's own chat template.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gateway.guards.rule import JudgeError, Opinion

NUM_LOGPROBS = 20
"""The most that OpenAI's API returns."""
_SHIELD = (
    '"No Harmful Content": There shall be no content that harasses, shows hate, is sexually explicit, or is dangerous, '
    "as in instructions for harming oneself or others."
)
_LLAMA_CATEGORIES = "S[0-9]{1,2}"
_QWEN_CATEGORIES = "|".join(map(re.escape, (
    "Violent", "Non-violent Illegal Acts", "Sexual Content or Sexual Acts", "PII", "Suicide & Self-Harm",
    "Unethical Acts", "Politically Sensitive Topics", "Copyright Violation", "Jailbreak",
)))  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardModelOptions:
    """Options of a policy for a guard model.

    Attributes:
        categories: Categories that count, among those the model names; empty counts all.
        criterion: Criterion in the prompt, for templates that take one.
        threshold: Least probability of a match; None takes the answer as it is.
        is_strict: Controversial content counts.
    """

    categories: tuple[str, ...] = ()
    criterion: str = ""
    threshold: float | None = None
    is_strict: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A family of guard models.

    Attributes:
        constraint: What the answer is held to, as a pattern. Its first group that matched is the verdict; the last one
            the categories, where the family names any.
        verdicts: Which of them count, each beginning with another letter; None: where what is controversial does.
        threshold: Default threshold; None as in `GuardModelOptions`.
        max_tokens: More than any answer has.
        fields: Further fields of the request.
        wants: The options of a policy that mean something here, beside those that always do.
        names_categories: A pattern of them.
        criterion: Default criterion.
    """

    constraint: str
    verdicts: Mapping[str, bool | None]
    max_tokens: int
    threshold: float | None = None
    fields: Callable[[GuardModelOptions], dict[str, Any]] = field(default=lambda wanted: {})
    wants: tuple[str, ...] = ()
    names_categories: str = ""
    criterion: str = ""

    def read(self, choice: Mapping[str, Any], wanted: GuardModelOptions) -> Opinion:
        """Return the verdict in a choice of a chat completion, and its probability.

        Raises:
            JudgeError: The answer has another format, or no log-probabilities where they are needed.
        """
        text = choice["message"]["content"]
        # Without a constraint, an explanation may follow the verdict.
        rest = r"\s*" if self.names_categories else r"(?:\W[\s\S]*)?"
        found = re.fullmatch(rf"\s*(?:{self.constraint}){rest}", text) if isinstance(text, str) else None
        if found is None:
            raise JudgeError("the guard model's answer has not the form of its family")
        verdict = next(number for number, part in enumerate(found.groups(), 1) if part is not None)
        counting = {name: wanted.is_strict if counts is None else counts for name, counts in self.verdicts.items()}
        likely = _likely((choice.get("logprobs") or {}).get("content") or (), found.start(verdict), counting)
        if wanted.threshold is None:
            is_found = counting[found[verdict]]
        elif likely is None:
            raise JudgeError("the guard model's server does not say how likely its answer is")
        else:
            is_found = likely >= wanted.threshold
        # What it does not say by itself has no categories, and might have any.
        if is_found and wanted.categories and counting[found[verdict]]:
            is_found = not {each.strip() for each in found[found.re.groups].split(",")}.isdisjoint(wanted.categories)
        return Opinion(is_found, likely)


def _likely(entries: Any, place: int, counting: Mapping[str, bool]) -> float | None:
    """Return the probability of the verdicts that count, among all verdicts in the logprobs at the verdict's token;
    None without logprobs."""
    begin = 0
    for entry in entries:
        token = entry["token"]
        if begin + len(token) > place:
            before = token[: place - begin]
            masses = dict.fromkeys(counting, 0.0)
            others = {other["token"]: other["logprob"] for other in (entry, *entry["top_logprobs"])}
            for other, logprob in others.items():
                said = other.removeprefix(before).lstrip()
                for verdict in counting:
                    if said and (verdict.startswith(said) or said.startswith(verdict)):
                        masses[verdict] += math.exp(logprob)
            total = sum(masses.values())
            found = sum(mass for verdict, mass in masses.items() if counting[verdict])
            return found / total if 0 < total < math.inf else None
        begin += len(token)
    return None


FORMATS: dict[str, Format] = {
    "llama_guard": Format(
        constraint=rf"\n{{0,2}}(?:(safe)|(unsafe)\n({_LLAMA_CATEGORIES}(?:, ?{_LLAMA_CATEGORIES})*))",
        verdicts={"safe": False, "unsafe": True},
        max_tokens=64,
        wants=("categories",),
        names_categories=_LLAMA_CATEGORIES,
    ),
    "qwen3guard": Format(
        constraint=rf"Safety: (Safe|Unsafe|Controversial)\n"
        rf"Categories: ((?:{_QWEN_CATEGORIES}|None)(?:, (?:{_QWEN_CATEGORIES}))*)(?:\nRefusal: (?:Yes|No))?",
        verdicts={"Safe": False, "Unsafe": True, "Controversial": None},
        max_tokens=128,
        wants=("categories", "controversial"),
        names_categories=_QWEN_CATEGORIES,
    ),
    "shieldgemma": Format(
        constraint="(Yes|No)",
        verdicts={"Yes": True, "No": False},
        max_tokens=4,
        threshold=0.5,
        fields=lambda wanted: {"chat_template_kwargs": {"guideline": wanted.criterion}},
        wants=("criterion",),
        criterion=_SHIELD,
    ),
    "granite_guardian": Format(
        constraint="<score> ?(yes|no) ?</score>",
        verdicts={"yes": True, "no": False},
        max_tokens=16,
        fields=lambda wanted: {"chat_template_kwargs": {"guardian_config": {"criteria_id": wanted.criterion}}},
        wants=("criterion",),
        criterion="harm",
    ),
}
