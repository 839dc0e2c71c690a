"""Reference pages of the documentation, generated from the code; `python -m gateway.reference` updates them."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gateway import errors
from gateway.api.anthropic import chat as anthropic
from gateway.api.decisions import systemone
from gateway.api.http.failures import status_of
from gateway.api.http.openapi import FAILURES
from gateway.api.ollama import chat as ollama
from gateway.api.ollama import options as ollama_options
from gateway.api.openai import sampling as openai
from gateway.api.openai.responses import mapping as responses
from gateway.api.tgi import parameters as tgi
from gateway.app import openapi_document
from gateway.config.reference import render_settings
from gateway.errors import ConstraintError, GatewayError
from grammars import GrammarError

FOLDER = Path(__file__).parent / "docs"

BODIES: dict[str, tuple[str, Sequence[Collection[str]], Sequence[Collection[str]]]] = {
    "ChatCompletionRequest": ("`POST /v1/chat/completions`", (openai.REFUSED_FIELDS,), (openai.IGNORED_FIELDS,)),
    "CompletionBody": (
        "`POST /v1/completions`", (openai.REFUSED_FIELDS, openai.CHAT_FIELDS), (openai.IGNORED_FIELDS,)
    ),
    "ResponseBody": (
        "`POST /v1/responses`",
        (openai.REFUSED_FIELDS, openai.CHAT_FIELDS, responses.REFUSED_FIELDS),
        (openai.IGNORED_FIELDS,),
    ),
    "MessagesBody": (
        "`POST /v1/messages`", (anthropic.REFUSED_FIELDS,), (anthropic.LEFT_OUT_FIELDS, anthropic.IGNORED_FIELDS)
    ),
    "tgi_GenerateBody": ("`POST /generate`, `POST /generate_stream`, `POST /`", (), ()),
    "Parameters": ("`parameters` of TGI's requests", (tgi.REFUSED_FIELDS,), ()),
    "ChatBody": ("`POST /api/chat`", (), ()),
    "ollama_GenerateBody": ("`POST /api/generate`", (ollama.REFUSED_FIELDS,), ()),
    "OptionsIn": ("`options` of Ollama's requests", (ollama_options.REFUSED_FIELDS,), ()),
    "GrammarBody": ("`POST /v1/grammars`, `/lint`, `/explain`, `PUT /v1/grammars/{grammar_id}`", (), ()),
    "SystemOneBody": ("`POST /v1/systemone`", (systemone.REFUSED_FIELDS,), ()),
}  # fmt: skip
"""Bodies that are described first: where they are sent, which of their fields are refused and which are ignored."""

SHARED = ("ChatCompletionRequest", "CompletionBody", "ResponseBody")
"""Bodies whose common fields are listed once."""

METHODS = ("get", "head", "post", "put", "delete")


def pages() -> dict[str, str]:
    """Return the text of every page with generated parts, by its file name."""
    updated = {name: _updated(name, parts) for name, parts in (("errors.md", _errors()), ("api.md", _api()))}
    return updated | {"settings.md": render_settings()}


def _updated(name: str, parts: Mapping[str, str]) -> str:
    """Return a page with these parts between its lines `<!-- begin PART -->` and `<!-- end PART -->`."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    for part, content in parts.items():
        begin, end = f"<!-- begin {part} -->\n", f"<!-- end {part} -->"
        before, _, rest = text.partition(begin)
        _, mark, after = rest.partition(end)
        if not mark:
            raise ValueError(f"{name} has no lines {begin.strip()} and {end}")
        text = f"{before}{begin}\n{content}\n\n{end}{after}"
    return text


def _errors() -> dict[str, str]:
    kinds = sorted((_status(kind), kind.code, kind) for kind in errors.leaves() if kind is not ConstraintError)
    codes = [
        (f"`{code}`", str(status), "yes" if kind.retryable else "no", _first_line(kind), kind.hint)
        for status, code, kind in kinds
    ]
    constraints = [(f"`{kind.code}`", _first_line(kind), kind.hint) for kind in GrammarError.__subclasses__()]
    statuses = [(str(status), text) for status, text in FAILURES.items()]
    return {
        "codes": _table(("code", "status", "retryable", "meaning", "what to do"), codes),
        "constraints": _table(("code", "meaning", "what to do"), constraints),
        "statuses": _table(("status", "meaning"), statuses),
    }


