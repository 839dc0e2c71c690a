"""Facts about a request, collected while it is served and stored as its records."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from gateway.audit.chain import now
from gateway.core.answer import Delta, Finding, Usage
from gateway.core.verdict import AnswerVerdict

if TYPE_CHECKING:
    from gateway.audit.log import AuditLog

CANCELLED = 499
"""Status of a request whose client disconnected."""

MAX_NAME = 200
"""Characters that are kept of what a client chose freely."""


class Reservation(Protocol):
    """Admission of a request under its API key's limits."""

    def check_model(self, name: str) -> None:
        """Raise if the key may not use the model by this name."""

    def reserve(self, prompt_tokens: int) -> None:
        """Count the prompt's tokens, or raise if they exceed a limit."""


@dataclass(slots=True, kw_only=True, eq=False)
class RequestRecord:
    """Facts about one request, filled in by the layers that serve it. Texts are in `contents` alone.

    The current record is a context variable: the layers that write to it (guards of routes, error envelopes, the
    service, its policies and its answers) share no argument, and `Service` is also called without HTTP.

    Attributes:
        log: Log that stores the records; None stores none.
        request_id: As in the log's lines and the reply's headers.
        tenant: Digest of the API key that was sent.
        endpoint: Method and path.
        operation: `chat`, `text_completion` or `embeddings`; None for other requests.
        model: The name the client used.
        constraint: Digest of what the answers are held to.
        policy: Name of the policy.
        decisions: Findings of the policy and its actions, per text or answer.
        finish: Why the answers ended.
        n: Answers a prompt that were asked for; not part of a record, nor are the next three.
        has_tools: True if tools may be called.
        calling: Answers that call a tool.
        num_retries: Answers that a policy gave up for another attempt.
        first_output_at: Time of the first output of a model, by `time.perf_counter`.
        error: Code of what went wrong.
        verdicts: Verdicts on the answers, in the order of their ends; not part of a record.
        usage: Counts tokens when it is called.
        admission: Checks limits of the API key; None where the server asks for no key.
        cached: `hit` or `miss` of the cache of responses; None where it was not asked.
        stages: Names, begins and ends of what was done for it; None keeps none.
        deltas: Deltas sent, if contents are stored.
        contents: Returns the stored contents of prompts and deltas; called in a thread.
    """

    log: AuditLog | None = None
    request_id: str = ""
    tenant: str = ""
    endpoint: str = ""
    operation: str | None = None
    model: str | None = None
    constraint: str | None = None
    policy: str | None = None
    decisions: list[Sequence[Finding]] = field(default_factory=list)
    finish: list[str] = field(default_factory=list)
    n: int = 0
    has_tools: bool = False
    calling: set[int] = field(default_factory=set)
    num_retries: int = 0
    first_output_at: float | None = None
    error: str | None = None
    verdicts: list[AnswerVerdict] = field(default_factory=list)
    usage: Callable[[], Usage] | None = None
    admission: Reservation | None = None
    cached: str | None = None
    stages: list[tuple[str, float, float]] | None = None
    deltas: list[Delta] = field(default_factory=list)
    contents: Callable[[], Any] | None = None
    is_sealed: bool = False

    def add_stage(self, name: str, begin: float, end: float | None = None) -> None:
        """Add a stage of the request, by `time.perf_counter`, if stages are kept; it ends now if no end is given."""
        if self.stages is not None:
            self.stages.append((name, begin, perf_counter() if end is None else end))

    @property
    def keeps_contents(self) -> bool:
        """True if texts are stored."""
        return self.log is not None and self.log.keeps_contents

    def check_model(self, name: str) -> None:
        """Raise if the request's API key may not use the model by this name."""
        if self.admission is not None:
            self.admission.check_model(name)

    def decide(self, findings: Sequence[Finding]) -> None:
        """Add the policy's findings, if any."""
        if findings:
            self.decisions.append(findings)

    async def seal(self, status: int) -> None:
        """Store the records, once; the end of a reply waits for this. Cancellation does not stop it.

        Raises:
            AuditError: The records could not be written.
        """
        if self.log is None or self.is_sealed:
            return
        self.is_sealed = True
        # A task of its own, for clients leave. What it waits for, a thread, timer or entry, holds it until it is done.
        await asyncio.shield(asyncio.create_task(self._keep(self.log, self._records(status))))

    async def _keep(self, log: AuditLog, records: list[dict[str, Any]]) -> None:
        try:
            if log.keeps_contents and self.contents is not None:
                records[-1]["contents"] = await asyncio.to_thread(self.contents)
        finally:  # without them where they fail, or the server ends
            await log.write(records)

    def _records(self, status: int) -> list[dict[str, Any]]:
        common = {"time": now(), "request": self.request_id, "key": self.tenant, "policy": self.policy}
        decided = [
            {**common, "kind": "decision", "findings": list(map(_told, findings))} for findings in self.decisions
        ]
        usage = self.usage() if self.usage is not None else None
        request = {
            **common,
            "kind": "request",
            "endpoint": self.endpoint[:MAX_NAME],
            "model": None if self.model is None else self.model[:MAX_NAME],
            "constraint": self.constraint,
            "findings": [_told(finding) for findings in self.decisions for finding in findings],
            "finish": self.finish,
            "status": status,
            "error": self.error,
            "tokens": None if usage is None else asdict(usage),
        }
        return [*decided, request]


def _told(finding: Finding) -> dict[str, Any]:
    return {name: value for name, value in asdict(finding).items() if value is not None}


_current: ContextVar[RequestRecord | None] = ContextVar("request_record", default=None)


def begin_record(*, keeps_stages: bool = False) -> RequestRecord:
    """Return the record of a new request, and make it current in this task and those it starts."""
    _current.set(record := RequestRecord(stages=[] if keeps_stages else None))
    return record


def current_record() -> RequestRecord:
    """Return the record of the current request; a fresh one outside of requests."""
    return _current.get() or RequestRecord()


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Add the time of the block to the current request's stages."""
    begin = perf_counter()
    try:
        yield
    finally:
        current_record().add_stage(name, begin)
