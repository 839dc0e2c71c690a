"""Answers under a policy, asked for in every dialect."""

import json

KEY = "AKIAIOSFODNN7EXAMPLE"


TOKEN = "npm_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"


CASES = {
    "pattern": ('pattern = "A-[0-9]{2}"', "see A-12 now", "see ", "[PATTERN]", " now"),
    "terms": ('terms = ["Project X"]', "see project x now", "see ", "[TERMS]", " now"),
    "pii": ('kinds = ["email"]', "mail ann@example.org now", "mail ", "[EMAIL]", " now"),
    "pii/phone": ('kinds = ["phone"], region = "any"', "call 020 7946 0958 now", "call ", "[PHONE]", " now"),
    "secrets": ('kinds = ["aws"]', f"key {KEY} now", "key ", "[AWS]", " now"),
    "secrets/token": ('kinds = ["token"]', f"key {TOKEN} now", "key ", "[TOKEN]", " now"),
    "leak": ('canaries = ["zq-7F3a"]', "say zq-7F3a now", "say ", "[CANARY]", " now"),
    "length": ("max_characters = 8", "a bc def ghi", "a bc def", "[LENGTH]", ""),
}
"""Of each guard, or one of its kinds: options, what is written, what stands before the match, for it, and behind it."""


VERDICT = {"x-portcullis-verdict": "1"}


MESSAGES = [{"role": "user", "content": "Say something."}]


def policy_of(guard, options, action, side="output"):
    guard = guard.split("/")[0]
    return f'default = "p"\n[policies.p]\n{side} = [{{ guard = "{guard}", action = "{action}", {options} }}]\n'


def data_of(reply):
    assert reply.status_code == 200, reply.text
    lines = [line.removeprefix("data: ") for line in reply.text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"], reply.text.endswith("data: [DONE]\n\n")


def openai_chat(live, is_streamed, **fields):
    body = {"model": "test-model", "messages": MESSAGES, "stream": is_streamed, **fields}
    if not is_streamed:
        reply = live.post("/v1/chat/completions", json=body, headers=VERDICT).json()
        (choice,) = reply["choices"]
        content, usage = choice["message"]["content"], reply["usage"]
        return content, choice["finish_reason"], usage["completion_tokens"], reply["verdict"]
    body["stream_options"] = {"include_usage": True}
    reply = live.post("/v1/chat/completions", json=body, headers=VERDICT)
    chunks, is_done = data_of(reply)
    *told, usage = chunks
    assert is_done
    assert told[0]["choices"][0]["delta"]["role"] == "assistant"
    reasons = [chunk["choices"][0]["finish_reason"] for chunk in told]
    assert set(reasons[:-1]) == {None}
    text = "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in told)
    return text, reasons[-1], usage["usage"]["completion_tokens"], usage["verdict"]


def openai_completion(live, is_streamed, **fields):
    body = {"model": "test-model", "prompt": "Say", "stream": is_streamed, **fields}
    if not is_streamed:
        reply = live.post("/v1/completions", json=body, headers=VERDICT).json()
        (choice,) = reply["choices"]
        return choice["text"], choice["finish_reason"], reply["usage"]["completion_tokens"], reply["verdict"]
    body["stream_options"] = {"include_usage": True}
    chunks, is_done = data_of(live.post("/v1/completions", json=body, headers=VERDICT))
    *told, usage = chunks
    assert is_done
    reasons = [chunk["choices"][0]["finish_reason"] for chunk in told]
    assert set(reasons[:-1]) <= {None}
    text = "".join(chunk["choices"][0]["text"] for chunk in told)
    return text, reasons[-1], usage["usage"]["completion_tokens"], usage["verdict"]


def responses(live, is_streamed, **fields):
    body = {"model": "test-model", "input": "Say something.", "stream": is_streamed, "store": False, **fields}
    reply = live.post("/v1/responses", json=body, headers=VERDICT)
    text = None
    if is_streamed:
        events, _ = data_of(reply)
        assert [event["sequence_number"] for event in events] == list(range(len(events)))
        last, deltas = events[-1], [event for event in events if event["type"] == "response.output_text.delta"]
        assert last["type"] in ("response.completed", "response.incomplete")
        text, response = "".join(event["delta"] for event in deltas), last["response"]
        kinds = [event["type"] for event in events]
        if text:
            assert kinds[-4:-1] == [
                "response.output_text.done", "response.content_part.done", "response.output_item.done"
            ]  # fmt: skip
    else:
        assert reply.status_code == 200, reply.text
        response = reply.json()
    whole = "".join(part["text"] for item in response["output"] for part in item["content"])
    assert text in (None, whole)
    reason = response["status"]
    if reason == "incomplete":
        reason = response["incomplete_details"]["reason"]
    return whole, reason, response["usage"]["output_tokens"], response["verdict"]


def anthropic(live, is_streamed, **fields):
    body = {"model": "test-model", "messages": MESSAGES, "max_tokens": 64, "stream": is_streamed, **fields}
    reply = live.post("/v1/messages", json=body, headers=VERDICT)
    if not is_streamed:
        told = reply.json()
        text = "".join(block["text"] for block in told["content"])
        return text, told["stop_reason"], told["usage"]["output_tokens"], told["verdict"]
    events, _ = data_of(reply)
    kinds = [event["type"] for event in events if event["type"] != "ping"]
    assert kinds[0] == "message_start"
    assert kinds[-2:] == ["message_delta", "message_stop"]
    assert kinds.count("content_block_start") == kinds.count("content_block_stop")
    text = "".join(event["delta"]["text"] for event in events if event["type"] == "content_block_delta")
    end = events[-2]
    return text, end["delta"]["stop_reason"], end["usage"]["output_tokens"], end["verdict"]


def ollama(live, is_streamed, **fields):
    body = {"model": "test-model", "messages": MESSAGES, "stream": is_streamed, **fields}
    reply = live.post("/api/chat", json=body, headers=VERDICT)
    assert reply.status_code == 200, reply.text
    lines = [json.loads(line) for line in reply.text.splitlines()]
    assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]
    text = "".join(line["message"]["content"] for line in lines)
    return text, lines[-1]["done_reason"], lines[-1]["eval_count"], lines[-1]["verdict"]


