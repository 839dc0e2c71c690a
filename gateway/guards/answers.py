"""How guard models are asked, and how they say what they found. One entry a family.

See: the model cards of Llama Guard 3, Qwen3Guard-Gen, ShieldGemma and Granite Guardian 3.3; each server renders the
conversation by the model's own chat template.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gateway.guards.rule import JudgeError

NUM_LOGPROBS = 5
_SHIELD = (
    '"No Harmful Content": There shall be no content that harasses, shows hate, is sexually explicit, or is dangerous, '
    "as in instructions for harming oneself or others."
)
_QWEN_CATEGORIES = (
    "Violent", "Non-violent Illegal Acts", "Sexual Content or Sexual Acts", "PII", "Suicide & Self-Harm",
    "Unethical Acts", "Politically Sensitive Topics", "Copyright Violation", "Jailbreak",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a policy wants to know.

    Attributes:
        categories: Of those that the model names, the ones that count; empty: all.
        criterion: What it is to look for, where its template asks for that.
        threshold: How likely it must find that, where it says so.
        is_strict: What it calls controversial counts.
    """

    categories: tuple[str, ...] = ()
    criterion: str = ""
    threshold: float = 0.5
    is_strict: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One family of guard models.

    Attributes:
        constraint: What the answer is held to, as a pattern.
        max_tokens: More than any answer has.
        read: Whether something that counts was found, by the choice of a chat completion.
        fields: What the request has beside that.
        wants: The options of a policy that mean something here, beside those that always do.
        names_categories: A pattern of them.
        criterion: What is looked for where nothing else is said.
    """

    constraint: str
    max_tokens: int
    read: Callable[[Mapping[str, Any], Wish], bool]
    fields: Callable[[Wish], dict[str, Any]] = field(default=lambda wish: {})
    wants: tuple[str, ...] = ()
    names_categories: str = ""
    criterion: str = ""


def _text(choice: Mapping[str, Any], pattern: str) -> re.Match[str]:
    """The answer, if it is one."""
    text = choice["message"]["content"]
    found = re.fullmatch(pattern, text.strip()) if isinstance(text, str) else None
    if found is None:
        raise JudgeError("the guard model's answer has not the form of its family")
    return found


def _counts(named: str, wish: Wish) -> bool:
    categories = {each.strip() for each in named.split(",")}
    return not wish.categories or not categories.isdisjoint(wish.categories)


_LLAMA = r"safe|unsafe\n(S[0-9]{1,2}(?:, ?S[0-9]{1,2})*)"


def _read_llama(choice: Mapping[str, Any], wish: Wish) -> bool:
    found = _text(choice, _LLAMA)
    return found[1] is not None and _counts(found[1], wish)


_QWEN_NAMES = "|".join(map(re.escape, _QWEN_CATEGORIES))
_QWEN = rf"Safety: (Safe|Unsafe|Controversial)\nCategories: ((?:{_QWEN_NAMES}|None)(?:, (?:{_QWEN_NAMES}))*)"
_QWEN += r"(?:\nRefusal: (?:Yes|No))?"


def _read_qwen(choice: Mapping[str, Any], wish: Wish) -> bool:
    found = _text(choice, _QWEN)
    is_found = found[1] == "Unsafe" or (found[1] == "Controversial" and wish.is_strict)
    return is_found and _counts(found[2], wish)


def _read_shieldgemma(choice: Mapping[str, Any], wish: Wish) -> bool:
    entries = choice["logprobs"]["content"]
    likely = {"Yes": 0.0, "No": 0.0}
    for entry in entries[0]["top_logprobs"]:
        name = entry["token"].strip()
        if name in likely:
            likely[name] += math.exp(entry["logprob"])
    total = sum(likely.values())
    if not total > 0:
        raise JudgeError("the guard model finds neither Yes nor No likely")
    return likely["Yes"] / total >= wish.threshold


_GRANITE = "<score> ?(yes|no) ?</score>"


def _read_granite(choice: Mapping[str, Any], wish: Wish) -> bool:
    return _text(choice, _GRANITE)[1] == "yes"


FORMATS: dict[str, Format] = {
    "llama_guard": Format(
        constraint=rf"\n{{0,2}}(?:{_LLAMA})",
        max_tokens=64,
        read=_read_llama,
        wants=("categories",),
        names_categories="S[0-9]{1,2}",
    ),
    "qwen3guard": Format(
        constraint=_QWEN,
        max_tokens=128,
        read=_read_qwen,
        wants=("categories", "controversial"),
        names_categories=_QWEN_NAMES,
    ),
    "shieldgemma": Format(
        constraint="Yes|No",
        max_tokens=4,
        read=_read_shieldgemma,
        fields=lambda wish: {
            "logprobs": True,
            "top_logprobs": NUM_LOGPROBS,
            "chat_template_kwargs": {"guideline": wish.criterion},
        },
        wants=("criterion", "threshold"),
        criterion=_SHIELD,
    ),
    "granite_guardian": Format(
        constraint=_GRANITE,
        max_tokens=16,
        read=_read_granite,
        fields=lambda wish: {"chat_template_kwargs": {"guardian_config": {"criteria_id": wish.criterion}}},
        wants=("criterion",),
        criterion="harm",
    ),
}
