"""JSON files of a model's folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gateway.engine.errors import UnsupportedModelError


def read_json(path: Path, kind: type[Any] = dict) -> Any:
    """Return the object, or list, of a JSON file; empty where there is none.

    Raises:
        UnsupportedModelError: It is malformed.
    """
    if not path.is_file():
        return kind()
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UnsupportedModelError(f"{path} is not valid JSON: {error}") from error
    if not isinstance(document, kind):
        raise UnsupportedModelError(f"{path} does not hold {'an object' if kind is dict else 'a list'}")
    return document
