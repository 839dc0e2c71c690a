"""`portcullis index`: a file of documents that chats of a server can search."""

from __future__ import annotations

import asyncio
import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateway.commands.request_target import add_target_arguments, check_target, request_target
from gateway.commands.settings import config_of
from gateway.errors import ConfigError

if TYPE_CHECKING:
    from gateway.batches.exchange import Send
    from gateway.retrieval import Found
    from gateway.retrieval.sqlite import IndexWriter

NAME = "index"
HELP = "make a file of documents that chats can search"
EXAMPLE = "portcullis index manuals.jsonl manuals.db"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_target_arguments(parser)
    parser.add_argument("input", metavar="IN", help="JSONL file: text and perhaps id and title in each line")
    parser.add_argument("output", metavar="OUT", help="SQLite file to be made; one that exists is replaced")
    parser.add_argument(
        "--embed-by",
        metavar="NAME",
        help="make vectors, too, by the served model of this name; default: find documents by their words alone",
    )
    parser.add_argument("--document-prompt", metavar="NAME", help="name of that model's prompt for documents")
    parser.add_argument("--query-prompt", metavar="NAME", help="name of that model's prompt for queries")


def run(arguments: Namespace) -> int:
    """Write the index; without an error it replaces an earlier one."""
    from gateway.retrieval.sqlite import IndexWriter

    check_target(arguments)
    source, output, config = Path(arguments.input), Path(arguments.output), config_of(arguments)
    with IndexWriter(output, arguments.embed_by, arguments.query_prompt) as index:
        try:
            num_documents = index.add(_documents(source))
        except ValueError as error:
            raise ConfigError(f"{source}: {error}") from error
        except OSError as error:
            raise ConfigError(f"cannot read {source}: {error.strerror}") from error
        if arguments.embed_by is not None:
            with request_target(arguments, config) as send:
                asyncio.run(_embed(index, send, arguments))
    print(f"{num_documents} documents are in {output}", file=sys.stderr)
    return 0


BATCH_SIZE = 64
"""Documents that are embedded by one request."""


def _documents(source: Path) -> Iterator[Found]:
    from gateway.retrieval import Found

    with source.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                given = json.loads(line)
                parts = {name: given.get(name, default) for name, default in (("id", str(number)), ("title", ""))}
                found = Found(text=given["text"], **parts)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                raise ValueError(f"line {number} must be an object with a text") from error
            if not all(isinstance(each, str) for each in (found.id, found.title, found.text)) or not found.text.strip():
                raise ValueError(f"line {number}: text, title and id must be strings, and text must not be empty")
            yield found


async def _embed(index: IndexWriter, send: Send, arguments: Namespace) -> None:
    from gateway.batches.exchange import for_each

    async def embed(some: tuple[tuple[int, str], ...]) -> None:
        numbers, texts = zip(*some, strict=True)
        index.add_vectors(numbers, await _vectors(send, texts, arguments))

    texts = index.texts()
    some = iter(lambda: tuple(islice(texts, BATCH_SIZE)), ())
    await for_each(some, embed, arguments.concurrency)


async def _vectors(send: Send, texts: tuple[str, ...], arguments: Namespace) -> Any:
    import numpy as np

    from gateway.batches.exchange import answered
    from gateway.commands.record_run import PATIENCE_S

    body = {"model": arguments.embed_by, "input": texts, "normalize": True, "truncate_prompt_tokens": -1}
    if arguments.document_prompt is not None:
        body["prompt_name"] = arguments.document_prompt
    reply = await answered(send, "/v1/embeddings", json.dumps(body).encode(), PATIENCE_S)
    if not reply.is_ok:
        raise ConfigError(f"the documents cannot be embedded: {json.loads(reply.body)['error']['message']}")
    return np.array([each["embedding"] for each in json.loads(reply.body)["data"]], dtype=np.float32)
