"""Context of compiled checks, and the state they carry while a value is validated."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from grammars.errors import InvalidGrammarError, TooComplexError
from grammars.frontends.json.document.document import Document, Resource, SchemaTerm, Subschema
from grammars.frontends.json.meaning.keywords import reference
from grammars.frontends.json.meaning.strings import pattern_language
from grammars.frontends.regex.parser import parse
from grammars.limits import Limits

# What of its texts a pattern remembers.
_MAX_KNOWN_TEXTS = 1024
_MAX_KNOWN_LENGTH = 256
_POSITIONS_A_STEP = 32  # of a pattern that are looked at for the price of one step

# The names of members, or the indices of items, of one value that some schema has evaluated (an annotation).
Evaluated = set[Any]
# Where they are put, if anyone asks.
Seen = Evaluated | None


# Of each dynamic anchor the outermost resource that was entered and has it: all that dynamic references depend on.
Scope = frozenset[tuple[str, Resource]]


class Evaluation:
    """Evaluation of one value by a `Validator`.

    Attributes:
        scope: what dynamic references look at.
        known: what references were found to say about values; None while that is being found out.
    """

    __slots__ = ("_identities", "_left", "_limit", "_stand_ins", "known", "scope")

    def __init__(self, scope: Scope, limit: float) -> None:
        self._left = self._limit = limit
        self._stand_ins: dict[int, int] = {}
        self._identities: dict[Any, int] = {}
        self.scope = scope
        self.known: dict[Any, tuple[bool, Seen] | None] = {}

    def identity(self, value: Any) -> int:
        """Return a number that is equal for values that JSON calls equal; each array and object is read once."""
        kind, key = type(value), value
        if kind is list or kind is dict:
            known = self._stand_ins.get(id(value))
            if known is not None:
                return known
            self.spend(len(value))
            if kind is list:
                key = ("array", *map(self.identity, value))
            else:
                key = ("object", frozenset([(name, self.identity(member)) for name, member in value.items()]))
        elif value is None or kind is bool:
            key = (kind, value)
        found = self._identities.setdefault(key, len(self._identities))
        if key is not value:
            self._stand_ins[id(value)] = found
        return found

    def spend(self, steps: int) -> None:
        """Count work.

        Raises:
            TooComplexError: it was too much.
        """
        self._left -= steps
        if self._left < 0:
            raise TooComplexError("max_validation_steps", int(self._limit - self._left), int(self._limit))


# Whether a value meets something; what it evaluates of the value is seen.
Check = Callable[[Any, Evaluation, Seen], bool]


class Pattern:
    """A pattern that texts are searched for."""

    __slots__ = ("_known", "_language", "_max_states", "_price")

    def __init__(self, pattern: str, where: str, limits: Limits) -> None:
        self._language = pattern_language(pattern, where, limits)
        self._max_states = limits.max_pattern_states
        self._price = 1 + parse(pattern, "ecma", limits.max_depth).facts.weight // _POSITIONS_A_STEP
        self._known: dict[str, bool] = {}

    def is_in(self, text: str, run: Evaluation, seen: Seen = None) -> bool:
        """True if the pattern is found in the text."""
        found = self._known.get(text)
        if found is None:
            run.spend(1 + len(text) * self._price)
            found = self._language.accepts(text, self._max_states)
            if len(text) <= _MAX_KNOWN_LENGTH and len(self._known) < _MAX_KNOWN_TEXTS:
                self._known[text] = found
        return found


class CompiledSubschema:
    """The check of one subschema; it is there once all that it leads to is known."""

    __slots__ = ("check", "subschema")

    check: Check

    def __init__(self, subschema: Subschema) -> None:
        self.subschema = subschema


class Compilation:
    """Checks of subschemas, made once each.

    Attributes:
        asserts_format: whether `format` is asserted wherever it occurs.
        waiting: subschemas whose checks are still to be made.
        dynamic: resources and the anchors that dynamic references in them lead to, wherever those were met.
    """

    def __init__(self, document: Document, limits: Limits, *, asserts_format: bool) -> None:
        self.document = document
        self.limits = limits
        self.asserts_format = asserts_format
        self.waiting: list[CompiledSubschema] = []
        self.dynamic: set[tuple[Resource, str]] = set()
        self._subschemas: dict[Subschema, CompiledSubschema] = {}
        self._patterns: dict[str, Pattern] = {}
        self._entering: dict[Subschema, CompiledSubschema] = {}
        self._anchors: tuple[str, ...] = ()

    def compiled_schema(self, subschema: Subschema) -> CompiledSubschema:
        """Return the check of a subschema; it can be called when `waiting` is empty again."""
        if subschema not in self._subschemas:
            self._subschemas[subschema] = CompiledSubschema(subschema)
            self.waiting.append(self._subschemas[subschema])
        return self._subschemas[subschema]

    def child(self, subschema: Subschema, schema: Any, *tokens: str) -> CompiledSubschema:
        """Return the check of the schema at `tokens` below `subschema`."""
        return self.reached(subschema.resource, self.document.child(subschema, schema, *tokens))

    def reached(self, source: Resource, target: SchemaTerm) -> CompiledSubschema:
        """Return the check of a subschema reached from a resource; it enters the subschema's own one."""
        assert isinstance(target, Subschema), "no schema says a complement"
        inner = target.resource.origin
        if isinstance(target.schema, bool) or inner is source.origin:
            return self.compiled_schema(target)
        if target not in self._entering:
            self._entering[target] = CompiledSubschema(target)
            self._entering[target].check = partial(self._enter, self.compiled_schema(target), inner)
        return self._entering[target]

    def pattern(self, pattern: Any, where: str) -> Pattern:
        """The pattern, one for each text of one."""
        if not isinstance(pattern, str):
            raise InvalidGrammarError("a pattern is text", where)
        if pattern not in self._patterns:
            self._patterns[pattern] = Pattern(pattern, where, self.limits)
        return self._patterns[pattern]

    def entered(self, outer: Scope, resource: Resource) -> Scope:
        """The scope within a resource that is entered."""
        taken = {name for name, _ in outer}
        new = [name for name in self._anchors if name not in taken and self.document.dynamic(resource, name)]
        return outer.union((name, resource) for name in new) if new else outer

    def _enter(self, target: CompiledSubschema, resource: Resource, value: Any, run: Evaluation, seen: Seen) -> bool:
        outer = run.scope
        run.scope = self.entered(outer, resource)
        try:
            return target.check(value, run, seen)
        finally:
            run.scope = outer

    def reach_dynamic(self) -> None:
        """Asks for the checks of all that dynamic references may lead to."""
        self._anchors = tuple({name for _, name in self.dynamic})
        for resource, name in self.dynamic:
            for target in self.document.dynamic_subschemas(name):
                self.reached(resource, target)


