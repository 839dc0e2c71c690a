"""`portcullis audit`: records of requests, looked at and verified. No server is needed, and none is disturbed."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateway.commands.settings import AUDIT, add_setting_arguments, config_of
from gateway.errors import ConfigError

if TYPE_CHECKING:
    from gateway.audit.store import Store
    from gateway.config import AuditConfig

NAME = "audit"
HELP = "verify, show or export the records that a server keeps of its requests"
EXAMPLE = "portcullis audit verify --audit audit.db"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    verbs = parser.add_subparsers(title="what to do", required=True, metavar="VERB")
    verify = verbs.add_parser("verify", help="say whether all records are there as they were written")
    verify.add_argument(
        "--head",
        action="append",
        default=[],
        metavar="NUMBER:HASH|FILE",
        help="where the log was once; may be repeated",
    )
    show = verbs.add_parser("show", help="print records for people")
    show.add_argument("--last", type=int, default=20, metavar="N", help="so many of the last; default: 20")
    show.add_argument("--request", metavar="ID", help="those of this request alone")
    export = verbs.add_parser("export", help="print records as lines of JSON, each with its hash")
    for verb, do in ((verify, _verify), (show, _show), (export, _export)):
        verb.add_argument("--from", type=int, default=1, dest="first", metavar="NUMBER", help="the first record")
        add_setting_arguments(verb, AUDIT)
        verb.set_defaults(do=do)


def run(arguments: Namespace) -> int:
    """Do it; 1 where a record does not hold."""
    from gateway.audit.chain import BrokenChainError

    try:
        with _store(config := config_of(arguments).audit) as store:
            code: int = arguments.do(arguments, config, store)
    except BrokenChainError as error:
        print(f"broken: {error}", file=sys.stderr)
        return 1
    return code


@contextmanager
def _store(config: AuditConfig) -> Iterator[Store]:
    from gateway.audit.store import STORE_ERRORS, Store, reason

    if config.url is None:
        raise ConfigError("no audit log is named; give --audit, or audit.url in the settings")
    store = Store(config.url, may_create=False)
    try:
        yield store
    except STORE_ERRORS as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise ConfigError(f"cannot read the audit log: {reason(error)}") from error
    finally:
        store.close()


def _verify(arguments: Namespace, config: AuditConfig, store: Store) -> int:
    from gateway.audit.chain import Anchor, Chain
    from gateway.audit.verification import verified

    chain = Chain.keyed_by(config.key_file)
    heads = list(arguments.head)
    if config.head_file is not None and Path(config.head_file).exists():
        heads.append(config.head_file)
    anchors = [Anchor.read(head) for head in heads]
    tail = verified(store, chain, anchors, arguments.first)
    print(f"whole: records {max(arguments.first, 1)} to {tail.seq}; the end is {tail}")
    if not anchors:
        print("no earlier end was given (--head, audit.head_file): that none was cut off is not shown")
    return 0


def _show(arguments: Namespace, config: AuditConfig, store: Store) -> int:
    from gateway.audit.chain import record_of

    records = (record_of(link) for link in store.links(arguments.first))
    if arguments.request is not None:
        records = (record for record in records if record.get("request") == arguments.request)
    for record in deque(records, maxlen=max(arguments.last, 0)):
        print(_line(record))
    return 0


def _line(record: dict[str, Any]) -> str:
    parts = [f"{record['seq']:>8}", str(record.get("time")), record["kind"]]
    skipped = {"seq", "time", "kind", "contents"} | ({"findings"} if record["kind"] == "request" else set())
    for name, value in record.items():
        if name not in skipped and value not in (None, "", []):
            parts.append(f"{name}={_told(value)}")
    return " ".join(parts)


def _told(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(_told, value))
    if isinstance(value, dict):
        if value.keys() >= {"where", "guard", "kind", "action", "count"}:
            return f"{value['where']}:{value['guard']}/{value['kind']}:{value['action']}:{value['count']}"
        return "/".join(f"{name}:{member}" for name, member in value.items())
    return str(value)


def _export(arguments: Namespace, config: AuditConfig, store: Store) -> int:
    for link in store.links(arguments.first):
        # A record is JSON on one line.
        print(f'{{"hash":"{link.hash}","record":{link.record}}}')
    return 0
