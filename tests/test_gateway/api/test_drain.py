"""`/drain`, for hooks of orchestrators."""

import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from serving import serving

from gateway.config import Config, EngineConfig, ModelConfig, ServerConfig

KEY = {"authorization": "Bearer drain-it"}


@pytest.fixture
def live(tiny_model):
    config = Config(
        model=ModelConfig(path=str(tiny_model)),
        engine=EngineConfig(num_threads=1),
        server=ServerConfig(drain_key="drain-it", graceful_timeout_s=60),
    )
    with serving(config) as live:
        yield live


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_drain_waits_for_answers_and_refuses_new_ones(live, method):
    body = {"prompt": "a", "max_tokens": 400, "ignore_eos": True, "stream": True}
    with ThreadPoolExecutor(1) as threads, live.http.stream("POST", "/v1/completions", json=body) as stream:
        lines = stream.iter_lines()
        next(lines)
        drained = threads.submit(httpx.request, method, f"{live.url}/drain", headers=KEY, timeout=60)
        while live.get("/ready").status_code == 200:
            time.sleep(0.01)
        assert live.post("/v1/completions", json=body).json()["error"]["code"] == "not_ready"
        assert list(lines)[-2] == "data: [DONE]"
    assert drained.result().json() == {"under_way": 0}
    assert live.get("/health").status_code == 200


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer drain"}, {"x-api-key": "drain-its"}])
def test_a_drain_wants_its_key(live, headers):
    assert live.get("/drain", headers=headers).status_code == 401
    assert live.get("/ready").status_code == 200


def test_without_a_key_there_is_no_drain(tiny_model):
    with serving(Config(model=ModelConfig(path=str(tiny_model)), engine=EngineConfig(num_threads=1))) as live:
        assert live.get("/drain", headers=KEY).status_code == 404
