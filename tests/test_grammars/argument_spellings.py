"""Ways to spell arguments that tests use, and what is written in the first of them."""

from __future__ import annotations

from typing import Any

from grammars import ANY_TYPES, ArgumentSpelling, JsonOptions, ValueTag

PIECES = [b"</p>", b"<p=a>\n", b"<p=", b"\n</p>\n", b'": ', b"null", b"True", b"<q>", b"a=", b"'", b"\xc3\xa9", b"ab"]
TOKENS: list[bytes | None] = [*(bytes([value]) for value in range(256)), *PIECES, None]
END = len(TOKENS) - 1
ORDERED = JsonOptions(property_order="schema")
STRING = frozenset({"string"})

TAGS = ArgumentSpelling(
    before="<p=", tags=(ValueTag(ANY_TYPES, ">\n"),), after="\n</p>\n", names=r"[^<>\s]+", marker="</p>"
)
TYPED = ArgumentSpelling(
    before='<p n="',
    tags=(ValueTag(STRING, '" s="1">'), ValueTag(ANY_TYPES - STRING, '" s="0">')),
    after="</p>",
    names=r'[^<>"\s]+',
    marker="</p>",
)
PYTHON = ArgumentSpelling(
    before="", tags=(ValueTag(ANY_TYPES, "="),), after="", separator=", ", names="[a-z]+", values="python"
)
DELIMITED = ArgumentSpelling(
    before="",
    tags=(ValueTag(ANY_TYPES, ":"),),
    after="",
    separator=",",
    names="[a-z]+",
    values="delimited",
    delimiter="<q>",
)

TEXT, NUMBER, MAYBE = {"type": "string"}, {"type": "integer"}, {"type": ["string", "null"]}


def closed(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def tagged(**values: str) -> str:
    return "".join(f"<p={name}>\n{value}\n</p>\n" for name, value in values.items())
