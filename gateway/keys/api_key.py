"""One API key as it is stored: its digest, name, expiry and limits."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from typing import Annotated, Any

from msgspec import Meta

from gateway.setting_types import MAX_INT, Count, Text, check_fields

TENANT_DIGITS = 32
"""Digits of a key's digest by which the layers below HTTP know it."""

_KEY_BYTES = 32
_PREFIX = "pk-"
_Name = Annotated[
    str, Meta(pattern=r"\A[\w.@-]{1,100}\Z", description="1 to 100 letters, digits or any of '_', '-', '.', '@'")
]
_Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z", description="64 lower-case hex digits")]
_UnixTime = Annotated[int, Meta(ge=0, le=MAX_INT, description="a Unix time in whole seconds")]


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

    requests_per_minute: Count | None = None
    tokens_per_minute: Count | None = None
    tokens_per_day: Count | None = None
    max_concurrent: Count | None = None
    models: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)


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

    name: _Name
    sha256: _Digest = field(repr=False)
    created: _UnixTime
    expires: _UnixTime | None = None
    limits: KeyLimits = NO_LIMITS

    def __post_init__(self) -> None:
        check_fields(self)

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
        name, needed = plain.get("name"), ("name", "sha256", "created")
        limits = {each.name: plain.pop(each.name) for each in fields(KeyLimits) if each.name in plain}
        for field_name in (*needed, *plain):
            if field_name not in plain:
                raise ValueError(f"key {name!r}: the field '{field_name}' is missing")
            if field_name not in (*needed, "expires"):
                known = ", ".join((*needed, "expires", *(each.name for each in fields(KeyLimits))))
                raise ValueError(f"key {name!r}: unknown field '{field_name}'; fields are {known}")
        if isinstance(limits.get("models"), list):
            limits["models"] = tuple(limits["models"])
        try:
            return cls(**plain, limits=KeyLimits(**limits))
        except ValueError as error:
            raise ValueError(f"key {name!r}: {error}") from None