class Reference(NamedTuple):
    """Reference: its pointer, its target, and its anchor if it is dynamic.

    Attributes:
        find: the target of an anchor in a scope; None for a static reference.
    """

    where: str
    target: CompiledSubschema
    find: Callable[[Scope], CompiledSubschema] | None = None

    def check(self, value: Any, run: Evaluation, seen: Seen) -> bool:
        """Asks the target once for each value and scope, so that chains of references cost what they are long."""
        target = self.target if self.find is None else self.find(run.scope)
        known = run.known
        key = (target, id(value), run.scope, seen is None)
        if key not in known:
            run.spend(1)
            known[key] = None
            own = None if seen is None else Evaluated()
            known[key] = (target.check(value, run, own), own)
        answer = known[key]
        if answer is None:
            raise InvalidGrammarError("a reference leads back to itself without going into the value", self.where)
        if answer[0] and seen is not None and answer[1] is not None:
            seen.update(answer[1])
        return answer[0]


def read_reference(c: Compilation, subschema: Subschema, keyword: str, value: Any) -> Reference | None:
    """Return the target of a reference; None if the dialect does not know the keyword."""
    if keyword == "$recursiveRef" and subschema.resource.dialect > 2019:
        return None
    resource, (first, name) = subschema.resource, reference(c.document, subschema, keyword)
    target, where = c.reached(resource, first), f"{subschema.pointer}/{keyword}"
    if name is None:
        return Reference(where, target)
    c.dynamic.add((resource, name))

    def find(scope: Scope) -> CompiledSubschema:
        """Return the subschema at this anchor in the outermost resource that has it."""
        found = (c.document.dynamic(entered, name) for anchor, entered in scope if anchor == name)
        return c.reached(resource, next(found, None) or first)

    return Reference(where, target, find)
