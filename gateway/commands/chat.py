"""`portcullis chat`: one question, one answer, without a server."""

from __future__ import annotations

import asyncio
import json
import sys
from argparse import ArgumentParser, Namespace
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.commands.progress import LoadingProgress
from gateway.commands.settings import add_model_arguments, config_of
from gateway.core.constraints import ChoiceConstraint, Constraint, JsonConstraint, RegexConstraint
from gateway.errors import ConfigError

if TYPE_CHECKING:
    from gateway.core.request import ChatRequest
    from gateway.service import Service

NAME = "chat"
HELP = "ask once, from the terminal"

EMBEDDED = (
    "The model of this package fills in records (--schema), picks one of several (--choice) and calls tools. Without a "
    "shape it knows a handful of sentences, and takes a statement for a text to label: for a talk, choose a --model."
)
"""What is said to who asks it without a shape."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("prompt", help="what to ask; - reads it from standard input")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--schema", metavar="FILE", help="JSON schema that the answer satisfies")
    shape.add_argument("--regex", metavar="PATTERN", help="pattern that the whole answer matches")
    shape.add_argument("--choice", metavar="TEXT", action="append", help="one of these texts; repeat for each")
    parser.add_argument("--system", help="system message")
    parser.add_argument("--max-tokens", type=int, help="longest answer")
    parser.add_argument("--temperature", type=float, default=0.0, help="0, the default, takes the likeliest token")
    parser.add_argument("--seed", type=int, help="same seed, same answer")
    add_model_arguments(parser)


def run(arguments: Namespace) -> int:
    """Print the answer as it is written."""
    config = config_of(arguments)
    request = _request(arguments, _constraint(arguments))
    progress = LoadingProgress()
    progress("loading")
    from gateway.service import Service
    from gateway.service.request.early_checks import check_beforehand

    check_beforehand(request, config.limits, progress)
    if config.model.path is None and request.options.constraint is None:
        print(EMBEDDED, file=sys.stderr)
    service = Service.load(config, progress)
    try:
        asyncio.run(_print_answer(service, request))
    finally:
        service.close()
    return 0


async def _print_answer(service: Service, request: ChatRequest) -> None:
    from gateway.core.answer import TextDelta

    prepared = await service.prepare_chat(request)
    async with aclosing(service.stream(prepared)) as batches:
        async for batch in batches:
            sys.stdout.write("".join(delta.text for delta in batch if isinstance(delta, TextDelta)))
            sys.stdout.flush()
    sys.stdout.write("\n")


def _request(arguments: Namespace, constraint: Constraint | None) -> ChatRequest:
    from gateway.core.request import ChatRequest, Options, Sampling

    prompt = sys.stdin.read() if arguments.prompt == "-" else arguments.prompt
    messages = [{"role": "user", "content": prompt}]
    if arguments.system is not None:
        messages.insert(0, {"role": "system", "content": arguments.system})
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
    """The schema in a file.

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
