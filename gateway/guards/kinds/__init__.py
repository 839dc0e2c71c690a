"""The registry of guards: one file each."""

from gateway.guards.kinds import classifier, guard_model, language, leak, length, pattern, pii, secrets, terms
from gateway.guards.kinds.base import Guard

GUARDS: dict[str, Guard] = {
    each.GUARD.name: each.GUARD
    for each in (pattern, terms, pii, secrets, length, leak, classifier, guard_model, language)
}
