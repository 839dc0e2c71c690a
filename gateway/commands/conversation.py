"""Conversation in the terminal: history, streamed answers, commands that begin with `/`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

from gateway.core.constraints import Constraint, JsonConstraint
from gateway.errors import GatewayError

if TYPE_CHECKING:
    from gateway.core.request import ChatRequest
    from gateway.service import Service

HELP = """/schema FILE  hold answers to a JSON schema; without a file: to none
/system TEXT  set the system message; without a text: none
/reset        forget the conversation
/quit         end; so does Ctrl-D. Ctrl-C ends an answer"""


async def print_answer(service: Service, request: ChatRequest, written: list[str]) -> None:
    """Print an answer while it is generated, and append its pieces to `written`."""
    from gateway.core.answer import TextDelta

    prepared = await service.prepare_chat(request)
    async with aclosing(service.stream(prepared)) as batches:
        async for batch in batches:
            written.append("".join(delta.text for delta in batch if isinstance(delta, TextDelta)))
            sys.stdout.write(written[-1])
            sys.stdout.flush()
    sys.stdout.write("\n")


class Conversation:
    """Loop over the lines of standard input, until it ends.

    Args:
        make_request: Return the request of these messages under this constraint.
        read_schema: Return the constraint in a file; it compiles.
    """

    def __init__(
        self,
        service: Service,
        make_request: Callable[[list[dict[str, Any]], Constraint | None], ChatRequest],
        read_schema: Callable[[str], JsonConstraint],
        constraint: Constraint | None,
        system: str | None,
    ) -> None:
        self._service, self._make_request, self._read_schema = service, make_request, read_schema
        self._constraint, self._system = constraint, system
        self._history: list[dict[str, Any]] = []

    def run(self) -> None:
        """Answer each line."""
        is_terminal = sys.stdin.isatty()
        if is_terminal:
            with suppress(ImportError):
                import readline  # noqa: F401  edits lines of `input`
            print(HELP, file=sys.stderr)
        with asyncio.Runner() as runner:
            while True:
                try:
                    line = input("> " if is_terminal else "").strip()
                except EOFError:
                    return
                except KeyboardInterrupt:
                    print()
                    continue
                if line == "/quit":
                    return
                try:
                    if line.startswith("/"):
                        self._command(*line.split(maxsplit=1))
                    elif line:
                        self._ask(runner, line)
                except GatewayError as error:
                    print(f"portcullis: {error.message}", file=sys.stderr)

    def _command(self, name: str, argument: str = "") -> None:
        match name:
            case "/schema":
                self._constraint = self._read_schema(argument) if argument else None
            case "/system":
                self._system = argument or None
            case "/reset":
                self._history = []
            case _:
                print(HELP, file=sys.stderr)

    def _ask(self, runner: asyncio.Runner, question: str) -> None:
        system = [] if self._system is None else [{"role": "system", "content": self._system}]
        asked, written = [*self._history, {"role": "user", "content": question}], list[str]()
        try:
            runner.run(print_answer(self._service, self._make_request([*system, *asked], self._constraint), written))
        except KeyboardInterrupt:
            print()
        if written:
            self._history = [*asked, {"role": "assistant", "content": "".join(written)}]
