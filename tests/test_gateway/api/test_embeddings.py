"""Embeddings, reranking and scores over a socket: a generative model, encoders, a cross-encoder."""

import base64
import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from encoder_models import LONGEST, write_cross_encoder, write_encoder
from serving import Live, config_for, serving
from tiny_model import write_tiny_model

from gateway.errors import ModelLoadError
from gateway.service.encoder_service import EncoderService

TEXTS = ["a b c", "d", "e f g h i j k l m n o p a b c d e f", "the a", "a b c"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("encoders")
    return {
        "writer": write_tiny_model(root / "writer"),
        "averager": write_tiny_model(root / "averager"),
        "mute": write_tiny_model(root / "mute"),
        "mean": write_encoder(root / "mean"),
        "cls": write_encoder(root / "cls", "cls_token", normalizes=False),
        "max": write_encoder(root / "max", "max_tokens", dense=6),
        "last": write_encoder(root / "last", "lasttoken"),
        "cross": write_cross_encoder(root / "cross"),
        "raw": write_cross_encoder(root / "raw", sbert_ce_default_activation_function="torch.nn.Identity"),
    }


@pytest.fixture(scope="module")
def encoders(folders: dict[str, Path]) -> Iterator[Live]:
    config = config_for(folders["writer"])
    pooling = {"averager": "mean", "mute": "none"}
    others = [
        replace(
            config,
            model=replace(config.model, path=str(path), name=name, aliases=(), pooling=pooling.get(name, "auto")),
        )
        for name, path in folders.items()
    ]
    with serving(replace(config, model=others[0].model, models=tuple(others[1:]))) as live:
        yield live


def by_hand(folder: Path, text: str, pooling: str) -> np.ndarray:
    """The pooled states of a text, by transformers alone."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    ids = tokenizer(text, padding=False, truncation=False, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        states = model(input_ids=ids).last_hidden_state[0]
    return {"mean": states.mean(0), "cls": states[0], "max": states.amax(0), "last": states[-1]}[pooling].numpy()


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def embed(live: Live, model: str, given: object, **fields: object) -> np.ndarray:
    reply = live.post("/v1/embeddings", json={"model": model, "input": given, **fields})
    assert reply.status_code == 200, reply.text
    data = reply.json()["data"]
    assert [each["index"] for each in data] == list(range(len(data)))
    return np.array([each["embedding"] for each in data], dtype=np.float32)


def refused(live: Live, path: str, body: object) -> dict[str, str]:
    reply = live.post(path, json=body)
    assert reply.status_code == 400, (body, reply.text)
    return reply.json()["error"]


@pytest.mark.parametrize(
    ("model", "pooling"), [("writer", "last"), ("averager", "mean"), ("mean", "mean"), ("last", "last")]
)
def test_vectors_are_transformers_pooled_by_hand(encoders, folders, model, pooling):
    expected = [unit(by_hand(folders[model], text, pooling)) for text in TEXTS]
    np.testing.assert_allclose(embed(encoders, model, TEXTS), expected, atol=1e-5)


def test_what_a_folder_says_is_done_after_the_pooling(encoders, folders):
    from safetensors.numpy import load_file

    np.testing.assert_allclose(embed(encoders, "cls", "a b")[0], by_hand(folders["cls"], "a b", "cls"), atol=1e-5)
    layer = load_file(folders["max"] / "2_Dense" / "model.safetensors")
    dense = np.tanh(layer["linear.weight"] @ by_hand(folders["max"], "a b", "max") + layer["linear.bias"])
    np.testing.assert_allclose(embed(encoders, "max", "a b")[0], unit(dense), atol=1e-5)
    np.testing.assert_allclose(embed(encoders, "max", "a b", normalize=False)[0], dense, atol=1e-5)


@pytest.mark.parametrize("model", ["writer", "averager", "mean", "max"])
def test_a_batch_is_each_text_alone(encoders, model):
    alone = [embed(encoders, model, text)[0] for text in TEXTS]
    np.testing.assert_allclose(embed(encoders, model, TEXTS), alone, atol=1e-5)


def test_tokens_are_as_good_as_their_text(encoders, folders):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folders["mean"] / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    ids = [tokenizer.encode(text).ids for text in TEXTS]
    np.testing.assert_allclose(embed(encoders, "mean", ids), embed(encoders, "mean", TEXTS), atol=1e-6)
    np.testing.assert_allclose(embed(encoders, "mean", ids[0]), embed(encoders, "mean", TEXTS[:1]), atol=1e-6)


def test_the_official_client_reads_base64_and_numbers_alike(encoders):
    for model in ("writer", "mean"):
        numbers = encoders.client.embeddings.create(model=model, input=TEXTS, encoding_format="float")
        coded = encoders.client.embeddings.create(model=model, input=TEXTS)
        assert [each.embedding for each in numbers.data] == [each.embedding for each in coded.data]
        assert numbers.usage == coded.usage
        assert numbers.usage.total_tokens > len(TEXTS)
        reply = encoders.post("/v1/embeddings", json={"model": model, "input": "a", "encoding_format": "base64"}).json()
        read = np.frombuffer(base64.b64decode(reply["data"][0]["embedding"]), dtype="<f4")
        assert np.array_equal(read, embed(encoders, model, "a")[0])


def test_dimensions_keep_the_first_components_at_length_1(encoders):
    whole = embed(encoders, "mean", TEXTS)
    kept = embed(encoders, "mean", TEXTS, dimensions=5)
    np.testing.assert_allclose(kept, [unit(each[:5]) for each in whole], atol=1e-6)
    assert (
        refused(encoders, "/v1/embeddings", {"model": "mean", "input": "a", "dimensions": 17})["param"] == "dimensions"
    )


def test_a_prompt_is_put_before_the_text_where_it_is_named(encoders):
    named = embed(encoders, "mean", "a b", prompt_name="query")
    np.testing.assert_allclose(named, embed(encoders, "mean", "query : a b"), atol=1e-6)


def test_a_long_text_is_cut_only_where_that_is_asked_for(encoders):
    long = "a " * 200
    for model, most in (("mean", LONGEST - 2), ("cross", None)):
        body = {"model": model, "query": "a", "documents": [long]}
        assert refused(encoders, "/rerank", body)["code"] == "context_length_exceeded"
        assert encoders.post("/rerank", json=body | {"truncate_prompt_tokens": -1}).status_code == 200
        if most is not None:
            cut = embed(encoders, model, long, truncate_prompt_tokens=-1)
            np.testing.assert_allclose(cut, embed(encoders, model, "a " * most), atol=1e-6)
            cut = embed(encoders, model, long, truncate_prompt_tokens=5)
            np.testing.assert_allclose(cut, embed(encoders, model, "a a a"), atol=1e-6)
    ids = embed(encoders, "writer", [5, 6, 7, 8], truncate_prompt_tokens=2)
    np.testing.assert_allclose(ids, embed(encoders, "writer", [5, 6]), atol=1e-6)


def scores_by_hand(folder: Path, query: str, documents: list[str]) -> np.ndarray:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    found = []
    for text in documents:
        inputs = tokenizer(
            query, text, padding=False, truncation=False, return_tensors="pt", return_token_type_ids=True
        )
        with torch.inference_mode():
            found.append(float(model(**inputs).logits))
    return np.array(found)


def test_a_cross_encoder_scores_as_transformers_does(encoders, folders):
    logits = scores_by_hand(folders["cross"], "the a", TEXTS)
    assert np.ptp(logits) > 0.1
    body = {"text_1": "the a", "text_2": TEXTS}
    scores = [each["score"] for each in encoders.post("/v1/score", json={"model": "cross", **body}).json()["data"]]
    np.testing.assert_allclose(scores, 1 / (1 + np.exp(-logits)), atol=1e-5)
    raw = encoders.post("/score", json={"model": "raw", "queries": ["the a"] * 5, "documents": TEXTS}).json()["data"]
    np.testing.assert_allclose([each["score"] for each in raw], logits, atol=1e-4)


def test_ranked_documents_come_best_first(encoders):
    body = {"query": "the a", "documents": [*TEXTS[:3], {"text": "the a"}]}
    for model, path in itertools.product(("cross", "mean", "writer"), ("/rerank", "/v1/rerank", "/v2/rerank")):
        reply = encoders.post(path, json={"model": model, **body}).json()
        results = reply["results"]
        assert sorted(each["index"] for each in results) == [0, 1, 2, 3]
        ranked = [each["relevance_score"] for each in results]
        assert ranked == sorted(ranked, reverse=True)
        assert reply["usage"]["total_tokens"] > 0
        assert all(("document" in each) == (path != "/v2/rerank") for each in results)
        best = encoders.post(path, json={"model": model, **body, "top_n": 2, "return_documents": False}).json()[
            "results"
        ]
        assert best == [{name: each[name] for name in ("index", "relevance_score")} for each in results[:2]]


def test_an_encoder_without_a_judgement_of_pairs_compares_by_cosine_and_its_prompts(encoders):
    query, document = (
        embed(encoders, "mean", text, prompt_name=name)[0] for text, name in (("a", "query"), ("b c", "document"))
    )
    reply = encoders.post("/v1/score", json={"model": "mean", "text_1": "a", "text_2": "b c"}).json()
    assert reply["data"][0]["score"] == pytest.approx(float(query @ document), abs=1e-5)


def test_a_model_that_cannot_says_so_by_name(encoders):
    chat = {"model": "mean", "messages": [{"role": "user", "content": "Hi"}]}
    for path, body in (
        ("/v1/chat/completions", chat),
        ("/v1/completions", {"model": "cross", "prompt": "a"}),
        ("/v1/embeddings", {"model": "cross", "input": "a"}),
        ("/v1/embeddings", {"model": "mute", "input": "a"}),
        ("/rerank", {"model": "mute", "query": "a", "documents": ["b"]}),
    ):
        error = refused(encoders, path, body)
        assert (error["code"], error["param"]) == ("wrong_model", "model")
        assert body["model"] in error["message"]
    assert {each.id for each in encoders.client.models.list().data} >= {"mean", "cross", "writer"}


def hostile() -> list[tuple[str, dict[str, object]]]:
    """Bodies that are each refused: a field of a wrong type, out of range, too much, or missing."""
    odd = [
        None,
        True,
        -1,
        1.5,
        {},
        {"a": 1},
        [],
        [[]],
        [None],
        [1, "a"],
        ["a", [1]],
        [[1], 2],
        [[1.5]],
        [-1],
        [1 << 40],
    ]
    odd += [[[0, -1]], [10**30], ["a"] * 3000, "\ud800"[:0] or [], "a " * 5000, [["a"]], [{"text": "a"}], [0, 99999]]
    bodies: list[tuple[str, dict[str, object]]] = [("/v1/embeddings", {"input": each}) for each in odd]
    bodies.append(("/v1/embeddings", {}))
    for name, values in {
        "encoding_format": ["base32", 1, [], {}, True, "", "FLOAT"],
        "dimensions": [0, -1, 1 << 60, "5", 1.5, 17, True, [], {}, 1e300],
        "truncate_prompt_tokens": [0, -2, "5", [], 1.5, {}, True, -(1 << 40)],
        "normalize": ["yes", 1, [], {}],
        "prompt_name": ["missing", 1, [], {}, "", "x" * 5000],
        "timeout": [0, -1, "now", 1e300, [], True],
        "priority": [1 << 40, "high", 1.5, []],
        "model": [1, []],
    }.items():
        bodies += [("/v1/embeddings", {"input": "a", name: value}) for value in values]
    good = {"query": "a", "documents": ["b"]}
    for name, values in {
        "query": [None, 1, [], ["a"], {}, "a " * 5000],
        "documents": [None, "b", [], [1], [{}], [{"text": 1}], [None], ["b"] * 3000, {"a": "b"}, ["a " * 5000]],
        "top_n": [0, -1, "2", 1.5, []],
        "return_documents": ["yes", 1],
        "truncate_prompt_tokens": [0, -2],
    }.items():
        bodies += [("/rerank", {**good, name: value}) for value in values]
    for body in (
        *({}, {"text_1": "a"}, {"text_2": "a"}, {"queries": "a"}, {"text_1": "a", "documents": "b"}),
        *({"text_1": "a", "text_2": "b", "queries": "a", "documents": "b"}, {"text_1": [], "text_2": "b"}),
        *({"text_1": ["a", "b"], "text_2": ["a", "b", "c"]}, {"text_1": ["a", "b"], "text_2": "c"}),
        *({"text_1": "a", "text_2": []}, {"text_1": 1, "text_2": "b"}, {"text_1": [1], "text_2": "b"}),
        *({"text_1": "a", "text_2": {"content": []}}, {"text_1": None, "text_2": None}),
        {"text_1": ["a"] * 3000, "text_2": ["a"] * 3000},
    ):
        bodies.append(("/v1/score", body))
    return bodies


def test_hostile_bodies_are_refused_and_the_server_serves_on(encoders):
    bodies = hostile()
    assert len(bodies) >= 100
    for path, body in bodies:
        for model in ("mean",) if path == "/v1/embeddings" else ("mean", "cross"):
            error = refused(encoders, path, {"model": model, **body})
            assert error["message"], body
            assert error["param"].partition("[")[0] in {*body, "input", "text_1"}, (body, error)
    assert embed(encoders, "mean", "a").shape == (1, 16)


@pytest.mark.parametrize("setting", [{"adapters": ("a=/x",)}, {"adapter_folder": "/x"}])
def test_an_encoder_with_adapters_is_refused(folders, setting):
    config = config_for(folders["mean"])
    with pytest.raises(ModelLoadError, match="not supported for encoders"):
        EncoderService.load(replace(config, model=replace(config.model, **setting)), print)


def test_ollamas_routes_embed(encoders):
    reply = encoders.post("/api/embed", json={"model": "mean", "input": TEXTS}).json()
    np.testing.assert_allclose(reply["embeddings"], embed(encoders, "mean", TEXTS), atol=1e-6)
    assert reply["prompt_eval_count"] > 0
    one = encoders.post("/api/embeddings", json={"model": "mean", "prompt": "a b"}).json()
    np.testing.assert_allclose([one["embedding"]], embed(encoders, "mean", "a b"), atol=1e-6)
    assert encoders.post("/api/embed", json={"model": "mean", "input": "a " * 200}).status_code == 200
    assert (
        encoders.post("/api/embed", json={"model": "mean", "input": "a " * 200, "truncate": False}).status_code == 400
    )
    assert encoders.post("/api/show", json={"model": "mean"}).json()["capabilities"] == ["embedding"]
