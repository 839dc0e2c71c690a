"""Verbs of the command, one file each. Their own imports are light; the rest is imported when they run."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Protocol

from gateway.commands import audit, bench, chat, check_schema, extract, index, inspect, keys, run_batch, serve


class Command(Protocol):
    """One verb.

    Attributes:
        NAME: What is typed.
        HELP: One line.
        EXAMPLE: A command that uses it.
    """

    NAME: str
    HELP: str
    EXAMPLE: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the verb's own arguments."""

    def run(self, arguments: Namespace) -> int:
        """Run it and return the exit code.

        Raises:
            GatewayError: It cannot be done; the message is for the person at the terminal.
        """


COMMANDS: tuple[Command, ...] = (serve, chat, extract, run_batch, index, bench, check_schema, inspect, audit, keys)
