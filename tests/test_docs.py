"""The documentation: generated parts, links, commands and examples, from README to every page."""

import json
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from posixpath import normpath
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from markdown_it import MarkdownIt

from gateway import reference
from gateway.api.http import connection
from gateway.api.operation.pages import anchor_of
from gateway.api.tokens import conversion
from gateway.cli import _parser, main
from gateway.commands import COMMANDS
from gateway.config import load_config
from gateway.guards.policy import read_policies
from gateway.service import constraint_inspection
from gateway.service.constraints import store
from gateway.service.decisions import decision_scorer
from gateway.service.request import limits
from tests.test_examples import serving
from tools.format_file import parse_reasoning

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "gateway" / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
INNER = sorted(path for name in ("gateway", "grammars", "tools", "tests") for path in (ROOT / name).rglob("README.md"))
NAMES = [str(path.relative_to(ROOT)) for path in PAGES]
SUFFIXES = {"db", "md", "py", "toml", "json", "key", "gguf"}
LINK = re.compile(r"\]\(([^)\s]+)\)")
QUESTIONS = {
    "how do I serve my GGUF file": r"`--model FILE\.gguf` serves one file",
    "how do I forbid a word": r'action = "forbid"` makes a term or pattern part of the mask',
    "where is the timeout": r"The request timeout is `limits\.request_timeout_s`",
    "what does the error budget_too_small mean": r"\| `budget_too_small` \| 400 \| no \| Fewer tokens are allowed",
    "how do I add a tool format": r"describe the format in a TOML file and serve with it",
}


