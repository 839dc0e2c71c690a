"""`portcullis extract`: values of a schema out of the texts of a table."""

from __future__ import annotations

import importlib
import json
import math
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateway.commands.chat import read_schema
from gateway.commands.progress import LoadingProgress
from gateway.commands.record_file import RecordFile
from gateway.commands.record_run import PATIENCE_S, run_records
from gateway.commands.request_target import add_target_arguments, check_target, request_target, served_model
from gateway.commands.settings import config_of
from gateway.commands.tables import RowWriter, check_kind, read_records
from gateway.errors import ConfigError

if TYPE_CHECKING:
    from gateway.batches.exchange import Reply
    from gateway.config import Config
    from gateway.verify import Verifier

NAME = "extract"
HELP = "extract the values of a schema from each text of a table"
EXAMPLE = "portcullis extract --schema invoice.json letters.csv invoices.csv --text-field body"

ROW, CONFIDENCE, CONFIDENCES, VALUE = "row", "confidence", "confidences", "value"
PROMPT = "Extract the data: "
_OPEN = ("additionalProperties", "unevaluatedProperties", "patternProperties", "$ref", "allOf", "anyOf", "oneOf", "if")
"""Keywords of a schema that is left as it is."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("input", metavar="IN", help="table: .csv or .jsonl")
    parser.add_argument("output", metavar="OUT", help=".csv or .jsonl; rows that it has are not extracted again")
    parser.add_argument("--schema", required=True, metavar="FILE|MODULE:CLASS", help="JSON schema or pydantic class")
    parser.add_argument("--text-field", required=True, metavar="COLUMN", help="column with the text")
    parser.add_argument("--keep", action="append", default=[], metavar="COLUMN", help="column to copy; may be repeated")
    parser.add_argument("--confidence", action="store_true", help=f"add the columns {CONFIDENCE} and {CONFIDENCES}")
    parser.add_argument("--raw-cells", action="store_true", help="write cells like formulas without a quote in front")
    parser.add_argument("--prompt", default=PROMPT, metavar="TEXT", help=f"words before each text; default: {PROMPT!r}")
    parser.add_argument("--system", metavar="TEXT", help="system message")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="longest answer")
    parser.add_argument("--served-model", metavar="NAME", help="model of --base-url; default: the first that it lists")
    add_target_arguments(parser)


def run(arguments: Namespace) -> int:
    """Extract from each record; failed ones are written to OUT with the suffix `.errors.jsonl`."""
    from gateway.batches.exchange import answered
    from gateway.verify import Verifier

    check_target(arguments)
    config, source, path = config_of(arguments), Path(arguments.input), Path(arguments.output)
    check_kind(source)
    check_kind(path)
    extraction = _Extraction(arguments, _closed(_schema(arguments.schema)))
    total = 0
    for total, record in read_records(source):  # noqa: B007
        extraction.check(record, source)
    if arguments.base_url is None:
        extraction.check_request(config)
    num_heads = int(path.suffix == ".csv")
    writer = RowWriter(extraction.columns, is_csv=num_heads > 0, is_raw=arguments.raw_cells)
    with RecordFile(path) as output, RecordFile(path.with_suffix(".errors.jsonl"), is_new=True) as failures:
        done = _done(output, writer, num_heads)
        if len(done) < total:
            with request_target(arguments, config) as send:
                if arguments.base_url is not None:
                    extraction.model = arguments.served_model or served_model(arguments.base_url)
                verifier = Verifier()

                async def answer(numbered: tuple[int, dict[str, Any]]) -> tuple[str, bool]:
                    row, record = numbered
                    body = extraction.body(record)
                    reply = await answered(send, "/v1/chat/completions", body, PATIENCE_S)
                    try:
                        found = extraction.values(reply, verifier)
                    except ValueError as error:
                        failure = {ROW: row, "status": reply.status, "code": reply.code, "message": str(error)}
                        return json.dumps(failure) + "\n", False
                    kept = {column: record.get(column) for column in arguments.keep}
                    return writer.text({ROW: row, **kept, **found}), True

                waiting = (each for each in read_records(source) if each[0] not in done)
                code = run_records(
                    waiting, answer, output, failures,
                    total=total, num_done=len(done), concurrency=arguments.concurrency,
                )  # fmt: skip
        else:
            print(f"all {total} records are in {path}", file=sys.stderr)
            failures.path.unlink()
            code = 0
        output.sort(writer.row_number, num_heads)
    return code


def _done(output: RecordFile, writer: RowWriter, num_heads: int) -> set[int]:
    """Return the rows of an earlier run; a new CSV file gets its first line.

    Raises:
        ConfigError: The file has other columns.
    """
    records = list(output.records())
    if num_heads:
        if not records:
            output.append(writer.head)
        elif records[0].decode("utf-8", "replace") != writer.head:
            raise ConfigError(f"{output.path} has other columns than {writer.head.strip()}; name another file")
    try:
        return {writer.row_number(record) for record in records[num_heads:]}
    except (ValueError, TypeError, KeyError):
        raise ConfigError(f"{output.path} has lines without the column {ROW}; name another file") from None


class _Extraction:
    """Requests of an extraction, and values of their replies."""

    def __init__(self, arguments: Namespace, schema: dict[str, Any]) -> None:
        self._arguments, self._schema = arguments, schema
        self.model: str | None = None
        properties = schema.get("properties")
        self._is_object = isinstance(properties, dict) and bool(properties)
        values = list(properties) if self._is_object and properties else [VALUE]
        sure = [CONFIDENCE, CONFIDENCES] if arguments.confidence else []
        self.columns = [ROW, *arguments.keep, *values, *sure]
        twice = sorted({column for column in self.columns if self.columns.count(column) > 1})
        if twice:
            raise ConfigError(f"the output would have the column '{twice[0]}' twice; rename it in the schema or table")

    def check(self, record: dict[str, Any], source: Path) -> None:
        """Raise `ConfigError` unless a record has the columns that are asked for."""
        for column in (self._arguments.text_field, *self._arguments.keep):
            if column not in record:
                raise ConfigError(f"{source} has a record without '{column}'; it has {', '.join(record)[:500]}")

    def check_request(self, config: Config) -> None:
        """Raise `GatewayError` if any model would refuse the schema."""
        from gateway.core.constraints import JsonConstraint
        from gateway.core.request import ChatRequest, Options
        from gateway.service.request.early_checks import check_beforehand

        constraint = JsonConstraint(schema=self._schema, origin="--schema")
        options = Options(
            constraint=constraint, max_tokens=self._arguments.max_tokens, max_tokens_origin="--max-tokens"
        )
        request = ChatRequest(messages=({"role": "user", "content": "?"},), options=options)
        check_beforehand(request, config.limits, LoadingProgress())

    def body(self, record: dict[str, Any]) -> bytes:
        """Return the request for a record."""
        text, asked = record[self._arguments.text_field], self._arguments
        text = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
        system = [] if asked.system is None else [{"role": "system", "content": asked.system}]
        shape = {"type": "json_schema", "json_schema": {"name": "record", "schema": self._schema}}
        body = {
            "messages": [*system, {"role": "user", "content": f"{asked.prompt}{text}"}],
            "response_format": shape,
            "temperature": 0,
            "model": self.model,
            "max_tokens": asked.max_tokens,
            "confidence": asked.confidence or None,
        }
        return json.dumps({name: value for name, value in body.items() if value is not None}).encode()

    def values(self, reply: Reply, verifier: Verifier) -> dict[str, Any]:
        """Return the columns of a reply.

        Raises:
            ValueError: It has no valid answer; says why.
        """
        plain: Any = json.loads(reply.body)
        if not reply.is_ok:
            error = plain.get("error") if isinstance(plain, dict) else None
            raise ValueError(error.get("message") if isinstance(error, dict) else f"status {reply.status}")
        try:
            (choice,) = plain["choices"]
            text = choice["message"]["content"]
            if choice["finish_reason"] == "length" or not isinstance(text, str):
                raise ValueError("the answer is not complete")
        except (TypeError, KeyError):
            raise ValueError("the reply is no chat completion") from None
        verdict = verifier.verify_json(self._schema, text)
        if not verdict:
            raise ValueError(f"the answer is not valid: {verdict.reason}")
        value = json.loads(text)
        found = value if self._is_object else {VALUE: value}
        return {**found, **_confidence(choice.get("confidence"))} if self._arguments.confidence else found


def _confidence(entries: Sequence[dict[str, Any]] | None) -> dict[str, Any]:
    """Return the probability of each value, and the least of them; empty if the server reports none."""
    if entries is None:
        return {CONFIDENCE: None, CONFIDENCES: None}
    sure = {each["path"]: round(math.exp(each["logprob"]), 4) for each in entries}
    return {CONFIDENCE: min(sure.values(), default=None), CONFIDENCES: sure}


def _schema(name: str) -> dict[str, Any]:
    """Return the schema in a file, or of a pydantic class.

    Raises:
        ConfigError: There is none.
    """
    module, mark, attribute = name.partition(":")
    if mark and not Path(name).exists():
        # The module is named by the user, and usually in the working directory.
        sys.path.append(os.getcwd())
        try:
            schema = getattr(importlib.import_module(module), attribute).model_json_schema()
        except (ImportError, AttributeError, ValueError) as error:
            raise ConfigError(f"--schema {name} names no pydantic class: {error}") from error
        finally:
            sys.path.pop()
    else:
        schema = read_schema(name)
    if not isinstance(schema, dict):
        raise ConfigError(f"--schema {name}: the schema must be an object")
    return schema


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without members that it does not name, for which a table has no column."""
    if "properties" not in schema or any(keyword in schema for keyword in _OPEN):
        return schema
    return {**schema, "additionalProperties": False}
