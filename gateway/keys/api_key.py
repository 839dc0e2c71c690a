"""One API key as it is stored: its digest, name, expiry and limits."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from typing import Any

TENANT_DIGITS = 32
"""Digits of a key's digest by which the layers below HTTP know it."""

_KEY_BYTES = 32
_PREFIX = "pk-"
_NAME = re.compile(r"[\w.@-]{1,100}")


def new_key() -> str:
    """Return a random key of 256 bits."""
    return _PREFIX + secrets.token_urlsafe(_KEY_BYTES)


def key_digest(key: str) -> str:
    """Return the SHA-256 of a key in hex.

    A slow hash protects passwords that can be guessed. A key of 256 random bits cannot be, so a fast one is enough.
    """
    return sha256(key.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyLimits:
    """Limits of one key; None sets none.

    Attributes:
        requests_per_minute: Requests (POST) in any 60 seconds.
        tokens_per_minute: Tokens of prompts and answers in any 60 seconds.
        tokens_per_day: The same for a day of UTC.
        max_concurrent: Requests at the same time.
        models: Names and aliases of models that the key may use; empty allows all.
    """

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    tokens_per_day: int | None = None
    max_concurrent: int | None = None
    models: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("requests_per_minute", "tokens_per_minute", "tokens_per_day", "max_concurrent"):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < 1):
                raise ValueError(f"{name} must be a whole number from 1 on, not {value!r}")
        if not all(isinstance(name, str) and name for name in self.models):
            raise ValueError("models must be a list of names")


NO_LIMITS = KeyLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key of the key file. The key itself is not stored.

    Attributes:
        name: For people; unique in the file.
        sha256: Digest of the key, 64 hex digits.
        created: Unix time in seconds.
        expires: Unix time from which on the key is refused; None for never.
    """

    name: str
    sha256: str
    created: int
    expires: int | None = None
    limits: KeyLimits = NO_LIMITS

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise ValueError("name must be 1 to 100 letters, digits or any of '_', '-', '.', '@'")
        if not isinstance(self.sha256, str) or not re.fullmatch("[0-9a-f]{64}", self.sha256):
            raise ValueError("sha256 must be 64 lower-case hex digits")
        for value in (self.created, self.expires or 0):
            if type(value) is not int:
                raise ValueError("created and expires must be Unix times in whole seconds")

    @property
    def tenant(self) -> str:
        """Return the part of the digest that identifies the key below HTTP."""
        return self.sha256[:TENANT_DIGITS]

    def to_line(self) -> str:
        """Return the key's line of the key file."""
        plain = asdict(self)
        limits = plain.pop("limits")
        return json.dumps({name: value for name, value in {**plain, **limits}.items() if value not in (None, ())})

    @classmethod
    def from_line(cls, line: str) -> ApiKey:
        """Return the key of a line of the key file.

        Raises:
            ValueError: The line is malformed; says why.
        """
        plain: Any = json.loads(line)
        if not isinstance(plain, dict):
            raise ValueError("must be a JSON object")
        names = {each.name for each in fields(KeyLimits)}
        limits = {name: plain.pop(name) for name in names & plain.keys()}
        models = limits.pop("models", [])
        if not isinstance(models, list):
            raise ValueError("models must be a list of names")
        unknown = plain.keys() - {each.name for each in fields(cls)} | plain.keys() & {"limits"}
        missing = {"name", "sha256", "created"} - plain.keys()
        if unknown or missing:
            raise ValueError(f"unknown fields {sorted(unknown)}, missing fields {sorted(missing)}")
        return cls(**plain, limits=KeyLimits(**limits, models=tuple(models)))
