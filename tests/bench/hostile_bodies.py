"""Bodies within their limit that hold very many things, each by name with its address; and texts that a small grammar
reads in very many ways."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

HI = {"role": "user", "content": "a"}
PART = {"type": "text", "text": "a"}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
CHAT = "/v1/chat/completions"
Body = dict[str, Any]


def _choices(questions: int, labels: int) -> list[Body]:
    return [
        {"type": "choice", "instructions": "w", "choices": [{"value": f"label {i} {j}"} for j in range(labels)]}
        for i in range(questions)
    ]


def bodies(model: str) -> Iterator[tuple[str, str, Body]]:
    """Name, address and body of each; its answer, or its refusal, comes at once, and holds up nobody else."""
    short = {"model": model, "max_tokens": 2}
    yield "lists of tokens", "/v1/detokenize", {"model": model, "tokens": [[5]] * 300_000}
    yield "some lists of tokens", "/v1/detokenize", {"model": model, "tokens": [[5]] * 20_000}
    yield "tokens", "/detokenize", {"model": model, "tokens": [5] * 1_900_000}
    yield "labels", "/v1/decisions", {"model": model, "input": "x", "timeout": 5, "questions": _choices(400, 100)}
    yield "fewer labels", "/v1/decisions", {"model": model, "input": "x", "timeout": 5, "questions": _choices(400, 40)}
    asked = {f"q{i}": {"type": "noul", "instructions": f"w {i}"} for i in range(400)}
    yield "questions", "/v1/systemone", {"model": model, "state": "x", "timeout": 5, "questions": asked}
    yield "items", "/v1/responses", {"model": model, "max_output_tokens": 16, "input": [HI] * 90_000}
    yield "some items", "/v1/responses", {"model": model, "max_output_tokens": 16, "input": [HI] * 40_000}
    yield "messages", "/api/chat", {"model": model, "messages": [HI] * 90_000}
    yield "blocks", "/v1/messages", {**short, "messages": [{"role": "user", "content": [PART] * 100_000}]}
    yield "blocks of turns", "/v1/messages", {**short, "messages": [{"role": "user", "content": [PART] * 20}] * 2_000}
    yield "parts", "/v1/responses", {"model": model, "input": [{"role": "user", "content": [PART] * 20}] * 2_000}
    yield "biases", CHAT, {**short, "messages": [HI], "logit_bias": {str(i): 1 for i in range(340_000)}}
    yield "calls", CHAT, {**short, "messages": [HI, {"role": "assistant", "tool_calls": [CALL] * 40_000}]}
    yield "some calls", CHAT, {**short, "messages": [HI, {"role": "assistant", "tool_calls": [CALL] * 10_000}]}
    yield "ids", "/v1/completions", {**short, "prompt": [5] * 1_900_000}
    yield "prompts", "/v1/completions", {**short, "prompt": [[5]] * 40_000}
    for name, grammar, text in texts():
        yield f"verified {name}", "/v1/verify", {"structured_outputs": {"grammar": grammar}, "text": text}


def texts() -> Iterator[tuple[str, str, str]]:
    """Name, Lark grammar and text of each."""
    yield "sums", 'start: e\ne: e "+" e | "1"', "+".join("1" * 1_500)
    yield "both ends", 'start: a\na: a "x" | "x" a | "x"', "x" * 3_000
    yield "counts", 'start: (a b?)~1..3000\na: "x" | "xx"\nb: "x"', "x" * 3_000
    yield "depth", 'start: "(" start ")" | "x"', "(" * 30_000 + "x" + ")" * 30_000
    yield "right", 'start: "x" start | "x"', "x" * 60_000
