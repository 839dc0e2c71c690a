"""How much sense a served model's answers make: right calls, right refusals to call, right fields of records.

Run: `portcullis serve --model MODEL`, then `python tests/bench/bench_sense.py [--url http://127.0.0.1:8000/v1]
[--tasks calls records] [--records held_out] [--free] [--json OUT.json]`. Greedy. `--free` asks the same without tools
and schemas, told in words with examples, and reads the first JSON object of what comes: what the model reaches without
a mask.

A call is right if the tool and every argument that the request says are; where no tool fits, no call is. Prompts:
`sense_prompts.py`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
from sense_prompts import PLACEHOLDERS, CallPrompt, RecordPrompt, call_prompts, record_prompts

P = TypeVar("P")
SHOTS = (
    ("Set the volume to 30.", {"tool": "set_volume", "arguments": {"percent": 30}}),
    ("Who built the pyramids?", {"tool": None, "answer": "The ancient Egyptians."}),
    ("Lock the front door.", {"tool": "lock_door", "arguments": {"door": "front"}}),
    ("Tell me a riddle.", {"tool": None, "answer": "What has keys but no locks? A piano."}),
)
SHOT_TOOLS = ("set_volume(percent: integer) - Set the volume.", "lock_door(door: string) - Lock a door.")
RECORD_SHOTS = (
    ("name (string), floor (integer)", "Room Alpha is on floor 3.", {"name": "Alpha", "floor": 3}),
    ("animal (string), wild (boolean)", "The wolf is a wild animal.", {"animal": "wolf", "wild": True}),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came of one prompt."""

    text: str
    calls: list[tuple[str, Any]]
    tokens: int
    is_whole: bool

    @property
    def values(self) -> list[Any]:
        """The values of the calls' arguments, and of the JSON in the text."""
        found = [*(arguments for _, arguments in self.calls), _first_object(self.text)]
        return [self.text, *(value for each in found if isinstance(each, dict) for value in each.values())]

    @property
    def is_copied(self) -> bool:
        """Whether a value is what an instruction says in place of one."""
        return any(isinstance(each, str) and each.strip().casefold() in PLACEHOLDERS for each in self.values)


class Asker:
    """Asks a server that speaks OpenAI's dialect."""

    def __init__(self, client: httpx.AsyncClient, model: str, max_tokens: int, *, is_free: bool) -> None:
        self._client = client
        self._model = model
        self._max_tokens = max_tokens
        self._is_free = is_free

    async def call(self, prompt: CallPrompt) -> Reply:
        """What comes of a request beside tools."""
        if not self._is_free:
            return await self._ask([_user(prompt.text)], tools=list(prompt.tools))
        reply = await self._ask(_call_messages(prompt))
        told = _first_object(reply.text)
        if isinstance(told, dict) and isinstance(told.get("tool"), str):
            reply.calls.append((told["tool"], told.get("arguments")))
        return reply

    async def record(self, prompt: RecordPrompt) -> Reply:
        """What comes of a text with a record in it."""
        if self._is_free:
            return await self._ask(_record_messages(prompt))
        told = {"type": "json_schema", "json_schema": {"name": "record", "schema": prompt.schema}}
        return await self._ask([_user(f"Extract the data: {prompt.text}")], response_format=told)

    async def _ask(self, messages: list[dict[str, str]], **shape: Any) -> Reply:
        body = {"model": self._model, "messages": messages, "temperature": 0, "max_tokens": self._max_tokens, **shape}
        answer = await self._client.post("chat/completions", json=body)
        assert answer.status_code == 200, answer.text
        told = answer.json()
        choice, message = told["choices"][0], told["choices"][0]["message"]
        functions = [each["function"] for each in message.get("tool_calls") or ()]
        return Reply(
            text=message.get("content") or "",
            calls=[(each["name"], json.loads(each["arguments"])) for each in functions],
            tokens=told["usage"]["completion_tokens"],
            is_whole=choice["finish_reason"] != "length",
        )


