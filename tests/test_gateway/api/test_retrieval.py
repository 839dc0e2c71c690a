"""Chats that search documents: words and vectors in an SQLite file, and a retriever of another package."""

import asyncio
import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from encoder_models import write_encoder
from guarded_dialects import policy_of
from scripted import policies, scripted
from serving import Live, config_for, serving
from tiny_model import write_tiny_model

from gateway.cli import main
from gateway.config import Config
from gateway.errors import ConfigError
from gateway.retrieval import Embed, Found, open_retrievers
from gateway.retrieval.sqlite import IndexWriter, SqliteRetriever

TEXTS = ["a b c", "d e f", "the lamp costs 30 euros", "the train leaves at nine", "g h i j k l m n", "a a b p o n"]
PLUG_IN = """
import asyncio

from gateway.retrieval import Found

class Theirs:
    def __init__(self, place):
        self.place = place

    async def find(self, query, limit, tenant):
        if self.place == "broken":
            raise RuntimeError(f"secret {query}")
        return [Found(text=" "), *(Found(text=f"{self.place} has {query}", id=str(n)) for n in range(9))]

def opened(place, embed):
    if place == "closed":
        raise OSError("no such store")
    return Theirs(place)
"""


def named(folder: Path, name: str) -> Config:
    config = config_for(folder / name)
    return replace(config, model=replace(config.model, name=name, aliases=()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A model, an encoder, two indices, and a package with a retriever."""
    root = tmp_path_factory.mktemp("retrieval")
    write_tiny_model(root / "writer")
    write_encoder(root / "search")
    lines = [{"text": text, "title": f"note {number}"} for number, text in enumerate(TEXTS)]
    (root / "notes.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert main(["index", str(root / "notes.jsonl"), str(root / "words.db")]) == 0
    words = ["--embed-by", "search", "--document-prompt", "document", "--query-prompt", "query", "--concurrency", "1"]
    with serving(named(root, "search")) as live:
        words += ["--base-url", live.url]
        assert main(["index", str(root / "notes.jsonl"), str(root / "both.db"), *words]) == 0
    info = root / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[portcullis.retrievers]\ntheirs = theirs_retriever:opened\n")
    (root / "theirs_retriever.py").write_text(PLUG_IN)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        yield root


@pytest.fixture(scope="module")
def searching(folder: Path) -> Iterator[Live]:
    config, search = named(folder, "writer"), named(folder, "search")
    retrievers = ("words=sqlite:" + str(folder / "words.db"), "both=sqlite:" + str(folder / "both.db"))
    retrievers += ("theirs=theirs:shelf", "broken=theirs:broken")
    server = replace(config.server, retrievers=retrievers)
    with serving(replace(config, server=server, models=(search,))) as live:
        yield live


def ask(live: Live, query: str = "When does the train leave?", **fields: object):
    body = {"model": "writer", "messages": [{"role": "user", "content": query}], "max_tokens": 60, **fields}
    return live.post("/v1/chat/completions", json=body)


def found_by(folder: Path, name: str, query: str, limit: int = 6, embed: Embed | None = None) -> list[str]:
    (retriever,) = open_retrievers([f"{name}=sqlite:{folder / name}.db"], embed or no_vectors).values()
    return [each.text for each in asyncio.run(retriever.find(query, limit, ""))]


async def no_vectors(query: str, model: str, prompt: str | None) -> np.ndarray:
    raise AssertionError("this index has no vectors")


def test_a_chat_cites_what_is_found_for_its_last_message(searching):
    with scripted(searching, 'At nine <cite doc="1">at nine</cite>.'):
        reply = ask(searching, retrieval={"source": "words"}, citations={"enabled": True})
    assert reply.status_code == 200, reply.text
    message = reply.json()["choices"][0]["message"]
    cited = message["annotations"][0]["file_citation"]
    assert message["content"] == "At nine."
    assert (cited["quote"], cited["filename"], cited["file_id"], cited["index"]) == ("at nine", "note 3", "4", 0)


def test_documents_that_are_given_come_first_and_the_query_may_be_another(searching):
    with scripted(searching, '<cite doc="1">mine</cite> <cite doc="2">30 euros</cite>'):
        asked = {"source": "words", "query": "lamp", "limit": 1}
        reply = ask(searching, documents=["it is mine"], retrieval=asked, citations={"enabled": True})
    cited = [each["file_citation"] for each in reply.json()["choices"][0]["message"]["annotations"]]
    assert [(each["index"], each["quote"]) for each in cited] == [(0, "mine"), (1, "30 euros")]


def test_nothing_found_is_an_answer_without_citations(searching):
    with scripted(searching, "I do not know."):
        reply = ask(searching, "zebra", retrieval={"source": "words"}, citations={"enabled": True})
    assert reply.json()["choices"][0]["message"]["content"] == "I do not know."
    assert "annotations" not in reply.json()["choices"][0]["message"]


def test_words_and_vectors_are_joined_by_rank(searching, folder):
    def embedded(texts: list[str], model: str, prompt: str | None) -> np.ndarray:
        body = {"model": model, "input": texts, "prompt_name": prompt, "normalize": True}
        data = searching.post("/v1/embeddings", json=body).json()["data"]
        return np.array([each["embedding"] for each in data], dtype=np.float32)

    async def embed(query: str, model: str, prompt: str | None) -> np.ndarray:
        assert (model, prompt) == ("search", "query")
        return embedded([query], model, prompt)[0]

    vectors = embedded([f"note {number}\n{text}" for number, text in enumerate(TEXTS)], "search", "document")
    for query in ("p o n", "k l", "the a", "zebra"):
        similar = vectors @ embedded([query], "search", "query")[0]
        meaning = [TEXTS[place] for place in np.argsort(-similar, kind="stable")]
        orders = (meaning, found_by(folder, "words", query))
        scores = {text: sum(1 / (61 + order.index(text)) for order in orders if text in order) for text in TEXTS}
        expected = sorted(TEXTS, key=lambda text: (-scores[text], TEXTS.index(text)))
        assert found_by(folder, "both", query, embed=embed) == expected
        assert found_by(folder, "both", query, 2, embed) == expected[:2]
        with scripted(searching, f'<cite doc="1">{expected[0]}</cite>'):
            reply = ask(searching, query, retrieval={"source": "both"}, citations={"enabled": True})
        assert reply.json()["choices"][0]["message"]["content"] == expected[0], reply.text


def test_any_query_can_be_searched(folder):
    rng = random.Random(3)
    signs = "\"'()*^:-+{}~NEAR AND OR NOT\0\n\ud800é中 the a"
    for _ in range(200):
        query = "".join(rng.choice(signs) for _ in range(rng.randrange(1, 200))).encode("utf-8", "replace").decode()
        assert set(found_by(folder, "words", query)) <= set(TEXTS)
    assert len(found_by(folder, "words", "the " * 5_000)) == 2


def test_a_retriever_of_another_package(searching):
    with scripted(searching, '<cite doc="2">shelf has Lima</cite>'):
        reply = ask(searching, "Lima", retrieval={"source": "theirs", "limit": 2}, citations={"enabled": True})
    assert reply.json()["choices"][0]["message"]["annotations"][0]["file_citation"]["file_id"] == "1"
    reply = ask(searching, "Lima", retrieval={"source": "broken"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (503, "retrieval_failed")
    assert "secret" not in reply.text


def test_a_policy_screens_what_is_found(searching, tmp_path):
    for action, status in (("block", 400), ("redact", 200)):
        with ExitStack() as stack:
            stack.enter_context(
                policies(searching, tmp_path, policy_of("pattern", 'pattern = "euros"', action, "input"))
            )
            stack.enter_context(scripted(searching, 'So <cite doc="1">PATTERN</cite>'))
            reply = ask(searching, "lamp", retrieval={"source": "words", "limit": 1}, citations={"enabled": True})
            assert reply.status_code == status, reply.text


def test_hostile_bodies_are_refused_by_the_field(searching):
    values = [1, 1.5, True, "words", [], {}, [{}], {"source": 1}, {"source": None}, {"source": []}, {"source": ""}]
    values += [{"source": "x" * 100_000}, {"source": "words", "limit": 0}, {"source": "words", "limit": 51}]
    values += [{"source": "words", "limit": each} for each in (-1, 1e300, 2.5, "5", None, [], 2**70, True)]
    values += [{"source": "words", "query": each} for each in (1, [], {}, "", " \n\t", "x" * 10_001, True, ["a"])]
    values += [{"source": "words", name: 1} for name in ("Limit", "top", "path", "kind", "db", "sql", "where", "url")]
    rng = random.Random(1)
    names = ["Words", "words ", "../words.db", "sqlite:words.db", "both\0", "file:///etc/passwd", "*", "中", "words=x"]
    for number in range(65):
        name = rng.choice(names) + "".join(rng.choice("/.\0 'x") for _ in range(number % 7))
        values.append({"source": name, "query": "lamp", "limit": 1 + number % 50})
    assert len(values) >= 100
    for value in values:
        reply = ask(searching, retrieval=value)
        assert reply.status_code == 400, (str(value)[:200], reply.text)
        assert reply.json()["error"]["param"].startswith("retrieval"), (str(value)[:200], reply.text)
    assert ask(searching, "lamp", retrieval={"source": "words"}, max_tokens=4).status_code == 200


@pytest.mark.parametrize(
    ("setting", "fault"),
    [
        ("a=sqlite", "NAME=KIND:PLACE"),
        ("a=sqlite:", "NAME=KIND:PLACE"),
        ("a=sqlite:/nothing/here.db", "cannot be read"),
        ("a=other:x", "there is no kind other; installed: sqlite, theirs"),
        ("a=theirs:closed", "no such store"),
        ("a=sqlite:{folder}/notes.jsonl", "cannot be read"),
        ("a=sqlite:{folder}/empty.db", "is no index"),
    ],
)
def test_a_setting_that_cannot_be_opened_is_named(setting, fault, folder):
    with closing(sqlite3.connect(folder / "empty.db")) as file:
        file.execute("VACUUM")
    setting = setting.format(folder=folder)
    with pytest.raises(ConfigError, match=fault) as caught:
        open_retrievers([setting], no_vectors)
    assert f"server.retrievers: {setting}" in str(caught.value)


def test_two_retrievers_of_one_name_are_refused(folder):
    with pytest.raises(ConfigError, match="two have the name a"):
        open_retrievers([f"a=sqlite:{folder}/words.db"] * 2, no_vectors)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "line 2 must be an object with a text"),
        ("[1]", "line 2 must be"),
        ('{"title": "x"}', "line 2 must be"),
        ('{"text": 1}', "must be strings"),
        ('{"text": " "}', "must not be empty"),
        ('{"text": "x", "id": 7}', "must be strings"),
        ('{"text": "x", "id": "1"}', "two documents have one id"),
    ],
)
def test_a_malformed_line_leaves_the_index_as_it_was(line, fault, tmp_path, capsys):
    path, output = tmp_path / "in.jsonl", tmp_path / "out.db"
    path.write_text('{"text": "a"}\n' + line)
    with IndexWriter(output, None, None) as index:
        index.add([Found(text="before", id="x")])
    before = output.read_bytes()
    assert main(["index", str(path), str(output)]) == 1
    assert fault in capsys.readouterr().err
    assert output.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["in.jsonl", "out.db"]
    assert SqliteRetriever(str(output), no_vectors)._by_meaning(None) == []
