"""The command `portcullis`."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import version
from typing import NoReturn

from gateway.commands import COMMANDS
from gateway.errors import GatewayError
from gateway.origin import check_origin


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; the exit code."""
    # No process that is started from here on runs code of the working directory, where anyone may have put it.
    os.environ["PYTHONSAFEPATH"] = "1"
    # Read when torch is loaded. Its threads otherwise spin while they wait for one that another process keeps from its
    # core: beside one busy process, two threads on two cores write 13 tokens a second instead of 700.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    arguments, unknown = _parser().parse_known_args(argv)
    if unknown:
        _refuse(arguments.verb, unknown[0])
    try:
        check_origin()
        code: int = arguments.run(arguments)
    except GatewayError as error:
        print(f"portcullis: {error.message}" + (f" ({error.hint})" if error.hint else ""), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return code


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="portcullis", description="Answers that have the shape you asked for.")
    parser.add_argument("--version", action="version", version=f"portcullis {version('portcullis')}")
    verbs = parser.add_subparsers(title="verbs", required=True, metavar="VERB")
    for command in COMMANDS:
        verb = verbs.add_parser(command.NAME, help=command.HELP, description=command.HELP)
        command.add_arguments(verb)
        verb.set_defaults(run=command.run, verb=verb)
    return parser


def _refuse(verb: ArgumentParser, unknown: str) -> NoReturn:
    """End with the usage of the verb, and the flag of it that was probably meant."""
    name = unknown.partition("=")[0]
    near = get_close_matches(name, [flag for action in verb._actions for flag in action.option_strings], n=1)
    verb.error(f"unknown argument {name}" + (f"; did you mean {near[0]}?" if near else ""))
