"""Pooled states of prompts equal those of the stock model, in one batch with answers."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from engine_models import PATHS, make_model
from engine_runs import make_engine, make_request, random_prompts, run_checked, tokens_of

from gateway.engine.errors import InvalidSamplingError

KINDS = ("last", "mean", "cls", "max")


def stock_pooled(model, prompt, kind):
    with torch.inference_mode():
        states = model(torch.tensor([prompt]), output_hidden_states=True).hidden_states[-1][0]
    return {"last": states[-1], "cls": states[0], "mean": states.mean(0), "max": states.amax(0)}[kind].numpy()


def pooled(events):
    (event,) = events
    assert (event.finish_reason, event.token_ids) == ("stop", [])
    return np.frombuffer(event.pooled, dtype="<f4")


@pytest.mark.parametrize(("name", "path"), PATHS, ids="-".join)
def test_pooled_states_are_the_stock_models_beside_answers(name, path):
    """Prompts longer than a step, of one token, read twice from the cache of prefixes, and more than fit at a time."""
    prompts = [*random_prompts(1, [1, 3, 17, 18, 33, 40, 5, 16]), *random_prompts(1, [1, 3, 17, 18, 33])]
    written = random_prompts(2, [9, 30])
    expected = [stock_pooled(make_model(name), prompt, KINDS[n % 4]) for n, prompt in enumerate(prompts)]
    alone = run_checked(make_engine(name, decoder=path), [make_request(n, each) for n, each in enumerate(written)])
    engine = make_engine(name, decoder=path, num_blocks=24)
    requests = [replace(make_request(n, each, 1), pooling=KINDS[n % 4]) for n, each in enumerate(prompts)]
    answers = [make_request(100 + n, each) for n, each in enumerate(written)]
    events = run_checked(engine, [*answers[:1], *requests, *answers[1:]])
    for number, vector in enumerate(expected):
        np.testing.assert_allclose(pooled(events[str(number)]), vector, atol=2e-4, rtol=2e-4)
    for number in range(len(written)):
        assert tokens_of(events[str(100 + number)]) == tokens_of(alone[str(number)])
    engine.close()


def test_a_prompt_as_long_as_the_context_is_pooled():
    engine = make_engine(max_model_len=32)
    (prompt,) = random_prompts(1, [32])
    events = run_checked(engine, [replace(make_request(1, prompt, 1), pooling="mean")])
    np.testing.assert_allclose(pooled(events["1"]), stock_pooled(make_model("llama"), prompt, "mean"), atol=2e-4)


def test_a_model_whose_texts_share_no_row_pools_nothing():
    engine = make_engine(decoder="one_by_one")
    with pytest.raises(InvalidSamplingError, match="pooling"):
        engine.add(replace(make_request(1, [3, 4], 1), pooling="last"))
