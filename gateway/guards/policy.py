"""Policies from a TOML file; errors name the place and the valid values.

```toml
default = "careful"                # for whom nothing else is said
allowed = ["careful", "open"]      # what a request may choose; without it nothing but the default

[policies.careful]
input = [{ guard = "secrets", action = "block" }]
output = [{ guard = "pii", kinds = ["email", "card"], action = "redact" },
          { guard = "terms", terms = ["Project X"], action = "retry", retries = 2, otherwise = "redact",
            feedback = "Answer again, without names of projects." }]

[policies.open]                    # looks at nothing

[[keys]]
sha256 = "9f86d0..."               # of the API key
default = "open"
allowed = ["open"]
```
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from gateway.core.answer import GuardAction
from gateway.errors import ConfigError, InvalidRequestError
from gateway.guards.kinds import guard_named, guard_names
from gateway.guards.kinds.base import JUDGED, Guard, OptionError
from gateway.guards.patterns import PatternError
from gateway.guards.rule import ACTIONS, MAX_RETRIES, Applied, Judge, Judged, JudgeError, Question, Rule, Said, Tagger
from gateway.guards.rules import Rules
from gateway.guards.screen import warm

TENANT_DIGITS = 32
"""Hexadecimal digits of a key's digest that identify it below the wire layer."""
SCOPE = ("tools", "schemas")
"""Parts of a request beside its messages that are screened by default."""
_TYPES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number, as in 0.5",
    str: "a text",
    list: "a list of texts",
}
_COMMON = {"guard": str, "action": str, "replacement": str}
_AT_ONCE = tuple(action for action in ACTIONS if action not in ("retry", "forbid"))
_OF_RETRY = {"retries": int, "otherwise": str, "feedback": str}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Policy:
    """A policy: the rules for what a model reads and for what it writes.

    Attributes:
        input: In what a model reads.
        input_scope: Parts screened beside messages: `tools` for declared tools, `schemas` for constraints.
        output: In what it writes.
    """

    name: str
    input_scope: frozenset[str] = frozenset(SCOPE)
    input: Rules = field(default_factory=lambda: Rules(()))
    output: Rules = field(default_factory=lambda: Rules(()))

    def for_answer(self, said: Said) -> Policy:
        """Return the policy for answers to this conversation."""
        return replace(self, output=self.output.for_answer(said))


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Policies that a tenant may choose from.

    Attributes:
        default: Policy of requests that do not choose.
        allowed: Policies that a request may choose.
    """

    default: str
    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policies:
    """A file of policies.

    Attributes:
        everyone: Choice of tenants without an entry in `keys`.
        keys: Choices by tenant.
    """

    named: Mapping[str, Policy]
    everyone: Choice
    keys: Mapping[str, Choice] = field(default_factory=dict)

    def open(self) -> None:
        """Have all judges ready, and rules that texts need not wait for. Other policies may share judges with these, so
        none is closed where one fails.

        Raises:
            ConfigError: A judge cannot be opened; says why.
        """
        try:
            for judge in self._judges:
                judge.open()
        except JudgeError as error:
            raise ConfigError(str(error)) from error
        for rules in self._sides:
            warm(rules)

    def close(self) -> None:
        """Release the judges."""
        for judge in self._judges:
            judge.close()

    @property
    def questions(self) -> list[Question]:
        """Return all questions for the served model."""
        return [each for each in self._asked if isinstance(each, Question)]

    @property
    def _judges(self) -> list[Judge | Tagger]:
        taggers = [tagging.tagger for rules in self._sides for tagging in rules.taggings]
        return [*(each for each in self._asked if not isinstance(each, Question)), *taggers]

    @property
    def _asked(self) -> list[Judge | Question]:
        return [what.judge for rules in self._sides for _, what in rules.judged]

    @property
    def _sides(self) -> list[Rules]:
        return [rules for policy in self.named.values() for rules in (policy.input, policy.output)]

    def of(self, tenant: str, asked: str | None, origin: str | None = None) -> Policy:
        """Return the policy of a request.

        Args:
            asked: The one that it chose.
            origin: The field or header that did.

        Raises:
            InvalidRequestError: The policy is not allowed.
        """
        choice = self.keys.get(tenant, self.everyone)
        if asked is None:
            return self.named[choice.default]
        if asked not in choice.allowed:
            raise InvalidRequestError(
                f"'{asked[:100]}' is none of the policies that may be chosen here: {', '.join(choice.allowed)}",
                param=origin,
            )
        return self.named[asked]


def read_policies(path: str | os.PathLike[str], api_keys: Sequence[str] | None = None) -> Policies:
    """Return the policies of a file.

    Args:
        api_keys: Keys of the server; None skips checking the file's digests against them.

    Raises:
        ConfigError: The file cannot be read, or an entry is invalid; says where.
    """
    try:
        document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the policies in {path}: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    digests = None if api_keys is None else {sha256(key.encode()).hexdigest() for key in api_keys}
    return _Reader(str(path), digests).policies(document)


class _Reader:
    """Reads one document; `place` is the path of a value, as in `policies.careful.output[0].action`."""

    def __init__(self, path: str, digests: Collection[str] | None) -> None:
        self._path = path
        self._digests = digests

    def _fail(self, place: str, message: str) -> ConfigError:
        return ConfigError(f"{self._path}: {place} {message}")

    def policies(self, document: dict[str, Any]) -> Policies:
        self._check_names("", document, ("default", "allowed", "policies", "keys"))
        tables = self._table("policies", document.get("policies"))
        if not tables:
            raise self._fail("policies", "must have at least one table, as in [policies.careful]")
        named = {name: self._policy(f"policies.{name}", name, table) for name, table in tables.items()}
        everyone = self._choice("", document, named)
        keys = {}
        listed = document.get("keys", [])
        if not isinstance(listed, list):
            raise self._fail("keys", "must be a list of tables, each begun by [[keys]]")
        for index, entry in enumerate(listed):
            place = f"keys[{index}]"
            table = self._table(place, entry)
            self._check_names(f"{place}.", table, ("sha256", "default", "allowed"))
            digest = table.get("sha256")
            if not isinstance(digest, str) or not re.fullmatch("[0-9a-f]{64}", digest):
                raise self._fail(f"{place}.sha256", "must be the SHA-256 of an API key, in 64 lower-case hex digits")
            if self._digests is not None and digest not in self._digests:
                raise self._fail(f"{place}.sha256", "must be that of one of the server's API keys, and is of none")
            keys[digest[:TENANT_DIGITS]] = self._choice(f"{place}.", table, named)
        return Policies(named=named, everyone=everyone, keys=keys)

    def _choice(self, place: str, table: dict[str, Any], named: Mapping[str, Policy]) -> Choice:
        known = f"must name one of the policies: {', '.join(named)}"
        default = table.get("default")
        if not isinstance(default, str) or default not in named:
            raise self._fail(
                f"{place}default", f"{known}, not {default!r}" if "default" in table else f"is missing; it {known}"
            )
        allowed = table.get("allowed", [default])
        if not isinstance(allowed, list):
            raise self._fail(f"{place}allowed", "must be a list of names of policies")
        for index, name in enumerate(allowed):
            if not isinstance(name, str) or name not in named:
                raise self._fail(f"{place}allowed[{index}]", f"{known}, not {name!r}")
        return Choice(default=default, allowed=tuple(dict.fromkeys((default, *allowed))))

    def _policy(self, place: str, name: str, value: Any) -> Policy:
        table = self._table(place, value)
        self._check_names(f"{place}.", table, ("input", "input_scope", "output"))
        scope = table.get("input_scope", list(SCOPE))
        if not isinstance(scope, list) or not all(each in SCOPE for each in scope):
            raise self._fail(f"{place}.input_scope", f"must be a list of some of {', '.join(SCOPE)}, not {scope!r}")
        applied = self._applied(f"{place}.output", table.get("output", []), ACTIONS)
        try:
            output = Rules(applied)
        except PatternError as error:
            raise self._fail(f"{place}.output", f"forbids more than one mask can keep out: {error}") from error
        return Policy(
            name=name,
            input_scope=frozenset(scope),
            input=Rules(self._applied(f"{place}.input", table.get("input", []), _AT_ONCE)),
            output=output,
        )

    def _applied(self, place: str, entries: Any, actions: Sequence[GuardAction]) -> list[Applied]:
        if not isinstance(entries, list):
            raise self._fail(place, 'must be a list of tables, as in [{ guard = "pii", action = "redact" }]')
        return [
            each for index, entry in enumerate(entries) for each in self._guard(f"{place}[{index}]", entry, actions)
        ]

    def _guard(self, place: str, value: Any, actions: Sequence[GuardAction]) -> list[Applied]:
        table = self._table(place, value)
        guard = self._named(place, table.get("guard"))
        if table.get("action") == "forbid" and "forbid" in actions and guard.unmasked:
            raise self._fail(f"{place}.action", f"cannot be forbid for {guard.name}: {guard.unmasked}")
        known, at_once = ([each for each in some if each in guard.actions] for some in (actions, _AT_ONCE))
        action = self._one_of(f"{place}.action", table.get("action"), known)
        types: dict[str, type] = {**_COMMON, **(_OF_RETRY if action == "retry" else {}), **guard.options}
        self._check_names(f"{place}.", table, tuple(types))
        for name, entry in table.items():
            kind = types[name]
            are_texts = isinstance(entry, list) and all(isinstance(each, str) for each in entry)
            if not (are_texts if kind is list else type(entry) is kind):
                raise self._fail(f"{place}.{name}", f"must be {_TYPES[kind]}, not {entry!r}")
        for name in guard.required:
            if name not in table:
                raise self._fail(f"{place}.{name}", f"is missing; it must be {_TYPES[types[name]]}")
        rules = self._rules(place, guard, table)
        otherwise = self._one_of(f"{place}.otherwise", table.get("otherwise", "block"), at_once)
        for option, done in (("action", action), ("otherwise", otherwise)):
            if done not in JUDGED and any(isinstance(rule.what, Judged) for rule in rules):
                raise self._fail(f"{place}.{option}", f"cannot be {done} for {guard.name}: it judges whole texts")
        retries = table.get("retries", 1 if action == "retry" else 0)
        if action == "retry" and not 1 <= retries <= MAX_RETRIES:
            raise self._fail(f"{place}.retries", f"must be between 1 and {MAX_RETRIES}, not {retries}")
        return [
            Applied(
                rule=rule,
                action=action,
                replacement=table.get("replacement", f"[{rule.kind.upper()}]"),
                retries=retries,
                otherwise=otherwise,
                feedback=table.get("feedback", ""),
            )
            for rule in rules
        ]

    def _named(self, place: str, name: Any) -> Guard:
        try:
            guard = guard_named(name) if isinstance(name, str) else None
        except OptionError as error:
            raise self._fail(f"{place}.{error.option}", str(error)) from error
        if guard is None:
            self._one_of(f"{place}.guard", name, guard_names())
        assert guard is not None, "it is none of those that there are"
        return guard

    def _rules(self, place: str, guard: Guard, table: dict[str, Any]) -> Sequence[Rule]:
        try:
            return guard.rules(table)
        except OptionError as error:
            raise self._fail(f"{place}.{error.option}", str(error)) from error

    def _one_of(self, place: str, value: Any, known: Sequence[Any]) -> Any:
        if value not in known:
            told = "is missing; it " if value is None else ""
            raise self._fail(place, f"{told}must be one of {', '.join(known)}" + ("" if told else f", not {value!r}"))
        return value

    def _table(self, place: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._fail(place, "is missing; it must be a table" if value is None else "must be a table")
        return value

    def _check_names(self, place: str, table: dict[str, Any], known: Sequence[str]) -> None:
        for name in table:
            if name not in known:
                raise self._fail(f"{place}{name}", f"is not known; known are {', '.join(known)}")
