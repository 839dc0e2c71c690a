"""A live server, on a real socket, for every test that talks HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import HELD, Live, config_for, serving
from tiny_model import TEMPLATE, THINKING_END, write_tiny_model

MOST_OWN_S = 0.2


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def tiny_live(tiny_model: Path) -> Iterator[Live]:
    """Random weights: what comes out is held in shape by the constraints alone."""
    with serving(config_for(tiny_model)) as live:
        yield live


@pytest.fixture(scope="session")
def live(request: pytest.FixtureRequest) -> Iterator[Live]:
    """The model that ships with the package, or the tiny one where its weights are not there."""
    from gateway.embedded import MissingWeightsError, target_path

    try:
        target_path()
    except MissingWeightsError:
        yield request.getfixturevalue("tiny_live")
        return
    with serving(config_for(None)) as running:
        yield running


@pytest.fixture(scope="session")
def thinker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server whose model thinks unless it is told not to."""
    folder = tmp_path_factory.mktemp("thinker")
    write_tiny_model(folder, template=TEMPLATE + THINKING_END, special=("<think>", "</think>"))
    with serving(config_for(folder)) as live:
        yield live


@pytest.fixture(autouse=True)
def no_handler_holds_the_loop() -> Iterator[None]:
    """A handler that computes for long serves nobody else meanwhile. What a loop waits for on a busy machine is not its
    own, and a collection of all that the tests keep may come at any time: hence not the watch's own bound."""
    yield
    held = [each for each in HELD if each.own_seconds > MOST_OWN_S]
    HELD.clear()
    assert not held
