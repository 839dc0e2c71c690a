"""`portcullis run-batch`: the lines of a batch file, answered without a server."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from gateway.commands.record_file import RecordFile
from gateway.commands.record_run import PATIENCE_S, run_records
from gateway.commands.request_target import add_target_arguments, check_target, request_target
from gateway.commands.settings import config_of
from gateway.errors import ConfigError

NAME = "run-batch"
HELP = "answer the requests of a file in OpenAI's batch format"
EXAMPLE = "portcullis run-batch requests.jsonl replies.jsonl"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("input", metavar="IN", help="JSONL file: custom_id, method, url and body in each line")
    parser.add_argument("output", metavar="OUT", help="file of replies; lines that it has are not sent again")
    add_target_arguments(parser)


def run(arguments: Namespace) -> int:
    """Answer each line; failed requests are written to OUT with the suffix `.errors.jsonl`."""
    from gateway.batches.exchange import answered
    from gateway.batches.lines import check_file, parse_line, raw_lines, reply_line

    check_target(arguments)
    config, source, path = config_of(arguments), Path(arguments.input), Path(arguments.output)
    try:
        total, errors = check_file(source, None, sys.maxsize, config.limits.max_body_bytes)
    except OSError as error:
        raise ConfigError(f"cannot read {source}: {error.strerror}") from error
    if errors:
        raise ConfigError("; ".join(f"{source}, line {each.number}: {each}" for each in errors[:5]))
    with RecordFile(path) as output, RecordFile(path.with_suffix(".errors.jsonl"), is_new=True) as failures:
        done = {_custom_id(record, path) for record in output.records()}
        ids = {number: parse_line(number, text).custom_id for number, text in raw_lines(source)}
        places = {custom_id: number for number, custom_id in ids.items()}
        num_done = len(done & places.keys())
        if num_done < total:
            with request_target(arguments, config) as send:

                async def answer(numbered: tuple[int, bytes]) -> tuple[str, bool]:
                    line = parse_line(*numbered)
                    reply = await answered(send, line.url, line.body, PATIENCE_S)
                    return reply_line(line, reply), reply.is_ok

                waiting = (each for each in raw_lines(source) if ids[each[0]] not in done)
                code = run_records(
                    waiting, answer, output, failures, total=total, num_done=num_done, concurrency=arguments.concurrency
                )
        else:
            print(f"all {total} records are in {path}", file=sys.stderr)
            failures.path.unlink()
            code = 0
        output.sort(lambda record: places.get(_custom_id(record, path), sys.maxsize))
    return code


def _custom_id(record: bytes, path: Path) -> Any:
    try:
        return json.loads(record)["custom_id"]
    except (ValueError, TypeError, KeyError):
        raise ConfigError(f"{path} is no output of a batch; name another file") from None
