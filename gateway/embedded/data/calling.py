"""Function calling: single and parallel calls, results and answers, requests that no tool fits."""

from __future__ import annotations

from typing import Any

from gateway.embedded.data.conversation import (
    Conversation,
    Message,
    call_message,
    dump_json,
    say,
    sentence,
    system_message,
)
from gateway.embedded.data.domains import HELDOUT_TOOLS, TRAIN_TOOLS
from gateway.embedded.data.invented import invent_tool
from gateway.embedded.data.source import Source, side_of
from gateway.embedded.data.toolspec import Request, ToolSpec, ask, fill
from gateway.embedded.data.values import KINDS

_JOINTS = (" and also ", " and ", ", then ", ". Also ", " and then ")
_REFUSALS = (
    "I cannot do that with the tools I have.", "None of my tools can do that.", "Sorry, I have no tool for that.",
    "I am sorry, but I cannot help with that.",
)  # fmt: skip
DESCRIBED = 0.25
"""Share of the tools whose parameters have descriptions."""
CLOSED = 0.1
"""Share of the tools that allow no further arguments."""
_FAILURES = ("not found", "timeout", "permission denied", "service unavailable", "invalid input")


def combination_key(names: list[str]) -> str:
    """What decides on which side of the split a set of tools is."""
    return "+".join(sorted(names))


def _declared(source: Source) -> ToolSpec:
    if source.split == "heldout" and source.chance(0.3):
        return source.pick(HELDOUT_TOOLS)
    return source.pick(TRAIN_TOOLS)


def draw_tools(source: Source, count: int, invented: float) -> list[ToolSpec]:
    """`count` tools with different names, in random order; the combination lies on the source's side."""
    while True:
        specs: dict[str, ToolSpec] = {}
        while len(specs) < count:
            spec = invent_tool(source) if source.chance(invented) else _declared(source)
            specs.setdefault(spec.name, spec)
        names = list(specs)
        if count == 1 or side_of(combination_key(names)) == source.split:
            return [specs[name].described(source) if source.chance(DESCRIBED) else specs[name] for name in names]


def declare(specs: list[ToolSpec], source: Source) -> list[dict[str, Any]]:
    """The OpenAI `tools` list of these tools."""
    tools = [spec.to_openai() for spec in specs]
    for tool in tools:
        if source.chance(CLOSED):
            tool["function"]["parameters"]["additionalProperties"] = False
    return tools


def _call(request: Request) -> dict[str, Any]:
    return {"name": request.spec.name, "arguments": request.arguments}


def _requests(specs: list[ToolSpec], source: Source) -> tuple[str, list[Request]]:
    count = source.pick((1, 1, 1, 1, 1, 1, 2, 2, 3))
    first = source.pick(specs)
    requests = [ask(first, source)]
    while len(requests) < count:
        requests.append(ask(first if source.chance(0.5) else source.pick(specs), source))
    text = requests[0].text
    for request in requests[1:]:
        text += source.pick(_JOINTS) + request.text
    return sentence(text, source), requests


def _result(request: Request, source: Source) -> tuple[dict[str, Any], str]:
    """What the tool returns, and the assistant's sentence about it."""
    if source.chance(0.1):
        failure = source.pick(_FAILURES)
        return {"error": failure}, source.pick([f"That failed: {failure}.", f"Sorry, there was an error: {failure}."])
    spec = request.spec
    values = {key: kind.draw(source) for key, kind in spec.result}
    spoken = {key: kind.say(values[key]) for key, kind in spec.result}
    spoken |= {p.key: p.kind.say(request.arguments[p.key]) for p in spec.parameters if p.key in request.arguments}
    if values:
        return values, fill(spec.answer, spoken)
    if source.chance(0.5):
        return {"status": "ok"}, fill(spec.answer, spoken) if spec.answer else "Done."
    code = KINDS["code"].draw(source)
    return {"status": "ok", "id": code}, fill(spec.answer, spoken) if spec.answer else f"Done. The id is {code}."


def _follow_up(requests: list[Request], source: Source) -> list[Message]:
    results, answers = zip(*(_result(request, source) for request in requests), strict=True)
    messages = [say("tool", dump_json(result)) for result in results]
    return [*messages, say("assistant", " ".join(answers))]


def calling(source: Source, *, max_tools: int = 4, max_turns: int = 3, invented: float = 0.4) -> Conversation:
    """A conversation with one to `max_turns` requests that tools answer."""
    specs = draw_tools(source, source.randint(1, max_tools), invented)
    messages = system_message(source)
    calls: list[dict[str, Any]] = []
    for _ in range(source.randint(1, max_turns)):
        text, requests = _requests(specs, source)
        messages += [say("user", text), call_message([_call(request) for request in requests])]
        calls += [_call(request) for request in requests]
        if source.chance(0.35):
            messages += _follow_up(requests, source)
    return Conversation(messages=messages, tools=declare(specs, source), calls=calls)


def refusing(source: Source) -> Conversation:
    """A request for a tool that is not in the prompt; a plain answer."""
    specs = draw_tools(source, source.randint(1, 3), 0.3)
    other = _declared(source)
    while any(other.name == spec.name or similar(other.name, spec.name) for spec in specs):
        other = _declared(source)
    messages = system_message(source)
    messages += [say("user", sentence(ask(other, source).text, source)), say("assistant", source.pick(_REFUSALS))]
    return Conversation(messages=messages, tools=declare(specs, source))


def similar(one: str, other: str) -> bool:
    """Whether two tool names share a noun, so that either might answer the same request."""
    return bool(set(one.split("_")[1:]) & set(other.split("_")[1:]))
