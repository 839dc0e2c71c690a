"""What a model's own files say about sampling counts where a request says nothing."""

import json
import shutil

import pytest
from serving import config_for, serving

from gateway.config import ModelConfig
from gateway.core.request import Sampling, SamplingDefaults
from gateway.errors import ModelLoadError
from gateway.service.model.sampling_defaults import defaults_of, with_defaults

BODY = {"prompt": "once", "max_tokens": 12}


def model_with(tiny_model, folder, **generation):
    shutil.copytree(tiny_model, folder)
    file = folder / "generation_config.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps(known | generation))
    return folder


@pytest.mark.parametrize(
    ("generation", "expected"),
    [
        ({}, SamplingDefaults()),
        ({"do_sample": False, "temperature": None}, SamplingDefaults()),
        ({"temperature": 0.6, "top_p": 0.95, "top_k": 20}, SamplingDefaults(temperature=0.6, top_p=0.95, top_k=20)),
        ({"top_k": -1, "min_p": 0, "repetition_penalty": 1.05}, SamplingDefaults(repetition_penalty=1.05)),
    ],
)
def test_five_of_its_fields_are_read(generation, expected):
    assert defaults_of(generation, "here") == expected


@pytest.mark.parametrize(
    "generation", [{"temperature": "hot"}, {"temperature": -1}, {"top_p": 1.5}, {"top_k": 2.5}, {"min_p": True}]
)
def test_what_cannot_be_sampled_with_is_named(generation):
    (name,) = generation
    with pytest.raises(ModelLoadError, match=rf"here: .*{name}"):
        defaults_of(generation, "here")


def test_what_a_request_says_goes_first():
    defaults = SamplingDefaults(temperature=0.5, top_k=5, min_p=0.1)
    drawn = with_defaults(Sampling(temperature=0.0, top_k=0), defaults)
    assert drawn == SamplingDefaults(temperature=0.0, top_k=0, min_p=0.1)


def test_a_request_that_says_nothing_is_sampled_as_the_model_would_be(tiny_model, tmp_path):
    folder = model_with(tiny_model, tmp_path / "model", temperature=0.0, top_p=0.5)
    with serving(config_for(folder)) as live:
        greedy = live.post("/v1/completions", json=BODY | {"temperature": 0}).json()["choices"][0]["text"]
        for _ in range(5):
            assert live.post("/v1/completions", json=BODY).json()["choices"][0]["text"] == greedy
        drawn = [live.post("/v1/completions", json=BODY | {"temperature": 2, "top_p": 1}).json() for _ in range(5)]
        assert {reply["choices"][0]["text"] for reply in drawn} != {greedy}
        response = live.post("/v1/responses", json={"input": "once", "max_output_tokens": 4}).json()
        assert (response["temperature"], response["top_p"]) == (0.0, 0.5)


def test_an_operator_may_have_it_ignored(tiny_model, tmp_path):
    folder = model_with(tiny_model, tmp_path / "model", temperature=0.0)
    config = config_for(folder, model=ModelConfig(path=str(folder), use_generation_config=False))
    with serving(config) as live:
        assert live.post("/v1/responses", json={"input": "once", "max_output_tokens": 4}).json()["temperature"] == 1.0