def _api() -> dict[str, str]:
    document = openapi_document()
    schemas = document["components"]["schemas"]
    first, *others = (schemas[name]["properties"] for name in SHARED)
    shared = {name for name, kind in first.items() if all(each.get(name) == kind for each in others)}
    bodies = []
    for name, (place, refused, ignored) in BODIES.items():
        without = shared if name in SHARED else ()
        bodies += [f"### {place}", _fields(schemas[name], refused, ignored, without=without)]
    return {
        "endpoints": "\n\n".join(_endpoints(document["paths"])),
        "shared": _fields(schemas[SHARED[0]], *BODIES[SHARED[0]][1:], only=shared),
        "fields": "\n\n".join([*bodies, *_others(document, schemas)]),
        "objects": "\n\n".join(_objects(schemas)),
    }


def _endpoints(paths: Mapping[str, Any]) -> Iterator[str]:
    by_tag: dict[str, list[tuple[str, ...]]] = {}
    for path, operations in paths.items():
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                row = (f"`{method.upper()} {path}`", operation["summary"], _body_of(operation))
                by_tag.setdefault(operation["tags"][0], []).append(row)
    for tag, rows in sorted(by_tag.items()):
        yield f"### {tag}"
        yield _table(("endpoint", "purpose", "body"), rows)


def _body_of(operation: Mapping[str, Any]) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    if "multipart/form-data" in content:
        return "form: " + ", ".join(f"`{name}`" for name in content["multipart/form-data"]["schema"]["properties"])
    return f"`{_name(content['application/json']['schema']['$ref'])}`" if content else ""


def _others(document: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    """Yield the bodies that `BODIES` does not name, in the order of their paths."""
    seen = set(BODIES)
    for path, operations in document["paths"].items():
        for method in METHODS:
            name = _body_of(operations.get(method, {})).strip("`")
            if name not in seen and "properties" in schemas.get(name, ()):
                seen.add(name)
                yield f"### `{method.upper()} {path}`"
                yield _fields(schemas[name])


def _objects(schemas: Mapping[str, Any]) -> Iterator[str]:
    """Yield the objects that the bodies reach, without the bodies."""
    bodies = {name for name in schemas if name in BODIES or name.endswith("Body")}
    reached: dict[str, None] = {}
    waiting = sorted(bodies & schemas.keys())
    while waiting:
        for found in _references(schemas[waiting.pop(0)]):
            if found not in reached and found not in bodies:
                reached[found] = None
                waiting.append(found)
    rows = []
    for name in sorted(reached):
        properties = schemas[name].get("properties", {})
        members = ", ".join(f"`{field}`: {_type(schema)}" for field, schema in properties.items())
        rows.append((f"`{name}`", members or _type(schemas[name])))
    yield _table(("object", "fields"), rows)


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield _name(value)
            else:
                yield from _references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _references(item)


def _fields(
    schema: Mapping[str, Any],
    refused: Sequence[Collection[str]] = (),
    ignored: Sequence[Collection[str]] = (),
    only: Collection[str] | None = None,
    without: Collection[str] = (),
) -> str:
    """Return the table of a body's fields: `only` these, or all `without` those. What is refused comes last."""
    required = schema.get("required", ())
    rows = []
    for name, each in schema["properties"].items():
        if name not in without and (only is None or name in only):
            note = "required" if name in required else ""
            note = "refused" if any(name in names for names in refused) else note
            note = "ignored" if any(name in names for names in ignored) else note
            rows.append((f"`{name}`", _type(each), note))
    return _table(("field", "type", ""), sorted(rows, key=lambda row: row[2] == "refused"))


def _type(schema: Mapping[str, Any]) -> str:
    """Return the type of a field in words."""
    if "$ref" in schema:
        return f"`{_name(schema['$ref'])}`"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            kinds = [_type(each) for each in schema[key] if each.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"array of {_type(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_type(schema['additionalProperties'])}"
    return str(kind)


def _name(reference: str) -> str:
    return reference.rsplit("/", 1)[-1]


def _status(kind: type[GatewayError]) -> int:
    return status_of(kind.__new__(kind))


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |" for line in lines
    )


def main() -> int:
    """Write the pages that changed; 0."""
    for name, text in pages().items():
        path = FOLDER / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
