"""Process with one model of names: JSON lines in, JSON lines out (see `lines`).

    python -P -m gateway.guards.models.names MODEL

MODEL is a folder of spaCy's or of transformers', or an installed package of spaCy's. What it says first is
`{"kinds": [...]}`; to each `{"texts": [...], "threshold": T, "seconds": S}` it says `{"spans": [[[kind, begin, end],
...], ...]}`. It reaches no network: whatever a library tries there is refused.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from gateway.guards.models import LOCAL, config_of
from gateway.guards.models.lines import Answering, serve

WINDOW = 5_000
"""Characters that are read together, half of which the next window reads again; between two the time is looked at."""
KINDS = {"PERSON": "person", "LOCATION": "location", "ORGANIZATION": "organization", "NRP": "nrp"}
"""Presidio's entities."""
LANGUAGE = "en"
"""Presidio wants one; models know theirs."""


class Names:
    """Finds names with an analyzer that has a single recognizer."""

    def __init__(self, model: str) -> None:
        presidio = import_module("presidio_analyzer")
        logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)  # warns about every other entity
        is_of_transformers = (Path(model) / "config.json").is_file()
        engine, recognizer, labels = _of_transformers(model) if is_of_transformers else _of_spacy(model)
        registry = presidio.RecognizerRegistry(recognizers=[recognizer], supported_languages=[LANGUAGE])
        self._analyzer = presidio.AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=[LANGUAGE])
        self._recognizer = recognizer
        self.kinds = [kind for entity, kind in KINDS.items() if entity in labels]

    def spans(self, text: str, threshold: float, end: float) -> list[tuple[str, int, int]]:
        """Kind, begin and end of each name.

        Raises:
            TimeoutError: The time is over.
        """
        text = text.encode("utf-8", "replace").decode()  # halves of characters are of no model
        found: set[tuple[str, int, int]] = set()
        self._recognizer.failure = None
        for begin in range(0, max(len(text) - WINDOW // 2, 1), WINDOW // 2):
            if time.monotonic() > end:
                raise TimeoutError("the texts take too long")
            told = self._analyzer.analyze(
                text[begin : begin + WINDOW], LANGUAGE, entities=list(KINDS), score_threshold=threshold
            )
            if self._recognizer.failure is not None:
                raise self._recognizer.failure
            ours = [each for each in told if each.entity_type in KINDS]
            found |= {(KINDS[each.entity_type], begin + each.start, begin + each.end) for each in ours}
        return sorted(found)


def _of_spacy(model: str) -> tuple[Any, Any, set[str]]:
    """Return the engine, its recognizer, and its entities."""
    spacy, engines = import_module("spacy"), import_module("presidio_analyzer.nlp_engine")
    if not spacy.util.is_package(model) and not (Path(model) / "config.cfg").is_file():
        raise ValueError(
            "it is no folder of a model of spaCy's or transformers', and no package that is installed "
            "(as by: python -m spacy download en_core_web_lg)"
        )
    nlp = spacy.load(model)
    engine = engines.SpacyNlpEngine()
    engine.nlp = {LANGUAGE: nlp}  # its own `load` would download what it does not find
    mapping = engine.ner_model_configuration.model_to_presidio_entity_mapping
    labels = {mapping[label] for labels in nlp.pipe_labels.values() for label in labels if label in mapping}
    recognizers = import_module("presidio_analyzer.predefined_recognizers")
    return engine, recognizers.SpacyRecognizer(supported_language=LANGUAGE), labels


def _of_transformers(model: str) -> tuple[Any, Any, set[str]]:
    import torch
    from transformers import AutoModelForTokenClassification, AutoTokenizer, pipeline

    torch.set_num_threads(1)  # the cores are the engine's
    engines = import_module("presidio_analyzer.nlp_engine")
    recognizers = import_module("presidio_analyzer.predefined_recognizers.ner.huggingface_ner_recognizer")
    tokenizer = AutoTokenizer.from_pretrained(model, **LOCAL)
    classifier = AutoModelForTokenClassification.from_pretrained(
        model, config=config_of(model), use_safetensors=True, **LOCAL
    )
    longest = getattr(classifier.config, "max_position_embeddings", None) or tokenizer.model_max_length
    # Without a stride what is longer than that would be cut.
    tokenizer.model_max_length = int(min(longest, tokenizer.model_max_length))
    asked = pipeline(
        "token-classification",
        model=classifier,
        tokenizer=tokenizer,
        aggregation_strategy="first",
        stride=tokenizer.model_max_length // 4,
    )

    class Recognizer(recognizers.HuggingFaceNerRecognizer):  # type: ignore[misc, name-defined]
        """Presidio's takes a model that fails for one that finds nothing; this one keeps the failure."""

        failure: Exception | None = None

        def load(self) -> None:
            self.ner_pipeline = self._asked

        def _asked(self, text: str) -> Any:
            try:
                return asked(text)
            except Exception as error:
                self.failure = error
                raise

    mapping = recognizers.HuggingFaceNerRecognizer.DEFAULT_LABEL_MAPPING
    names = {str(name).split("-", 1)[-1] for name in classifier.config.id2label.values()}
    recognizer = Recognizer(supported_language=LANGUAGE, threshold=0.0, device="cpu", supported_entities=list(KINDS))
    engine = engines.NoOpNlpEngine(models=[{"lang_code": LANGUAGE, "model_name": "none"}])
    return engine, recognizer, {mapping[name] for name in names if name in mapping}


def _refuse(event: str, told: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        raise OSError("a model of names reaches no network")


def load(model: str) -> tuple[dict[str, Any], Answering]:
    """Return the first message and the function that answers each line."""
    sys.addaudithook(_refuse)
    os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    names = Names(model)

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        end = time.monotonic() + asked["seconds"]
        return {"spans": [names.spans(text, asked["threshold"], end) for text in asked["texts"]]}

    return {"kinds": names.kinds}, answer


if __name__ == "__main__":
    serve(lambda: load(sys.argv[1]))
