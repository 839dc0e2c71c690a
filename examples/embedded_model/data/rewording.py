"""A tool as another programmer would have called it: what it is for must be read, not known by its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from embedded_model.data import words as w
from embedded_model.data.corpus import read_blocks, read_lists
from embedded_model.data.declared import HELDOUT_TOOLS
from embedded_model.data.invented import VERBS
from embedded_model.data.source import Source
from embedded_model.data.styles import name_parts
from embedded_model.data.toolspec import ToolSpec
from embedded_model.data.values import KINDS

_HELDOUT = frozenset(name_parts(tool.name) for tool in HELDOUT_TOOLS)
_KEYS_OF = dict(read_lists(read_blocks("keys")[0]))
_NAMES = {id(kind): name for name, kind in KINDS.items() if name in _KEYS_OF}
_STOP = w.words("a an the of in on at to for from by with and or its it is are that all one what somebody's my your")


def reword(spec: ToolSpec, source: Source) -> ToolSpec:
    """The tool with another name, other names of arguments, or no description; its requests stay as they are.

    `origin` keeps its own name. The new one is never that of a tool that is held out.
    """
    if source.chance(0.3):
        spec = _other_keys(spec, source)
    (rename,) = source.choices([rename for _, rename in _NAMINGS], [weight for weight, _ in _NAMINGS])
    name = rename(spec, source)
    if name_parts(name) in _HELDOUT:
        return spec
    bare = name == spec.name and source.chance(0.15)
    return replace(
        spec, name=name, origin=spec.own_name, description="" if bare else spec.description
    )  # fmt: skip


def _other_keys(spec: ToolSpec, source: Source) -> ToolSpec:
    """Return new names for arguments that are the only ones of their kind."""
    kinds = [_NAMES.get(id(p.kind), "") for p in spec.parameters]
    taken = {p.key for p in spec.parameters}
    keys = dict[str, str]()
    for parameter, kind in zip(spec.parameters, kinds, strict=True):
        if kind and kinds.count(kind) == 1:
            key = source.pick(_KEYS_OF[kind])
            if key not in taken:
                keys[parameter.key] = key
                taken.add(key)
    return spec.renamed(keys)


def _opaque(spec: ToolSpec, source: Source) -> str:
    """A name that says nothing: the description and the arguments must do."""
    if not spec.description:
        return spec.name
    return source.pick((f"tool_{source.randint(1, 99)}", f"fn{source.randint(1, 99)}", w.syllables(source),
                        f"{w.syllables(source)}_{w.syllables(source)}", f"{w.letters(source, 2, 4)}_call"))  # fmt: skip


def _other_verb(spec: ToolSpec, source: Source) -> str:
    verb, _, rest = spec.name.partition("_")
    others = [word for word in VERBS.get(verb, ()) if " " not in word and word not in ("is", "new")]
    others += [other for other, said in VERBS.items() if verb in said]
    return f"{source.pick(others)}_{rest}" if others and rest else spec.name


def _by_description(spec: ToolSpec, source: Source) -> str:
    said = [word for word in re.findall(r"[a-z]+", spec.description.lower()) if word not in _STOP]
    return "_".join(said[: source.randint(2, 3)]) if len(said) > 1 else spec.name


def _turned(spec: ToolSpec, source: Source) -> str:
    verb, _, rest = spec.name.partition("_")
    return f"{rest}_{verb}" if rest else spec.name


def _without_verb(spec: ToolSpec, source: Source) -> str:
    verb, _, rest = spec.name.partition("_")
    return rest if "_" in rest and verb in VERBS else spec.name


_NAMINGS: tuple[tuple[float, Callable[[ToolSpec, Source], str]], ...] = (
    (0.20, _opaque),
    (0.20, _other_verb),
    (0.20, _by_description),
    (0.10, _turned),
    (0.05, _without_verb),
    (0.25, lambda spec, source: spec.name),
)
