"""`portcullis chat`: one answer, or a conversation, without a server."""

from __future__ import annotations

import asyncio
import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateway.commands.conversation import Conversation, print_answer
from gateway.commands.progress import LoadingProgress
from gateway.commands.settings import MODEL, add_setting_arguments, config_of
from gateway.core.constraints import ChoiceConstraint, Constraint, JsonConstraint, RegexConstraint
from gateway.errors import ConfigError

if TYPE_CHECKING:
    from gateway.core.request import ChatRequest

NAME = "chat"
HELP = "ask a question, or have a conversation, without a server"
EXAMPLE = 'portcullis chat "An invoice of 12 euros" --schema invoice.json'

EMBEDDED = (
    "The model of this package fills in records (--schema), picks one of several (--choice) and calls tools. Without a "
    "shape it knows a handful of sentences, and takes a statement for a text to label: for a talk, choose a --model."
)
"""Hint for a question without a constraint."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the verb's arguments."""
    question = "the question; - reads it from standard input; without one, a conversation begins"
    parser.add_argument("prompt", nargs="?", help=question)
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--schema", metavar="FILE", help="JSON schema that the answer satisfies")
    shape.add_argument("--regex", metavar="PATTERN", help="pattern that the whole answer matches")
    shape.add_argument("--choice", metavar="TEXT", action="append", help="one of these texts; repeat for each")
    parser.add_argument("--system", metavar="TEXT", help="system message")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="longest answer")
    parser.add_argument(
        "--temperature", type=float, default=0.0, metavar="X", help="0, the default, takes the likeliest token"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="same seed, same answer")
    add_setting_arguments(parser, MODEL)


def run(arguments: Namespace) -> int:
    """Print the answer while it is generated; without a question, have a conversation."""
    config = config_of(arguments)
    if config.models:
        raise ConfigError("chat takes one model, and the settings name several; see portcullis serve --help")
    constraint, system = _constraint(arguments), arguments.system
    question = sys.stdin.read() if arguments.prompt == "-" else arguments.prompt
    progress = LoadingProgress()
    progress("loading")
    from gateway.service import Service
    from gateway.service.request.early_checks import check_beforehand

    def make_request(messages: list[dict[str, Any]], constraint: Constraint | None) -> ChatRequest:
        return _request(arguments, messages, constraint)

    def check(constraint: Constraint | None) -> None:
        check_beforehand(make_request([{"role": "user", "content": "?"}], constraint), config.limits, progress)

    def checked_schema(name: str) -> JsonConstraint:
        read = JsonConstraint(schema=read_schema(name), origin=name)
        check(read)
        return read

    check(constraint)
    if config.model.path is None and constraint is None:
        print(EMBEDDED, file=sys.stderr)
    service = Service.load(config, progress)
    try:
        if question is None:
            Conversation(service, make_request, checked_schema, constraint, system).run()
        else:
            messages = [] if system is None else [{"role": "system", "content": system}]
            request = make_request([*messages, {"role": "user", "content": question}], constraint)
            asyncio.run(print_answer(service, request, []))
    finally:
        service.close()
    return 0


def _request(arguments: Namespace, messages: list[dict[str, Any]], constraint: Constraint | None) -> ChatRequest:
    from gateway.core.request import ChatRequest, Options, Sampling

    options = Options(
        sampling=Sampling(temperature=arguments.temperature, seed=arguments.seed),
        max_tokens=arguments.max_tokens,
        max_tokens_origin="--max-tokens",
        constraint=constraint,
    )
    return ChatRequest(messages=tuple(messages), options=options)


def _constraint(arguments: Namespace) -> Constraint | None:
    if arguments.schema is not None:
        return JsonConstraint(schema=read_schema(arguments.schema), origin="--schema")
    if arguments.regex is not None:
        return RegexConstraint(pattern=arguments.regex, origin="--regex")
    if arguments.choice is not None:
        return ChoiceConstraint(options=tuple(arguments.choice), origin="--choice")
    return None


def read_schema(name: str) -> dict[str, object] | bool:
    """Return the schema in a file.

    Raises:
        ConfigError: It cannot be read, or is no schema.
    """
    try:
        schema = json.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {name}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{name} is not JSON: {error}") from error
    if not isinstance(schema, dict | bool):
        raise ConfigError(f"{name} is no JSON schema: an object or a boolean is expected")
    return schema