def _user(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def _call_messages(prompt: CallPrompt) -> list[dict[str, str]]:
    """The tools as signatures and four examples with other tools, then the request."""
    signatures = [_signature(each["function"]) for each in prompt.tools]
    messages = []
    for text, answer in SHOTS:
        messages += [_user(_ask_for("\n".join(SHOT_TOOLS), text)), _assistant(json.dumps(answer))]
    return [*messages, _user(_ask_for("\n".join(signatures), prompt.text))]


def _ask_for(tools: str, text: str) -> str:
    return f"Tools:\n{tools}\n\nRequest: {text}\nReply in JSON with the tool to call, or null if none fits."


def _record_messages(prompt: RecordPrompt) -> list[dict[str, str]]:
    messages = []
    for fields, text, answer in RECORD_SHOTS:
        messages += [_user(f"Extract as JSON: {fields}\n\nText: {text}"), _assistant(json.dumps(answer))]
    fields = ", ".join(f"{name} ({_kind(each)})" for name, each in prompt.schema["properties"].items())
    return [*messages, _user(f"Extract as JSON: {fields}\n\nText: {prompt.text}")]


def _assistant(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}


def _signature(function: dict[str, Any]) -> str:
    fields = function["parameters"]["properties"].items()
    arguments = ", ".join(f"{name}: {_kind(schema)}" for name, schema in fields)
    return f"{function['name']}({arguments}) - {function['description']}"


def _kind(schema: dict[str, Any]) -> str:
    return " or ".join(schema["enum"]) if "enum" in schema else str(schema["type"])


def _first_object(text: str) -> Any:
    """The first JSON object in a text, or None."""
    at = text.find("{")
    try:
        return json.JSONDecoder().raw_decode(text, at)[0] if at >= 0 else None
    except (ValueError, RecursionError):
        return None


async def replies(prompts: Sequence[P], ask: Callable[[P], Awaitable[Reply]], at_once: int) -> list[Reply]:
    """The reply to each prompt, so many asked at once."""
    places = asyncio.Semaphore(at_once)

    async def one(prompt: P) -> Reply:
        async with places:
            return await ask(prompt)

    return list(await asyncio.gather(*map(one, prompts)))


def marked_calls(prompts: Sequence[CallPrompt], given: Sequence[Reply]) -> dict[str, Any]:
    """How many calls, and refusals to call, are right."""
    pairs = list(zip(prompts, given, strict=True))
    meant = [(prompt, reply) for prompt, reply in pairs if prompt.name]
    right = [prompt.is_right(reply.calls) for prompt, reply in pairs]
    return {
        "prompts": len(pairs),
        "right": sum(right),
        "right_calls": sum(prompt.is_right(reply.calls) for prompt, reply in meant),
        "meant_calls": len(meant),
        "right_tools": sum([name for name, _ in reply.calls] == [prompt.name] for prompt, reply in meant),
        "right_refusals": sum(not reply.calls for prompt, reply in pairs if not prompt.name),
        "meant_refusals": len(pairs) - len(meant),
        **_common(given),
    }


def marked_records(prompts: Sequence[RecordPrompt], given: Sequence[Reply]) -> dict[str, Any]:
    """How many fields, and whole records, are right."""
    right = [prompt.num_right(_first_object(reply.text)) for prompt, reply in zip(prompts, given, strict=True)]
    return {
        "prompts": len(prompts),
        "right_fields": sum(right),
        "fields": sum(len(prompt.values) for prompt in prompts),
        "right_records": sum(n == len(prompt.values) for n, prompt in zip(right, prompts, strict=True)),
        **_common(given),
    }


def _common(given: Sequence[Reply]) -> dict[str, Any]:
    return {
        "copied": sum(reply.is_copied for reply in given),
        "whole": sum(reply.is_whole for reply in given),
        "tokens": round(sum(reply.tokens for reply in given) / len(given), 1),
    }


async def measure(options: argparse.Namespace) -> dict[str, Any]:
    """The figures of each task."""
    report: dict[str, Any] = {}
    async with httpx.AsyncClient(base_url=f"{options.url.rstrip('/')}/", timeout=600) as client:
        model = (await client.get("models")).json()["data"][0]["id"]
        asker = Asker(client, model, options.max_tokens, is_free=options.free)
        if "calls" in options.tasks:
            prompts = call_prompts()[:: options.every]
            given = await replies(prompts, asker.call, options.at_once)
            report["calls"] = marked_calls(prompts, given)
            right = [prompt.is_right(reply.calls) for prompt, reply in zip(prompts, given, strict=True)]
            meant = [f"{prompt.name} {json.dumps(prompt.arguments)}" for prompt in prompts]
            _print_wrong(options.wrong, zip(right, prompts, meant, given, strict=True))
        if "records" in options.tasks:
            records = record_prompts(options.records)[:: options.every]
            given = await replies(records, asker.record, options.at_once)
            report["records"] = marked_records(records, given)
            right = [is_whole(record, reply) for record, reply in zip(records, given, strict=True)]
            meant = [json.dumps(record.values) for record in records]
            _print_wrong(options.wrong, zip(right, records, meant, given, strict=True))
    return report


def is_whole(record: RecordPrompt, reply: Reply) -> bool:
    """True if every field of the record is right."""
    return record.num_right(_first_object(reply.text)) == len(record.values)


def _print_wrong(most: int, told: Iterable[tuple[bool, CallPrompt | RecordPrompt, str, Reply]]) -> None:
    wrong = [each for each in told if not each[0]]
    for _, prompt, meant, reply in wrong[:most]:
        print(f"{prompt.text}\n    meant: {meant}\n    given: {reply.calls or reply.text!r}")


def main() -> None:
    """Asks and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--tasks", nargs="+", choices=("calls", "records"), default=("calls", "records"))
    parser.add_argument("--records", choices=("extraction", "held_out"), default="extraction", help="which records")
    parser.add_argument("--free", action="store_true", help="without tools and schemas, told in words with examples")
    parser.add_argument("--every", type=int, default=1, help="only every so manieth prompt")
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--max-tokens", type=int, default=120)
    parser.add_argument("--wrong", type=int, default=0, help="print so many answers that are not right")
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    options = parser.parse_args()
    report = asyncio.run(measure(options))
    for task, figures in report.items():
        print(f"{task}: " + ", ".join(f"{name} {value}" for name, value in figures.items()))
    if options.json:
        options.json.write_text(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
