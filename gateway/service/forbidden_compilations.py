"""Constraints without what a policy forbids, as far as masks can say it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from hashlib import sha256

from gateway.errors import ConstraintError
from gateway.guards import Policy
from gateway.service.compilations import Compilations
from gateway.service.specs import constraint_error
from grammars import CompiledGrammar, GrammarError
from grammars.frontends.base import Constraint

logger = logging.getLogger(__name__)

_MOST_REFUSED = 1024


class ForbiddenCompilations:
    """Compiles what policies leave of constraints, and remembers for which no mask can be made."""

    def __init__(self, compilations: Compilations) -> None:
        self._compilations = compilations
        self._refused: set[bytes] = set()

    async def compiled(
        self, policy: Policy, build: Callable[[Policy | None], Constraint], origin: str, tenant: str
    ) -> CompiledGrammar | None:
        """What is left of the constraint; None where no mask can say it, and the screen has to do.

        Args:
            build: The constraint under a policy, or as it is.

        Raises:
            ConstraintError: Nothing is left, or the constraint by itself is refused.
        """
        try:
            key, spec = await asyncio.to_thread(_built, policy, build)
            if key in self._refused:
                return None
            return await self._compilations.compile(lambda: spec, origin, tenant)
        except GrammarError as error:
            failure, key = constraint_error(error, origin), b""
        except ConstraintError as error:
            failure = error
        # What is wrong with the constraint itself is said in its own words.
        await self._compilations.compile(lambda: build(None), origin, tenant)
        if failure.kind == "unsatisfiable":
            raise ConstraintError(
                f"{origin}: the policy '{policy.name}' forbids whatever the constraint allows",
                kind=failure.kind,
                param=failure.param,
            ) from failure
        logger.info("policy %s: what it forbids in %s is blocked where it arises: %s", policy.name, origin, failure)
        if len(self._refused) == _MOST_REFUSED:
            self._refused.clear()
        self._refused.add(key)
        return None


def _built(policy: Policy, build: Callable[[Policy | None], Constraint]) -> tuple[bytes, Constraint]:
    spec = build(policy)
    return sha256(spec.cache_key().encode("utf-8", "surrogatepass")).digest(), spec
