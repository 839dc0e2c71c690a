"""Classifiers in `logit_arithmetic` over HTTP: answers by the formula, in every shape, within bounds."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import torch
from guarded_dialects import policy_of
from scripted import policies
from serving import Live, config_for, serving
from test_arithmetic import (
    CHAT,
    CHATS,
    COMPLETION,
    COMPLETIONS,
    PROMPT,
    SCHEMA,
    ask,
    assert_answers_fit_their_schema,
    by_hand,
    tokens,
)
from tiny_model import write_tiny_model
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification, BertConfig

from gateway.config import CacheConfig, Config
from gateway.engine import Engine, EngineConfig
from gateway.engine.errors import EngineFault
from gateway.engine.text_classifiers import TextClassifier
from gateway.engine.warpers.classifiers import MOST_READ
from gateway.errors import ModelLoadError
from gateway.service.model.engines import engine_settings

LONGEST = 24
"""Tokens of a text that the classifiers read; answers are longer."""
LABELS = ("rude", "polite", "dull")
POLITE = {"formula": "base + 6*classifier(polite)"}


def write_classifier(folder: Path, tokenizer: Path, seed: int, **options: Any) -> Path:
    """A folder of a small classifier with random weights."""
    torch.manual_seed(seed)
    settings = {"num_hidden_layers": 1, "num_attention_heads": 2, "hidden_size": 16, "intermediate_size": 16}
    labels = {"id2label": dict(enumerate(LABELS)), "label2id": {name: n for n, name in enumerate(LABELS)}}
    config = BertConfig(
        max_position_embeddings=LONGEST, initializer_range=1.0, **{"vocab_size": 400, **settings, **labels, **options}
    )
    AutoModelForSequenceClassification.from_config(config).save_pretrained(folder)
    shutil.copy(tokenizer / "tokenizer.json", folder)
    return folder


@pytest.fixture(scope="module")
def folders(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("classifiers")
    kinds: dict[str, dict[str, Any]] = {"polite": {}, "dull": {"problem_type": "multi_label_classification"}}
    found = {n: write_classifier(folder / n, tiny_model, s, **kind) for s, (n, kind) in enumerate(kinds.items())}
    return {**found, "draft": write_tiny_model(folder / "draft", seed=1)}


def config_of(model: Path, folders: dict[str, Path], *classifiers: str) -> Config:
    config = config_for(model, cache=CacheConfig(max_bytes=1 << 20))
    given = classifiers or tuple(f"{name}={folders[name]}:{name}" for name in ("polite", "dull"))
    return replace(config, engine=replace(config.engine, draft_model=str(folders["draft"]), term_classifiers=given))


@pytest.fixture(scope="module")
def served(tiny_model: Path, folders: dict[str, Path]) -> Iterator[Live]:
    with serving(config_of(tiny_model, folders)) as live:
        yield live


class Formula:
    """The formula by hand: each text is classified by itself."""

    def __init__(self, tiny_model: Path, folders: dict[str, Path]) -> None:
        paths = {"base": tiny_model, "draft": folders["draft"]}
        self.models = {
            name: AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).eval() for name, path in paths.items()
        }
        self.tokenizer = Tokenizer.from_file(str(tiny_model / "tokenizer.json"))
        self.classifiers = {
            name: AutoModelForSequenceClassification.from_pretrained(folders[name]).eval()
            for name in ("polite", "dull")
        }

    def log_probability(self, name: str, answer: list[int]) -> float:
        ids = self.tokenizer.encode(self.tokenizer.decode(answer)).ids[-LONGEST:]
        logits = self.classifiers[name](torch.tensor([ids or [0]])).logits[0]
        chances = logits.softmax(-1) if name == "polite" else logits.sigmoid()
        return float(chances[LABELS.index(name)].log())

    @torch.inference_mode()
    def answer(
        self, prompt: list[int], terms: dict[str, float], weights: dict[str, float], num_tokens: int
    ) -> list[int]:
        answer: list[int] = []
        for _ in range(num_tokens):
            scores = torch.zeros(1)
            for name, weight in terms.items():
                logits = self.models[name](torch.tensor([prompt + answer])).logits[0, -1]
                scores = scores + weight * logits.log_softmax(-1)
            best = scores.topk(MOST_READ).indices.tolist()
            for name, weight in weights.items():
                added = [weight * self.log_probability(name, [*answer, token]) for token in best]
                scores += min(added)
                for token, value in zip(best, added, strict=True):
                    scores[token] += value - min(added)
            answer.append(int(scores.argmax()))
        return answer


@pytest.fixture(scope="module")
def formula(tiny_model: Path, folders: dict[str, Path]) -> Formula:
    return Formula(tiny_model, folders)


def test_answers_are_the_formula_by_hand(served: Live, formula: Formula) -> None:
    """Beside a plain answer with drafts; the texts become longer than the classifiers read."""
    rng = random.Random(4)
    prompts = [[rng.randrange(3, 300) for _ in range(length)] for length in (2, 5, 9)]
    given = {"formula": "1.5*base - 0.5*draft + 6*classifier(polite) - (2*(classifier(dull) - 0.5*classifier(dull)))"}
    with ThreadPoolExecutor(1) as threads:
        plain = threads.submit(tokens, served, max_tokens=40)
        choices = ask(served, COMPLETIONS, COMPLETION, prompt=prompts, max_tokens=26, logit_arithmetic=given)["choices"]
    steered = 0
    for prompt, choice in zip(prompts, choices, strict=True):
        terms = {"base": 1.5, "draft": -0.5}
        expected = formula.answer(prompt, terms, {"polite": 6.0, "dull": -1.0}, 26)
        assert choice["token_ids"] == expected
        steered += expected[:8] != formula.answer(prompt, terms, {}, 8)
    assert steered > 1
    assert plain.result() == by_hand([formula.models["base"]], [PROMPT], lambda a: a, 40)


def test_a_classifier_alone_needs_no_other_term(served: Live, formula: Formula) -> None:
    expected = formula.answer(PROMPT, {"base": 1.0}, {"polite": 6.0}, 10)
    assert tokens(served, logit_arithmetic=POLITE) == expected
    assert tokens(served, logit_arithmetic={"formula": "6*classifier(polite)+base"}) == expected
    assert tokens(served, logit_arithmetic={"formula": "base + 0*classifier(polite)"}) == tokens(served)


@pytest.mark.parametrize("more", [{}, {"n": 3, "temperature": 1, "seed": 3}])
def test_answers_fit_their_schema_whole_and_streamed(served: Live, more: dict[str, Any]) -> None:
    assert_answers_fit_their_schema(served, POLITE, more)


def test_calls_fit_their_schema_and_answers_are_screened(served: Live, tmp_path: Path) -> None:
    tools = [{"type": "function", "function": {"name": "find", "parameters": SCHEMA}}]
    body = {**CHAT, "max_tokens": 90, "tools": tools, "tool_choice": "required", "logit_arithmetic": POLITE}
    (call,) = ask(served, CHATS, body, parallel_tool_calls=False)["choices"][0]["message"]["tool_calls"]
    assert set(json.loads(call["function"]["arguments"])) == {"a", "b"}
    word = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"const": "secret"}, "strict": True}}
    body = {**CHAT, "max_tokens": 20, "response_format": word, "logit_arithmetic": POLITE}
    with policies(served, tmp_path, policy_of("terms", 'terms = ["secret"]', "block", "output")):
        assert "secret" not in served.post(CHATS, json=body).text.partition('"choices"')[2]


def test_a_classifier_that_fails_ends_its_own_answers_alone(served: Live, formula: Formula) -> None:
    def failing(self: Any, answers: list[list[int]]) -> Any:
        raise RuntimeError("the device is gone")

    with patch.object(TextClassifier, "log_probabilities", failing), ThreadPoolExecutor(1) as threads:
        plain = threads.submit(tokens, served, max_tokens=60)
        reply = served.post(COMPLETIONS, json={**COMPLETION, "max_tokens": 12, "logit_arithmetic": POLITE})
        assert reply.status_code == 500
        assert plain.result() == by_hand([formula.models["base"]], [PROMPT], lambda a: a, 60)
    expected = formula.answer(PROMPT, {"base": 1.0}, {"polite": 6.0}, 12)
    assert tokens(served, logit_arithmetic=POLITE, max_tokens=12) == expected


def test_a_text_of_no_token_is_read(folders: dict[str, Path], formula: Formula) -> None:
    classifier = TextClassifier(folders["polite"], "polite", formula.tokenizer, torch.device("cpu"))
    texts = [[], PROMPT, [1], PROMPT * 300, *([each] for each in range(3, 130))]
    with torch.inference_mode():
        expected = [formula.log_probability("polite", text) for text in texts]
    assert classifier.log_probabilities(texts).tolist() == pytest.approx(expected, abs=1e-4)
    assert classifier.log_probabilities([[]]).tolist() == pytest.approx(expected[:1], abs=1e-4)


def test_cached_responses_are_of_the_same_classifiers(served: Live) -> None:
    def cached(formula: str) -> str:
        reply = served.post(COMPLETIONS, json={**COMPLETION, "max_tokens": 3, "logit_arithmetic": {"formula": formula}})
        return reply.headers["x-portcullis-cache"]

    first, second = "base + classifier(polite)", "base + classifier(dull)"
    assert [cached(first), cached(first), cached(second)] == ["miss", "hit", "miss"]


def hostile_formulas() -> Iterator[str]:
    yield from ("classifier(polite)", "2*classifier(polite)", "base*classifier(polite)", "2*base+classifier(polite)")
    yield from ("base+classifier", "base+classifier()", "base+classifier(polite", "base+classifier(polite,2)")
    yield from ("union(base,classifier(polite))", "plausible(classifier(polite),0.1)+draft", "base+classifier(2)")
    yield from ("base+union(draft+classifier(polite),base)", "base+classifier(base+draft)", "base+1+classifier(polite)")
    yield from ("base+1001*classifier(polite)", "base+classifier(classifier(polite))", "base+classifier(Polite)")
    yield from (
        "base+" + "classifier(polite)+" * 99 + "base",
        "base+classifier(" + "p" * 99 + ")",
        "base-classifier(é)",
    )
    rng = random.Random(8)
    for length in range(80):
        yield f"base+classifier({''.join(rng.choices('polite ./_-(*)+,:=0', k=length))}x)"


def test_hostile_formulas_get_a_clear_400_that_names_the_field(served: Live) -> None:
    for formula in hostile_formulas():
        reply = served.post(CHATS, json={**CHAT, "logit_arithmetic": {"formula": formula}})
        assert reply.status_code == 400, formula
        assert reply.json()["error"]["param"] == "logit_arithmetic.formula"
        assert len(reply.json()["error"]["message"]) < 1_000
    beams = {**CHAT, "use_beam_search": True, "num_beams": 2, "logit_arithmetic": POLITE}
    assert served.post(CHATS, json=beams).json()["error"]["param"] == "logit_arithmetic.formula"


def test_settings_that_name_no_classifier_are_refused(
    tiny_model: Path, folders: dict[str, Path], tmp_path: Path
) -> None:
    for given in ("a=/nowhere:x", f"a={folders['polite']}", f"1={folders['polite']}:x", "a=:x"):
        with pytest.raises(ModelLoadError, match="term_classifiers"):
            engine_settings(config_of(tiny_model, folders, given))
    endless = write_classifier(tmp_path / "endless", tiny_model, 1, pad_token_id=None)
    narrow = write_classifier(tmp_path / "narrow", tiny_model, 1, vocab_size=100)
    for given, message in (
        (f"a={folders['polite']}:kind", "has no class 'kind'; it has rude, polite, dull"),
        (f"a={tiny_model}:polite", "lacks weights: score"),
        (f"a={tmp_path}:polite", "is no classifier of transformers"),
        (f"a={endless}:polite", "has no pad_token_id"),
        (f"a={narrow}:polite", "more tokens than its model knows"),
    ):
        with pytest.raises(EngineFault, match=message):
            Engine(tiny_model, EngineConfig(num_blocks=8, check_model=False, term_classifiers=(given,)))
    config = EngineConfig(num_blocks=8, check_model=False, term_classifiers=(f"a={folders['polite']}:polite",))
    with pytest.raises(EngineFault, match=r"need the served model's tokenizer\.json"):
        Engine(AutoModelForCausalLM.from_pretrained(tiny_model), config)
    with pytest.raises(EngineFault, match="a is named twice"):
        Engine(tiny_model, replace(config, term_classifiers=config.term_classifiers * 2))
