"""Audit logs on a disk: written, read, tampered with."""

import asyncio
import sqlite3
import threading
from contextlib import closing, contextmanager

from gateway.audit.chain import Chain
from gateway.audit.log import AuditLog
from gateway.audit.store import Store
from gateway.audit.verification import verified
from gateway.config import AuditConfig


@contextmanager
def log_at(path, **settings):
    log = AuditLog(AuditConfig(url=str(path), **settings))
    try:
        yield log
    finally:
        log.close()


def fill(path, num, **settings):
    """A log with so many requests; the end of it."""

    async def write(log):
        for number in range(num):
            await log.write([{"kind": "request", "number": number}])

    with log_at(path, **settings) as log:
        asyncio.run(write(log))
        return log._tail


def links_of(path):
    store = Store(str(path), may_create=False)
    with closing(store):
        return list(store.links())


def check(path, *anchors, key=None, first=1):
    store = Store(str(path), may_create=False)
    with closing(store):
        return verified(store, Chain(key), anchors, first)


def tamper(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


class Held:
    """A store that waits, or fails, before it keeps links."""

    def __init__(self, log):
        self.log, self.real = log, log._store.append
        self.may = threading.Event()
        self.error = None
        log._store.append = self.append

    def append(self, links):
        assert self.may.wait(20)
        if self.error is not None:
            raise self.error
        self.real(links)
