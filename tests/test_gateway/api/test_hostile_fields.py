"""A hundred values of wrong types for each field of the optional techniques: each a 400 that names the field."""

from __future__ import annotations

import random
from typing import Any

import pytest
from serving import Live

NUMBERS = ("integer", "fraction")
CHAT = {"messages": [{"role": "user", "content": "Hello."}], "max_tokens": 2}
RERANK, SCORE = {"query": "a", "documents": ["b"]}, {"text_1": "a", "text_2": "b"}
PAIRS = {"queries": "a", "documents": "b"}
ADAPTER = {"lora_name": "a", "lora_path": "b"}
FIELDS: list[tuple[str, dict[str, Any], str, tuple[str, ...]]] = [
    ("/v1/chat/completions", CHAT, "use_beam_search", ("boolean",)),
    ("/v1/chat/completions", CHAT, "num_beams", ("integer",)),
    ("/v1/chat/completions", CHAT, "length_penalty", NUMBERS),
    ("/v1/chat/completions", CHAT, "early_stopping", ("boolean",)),
    ("/v1/chat/completions", CHAT, "num_beam_groups", ("integer",)),
    ("/v1/chat/completions", CHAT, "diversity_penalty", NUMBERS),
    ("/v1/chat/completions", CHAT, "guidance_scale", NUMBERS),
    ("/v1/chat/completions", CHAT, "negative_prompt", ("text",)),
    ("/v1/chat/completions", CHAT, "logit_arithmetic", ()),
    ("/v1/chat/completions", CHAT, "adapt_every_tokens", ("integer",)),
    ("/v1/chat/completions", CHAT, "adapt_rank", ("integer",)),
    ("/v1/chat/completions", CHAT, "adapt_learning_rate", NUMBERS),
    ("/v1/chat/completions", CHAT, "documents", ("list",)),
    ("/v1/chat/completions", CHAT, "citations", ()),
    ("/v1/chat/completions", CHAT, "retrieval", ()),
    ("/v1/embeddings", {"input": "a"}, "input", ("text", "list")),
    ("/v1/embeddings", {"input": "a"}, "encoding_format", ()),
    ("/v1/embeddings", {"input": "a"}, "dimensions", ("integer",)),
    ("/v1/embeddings", {"input": "a"}, "normalize", ("boolean",)),
    ("/v1/embeddings", {"input": "a"}, "prompt_name", ("text",)),
    ("/v1/embeddings", {"input": "a"}, "truncate_prompt_tokens", ("integer",)),
    ("/v1/rerank", RERANK, "query", ("text",)),
    ("/v1/rerank", RERANK, "documents", ("list",)),
    ("/v1/rerank", RERANK, "top_n", ("integer",)),
    ("/v1/rerank", RERANK, "return_documents", ("boolean",)),
    ("/v1/score", SCORE, "text_1", ("text", "list")),
    ("/v1/score", SCORE, "text_2", ("text", "list")),
    ("/v1/score", PAIRS, "queries", ("text", "list")),
    ("/v1/score", PAIRS, "documents", ("text", "list")),
    ("/v1/load_lora_adapter", ADAPTER, "lora_name", ("text",)),
    ("/v1/load_lora_adapter", ADAPTER, "lora_path", ("text",)),
    ("/v1/unload_lora_adapter", {"lora_name": "a"}, "lora_name", ("text",)),
]
"""Route, body, field, and the types of values that it may have."""


def value_of(kind: str, chooser: random.Random) -> Any:
    """Return a value of a type, mostly an odd one."""
    text = "".join(map(chr, chooser.choices((*range(127), 0xFDD0, 0x202E, 0x1F600), k=chooser.choice((0, 1, 9, 3000)))))
    nested: Any = chooser.choice((text, 1, None))
    for _ in range(chooser.choice((1, 2, 30))):
        nested = [nested] if chooser.random() < 0.5 else {chooser.choice((text, "a", "type", "text", "$ref")): nested}
    return {
        "text": text,
        "boolean": chooser.random() < 0.5,
        "integer": chooser.choice((-1, 1)) * chooser.choice((0, 1, 7, 2**31, 2**63, 10**30)),
        "fraction": chooser.choice((-1, 1)) * chooser.choice((0.5, 1e-300, 1.5, 1e300 + 0.5, 2**0.5)),
        "list": [nested] * chooser.choice((0, 1, 2, 9)),
        "object": {text: nested},
    }[kind]


@pytest.mark.parametrize(("path", "body", "field", "kinds"), FIELDS, ids=[f"{path} {f}" for path, _, f, _ in FIELDS])
def test_values_of_wrong_types_are_refused_by_the_field(
    tiny_live: Live, path: str, body: dict[str, Any], field: str, kinds: tuple[str, ...]
) -> None:
    chooser = random.Random(f"{path} {field}")
    wrong = [kind for kind in ("text", "boolean", "integer", "fraction", "list", "object") if kind not in kinds]
    for number in range(100):
        value = value_of(wrong[number % len(wrong)], chooser)
        reply = tiny_live.post(path, json={**body, field: value})
        assert reply.status_code == 400, (value, reply.text)
        error = reply.json()["error"]
        assert error["message"]
        assert (error["param"] or "").startswith(field), (value, error)
