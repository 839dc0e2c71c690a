"""Structural tags as clients of vLLM, SGLang and XGrammar send them: texts that are free but for what stands in tags.

Both of XGrammar's forms are read: the old `{"structures": [{begin, schema, end}], "triggers": [...]}` and the new
`{"format": {...}}`, a tree of formats. What our own tags say exactly is served, the rest is refused by its name.

Free text at the end of a tag's content does not contain the tag's ends, as with XGrammar.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from gateway.api.decode import read_json
from gateway.api.openai.schemas import schema_constraint
from gateway.core.constraints import (
    ChoiceConstraint,
    Constraint,
    GrammarConstraint,
    RegexConstraint,
    Segment,
    SequenceConstraint,
    TagsConstraint,
)
from gateway.errors import InvalidRequestError, UnsupportedParameterError

MAX_DEPTH = 32
"""Deepest tree of formats that is read."""

MAX_REPEATS = 256
"""Highest count of a `repeat`, and of characters of an `any_text`."""


@dataclass(frozen=True, slots=True)
class _Inside:
    """Where a format stands: how deep, and which texts end the tag that it is the last of."""

    depth: int = 0
    ends: tuple[str, ...] = ()


def structural_tag(given: Any, origin: str) -> Constraint:
    """The constraint that a structural tag describes; it may be an object, or a text of one.

    Raises:
        InvalidRequestError: It is malformed; says where.
        UnsupportedParameterError: A format that is not served; says which.
    """
    plain = _object(read_json(given, origin) if isinstance(given, str) else given, origin)
    if plain.get("structures") is not None:
        return _old(plain, origin)
    return _format(_needed(plain, "format", origin), f"{origin}.format", _Inside())


def _old(given: dict[str, Any], origin: str) -> Constraint:
    segments = []
    for index, value in enumerate(_list(given, "structures", origin)):
        place = f"{origin}.structures[{index}]"
        structure = _object(value, place)
        schema = schema_constraint(_needed(structure, "schema", place), f"{place}.schema")
        segments.append(Segment(_text(structure, "begin", place), schema, _text(structure, "end", place)))
    return TagsConstraint(segments=tuple(segments), triggers=_texts(given, "triggers", origin), origin=origin)


def _format(given: Any, place: str, inside: _Inside) -> Constraint:
    if inside.depth > MAX_DEPTH:
        raise InvalidRequestError(f"{place}: formats are nested more than {MAX_DEPTH} deep", param=place)
    plain = _object(given, place)
    kind = plain.get("type")
    if not isinstance(kind, str) or kind not in _READERS:
        raise UnsupportedParameterError(
            f"{place}: formats of type {str(kind)[:64]!r} are not served, only {', '.join(_READERS)}",
            param=f"{place}.type",
        )
    reader, fields = _READERS[kind]
    _only({"type", *fields}, plain, place)
    return reader(plain, place, replace(inside, depth=inside.depth + 1))


def _only(fields: set[str], given: dict[str, Any], place: str) -> None:
    for name, value in given.items():
        # What says what holds anyway may stand there.
        if name not in fields and value is not None and value is not False and value != []:
            raise UnsupportedParameterError(f"{place}.{name[:64]} is not served", param=f"{place}.{name[:64]}")


def _const_string(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    return ChoiceConstraint(options=(_text(given, "value", place),), origin=f"{place}.value")


def _json_schema(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    if given.get("style", "json") != "json":
        raise UnsupportedParameterError(f"{place}.style is not served, only json", param=f"{place}.style")
    return schema_constraint(_needed(given, "json_schema", place), f"{place}.json_schema")


def _regex(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    return RegexConstraint(pattern=_text(given, "pattern", place), origin=f"{place}.pattern")


def _grammar(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    return GrammarConstraint(text=_text(given, "grammar", place), origin=f"{place}.grammar")


def _sequence(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    elements = _list(given, "elements", place)
    apart = replace(inside, ends=())
    parts = [
        _format(element, f"{place}.elements[{index}]", inside if index + 1 == len(elements) else apart)
        for index, element in enumerate(elements)
    ]
    return SequenceConstraint(parts=tuple(parts), origin=place)


def _or(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    elements = enumerate(_list(given, "elements", place))
    segments = tuple(
        Segment("", _format(element, f"{place}.elements[{index}]", inside), "") for index, element in elements
    )
    return TagsConstraint(segments=segments, at_least_one=True, stop_after_first=True, free_text=False, origin=place)


def _tag(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    segments = _segment(given, place, inside)
    return TagsConstraint(segments=segments, at_least_one=True, stop_after_first=True, free_text=False, origin=place)


def _any_text(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    excludes = _excluded(given, place, inside)
    most = given.get("max_chars")
    if most is None:
        return TagsConstraint(segments=(), triggers=excludes, origin=place)
    count = _count(given, "max_chars", place)
    if excludes:
        raise UnsupportedParameterError(
            f"{place}.max_chars is not served beside texts that are excluded, a tag's end among them",
            param=f"{place}.max_chars",
        )
    return RegexConstraint(pattern=f"[\\s\\S]{{0,{count}}}", origin=place)


def _repeated(content: Constraint, place: str, *, may_miss: bool, again: bool) -> TagsConstraint:
    return TagsConstraint(
        segments=(Segment("", content, ""),),
        at_least_one=not may_miss,
        stop_after_first=not again,
        free_text=False,
        origin=place,
    )


def _content(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    return _format(_needed(given, "content", place), f"{place}.content", inside)


def _optional(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    return _repeated(_content(given, place, inside), place, may_miss=True, again=False)


def _plus(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    return _repeated(_content(given, place, inside), place, may_miss=False, again=True)


def _star(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    return _repeated(_content(given, place, inside), place, may_miss=True, again=True)


def _repeat(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    content, least = _content(given, place, inside), _count(given, "min", place)
    if given.get("max") == -1:
        more: tuple[Constraint, ...] = (_repeated(content, place, may_miss=True, again=True),)
    else:
        most = _count(given, "max", place)
        if most < least:
            raise InvalidRequestError(f"{place}.max is -1 or at least {place}.min", param=f"{place}.max")
        more = (_repeated(content, place, may_miss=True, again=False),) * (most - least)
    parts = (content,) * least + more
    return SequenceConstraint(parts=parts, origin=place) if parts else ChoiceConstraint(options=("",), origin=place)


def _dispatch(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    segments = []
    for index, rule in enumerate(_list(given, "rules", place)):
        at = f"{place}.rules[{index}]"
        if not isinstance(rule, list) or len(rule) != 2 or not isinstance(rule[0], str) or not rule[0]:
            raise InvalidRequestError(f"{at} must be a list of a text that is not empty and a format", param=at)
        segments.append(Segment(rule[0], _format(rule[1], f"{at}[1]", inside), ""))
    patterns = tuple(segment.begin for segment in segments)
    return TagsConstraint(
        segments=tuple(segments),
        triggers=_triggers(patterns, given, place, inside),
        stop_after_first=not (given.get("loop") is None or _flag(given, "loop", place)),
        origin=place,
    )


def _triggered_tags(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    return TagsConstraint(
        segments=_segments(given, place, inside),
        triggers=_triggers(_texts(given, "triggers", place), given, place, inside),
        at_least_one=_flag(given, "at_least_one", place),
        stop_after_first=_flag(given, "stop_after_first", place),
        origin=place,
    )


def _tags_with_separator(given: dict[str, Any], place: str, inside: _Inside) -> Constraint:
    return TagsConstraint(
        segments=_segments(given, place, inside),
        separator=_text(given, "separator", place),
        at_least_one=_flag(given, "at_least_one", place),
        stop_after_first=_flag(given, "stop_after_first", place),
        free_text=False,
        origin=place,
    )


_FLAGS = ("at_least_one", "stop_after_first")
_READERS: dict[str, tuple[Callable[[dict[str, Any], str, _Inside], Constraint], tuple[str, ...]]] = {
    "const_string": (_const_string, ("value",)),
    "any_text": (_any_text, ("excludes", "max_chars")),
    "json_schema": (_json_schema, ("json_schema", "style")),
    "regex": (_regex, ("pattern",)),
    "grammar": (_grammar, ("grammar",)),
    "sequence": (_sequence, ("elements",)),
    "or": (_or, ("elements",)),
    "optional": (_optional, ("content",)),
    "plus": (_plus, ("content",)),
    "star": (_star, ("content",)),
    "repeat": (_repeat, ("min", "max", "content")),
    "tag": (_tag, ("begin", "content", "end")),
    "triggered_tags": (_triggered_tags, ("triggers", "tags", *_FLAGS, "excludes")),
    "tags_with_separator": (_tags_with_separator, ("tags", "separator", *_FLAGS)),
    "dispatch": (_dispatch, ("rules", "loop", "excludes")),
}


def _segments(given: dict[str, Any], place: str, inside: _Inside) -> tuple[Segment, ...]:
    found: list[Segment] = []
    for index, value in enumerate(_list(given, "tags", place)):
        at = f"{place}.tags[{index}]"
        tag = _object(value, at)
        _only({"type", "begin", "content", "end"}, tag, at)
        found += _segment(tag, at, inside)
    return tuple(found)


def _segment(tag: dict[str, Any], place: str, inside: _Inside) -> tuple[Segment, ...]:
    """A tag as segments, one for each of its ends."""
    begin = _text(tag, "begin", place)
    if isinstance(tag.get("end"), list):
        ends = tuple(dict.fromkeys(_list(tag, "end", place)))
        if not all(isinstance(end, str) for end in ends):
            raise InvalidRequestError(f"{place}.end must be a text or a list of texts", param=f"{place}.end")
    else:
        ends = (_text(tag, "end", place),)
    closing = tuple(filter(None, ends))
    within = replace(inside, ends=closing if len(closing) == len(ends) else (*closing, *inside.ends))
    content = _content(tag, place, within)
    return tuple(Segment(begin, content, end) for end in ends)


def _excluded(given: dict[str, Any], place: str, inside: _Inside) -> tuple[str, ...]:
    """Texts that free text does not contain, but none that contains another of them."""
    texts = {*inside.ends, *(_texts(given, "excludes", place) if given.get("excludes") else ())}
    return tuple(sorted(text for text in texts if not any(other != text and other in text for other in texts)))


def _triggers(triggers: tuple[str, ...], given: dict[str, Any], place: str, inside: _Inside) -> tuple[str, ...]:
    """Triggers and, after them, those of the texts that are excluded which hold no trigger anyway."""
    excluded = [text for text in _excluded(given, place, inside) if not any(each in text for each in triggers)]
    for text in excluded:
        if any(text in trigger for trigger in triggers):
            raise InvalidRequestError(f"{place}: {text[:64]!r} is excluded, and stands in a trigger", param=place)
    return (*triggers, *excluded)


def _count(given: dict[str, Any], name: str, place: str) -> int:
    value = _needed(given, name, place)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidRequestError(f"{place}.{name} must be an integer that is not negative", param=f"{place}.{name}")
    if value > MAX_REPEATS:
        raise UnsupportedParameterError(f"{place}.{name} is at most {MAX_REPEATS}", param=f"{place}.{name}")
    return value


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidRequestError(f"{place} must be an object", param=place)
    return value


def _needed(given: dict[str, Any], name: str, place: str) -> Any:
    if given.get(name) is None:
        raise InvalidRequestError(f"the field {place}.{name} is missing", param=f"{place}.{name}")
    return given[name]


def _text(given: dict[str, Any], name: str, place: str) -> str:
    value = _needed(given, name, place)
    if not isinstance(value, str):
        raise InvalidRequestError(f"{place}.{name} must be a text", param=f"{place}.{name}")
    return value


def _flag(given: dict[str, Any], name: str, place: str) -> bool:
    value = given.get(name) or False
    if not isinstance(value, bool):
        raise InvalidRequestError(f"{place}.{name} must be true or false", param=f"{place}.{name}")
    return value


def _list(given: dict[str, Any], name: str, place: str) -> list[Any]:
    value = _needed(given, name, place)
    if not isinstance(value, list) or not value:
        raise InvalidRequestError(f"{place}.{name} must be a list that is not empty", param=f"{place}.{name}")
    return value


def _texts(given: dict[str, Any], name: str, place: str) -> tuple[str, ...]:
    value = _list(given, name, place)
    if not all(isinstance(text, str) and text for text in value):
        raise InvalidRequestError(f"{place}.{name} must be texts that are not empty", param=f"{place}.{name}")
    return tuple(value)
