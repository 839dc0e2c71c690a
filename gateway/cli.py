"""The command `portcullis`."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib.metadata import version

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
    arguments = _parser().parse_args(argv)
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
        verb.set_defaults(run=command.run)
    return parser
