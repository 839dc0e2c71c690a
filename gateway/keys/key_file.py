"""The key file: one JSON object a line, mode 0600, replaced as a whole by each change."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gateway.errors import ConfigError
from gateway.keys.api_key import ApiKey

_MODE = 0o600


def read_keys(path: Path) -> tuple[ApiKey, ...]:
    """Return the keys of a file, in its order.

    Raises:
        ConfigError: It cannot be read, or a line is malformed; says which.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the key file {path}: {error}") from error
    keys = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            keys.append(ApiKey.from_line(line))
        except ValueError as error:
            raise ConfigError(f"{path}, line {number}: {error}") from None
    if len({key.name for key in keys}) < len(keys) or len({key.sha256 for key in keys}) < len(keys):
        raise ConfigError(f"{path}: a name or digest is there twice")
    return tuple(keys)


def add_key(path: Path, key: ApiKey) -> None:
    """Add a key to a file, which is created where it is missing.

    Raises:
        ConfigError: The name is taken, or the file cannot be changed.
    """
    with _changing(path) as keys:
        if any(other.name == key.name for other in keys):
            raise ConfigError(f"{path} has a key named '{key.name}' already; revoke it, or choose another name")
        _write(path, [*keys, key])


def revoke_key(path: Path, name: str) -> None:
    """Remove a key from a file.

    Raises:
        ConfigError: No key has this name, or the file cannot be changed.
    """
    with _changing(path) as keys:
        left = [key for key in keys if key.name != name]
        if len(left) == len(keys):
            raise ConfigError(f"{path} has no key named '{name}'")
        _write(path, left)


@contextmanager
def _changing(path: Path) -> Iterator[Sequence[ApiKey]]:
    """Hold the folder's lock, so that no other command's change is lost, and return the present keys."""
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise ConfigError(f"cannot open the folder of the key file {path}: {error}") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield read_keys(path) if path.exists() else ()
        os.fsync(folder)
    except OSError as error:
        raise ConfigError(f"cannot write the key file {path}: {error}") from error
    finally:
        os.close(folder)


def _write(path: Path, keys: Sequence[ApiKey]) -> None:
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.writelines(key.to_line() + "\n" for key in keys)
        file.flush()
        os.fsync(descriptor)
    draft.replace(path)
