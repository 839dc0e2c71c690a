"""Tries of large vocabularies on disk, so that a process starts faster; plain arrays, never code.

Only vocabularies are kept, by fingerprint: their number is that of the models served, not of the requests.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from grammars.vocabulary.tables import TRIE, VocabularyTables

_VERSION = 8
_WORTH_KEEPING_TOKENS = 16_000


def folder() -> Path:
    """Where tries are kept: `$PORTCULLIS_CACHE`, else `$XDG_CACHE_HOME/portcullis`, else `~/.cache/portcullis`."""
    configured = os.environ.get("PORTCULLIS_CACHE")
    if configured:
        return Path(configured)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "portcullis"


def _file(fingerprint: str) -> Path:
    return folder() / f"trie-{_VERSION}-{fingerprint}.npz"


def load(fingerprint: str) -> VocabularyTables | None:
    """The stored trie, or None when there is none or it cannot be read (it is then built again)."""
    try:
        with _file(fingerprint).open("rb") as file, np.load(file, allow_pickle=False) as block:
            return VocabularyTables({name: block[name] for name in TRIE.fields})
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def store(fingerprint: str, tables: VocabularyTables) -> None:
    """Keeps the trie of a large vocabulary; a folder that cannot be written to is no error, only slower."""
    if tables.num_tokens < _WORTH_KEEPING_TOKENS:
        return
    target = _file(fingerprint)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".npz", delete=False) as file:
            np.savez(file, allow_pickle=False, **tables.arrays)
        os.replace(file.name, target)
    except OSError:
        return
