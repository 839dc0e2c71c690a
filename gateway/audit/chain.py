"""Hash chain of records: each link hashes its record with the hash before it."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from gateway.errors import ConfigError

MIN_KEY_BYTES = 16
_ANCHOR = re.compile(r"([0-9]{1,18}):([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A position of a chain, written `number:hash`."""

    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash}"

    @classmethod
    def read(cls, text: str) -> Anchor:
        """Return the anchor in this text, or in the file of this name.

        Raises:
            ConfigError: There is none.
        """
        found = _ANCHOR.fullmatch(text)
        if found is None:
            try:
                found = _ANCHOR.fullmatch(Path(text).read_text(encoding="ascii").strip())
            except (OSError, ValueError) as error:
                raise ConfigError(f"{text[:200]!r} is no number:hash, and no file with one: {error}") from error
        if found is None:
            raise ConfigError(f"the file {text[:200]!r} has no number:hash")
        return cls(int(found[1]), found[2])


NOTHING = Anchor(0, "0" * 64)
"""Before the first record."""


@dataclass(frozen=True, slots=True)
class Link:
    """A stored record.

    Attributes:
        seq: Number of the record, from 1; part of the record too.
        record: JSON, members sorted.
        hash: In hexadecimal.
    """

    seq: int
    record: str
    hash: str

    @property
    def anchor(self) -> Anchor:
        """Return the anchor of this link."""
        return Anchor(self.seq, self.hash)


class BrokenChainError(Exception):
    """A chain does not verify.

    Attributes:
        seq: The first record that is not; 0 where its number is none.
    """

    def __init__(self, seq: int, message: str) -> None:
        super().__init__(message)
        self.seq = seq


class Chain:
    """Creates and verifies links.

    Args:
        key: HMAC key. Without one, anybody can compute valid links.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key

    @classmethod
    def keyed_by(cls, path: str | None) -> Chain:
        """Return a chain with the key in a file; without a key for None.

        Raises:
            ConfigError: The file cannot be read, or is too short.
        """
        if path is None:
            return cls()
        try:
            key = Path(path).read_bytes().strip()
        except OSError as error:
            raise ConfigError(f"cannot read the audit log's key: {error}") from error
        if len(key) < MIN_KEY_BYTES:
            raise ConfigError(f"the audit log's key in {path} has fewer than {MIN_KEY_BYTES} bytes")
        return cls(key)

    @property
    def is_keyed(self) -> bool:
        """True if valid links need a key."""
        return self._key is not None

    def linked(self, tail: Anchor, records: Iterable[Mapping[str, Any]]) -> list[Link]:
        """Return the records as the links that follow on `tail`."""
        links: list[Link] = []
        for record in records:
            text = canonical({**record, "seq": tail.seq + 1})
            links.append(Link(tail.seq + 1, text, self._hash(tail.hash, text)))
            tail = links[-1].anchor
        return links

    def verified(self, links: Iterable[Link], tail: Anchor, anchors: Sequence[Anchor] = ()) -> Iterator[Link]:
        """Yield the links after verifying each.

        Args:
            tail: Anchor before the first link.
            anchors: Places that the chain has been at.

        Raises:
            BrokenChainError: A link is invalid or missing.
        """
        known = {anchor.seq: anchor.hash for anchor in anchors if anchor.seq > tail.seq}
        for link in links:
            if link.seq != tail.seq + 1:
                raise BrokenChainError(
                    tail.seq + 1, f"record {tail.seq + 1} is missing: after {tail.seq} comes {link.seq}"
                )
            # As bytes: a hash that was changed may have any character.
            if not hmac.compare_digest(self._hash(tail.hash, link.record).encode(), _bytes(link.hash)):
                raise BrokenChainError(link.seq, self._what_broke(link))
            if known.pop(link.seq, link.hash) != link.hash:
                raise BrokenChainError(link.seq, f"record {link.seq} is another one than its anchor tells")
            tail = link.anchor
            yield link
        if known:
            raise BrokenChainError(
                tail.seq + 1,
                f"record {tail.seq + 1} is missing: the chain once reached {max(known)} and ends at {tail.seq}",
            )

    def _what_broke(self, link: Link) -> str:
        try:
            told = record_of(link)["seq"]
        except BrokenChainError:
            told = link.seq
        if told != link.seq:
            return f"record {link.seq} is not where it was written: it says that it is {told}"
        return f"record {link.seq} was changed, or was made with another key"

    def _hash(self, before: str, record: str) -> str:
        data = before.encode() + _bytes(record)
        return sha256(data).hexdigest() if self._key is None else hmac.new(self._key, data, sha256).hexdigest()


def now() -> str:
    """Return the time in the format of records."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def record_of(link: Link) -> dict[str, Any]:
    """Return the record of a link, with its number and kind checked.

    Raises:
        BrokenChainError: The record was not written by a log.
    """
    try:
        record = msgspec.json.decode(_bytes(link.record), type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeError):
        record = {}
    if type(record.get("seq")) is not int or not isinstance(record.get("kind"), str):
        raise BrokenChainError(link.seq, f"record {link.seq} was changed: it is no record of a log")
    return record


def began_at(link: Link) -> float:
    """Return the time of the record, in seconds.

    Raises:
        BrokenChainError: The record has no time.
    """
    try:
        return datetime.fromisoformat(record_of(link)["time"]).timestamp()
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise BrokenChainError(link.seq, f"record {link.seq} was changed: it has no time") from error


def canonical(record: Mapping[str, Any]) -> str:
    """Return JSON with sorted members; invalid Unicode is replaced."""
    try:
        return msgspec.json.encode(record, order="sorted").decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(_clean(record), order="sorted").decode()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {_clean(name): _clean(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(member) for member in value]
    return value
