"""`/docs` over HTTP: pages, their links and headers, and paths that are none."""

import re
from html import unescape
from pathlib import Path, PurePosixPath

import pytest
from serving import config_for, serving

from gateway.api.operation.pages import anchor_of, path_of, source_of
from gateway.config import ServerConfig

DOCS = Path(__file__).resolve().parents[3] / "gateway" / "docs"
NAMES = sorted(path.stem for path in DOCS.glob("*.md") if path.stem != "README")


def get(live, path):
    return live.http.get(path)


def test_index_lists_all_pages(tiny_live):
    reply = get(tiny_live, "/docs")
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/html")
    assert {f"/docs/{name}" for name in NAMES} <= set(re.findall(r'href="([^"#]+)', reply.text))


@pytest.mark.parametrize("name", NAMES)
def test_page_is_whole_and_its_links_lead_somewhere(tiny_live, name):
    reply = get(tiny_live, f"/docs/{name}")
    assert reply.status_code == 200
    assert "<script" not in reply.text
    assert "<!-- " not in reply.text.removeprefix("<!doctype html>")
    assert "&lt;!--" not in reply.text
    ids = set(re.findall(r' id="([^"]+)"', reply.text))
    for href in map(unescape, re.findall(r'<a href="([^"]+)"', reply.text)):
        if href.startswith("https://"):
            continue
        path, _, anchor = href.partition("#")
        other = get(tiny_live, path) if path else None
        assert other is None or other.status_code == 200, href
        if anchor:
            found = ids if other is None else set(re.findall(r' id="([^"]+)"', other.text))
            assert anchor in found, href


def test_pages_run_nothing_and_load_their_stylesheet_alone(tiny_live):
    reply = get(tiny_live, "/docs/quickstart")
    assert reply.headers["content-security-policy"].startswith("default-src 'none'; style-src 'self';")
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert re.findall(r'(?:src|rel="stylesheet" href)="([^"]+)"', reply.text) == ["/docs/style.css"]
    style = get(tiny_live, "/docs/style.css")
    assert (style.status_code, style.headers["content-type"].split(";")[0]) == (200, "text/css")


def test_images_of_pages_are_shown(tiny_live):
    sources = re.findall(r'<img src="([^"]+)"', get(tiny_live, "/docs/playground").text)
    assert len(sources) == len(list((DOCS / "images").iterdir())) == 3
    for source in sources:
        image = get(tiny_live, source)
        assert (image.status_code, image.headers["content-type"]) == (200, "image/png")
        assert image.content.startswith(b"\x89PNG")
        assert len(image.content) < 150_000


@pytest.mark.parametrize(
    "path",
    ["images/none.png", "images/..%2fstyle.css",
     "nothing", "quickstart.md", "style", "../errors", "..%2f..%2fgateway%2ferrors", "%2e%2e/errors",
     "gateway/errors", "gateway/service", "/etc/passwd", "a" * 5000, "%00", "quickstart/x", "gateway/docs/x"],
)  # fmt: skip
def test_what_is_no_page_is_not_found(tiny_live, path):
    reply = get(tiny_live, f"/docs/{path}")
    assert reply.status_code == 404
    assert reply.json()["error"]["code"] == "route_not_found"


def test_readmes_beside_the_code_are_pages_too(tiny_live):
    for name in ("grammars", "tools", "gateway/engine", "gateway/engine/DETAILS", "gateway/engine/models"):
        assert get(tiny_live, f"/docs/{name}").status_code == 200
    reply = get(tiny_live, "/docs/LICENSE")
    assert reply.headers["content-type"].startswith("text/plain")
    assert "Apache License" in reply.text
    assert '<a href="/docs/gateway">' in get(tiny_live, "/docs").text


def test_pages_are_not_in_the_openapi_document(tiny_live):
    assert not [path for path in get(tiny_live, "/schema/openapi.json").json()["paths"] if path.startswith("/docs")]


def test_pages_need_no_key(tiny_model):
    with serving(config_for(tiny_model, server=ServerConfig(port=0, api_keys=("key",)))) as live:
        assert get(live, "/docs").status_code == 200
        assert get(live, "/v1/models").status_code == 401


def test_paths_and_files_correspond():
    assert source_of("quickstart") == PurePosixPath("gateway/docs/quickstart.md")
    assert path_of(PurePosixPath("gateway/docs/quickstart.md")) == "/docs/quickstart"
    assert path_of(PurePosixPath("gateway/docs/README.md")) == "/docs"
    assert path_of(PurePosixPath("grammars/README.md")) == "/docs/grammars"
    assert path_of(PurePosixPath("tests/test_clients/README.md")) is None
    assert path_of(PurePosixPath("gateway/docs/style.css")) is None


def test_anchors_are_github_s():
    seen = {}
    headings = ["What a mask *is*", "`POST /v1/x`, y", "A b", "A b"]
    assert [anchor_of(each, seen) for each in headings] == ["what-a-mask-is", "post-v1x-y", "a-b", "a-b-1"]
