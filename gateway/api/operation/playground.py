"""The playground at `/`, a page for browsers, and its files below `/playground`."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from gateway.errors import RouteNotFoundError

PAGE = "index.html"
TYPES = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml"}
HEADERS = {
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "vary": "accept",
    "x-content-type-options": "nosniff",
}
"""Of every file. `no-cache` makes browsers ask each time; an unchanged file is then a 304."""


def routers(*, is_served: bool) -> list[HTTPRouteHandler]:
    """Return the route of `/`, and those of the playground's files.

    Args:
        is_served: False leaves `/` to clients of Ollama, and the files are not found.
    """

    @get("/", media_type=MediaType.TEXT, summary="Check that the server lives", tags=["Ollama"], sync_to_thread=False)
    def root(request: Request[Any, Any, Any]) -> Response[Any]:
        """Return the text by which Ollama's clients recognise a server; to a browser, the playground."""
        if is_served and "text/html" in request.headers.get("accept", ""):
            return _respond(request, PAGE)
        return Response("Ollama is running", media_type=MediaType.TEXT, headers={"vary": "accept"})

    return [root, asset] if is_served else [root]


@get("/playground/{name:str}", include_in_schema=False, sync_to_thread=False)
def asset(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[Any]:
    """Return one file of the playground.

    Raises:
        RouteNotFoundError: No file has this name.
    """
    return _respond(request, name)


def _respond(request: Request[Any, Any, Any], name: str) -> Response[Any]:
    found = _files().get(name)
    if found is None:
        raise RouteNotFoundError("there is nothing at this path")
    content, tag = found
    headers = HEADERS | {"etag": tag}
    given = request.headers.get("if-none-match", "")
    if tag in (each.strip().removeprefix("W/") for each in given.split(",")):
        return Response(b"", status_code=304, headers=headers)
    return Response(content, media_type=TYPES[PurePosixPath(name).suffix], headers=headers)


@lru_cache(maxsize=1)
def _files() -> dict[str, tuple[bytes, str]]:
    """Return the content and the entity tag of each file."""
    folder = files("gateway").joinpath("playground")
    contents = {each.name: each.read_bytes() for each in folder.iterdir() if PurePosixPath(each.name).suffix in TYPES}
    return {name: (content, f'"{sha256(content).hexdigest()[:32]}"') for name, content in contents.items()}
