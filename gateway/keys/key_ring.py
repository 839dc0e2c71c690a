"""The keys that a server accepts: those of its settings, and those of the key file as it is now."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from pathlib import Path

from gateway.errors import ConfigError
from gateway.keys.api_key import ApiKey, key_digest
from gateway.keys.key_file import read_keys

logger = logging.getLogger(__name__)

LOOK_S = 0.5
"""Seconds between two looks at the key file."""

_Stamp = tuple[int, int, int]


class KeyRing:
    """Accepted keys by digest.

    A lookup by digest tells an attacker nothing by its time: the digest of a guess cannot be steered.

    Args:
        plain: Keys of the settings, without name and limits.
        path: Key file; None for none. A file that breaks later leaves its last keys in force.

    Raises:
        ConfigError: The key file cannot be read.
    """

    def __init__(self, plain: Sequence[str] = (), path: str | None = None) -> None:
        self._path = None if path is None else Path(path)
        self._stamp = self._current_stamp()
        self._listed = {} if self._path is None else {key.sha256: key for key in read_keys(self._path)}
        self._next_look = time.monotonic() + LOOK_S
        self._looking = asyncio.Lock()
        self.replace_plain(plain)

    @property
    def is_empty(self) -> bool:
        """True if the server asks for no key. One with a key file does, even without keys in it."""
        return self._path is None and not self._plain

    def replace_plain(self, plain: Sequence[str]) -> None:
        """Replace the keys of the settings."""
        self._plain = {digest: ApiKey(name=digest[:8], sha256=digest, created=0) for digest in map(key_digest, plain)}

    def find(self, digest: str) -> ApiKey | None:
        """Return the key of a digest; None where there is none, or it has expired."""
        key = self._plain.get(digest) or self._listed.get(digest)
        if key is None or (key.expires is not None and time.time() >= key.expires):
            return None
        return key

    async def refresh(self) -> None:
        """Take over changes of the key file, which another thread reads, at most once in `LOOK_S` seconds.

        Requests that arrive during a look wait for it, so that none of them is judged by older keys.
        """
        if self._path is None or time.monotonic() < self._next_look:
            return
        async with self._looking:
            if time.monotonic() >= self._next_look:
                await asyncio.to_thread(self._look, self._path)
                self._next_look = time.monotonic() + LOOK_S

    def _look(self, path: Path) -> None:
        stamp = self._current_stamp()
        if stamp == self._stamp:
            return
        try:
            self._listed = {key.sha256: key for key in read_keys(path)}
        except ConfigError as error:
            logger.error("the API keys stay as they were: %s", error.message)
        else:
            logger.info("the key file has %d API keys", len(self._listed))
        self._stamp = stamp

    def _current_stamp(self) -> _Stamp | None:
        if self._path is None:
            return None
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ino, found.st_size
