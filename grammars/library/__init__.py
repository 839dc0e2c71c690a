"""Ready-made grammars, addressed by name: one text file each, in GBNF, Lark or as a regular expression."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable

from grammars.errors import UnsupportedError
from grammars.frontends.base import Constraint
from grammars.frontends.gbnf import Gbnf
from grammars.frontends.lark import Lark
from grammars.frontends.regex import Regex

_KINDS: dict[str, Callable[[str], Constraint]] = {".gbnf": Gbnf, ".lark": Lark, ".regex": Regex}


def names() -> tuple[str, ...]:
    """Return the names of all grammars, sorted."""
    return tuple(sorted(_files()))


def load(name: str) -> Constraint:
    """The grammar of that name.

    Raises:
        UnsupportedError: there is none.
    """
    kind, text = source(name)
    return _KINDS["." + kind](text)


def source(name: str) -> tuple[str, str]:
    """Return the language (`gbnf`, `lark` or `regex`) and the text of the grammar of that name.

    Raises:
        UnsupportedError: there is none.
    """
    file = _files().get(name)
    if file is None:
        raise UnsupportedError(f"the grammar {name!r}; known are {', '.join(names())}; any other name")
    kind, text = file.name.rpartition(".")[2], file.read_text(encoding="utf-8")
    return kind, text.strip() if kind == "regex" else text


@lru_cache(maxsize=1)
def _files() -> dict[str, Traversable]:
    files = [(file, *file.name.rpartition(".")) for file in resources.files(__name__).iterdir()]
    return {stem: file for file, stem, dot, kind in files if dot + kind in _KINDS}
