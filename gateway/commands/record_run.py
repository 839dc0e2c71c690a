"""Run over the records of a file: several at a time, with a progress bar, and a summary at the end."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from gateway.commands.record_file import RecordFile

R = TypeVar("R")

PATIENCE_S = 600.0
"""Time in which a busy or absent server may come back before a record fails."""


def run_records(
    records: Iterator[R],
    answer: Callable[[R], Awaitable[tuple[str, bool]]],
    output: RecordFile,
    failures: RecordFile,
    *,
    total: int,
    num_done: int,
    concurrency: int,
) -> int:
    """Write each record's answer to one of the files and return the exit code: 1 if any failed.

    Args:
        answer: Return the text to write, with its line end, and True if it belongs to `output`.
        total: Records, those of earlier runs included.
        num_done: Those of earlier runs.
    """
    from tqdm import tqdm

    from gateway.batches.exchange import for_each

    begin, num_failed = time.monotonic(), 0
    # None: no bar unless stderr is a terminal.
    with tqdm(total=total, initial=num_done, unit="record", disable=None) as bar:

        async def do(record: R) -> None:
            nonlocal num_failed
            text, is_ok = await answer(record)
            (output if is_ok else failures).append(text)
            num_failed += not is_ok
            bar.update()
            if num_failed:
                bar.set_postfix(failed=num_failed)

        try:
            asyncio.run(for_each(records, do, concurrency))
        except KeyboardInterrupt:
            print(f"interrupted; the same command continues {output.path}", file=sys.stderr)
            raise
    seconds = time.monotonic() - begin
    num_new = total - num_done
    summary = f"{total - num_failed} of {total} records are in {output.path}"
    summary += f"; {num_done} were before" if num_done else ""
    summary += f"; {num_failed} failed, see {failures.path}" if num_failed else ""
    print(f"{summary}; {seconds:.1f} s, {num_new / max(seconds, 1e-9):.1f} records a second", file=sys.stderr)
    if not num_failed:
        failures.path.unlink()
    return int(num_failed > 0)