def fences(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def links(path: Path) -> Iterator[tuple[Path, str]]:
    """Files and anchors that a page links to."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for href in LINK.findall(text):
        if not href.startswith(("http:", "https:")):
            name, _, anchor = href.partition("#")
            yield Path(normpath(path.parent / name)) if name else path, anchor


def anchors(path: Path) -> set[str]:
    tokens = MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))
    seen: dict[str, int] = {}
    headings = [inline for token, inline in pairwise(tokens) if token.type == "heading_open"]
    return {anchor_of("".join(each.content for each in inline.children or []), seen) for inline in headings}


@pytest.mark.parametrize("name", reference.pages())
def test_generated_parts_are_those_of_the_code(name):
    assert (DOCS / name).read_text(encoding="utf-8") == reference.pages()[name], "run python -m gateway.reference"


def test_readme_is_short():
    assert (ROOT / "README.md").read_text(encoding="utf-8").count("\n") <= 130


@pytest.mark.parametrize("path", [*PAGES, *INNER], ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(path):
    missing = [str(target) for target, _ in links(path) if not target.exists()]
    missing += [
        f"{target}#{anchor}"
        for target, anchor in links(path)
        if anchor and target.suffix == ".md" and target.exists() and anchor not in anchors(target)
    ]
    assert missing == []


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_paths_of_the_repository_exist(path):
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"`((?:gateway|grammars|tools|tests|examples|\.ci)/[\w./-]*)`", text)
    named += re.findall(r"(tests/[\w/]+\.py)", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("path", INNER, ids=lambda path: str(path.relative_to(ROOT)))
def test_sources_that_readmes_beside_the_code_name_exist(path):
    sources = [f"/{source.relative_to(ROOT)}" for source in ROOT.glob("[a-z]*/**/*.py")]
    named = set(re.findall(r"`([\w/]+\.py)`", path.read_text(encoding="utf-8")))
    assert [name for name in sorted(named) if not any(source.endswith(f"/{name}") for source in sources)] == []


def test_every_page_is_listed():
    listed = {target for target, _ in links(DOCS / "README.md")}
    assert {path.name for path in DOCS.iterdir() if path not in listed} == {"README.md", "images", "style.css"}


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_are_answered_within_two_links_of_readme(question):
    answer, reached = re.compile(QUESTIONS[question]), {ROOT / "README.md"}
    for _ in range(2):
        reached |= {target for page in reached for target, _ in links(page) if target.suffix == ".md"}
    assert [page for page in reached if answer.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_commands_of_portcullis_are_understood(path):
    for line in "".join(fences(path, "sh")).splitlines():
        found = re.search(r"(?:^|&& )(?:\.venv/bin/)?portcullis (\w.*)$", line)
        if found:
            arguments = shlex.split(found[1], comments=True)
            parsed, unknown = _parser().parse_known_args(arguments)
            assert (unknown, hasattr(parsed, "run")) == ([], True), line


def test_every_verb_is_shown():
    text = "".join(line for path in PAGES for line in fences(path, "sh"))
    assert [command.NAME for command in COMMANDS if f"portcullis {command.NAME}" not in text] == []


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_data_in_fences_is_read(path):
    for text in fences(path, "toml"):
        tomllib.loads(text)
    for text in fences(path, "json"):
        json.loads(text)


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_policies_and_settings_in_fences_are_accepted(path, tmp_path):
    for number, text in enumerate(fences(path, "toml")):
        file = tmp_path / f"{number}.toml"
        if "[policies." in text:
            file.write_text(text, encoding="utf-8")
            assert read_policies(file)
        elif text.startswith(("[server]", "[limits]")):
            (tmp_path / "keys.txt").write_text("a-key", encoding="utf-8")
            file.write_text(text.replace('"keys.txt"', json.dumps(str(tmp_path / "keys.txt"))), encoding="utf-8")
            assert load_config(str(file), environment={})


def test_format_of_the_tools_page_is_what_it_says(tmp_path, capsys):
    text, reasoning = [text for text in fences(DOCS / "tools.md", "toml") if text.startswith("name = ")]
    (tmp_path / "acme.toml").write_text(text, encoding="utf-8")
    assert parse_reasoning(reasoning).name == "ponder"
    assert main(["inspect", "--format", str(tmp_path / "acme.toml")]) == 0
    shown = re.search(r"A call in it is `(<acme:call>.*</acme:call>)`", (DOCS / "tools.md").read_text(encoding="utf-8"))
    assert shown
    begin, end = shown[1].replace("⏎", "\n").split('"f", "input": {"city": "Bern"}')
    assert re.search(f"{re.escape(begin)}.*{re.escape(end)}", capsys.readouterr().out)


def test_fixed_limits_are_those_of_the_code():
    section = (DOCS / "operating.md").read_text(encoding="utf-8").split("## Fixed limits")[1].split("## ")[0]
    shown = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?=;| \|)", section)]
    assert shown == [
        limits.MAX_MESSAGES, limits.MAX_PROMPTS, limits.MAX_CHOICES, limits.MAX_STOP_SEQUENCES, limits.MAX_STOP_BYTES,
        limits.MAX_BAD_WORDS, limits.MAX_LOGIT_BIAS, limits.MAX_TOP_LOGPROBS, limits.MAX_TEMPLATE_KWARGS_BYTES,
        constraint_inspection.MAX_CHECKED_BYTES, constraint_inspection.MAX_LISTED_TOKENS,
        decision_scorer.MAX_QUESTIONS, decision_scorer.MAX_LABELS, decision_scorer.MAX_PASSES,
        conversion.MAX_CHARACTERS, store.MAX_STORED_BYTES, connection.MAX_UNFINISHED_BYTES, connection.WRITE_TIMEOUT_S,
    ]  # fmt: skip


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_settings_that_pages_name_exist(path):
    settings = re.findall(r"^\| `(\w+\.\w+)`", (DOCS / "settings.md").read_text(encoding="utf-8"), re.MULTILINE)
    sections = "|".join(sorted({name.split(".")[0] for name in settings}))
    named = re.findall(rf"`((?:{sections})\.[a-z]\w*)", path.read_text(encoding="utf-8"))
    named = [name for name in named if name.split(".")[1] not in SUFFIXES]
    assert sorted(set(named) - set(settings)) == []


@pytest.fixture(scope="module")
def base_url(tmp_path_factory) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTCULLIS_BATCHES_FOLDER", str(tmp_path_factory.mktemp("batches")))
        patch.setenv("PORTCULLIS_ENGINE_MAX_ADAPTATIONS", "1")
        with serving("portcullis", "serve") as (url, _, _):
            yield url.removesuffix("/v1")


def requests_of(path: Path) -> list[str]:
    text = "".join(fences(path, "sh"))
    return re.findall(r"^curl http://127\.0\.0\.1:8000.*?(?:'$|(?<!')\n(?!  )|\Z)", text, re.MULTILINE | re.DOTALL)


CURLS = [(name, command) for path, name in zip(PAGES, NAMES, strict=True) for command in requests_of(path)]


@pytest.mark.parametrize(("name", "command"), CURLS, ids=[f"{name}-{i}" for i, (name, _) in enumerate(CURLS)])
def test_requests_are_answered(base_url, name, command):
    words = shlex.split(command)
    url = words[1].replace("http://127.0.0.1:8000", base_url)
    body = words[words.index("-d") + 1] if "-d" in words else None
    if body is None:
        reply = httpx.get(url, timeout=300)
    else:
        reply = httpx.post(url, content=body, headers={"content-type": "application/json"}, timeout=300)
    if name.endswith("errors.md"):
        (said,) = fences(DOCS / "errors.md", "json")
        assert (reply.status_code, reply.json()) == (400, json.loads(said))
    else:
        assert reply.status_code == 200, reply.text


def test_table_of_the_page_about_batches_becomes_the_one_shown(base_url, tmp_path, monkeypatch):
    page = DOCS / "batches.md"
    (letters, invoices), (schema, _) = fences(page, "csv"), fences(page, "json")
    monkeypatch.chdir(tmp_path)
    Path("letters.csv").write_text(letters, encoding="utf-8")
    Path("invoice.json").write_text(schema, encoding="utf-8")
    command = shlex.split(fences(page, "sh")[0])[1:]
    assert main([*command, "--base-url", f"{base_url}/v1"]) == 0
    assert Path("invoices.csv").read_text(encoding="utf-8") == invoices


PYTHON = [(name, code) for path, name in zip(PAGES, NAMES, strict=True) for code in fences(path, "python")]


class Anthropic:
    """The one call of Anthropic's client that the pages show, where that client is not installed."""

    def __init__(self, *, base_url: str, api_key: str) -> None:
        self.messages, self._url, self._key = self, f"{base_url}/v1/messages", api_key

    def create(self, **body: Any) -> SimpleNamespace:
        reply = httpx.post(self._url, json=body, headers={"x-api-key": self._key}, timeout=300)
        assert reply.status_code == 200, reply.text
        return SimpleNamespace(content=[SimpleNamespace(**block) for block in reply.json()["content"]])


@pytest.mark.parametrize(("name", "code"), PYTHON, ids=[f"{name}-{i}" for i, (name, _) in enumerate(PYTHON)])
def test_code_runs(base_url, name, code, monkeypatch):
    if "from anthropic " in code and find_spec("anthropic") is None:
        monkeypatch.setitem(sys.modules, "anthropic", SimpleNamespace(Anthropic=Anthropic))
    exec(compile(code.replace("http://127.0.0.1:8000", base_url), name, "exec"), {})
