"""Inspection of constraints without a generation: explanation, matching, next tokens, verification."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from gateway.core.constraints import Constraint
from gateway.errors import InvalidRequestError
from gateway.service.constraints.compilations import Compilations
from gateway.service.constraints.jobs import Check, Explain, Follow, Job, Locate, Match, Verify
from gateway.service.constraints.match_position import FollowingTokens, MatchPosition
from gateway.service.constraints.specs import constraint_error, enforced, spec_of
from gateway.service.model.loaded import LoadedModel
from gateway.service.request.limits import check_constraint
from gateway.verify import Verdict
from grammars import CompiledGrammar, Explanation, GrammarError
from grammars.frontends.base import Constraint as Spec

T = TypeVar("T")

MAX_CHECKED_BYTES = 1 << 20
"""Of a text that is matched with a constraint on request."""
MAX_LISTED_TOKENS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """A compiled constraint.

    Attributes:
        constraint: The constraint as enforced: a strict schema is converted.
        spec: Its specification for the compiler.
        milliseconds: Time to compile it, or to find it in the cache.
    """

    constraint: Constraint
    spec: Spec
    compiled: CompiledGrammar
    milliseconds: float


class Inspector:
    """Inspector of constraints. Its jobs queue fairly by tenant, as requests' compilations do."""

    def __init__(self, loaded: LoadedModel, compilations: Compilations) -> None:
        self._vocabulary = loaded.vocabulary
        self._limits = loaded.config.limits
        self._compilations = compilations

    async def inspect(self, constraint: Constraint, tenant: str) -> Inspected:
        """Return the constraint, compiled and accepted by its verifier.

        Raises:
            ConstraintError: It cannot be enforced; the message says why and where.
            InvalidRequestError: It is longer than the limit.
            OverloadedError: Too many constraints wait already.
        """
        check_constraint(constraint, self._limits)
        origin = constraint.origin
        try:
            spec = await asyncio.to_thread(spec_of, constraint)
        except GrammarError as error:
            raise constraint_error(error, origin) from error
        start = time.perf_counter()
        compiled = await self._compilations.compile(lambda: spec, origin, tenant)
        milliseconds = (time.perf_counter() - start) * 1000
        constraint = await asyncio.to_thread(enforced, constraint)
        await self._compilations.work(Check(constraint), origin, tenant)
        return Inspected(constraint=constraint, spec=spec, compiled=compiled, milliseconds=milliseconds)

    async def explain(self, inspected: Inspected, tenant: str) -> Explanation:
        """Return what the constraint enforces, with the shortest example."""
        return await self._work(Explain(inspected.spec), inspected, tenant)

    async def place(self, inspected: Inspected, data: bytes, tenant: str) -> MatchPosition:
        """Return how much of a text matches.

        Raises:
            InvalidRequestError: It is too long.
        """
        self._check_size(len(data))
        return await self._work(Locate(inspected.spec, data), inspected, tenant)

    async def following(
        self, inspected: Inspected, data: bytes, most: int, tokens_left: int | None, tenant: str
    ) -> FollowingTokens:
        """Return the tokens that may follow a text.

        Raises:
            InvalidRequestError: The text is too long, or too many tokens are to be listed.
        """
        self._check_size(len(data))
        if not 0 <= most <= MAX_LISTED_TOKENS:
            raise InvalidRequestError(f"limit must be between 0 and {MAX_LISTED_TOKENS}, not {most}", param="limit")
        return await self._work(Follow(inspected.spec, data, most, tokens_left), inspected, tenant)

    async def verify(self, inspected: Inspected, text: str, tenant: str) -> Verdict:
        """Return the verdict of the verifier, which shares no code with the compiler; see `answers.verification`.

        Raises:
            InvalidRequestError: It is too long.
        """
        self._check_size(len(text.encode("utf-8", "surrogatepass")))
        verdict = await self._work(Verify(inspected.constraint, text), inspected, tenant)
        if verdict is not None:
            return verdict
        if await self._work(Match(inspected.spec, text), inspected, tenant):
            return Verdict.ok("matcher")
        return Verdict.failed("matcher", "the text is none of the grammar's")

    def spelled(self, token_ids: Sequence[int]) -> bytes:
        """Return the bytes of tokens; special ones are spelled as no text is.

        Raises:
            InvalidRequestError: A token id is not in the vocabulary.
        """
        size = len(self._vocabulary)
        if not all(0 <= token < size for token in token_ids):
            raise InvalidRequestError(f"token_ids holds a token id that is not in [0, {size})", param="token_ids")
        return b"".join(self._vocabulary.spelled[token] for token in token_ids)

    async def _work(self, job: Job[T], inspected: Inspected, tenant: str) -> T:
        return await self._compilations.work(job, inspected.constraint.origin, tenant)

    def _check_size(self, size: int) -> None:
        if size > MAX_CHECKED_BYTES:
            raise InvalidRequestError(f"text has {size} bytes; at most {MAX_CHECKED_BYTES} are matched", param="text")