def tgi(live, is_streamed, **fields):
    body = {"inputs": "Say", "parameters": {"details": True, "max_new_tokens": 64}, **fields}
    if not is_streamed:
        reply = live.post("/generate", json=body, headers=VERDICT).json()
        assert (
            "".join(token["text"] for token in reply["details"]["tokens"] if not token["special"])
            == reply["generated_text"]
        )
        return reply["generated_text"], reply["details"]["finish_reason"], None, reply["verdict"]
    reply = live.post("/generate_stream", json=body, headers=VERDICT)
    events = [json.loads(line[5:]) for line in reply.text.splitlines() if line.startswith("data:")]
    assert [event["generated_text"] is None for event in events] == [True] * (len(events) - 1) + [False]
    text = "".join(event["token"]["text"] for event in events if not event["token"]["special"])
    assert text == events[-1]["generated_text"]
    return text, events[-1]["details"]["finish_reason"], None, events[-1]["verdict"]


DIALECTS = {
    openai_chat: ("stop", "content_filter"),
    openai_completion: ("stop", "content_filter"),
    responses: ("completed", "content_filter"),
    anthropic: ("end_turn", "refusal"),
    ollama: ("stop", "content_filter"),
    tgi: ("eos_token", "stop_sequence"),
}
"""How an answer ends by itself, and by a policy."""


SCHEMAS = {
    openai_chat: lambda schema: {"structured_outputs": {"json": schema}},
    openai_completion: lambda schema: {"structured_outputs": {"json": schema}},
    responses: lambda schema: {"text": {"format": {"type": "json_schema", "name": "s", "schema": schema}}},
    anthropic: lambda schema: {"output_config": {"format": {"type": "json_schema", "schema": schema}}},
    ollama: lambda schema: {"format": schema},
    tgi: lambda schema: {"parameters": {"details": True, "grammar": {"type": "json", "value": schema}}},
}
