"""What the engine of a service is told: above all where its drafts come from."""

from dataclasses import replace
from pathlib import Path

import pytest
from serving import config_for

from gateway.config import EngineConfig
from gateway.embedded import draft_path, target_path
from gateway.engine import EngineConfig as Told
from gateway.service.model import engines
from gateway.service.model.folder import ModelFolder

GUESSES = ("forced", "ngram")


def told(monkeypatch: pytest.MonkeyPatch, folder: Path | None, **settings) -> Told:
    """The engine's configuration, in the place of the engine."""
    noted: list[Told] = []

    class Running:
        def start(self):
            return self

    monkeypatch.setattr(engines, "_in_thread", lambda chosen, *_: noted.append(chosen) or Running())
    config = replace(config_for(folder), engine=EngineConfig(**settings))
    engines.started(config, engines.engine_settings(config), ModelFolder.open(folder or target_path()), 100)
    (chosen,) = noted
    return chosen


def test_the_draft_model_that_ships_drafts_for_the_model_that_ships(monkeypatch):
    chosen = told(monkeypatch, None)
    assert (chosen.sources, chosen.draft_model) == ((*GUESSES, "model"), str(draft_path()))


def test_another_model_has_none_unless_it_is_named(monkeypatch, tiny_model):
    chosen = told(monkeypatch, tiny_model)
    assert (chosen.sources, chosen.draft_model) == (GUESSES, None)
    chosen = told(monkeypatch, tiny_model, draft_model=str(tiny_model))
    assert (chosen.sources, chosen.draft_model) == ((*GUESSES, "model"), str(tiny_model))


@pytest.mark.parametrize("sources", [(), ("ngram",)])
def test_sources_that_are_named_are_taken_as_they_are(monkeypatch, tiny_model, sources):
    for folder in (None, tiny_model):
        chosen = told(monkeypatch, folder, speculation=sources, draft_model=str(tiny_model))
        assert (chosen.sources, chosen.draft_model) == (sources, None)
