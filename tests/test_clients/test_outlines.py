"""outlines: its models of three servers, each with its own spelling of a constraint."""

import json
from typing import Literal

import openai
import pytest
from tasks import WEATHER, Weather, check, get_weather

outlines = pytest.importorskip("outlines")


@pytest.fixture(params=["openai", "vllm", "sglang"])
def model(request, server):
    client = openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0)
    make = {"openai": outlines.from_openai, "vllm": outlines.from_vllm, "sglang": outlines.from_sglang}
    return make[request.param](client, server.model)


def test_an_object(model):
    check(Weather.model_validate_json(model(WEATHER, Weather, temperature=0)))


def test_an_object_streamed(model):
    check(Weather.model_validate_json("".join(model.stream(WEATHER, Weather, temperature=0))))


@pytest.mark.parametrize("model", ["vllm", "sglang"], indirect=True)
def test_a_functions_arguments(model):
    """It declares no tools: a function to call is a type of output, but not of its model of OpenAI's server."""
    assert json.loads(model(WEATHER, get_weather, temperature=0))["city"] == "Lima"
    assert json.loads("".join(model.stream(WEATHER, get_weather, temperature=0)))["city"] == "Lima"


def test_a_choice(server):
    client = openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0)
    model = outlines.from_vllm(client, server.model)
    assert model("Is Lima a city?", Literal["yes", "no"]) in ("yes", "no")


def test_tgi(server):
    import huggingface_hub

    client = huggingface_hub.InferenceClient(server.url, provider="hf-inference", token="none")
    model = outlines.from_tgi(client)
    Weather.model_validate_json(model(f"{WEATHER}\nAs JSON: ", Weather, max_new_tokens=60))
