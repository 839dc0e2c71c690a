"""Routes below `/docs`: the Markdown pages that ship with the packages, rendered to HTML on the server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import PurePosixPath
from posixpath import normpath
from typing import TYPE_CHECKING, Any

from litestar import Request, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from gateway.errors import RouteNotFoundError

if TYPE_CHECKING:
    from markdown_it.token import Token

HOME = PurePosixPath("gateway/docs")
"""Folder of the pages; those outside it are the READMEs beside the code."""

INDEX = HOME / "README.md"
LICENSE = HOME / "LICENSE"
STYLE = HOME / "style.css"
PACKAGES = frozenset({"gateway", "grammars", "tools"})
MAX_PATH = 120
HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_COMMENT = re.compile(r"^<!--.*-->\n", re.MULTILINE)
_IMAGE = re.compile(r"[a-z-]{1,100}\.png", re.ASCII)
_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)*", re.ASCII)


def routers() -> list[HTTPRouteHandler]:
    """Return the routes of the index, of every page, of their stylesheet and of their images."""
    return [index, style, license_text, image, page]


@get("/docs", include_in_schema=False, sync_to_thread=True)
def index(request: Request[Any, Any, Any]) -> Response[str]:
    """Return the page that lists all others."""
    return _respond(request, INDEX)


@get("/docs/style.css", include_in_schema=False, sync_to_thread=True)
def style() -> Response[bytes]:
    """Return the stylesheet of all pages."""
    return Response(_resource(STYLE).read_bytes(), media_type="text/css", headers=HEADERS)


@get("/docs/LICENSE", include_in_schema=False, sync_to_thread=True)
def license_text() -> Response[bytes]:
    """Return the text of the licence."""
    return Response(_resource(LICENSE).read_bytes(), media_type="text/plain", headers=HEADERS)


@get("/docs/images/{name:str}", include_in_schema=False, sync_to_thread=True)
def image(name: FromPath[str]) -> Response[bytes]:
    """Return an image of a page.

    Raises:
        RouteNotFoundError: No image has this name.
    """
    source = HOME / "images" / name
    if not _IMAGE.fullmatch(name) or not _resource(source).is_file():
        raise RouteNotFoundError("there is nothing at this path")
    return Response(_resource(source).read_bytes(), media_type="image/png", headers=HEADERS)


@get("/docs/{path:path}", include_in_schema=False, sync_to_thread=True)
def page(request: Request[Any, Any, Any], path: FromPath[str]) -> Response[str]:
    """Return one page.

    Raises:
        RouteNotFoundError: No page has this path.
    """
    source = source_of(str(path).strip("/"))
    if source is None:
        raise RouteNotFoundError("there is nothing at this path")
    return _respond(request, source)


def source_of(path: str) -> PurePosixPath | None:
    """Return the file of a page by its path below `/docs`, relative to the repository; None where there is none."""
    if len(path) > MAX_PATH or not _NAME.fullmatch(path) or ".." in path:
        return None
    inner = path.split("/")[0] in PACKAGES
    sources = (PurePosixPath(path, "README.md"), PurePosixPath(f"{path}.md")) if inner else (HOME / f"{path}.md",)
    return next((source for source in sources if _resource(source).is_file()), None)


def path_of(source: PurePosixPath) -> str | None:
    """Return the path of a file on the server; None for a file that is not served."""
    if source == INDEX:
        return "/docs"
    if source == LICENSE:
        return "/docs/LICENSE"
    if source.suffix != ".md":
        return None
    name = source.relative_to(HOME) if source.is_relative_to(HOME) else source
    name = name.parent if name.name == "README.md" else name.with_suffix("")
    return f"/docs/{name}" if source_of(str(name)) == source else None


def anchor_of(heading: str, seen: dict[str, int]) -> str:
    """Return the anchor that GitHub gives to a heading, and count it in `seen`."""
    name = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
    count = seen.get(name, 0)
    seen[name] = count + 1
    return f"{name}-{count}" if count else name


def _respond(request: Request[Any, Any, Any], source: PurePosixPath) -> Response[str]:
    root = request.scope.get("root_path", "").rstrip("/")
    return Response(_render(source, root), media_type="text/html", headers=HEADERS)


def _resource(source: PurePosixPath) -> Traversable:
    return files(source.parts[0]).joinpath(*source.parts[1:])


@lru_cache(maxsize=64)
def _render(source: PurePosixPath, root: str) -> str:
    """Return the HTML of a page.

    Args:
        root: Path under which a proxy serves this server.
    """
    # Rendering is rare; no start waits for the renderer.
    from markdown_it import MarkdownIt

    # HTML in the source stays text; the renderer refuses links with schemes that run scripts.
    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = renderer.parse(_COMMENT.sub("", _resource(source).read_text(encoding="utf-8")))
    title = "Portcullis"
    for token, inline in _headings(tokens):
        if token.tag == "h1":
            title = inline
    for token in tokens:
        for child in token.children or []:
            if child.type == "link_open":
                target = _target(str(child.attrGet("href")), source, root)
                child.attrs = {} if target is None else {"href": target}
            elif child.type == "image":
                child.attrSet("src", f"{root}/docs/{child.attrGet('src')}")
    body = renderer.renderer.render(tokens, renderer.options, {})
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n"
        f'<link rel="stylesheet" href="{escape(root)}/docs/style.css">\n</head>\n<body>\n'
        f'<nav><a href="{escape(root)}/docs">Portcullis documentation</a></nav>\n'
        f"<main>\n{body}</main>\n</body>\n</html>\n"
    )


def _headings(tokens: list[Token]) -> Iterator[tuple[Token, str]]:
    """Yield each heading with its text, its anchor set."""
    seen: dict[str, int] = {}
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            text = "".join(child.content for child in inline.children or [])
            token.attrSet("id", anchor_of(text, seen))
            yield token, text


def _target(href: str, source: PurePosixPath, root: str) -> str | None:
    """Return the address of a link on the server; None if its file is not served."""
    path, mark, anchor = href.partition("#")
    if not path or re.match(r"https?:", path):
        return href
    address = path_of(PurePosixPath(normpath(source.parent / path)))
    return None if address is None else f"{root}{address}{mark}{anchor}"
