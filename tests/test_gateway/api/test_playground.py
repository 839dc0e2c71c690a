"""The playground over HTTP: its files, their headers, what they import, and a server without it."""

import re
from pathlib import Path

import httpx
import pytest
from serving import config_for, serving

from gateway.config import ServerConfig

FOLDER = Path(__file__).resolve().parents[3] / "gateway" / "playground"
NAMES = sorted(path.name for path in FOLDER.iterdir())
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
TYPES = {"css": "text/css", "html": "text/html", "js": "text/javascript", "svg": "image/svg+xml"}
POLICY = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
    "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
}  # fmt: skip


def test_root_is_the_playground_for_browsers_and_ollamas_for_its_clients(tiny_live):
    page, client = tiny_live.get("/", headers=BROWSER), tiny_live.get("/")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.content == (FOLDER / "index.html").read_bytes()
    assert client.text == "Ollama is running"
    assert page.headers["vary"] == client.headers["vary"] == "accept"


@pytest.mark.parametrize("name", NAMES)
def test_files_have_their_type_a_tag_and_a_strict_policy(tiny_live, name):
    reply = tiny_live.get(f"/playground/{name}")
    assert (reply.status_code, reply.content) == (200, (FOLDER / name).read_bytes())
    assert reply.headers["content-type"].split(";")[0] == TYPES[name.rpartition(".")[2]]
    assert set(reply.headers["content-security-policy"].split("; ")) == POLICY
    assert reply.headers["x-content-type-options"] == "nosniff"
    again = tiny_live.get(f"/playground/{name}", headers={"if-none-match": f'"other", {reply.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", NAMES)
def test_files_refer_to_each_other_alone(name):
    text = (FOLDER / name).read_text(encoding="utf-8")
    imported = re.findall(r"(?:from|import) '\./([\w.]+)'", text) + re.findall(r'"playground/([\w.]+)"', text)
    assert set(imported) <= set(NAMES)
    assert not re.findall(r"""['"](?:https?:)?//(?!www\.w3\.org/2000/svg)""", text)
    assert not re.findall(r"\son\w+=|\sstyle=|<style|<script(?! type=\"module\" src=)|innerHTML|\beval\(", text)


@pytest.mark.parametrize("name", ["nothing", "app", "..%2fapp.py", "%2e%2e/app.py", "app.js/x", "App.js", "%00"])
def test_other_names_are_not_found(tiny_live, name):
    assert tiny_live.get(f"/playground/{name}").status_code == 404


def test_a_server_with_keys_gives_the_page_without_one_and_a_server_without_playground_gives_none(tiny_model):
    settings = ServerConfig(port=0, api_keys=("key",))
    with serving(config_for(tiny_model, server=settings)) as live:
        assert live.get("/", headers=BROWSER).headers["content-type"].startswith("text/html")
        assert live.get("/v1/policies").status_code == 401
        none = {"object": "list", "default": None, "data": []}
        assert live.get("/v1/policies", headers={"authorization": "Bearer key"}).json() == none
    with serving(config_for(tiny_model, server=ServerConfig(port=0, playground=False))) as live:
        assert live.get("/", headers=BROWSER).text == "Ollama is running"
        assert live.get("/playground/app.js").status_code == 404


def test_policies_are_those_that_the_key_may_choose(tiny_model, tmp_path):
    path = tmp_path / "policies.toml"
    path.write_text(
        'default = "open"\nallowed = ["careful", "open"]\n[policies.careful]\n[policies.open]\n[policies.own]\n'
    )
    with serving(config_for(tiny_model, server=ServerConfig(port=0, policies=str(path)))) as live:
        found: httpx.Response = live.get("/v1/policies")
        assert found.json()["default"] == "open"
        assert [each["id"] for each in found.json()["data"]] == ["open", "careful"]
