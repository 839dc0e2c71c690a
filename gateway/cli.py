"""The command `portcullis`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from argparse import RawDescriptionHelpFormatter as Lines
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import version
from typing import NoReturn

from gateway.commands import COMMANDS
from gateway.errors import GatewayError
from gateway.hosting.process import set_up_process
from gateway.package_check import check_packages

DESCRIPTION = """Serve language models with guaranteed output structure: JSON schemas, regular expressions, grammars and
tool calls, over the APIs of OpenAI, Anthropic, TGI and Ollama."""

EPILOG = """examples:
  portcullis serve                                    the model of this package, on http://127.0.0.1:8000
  portcullis serve --model ./Qwen3-0.6B --port 9000   another one
  portcullis chat                                     a conversation in the terminal
  portcullis check-schema invoice.json                how each keyword of a schema is enforced

`portcullis VERB --help` lists the flags of a verb; a server has all settings at /docs/settings."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit code."""
    set_up_process()
    parser = _parser()
    _check_verb(parser, sys.argv[1:] if argv is None else argv)
    arguments, unknown = parser.parse_known_args(argv)
    if "run" not in arguments:
        parser.error(f"a verb is expected before {unknown[0]}" if unknown else "a verb is expected")
    if unknown:
        _refuse(arguments.verb, unknown[0])
    try:
        check_packages()
        code: int = arguments.run(arguments)
    except GatewayError as error:
        print(f"portcullis: {error.message}" + (f" ({error.hint})" if error.hint else ""), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return code


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="portcullis", description=DESCRIPTION, epilog=EPILOG, formatter_class=Lines)
    parser.add_argument("--version", action="version", version=f"portcullis {version('portcullis')}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB")
    for command in COMMANDS:
        verb = verbs.add_parser(
            command.NAME,
            help=command.HELP,
            description=f"{command.HELP[0].upper()}{command.HELP[1:]}.\n\nexample:\n  {command.EXAMPLE}",
            formatter_class=Lines,
        )
        command.add_arguments(verb)
        verb.set_defaults(run=command.run, verb=verb)
    return parser


def _check_verb(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    """End with exit code 2 unless a verb is given: with the help where there is none, with the nearest otherwise."""
    if not arguments:
        parser.print_help(sys.stderr)
        raise SystemExit(2)
    names = [command.NAME for command in COMMANDS]
    if not arguments[0].startswith("-") and arguments[0] not in names:
        near = get_close_matches(arguments[0], names, n=1)
        known = f"did you mean {near[0]}?" if near else f"verbs are {', '.join(names)}"
        parser.error(f"unknown verb {arguments[0]}; {known}")


def _refuse(verb: ArgumentParser, unknown: str) -> NoReturn:
    """End with the usage of the verb, and the flag of it that was probably meant."""
    name = unknown.partition("=")[0]
    near = get_close_matches(name, [flag for action in verb._actions for flag in action.option_strings], n=1)
    verb.error(f"unknown argument {name}" + (f"; did you mean {near[0]}?" if near else ""))
