"""JSON lines between the server and a judge's process; the first says that it is ready, or why it is not.

To each line it says what it makes of it, or `{"error": "..."}`. It ends with its input.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

Answering = Callable[[dict[str, Any]], dict[str, Any]]


def serve(load: Callable[[], tuple[dict[str, Any], Answering]]) -> None:
    """Answer lines until the input ends.

    Args:
        load: Returns the first message, and the function that answers lines.
    """
    # What a library prints belongs to the log.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(message: dict[str, Any]) -> None:
        print(json.dumps(message), file=out, flush=True)

    try:
        told, answer = load()
    except Exception as error:
        say(_failure(error))
        return
    say(told)
    for line in sys.stdin:
        try:
            said = answer(json.loads(line))
        except Exception as error:
            said = _failure(error)
        say(said)


def _failure(error: Exception) -> dict[str, Any]:
    return {"error": str(error).split("\n")[0] or repr(error)}
