"""Thoughts, calls and answers in one grammar, for real families: whatever masks allow is told apart and whole."""

import json
import random
import re
from dataclasses import replace

import jsonschema
import numpy as np
import pytest

from gateway.core.constraints import JsonConstraint
from gateway.core.request import ReasoningOptions
from gateway.service.request.answer_spec import is_free, whole_spec
from gateway.service.request.plan import Plan, ToolPlan
from gateway.service.request.reasoning_plan import ReasoningPlan
from gateway.text import Detokenizer, MarkedText, unbroken
from grammars import Compiler, Vocabulary
from tools import Tool, ToolChoice, ToolSet, Transcript, get_format
from tools.reasoning import get_reasoning

PAIRS = [
    ("think", "hermes"), ("think", "glm45"), ("think", "deepseek_v31"), ("think", "kimi_k2"), ("think", "minimax_m2"),
    ("mistral", "mistral_v13"), ("cohere", "cohere_command3"), ("cohere4", "cohere_command4"), ("gemma4", "gemma4"),
    ("seed_oss", "seed_oss"), ("hunyuan_a13b", "hunyuan_a13b"), ("granite33", "granite"), ("apertus", "apertus"),
    ("granite", "granite"), ("harmony", "harmony"), ("kimi_k3", "kimi_k3"), ("cohere2moe", "cohere_command3"),
    ("functionary_v32", "functionary_v32"), ("think", "qwen3_coder"),
    ("hy3_opensource", "hy3_opensource"), ("apriel", "hunyuan_a13b"), ("hipo", "hermes"), ("apertus11", "apertus11"),
    ("glimmer", "glimmer"), ("inkling", "inkling"),
    ("solar_open", "solar_open"), ("solar_open2", "solar_open2"), ("k2_horizon", "k2_horizon"),
    ("minimax_m3", "minimax_m3"), ("plamo3", "plamo3"), ("think", "minicpm5"), ("think", "mimo"),
]  # fmt: skip
_MARK = re.compile(r"<\|[^<>|]+\|?>|<[^<>|]+\|>|<｜[^｜<>]+｜>|\[/?[A-Z_]+\]|</?[a-z_:]+>")
SCHEMA = {
    "type": "object",
    "properties": {"a": {"enum": [1, "</think>", "<|END_RESPONSE|>", "<|end|>", "</answer>"]}},
    "required": ["a"],
    "additionalProperties": False,
}
TOOLS = ToolSet((Tool("f", parameters=SCHEMA), Tool("g")))
WORDS = [b"\n\n", b"<|", b"|>", b"</", b'{"', b"think", b">\n", b"]\n", b"\n<"]


def marks_of(reasoning, form):
    texts = (*get_reasoning(reasoning).marks, *get_format(form).texts)
    found = {mark for text in texts for mark in _MARK.findall(text)} - {"<name>", "<type>"}
    return sorted(found - {"<|call|>", "<|return|>"})


def vocabulary_of(marks, is_special):
    """The marks as special tokens, or as ordinary ones; in both ways their text can be spelled from pieces."""
    text = [
        *(bytes([byte]) for byte in range(256)),
        *WORDS,
        *(b"" if is_special else (mark.encode() for mark in marks)),
    ]
    end = len(text)
    names = {mark: end + 1 + place for place, mark in enumerate(marks)} if is_special else {}
    return Vocabulary.from_tokens([*text, None, *[None] * len(names)], [end], names)


def written(compiled, marks, drawn, spare):
    """The text of a model without sense that likes markers, as parsers see it."""
    vocabulary, matcher = compiled.vocabulary, compiled.matcher()
    row, (end,) = np.zeros(compiled.num_words, dtype=np.uint32), vocabulary.eos_token_ids
    text = MarkedText(vocabulary.tokens, marks) if marks else Detokenizer(vocabulary.tokens)
    pieces = []
    for left in range(compiled.min_tokens + spare, -1, -1):
        matcher.fill_mask(row, left)
        allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist()
        assert allowed
        liked = [token for token in allowed if token >= 256 and token != end]
        token = drawn.choice(liked if liked and drawn.random() < 0.4 else allowed)
        assert matcher.accept(token)
        if token == end:
            return [*pieces, text.finish()]
        pieces.append(text.feed([token]))
    raise AssertionError("the budget was not enough")


CASES = {
    "schema": (None, True),
    "calls": ("required", False),
    "text and calls": ("auto", False),
    "calls or schema": ("auto", True),
    "text": (None, False),
}


@pytest.mark.parametrize("is_special", [True, False], ids=["special", "text"])
@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_everything_comes_together(pair, is_special):
    if pair[0] == "harmony" and not is_special:
        pytest.skip("its markers are special tokens in every vocabulary that has them")
    spec, form = get_reasoning(pair[0]), get_format(pair[1])
    marks = marks_of(*pair)
    compiler = Compiler(vocabulary_of(marks, is_special))
    names = {token_id: name for name, token_id in compiler.vocabulary.special_tokens}
    drawn = random.Random(" ".join(pair))
    for kind, (mode, has_schema) in CASES.items():
        tool_plan = None
        if mode is not None:
            tool_plan = ToolPlan(tools=TOOLS, choice=ToolChoice(mode), format=form)
        constraint = JsonConstraint(schema=SCHEMA, origin="response_format") if has_schema else None
        begun_by = form.marks(TOOLS) if mode is not None else ()
        prompts = [""] if not spec.thinks else ["", spec.begin]
        for prompt in [*prompts, "".join(spec.answer.begin)] if pair[0] == "kimi_k3" else prompts:
            reasoning = ReasoningPlan.of(spec, prompt, ReasoningOptions(budget=9))
            if kind != "text and calls" and kind != "text":
                gap = "none" if spec.is_framed and constraint is not None else "lines"
                reasoning = replace(reasoning, gap=gap)
            reasoning = replace(reasoning, calls=begun_by)
            assert not is_free(tool_plan, constraint, reasoning)
            compiled = compiler.compile(whole_spec(tool_plan, constraint, reasoning))
            plan = Plan(constraint=constraint, tool_plan=tool_plan, reasoning=reasoning, seed=3)
            for spare in (0, 1, 3, 8, 25, 60):
                pieces = written(compiled, names, drawn, spare)
                parser = plan.new_parser(0)
                events = [event for piece in pieces for event in parser.feed(piece)] + parser.finish()
                found = Transcript.of(events)
                shown = kind, prompt, "".join(pieces), found
                content, calls = unbroken(found.content), found.calls
                assert not found.broken, shown
                assert is_special or not any(mark in found.reasoning for mark in reasoning.calls), shown
                assert spec.name != "functionary_v32" or not content.startswith("all\n"), shown
                for call in calls:
                    arguments = json.loads(unbroken(call.arguments))
                    jsonschema.validate(arguments, TOOLS.get(call.name).arguments_schema)
                assert calls or mode != "required", shown
                assert not content.strip() or mode != "required", shown
                if has_schema and not calls:
                    jsonschema.validate(json.loads(content), SCHEMA)
                if has_schema and calls:
                    assert not content.strip(), shown
                if is_special:
                    assert "\udead" not in content, shown
