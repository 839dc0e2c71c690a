"""Client that streams an answer and takes the time of each piece."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import httpx

MAX_CONNECTIONS = 512
"""Requests under way; further ones of an open loop wait for a connection, and their latency grows."""
CONNECT_TIMEOUT_S = 10.0


@dataclass(slots=True)
class Answer:
    """Answer to a request, with its times on the clock `time.monotonic`.

    Attributes:
        due_s: Time at which the request was to be sent; latencies count from here.
        piece_times_s: Arrival of each event of the stream that had a part of the answer.
        num_output_tokens: As the server counts, or the number of pieces if it does not.
        calls: Name and arguments of each tool call.
        error: Status and code, or the kind of failure; None: the stream was complete.
    """

    kind: str
    due_s: float
    sent_s: float = 0.0
    piece_times_s: list[float] = field(default_factory=list)
    end_s: float = 0.0
    num_prompt_tokens: int = 0
    num_output_tokens: int = 0
    text: str = ""
    calls: dict[int, list[str]] = field(default_factory=dict)
    finish_reason: str | None = None
    error: str | None = None


class Client:
    """Client of one server and model, for one event loop.

    Args:
        timeout_s: Longest silence of the server.
        defaults: Fields of bodies that do not have them.
    """

    def __init__(
        self, base_url: str, key: str | None, model: str, timeout_s: float, defaults: dict[str, Any] | None = None
    ) -> None:
        self._url, self._model, self._defaults = f"{base_url}/chat/completions", model, defaults or {}
        self._http = httpx.AsyncClient(
            headers={"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {}),
            limits=httpx.Limits(max_connections=MAX_CONNECTIONS, max_keepalive_connections=MAX_CONNECTIONS),
            timeout=httpx.Timeout(timeout_s, connect=CONNECT_TIMEOUT_S, pool=None),
        )

    async def __aenter__(self) -> Client:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._http.__aexit__(*error)

    async def ask(self, kind: str, body: dict[str, Any], due_s: float) -> Answer:
        """Return the answer to a request, failed or not."""
        answer = Answer(kind, due_s)
        streamed = {"stream": True, "stream_options": {"include_usage": True}, "model": self._model}
        content = json.dumps(self._defaults | body | streamed).encode()
        answer.sent_s = monotonic()
        try:
            async with self._http.stream("POST", self._url, content=content) as response:
                if response.status_code != 200:
                    answer.error = f"{response.status_code} {_code(await response.aread())}".strip()
                else:
                    await _read(response, answer)
        except httpx.HTTPError as error:
            answer.error = type(error).__name__
        except (ValueError, TypeError, LookupError, AttributeError):
            answer.error = "malformed event"
        answer.end_s = monotonic()
        answer.num_output_tokens = answer.num_output_tokens or len(answer.piece_times_s)
        return answer


async def _read(response: httpx.Response, answer: Answer) -> None:
    is_done, texts = False, list[str]()
    async for line in response.aiter_lines():
        if not line.startswith("data:"):
            continue
        now, data = monotonic(), line[5:].strip()
        if data == "[DONE]":
            is_done = True
            continue
        event = json.loads(data)
        if error := event.get("error"):
            answer.error = f"stream {error.get('code') or error.get('type')}"
            return
        if usage := event.get("usage"):
            answer.num_prompt_tokens, answer.num_output_tokens = usage["prompt_tokens"], usage["completion_tokens"]
        for choice in event.get("choices") or ():
            delta = choice.get("delta") or {}
            answer.finish_reason = choice.get("finish_reason") or answer.finish_reason
            calls = delta.get("tool_calls") or ()
            for call in calls:
                made, function = answer.calls.setdefault(call["index"], ["", ""]), call.get("function") or {}
                made[0] += function.get("name") or ""
                made[1] += function.get("arguments") or ""
            text = delta.get("content") or ""
            texts.append(text)
            if text or calls or delta.get("reasoning_content") or delta.get("reasoning"):
                answer.piece_times_s.append(now)
    answer.text = "".join(texts)
    if not is_done or answer.finish_reason is None:
        answer.error = "stream cut off"


def _code(body: bytes) -> str:
    try:
        error = json.loads(body)["error"]
        return str(error.get("code") or error.get("type") or "")
    except (ValueError, TypeError, LookupError, AttributeError):
        return ""
