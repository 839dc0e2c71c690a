"""A server that is not particular about the model's name: every dialect serves it, and tells it back."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from serving import Live, config_for, serving

NAME = "claude/gpt:turbo-9"
HELLO = [{"role": "user", "content": "Hello"}]


@pytest.fixture(scope="module")
def any_live(tiny_model: Path) -> Iterator[Live]:
    config = config_for(tiny_model)
    with serving(replace(config, model=replace(config.model, any_name=True))) as live:
        yield live


BODIES: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {"messages": HELLO, "max_tokens": 2},
    "/v1/completions": {"prompt": "Hello", "max_tokens": 2},
    "/v1/responses": {"input": "Hello", "max_output_tokens": 16},
    "/v1/messages": {"messages": HELLO, "max_tokens": 2},
    "/api/chat": {"messages": HELLO, "stream": False, "options": {"num_predict": 2}},
    "/api/generate": {"prompt": "Hello", "stream": False, "options": {"num_predict": 2}},
}


@pytest.mark.parametrize("path", BODIES)
def test_any_name_is_served_and_told(any_live: Live, tiny_live: Live, path: str) -> None:
    for name in (NAME, "test-model", "gpt-test", "llama3:latest"):
        reply = any_live.post(path, json={**BODIES[path], "model": name})
        assert reply.status_code == 200, reply.text
        assert reply.json()["model"] == name
    assert tiny_live.post(path, json={**BODIES[path], "model": NAME}).status_code == 404


@pytest.mark.parametrize("path", BODIES)
def test_any_name_is_told_in_streams(any_live: Live, path: str) -> None:
    reply = any_live.post(path, json={**BODIES[path], "model": NAME, "stream": True})
    assert reply.status_code == 200
    assert f'"model":"{NAME}"' in reply.text


def test_any_name_is_counted_shown_and_found(any_live: Live) -> None:
    for path, body in (
        ("/v1/messages/count_tokens", {"messages": HELLO}),
        ("/tokenize", {"prompt": "Hello"}),
        ("/api/show", {}),
    ):
        assert any_live.post(path, json={**body, "model": NAME}).status_code == 200, path
    assert any_live.get(f"/v1/models/{NAME}").json()["id"] == NAME
    listed = any_live.get("/v1/models").json()["data"]
    assert [model["id"] for model in listed] == ["test-model", "gpt-test", "org/name"]
