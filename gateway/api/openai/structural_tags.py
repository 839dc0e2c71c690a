"""Structural tags of vLLM, SGLang and XGrammar: free text with constrained text between tags.

Both of XGrammar's forms are read: the old `{"structures": [{begin, schema, end}], "triggers": [...]}` and the new
`{"format": {...}}`, a tree of formats. What our own tags say exactly is served, the rest is refused by its name.

Free text at the end of a tag's content does not contain the tag's ends, as with XGrammar.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from gateway.api.http.decode import read_json
from gateway.api.openai.schemas import schema_constraint
from gateway.api.openai.tag_fields import (
    Inside,
    as_object,
    count_of,
    excluded_texts,
    flag_of,
    list_of,
    needed,
    text_of,
    texts_of,
    token_of,
    tokens_of,
    triggers_of,
)
from gateway.core.constraints import (
    ArgumentsConstraint,
    ChoiceConstraint,
    Constraint,
    GrammarConstraint,
    JsonConstraint,
    Piece,
    RegexConstraint,
    Segment,
    SequenceConstraint,
    ShortTextConstraint,
    TagsConstraint,
    TokenConstraint,
    TokensConstraint,
)
from gateway.errors import InvalidRequestError, UnsupportedParameterError

MAX_DEPTH = 32
"""Deepest tree of formats that is read."""

MAX_REPEATS = 256
"""Highest count of a `repeat`."""

MAX_CHARS = 4_096
"""Most characters of an `any_text` that has a bound."""

_STYLES = {
    "qwen_xml": "qwen3_coder",
    "minimax_xml": "minimax_m2",
    "minimax_m3_xml": "minimax_m3",
    "deepseek_xml": "deepseek_v32",
    "deepseek_v4_1_xml": "deepseek_v41",
    "glm_xml": "glm47",
    "cohere_xml": "cohere_command4",
    "kimi_k3_xml": "kimi_k3",
}
"""Tool formats by what a schema's `style` calls them."""

_Read = Constraint | Piece


def structural_tag(given: Any, origin: str) -> Constraint:
    """Return the constraint of a structural tag, given as an object or its JSON text.

    Raises:
        InvalidRequestError: The tag is malformed; says where.
        UnsupportedParameterError: A format that is not served; says which.
    """
    plain = as_object(read_json(given, origin) if isinstance(given, str) else given, origin)
    if plain.get("structures") is not None:
        return _old(plain, origin)
    read = _format(needed(plain, "format", origin), f"{origin}.format", Inside())
    return SequenceConstraint(parts=(read,), origin=f"{origin}.format") if isinstance(read, Piece) else read


def _old(given: dict[str, Any], origin: str) -> Constraint:
    segments = []
    for index, value in enumerate(list_of(given, "structures", origin)):
        place = f"{origin}.structures[{index}]"
        structure = as_object(value, place)
        schema = schema_constraint(needed(structure, "schema", place), f"{place}.schema")
        segments.append(Segment(text_of(structure, "begin", place), schema, text_of(structure, "end", place)))
    return TagsConstraint(segments=tuple(segments), triggers=texts_of(given, "triggers", origin), origin=origin)


def _format(given: Any, place: str, inside: Inside) -> _Read:
    if inside.depth > MAX_DEPTH:
        raise InvalidRequestError(f"{place}: formats are nested more than {MAX_DEPTH} deep", param=place)
    plain = as_object(given, place)
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
        # Values without effect are allowed.
        if name not in fields and value is not None and value is not False and value != []:
            raise UnsupportedParameterError(f"{place}.{name[:64]} is not served", param=f"{place}.{name[:64]}")


def _const_string(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    return ChoiceConstraint(options=(text_of(given, "value", place),), origin=f"{place}.value")


def _json_schema(given: dict[str, Any], place: str, inside: Inside) -> _Read:
    schema = schema_constraint(needed(given, "json_schema", place), f"{place}.json_schema")
    style = given.get("style", "json")
    if style == "json":
        return schema
    if style not in _STYLES:
        served = ", ".join(("json", *_STYLES))
        raise UnsupportedParameterError(f"{place}.style is one of {served}", param=f"{place}.style")
    return _arguments(schema, _STYLES[style])


def _qwen_xml_parameter(given: dict[str, Any], place: str, inside: Inside) -> _Read:
    schema = schema_constraint(needed(given, "json_schema", place), f"{place}.json_schema")
    return _arguments(schema, _STYLES["qwen_xml"])


def _arguments(schema: JsonConstraint, name: str) -> ArgumentsConstraint:
    return ArgumentsConstraint(schema=schema.schema, format=name, origin=schema.origin)


def _regex(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    return RegexConstraint(pattern=text_of(given, "pattern", place), origin=f"{place}.pattern")


def _grammar(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    return GrammarConstraint(text=text_of(given, "grammar", place), origin=f"{place}.grammar")


def _sequence(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    elements = list_of(given, "elements", place)
    apart = replace(inside, ends=(), end_tokens=())
    parts = [
        _format(element, f"{place}.elements[{index}]", inside if index + 1 == len(elements) else apart)
        for index, element in enumerate(elements)
    ]
    return SequenceConstraint(parts=tuple(parts), origin=place)


def _or(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    elements = enumerate(list_of(given, "elements", place))
    segments = tuple(
        Segment("", _format(element, f"{place}.elements[{index}]", inside), "") for index, element in elements
    )
    return TagsConstraint(segments=segments, at_least_one=True, stop_after_first=True, free_text=False, origin=place)


def _tag(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    segments = _segment(given, place, inside)
    return TagsConstraint(segments=segments, at_least_one=True, stop_after_first=True, free_text=False, origin=place)


def _any_text(given: dict[str, Any], place: str, inside: Inside) -> _Read:
    excludes = excluded_texts(given, place, inside)
    if given.get("max_chars") is None:
        return TagsConstraint(segments=(), triggers=excludes, origin=place)
    most = count_of(given, "max_chars", place, MAX_CHARS)
    return ShortTextConstraint(max_chars=most, without=excludes, origin=place)


def _token(given: dict[str, Any], place: str, inside: Inside) -> _Read:
    return TokenConstraint(token=token_of(needed(given, "token", place), f"{place}.token"), origin=place)


def _exclude_token(given: dict[str, Any], place: str, inside: Inside) -> _Read:
    excluded = tokens_of(given, "exclude_tokens", place)
    return TokensConstraint(excluded=(*excluded, *inside.end_tokens), is_one=True, origin=place)


def _any_tokens(given: dict[str, Any], place: str, inside: Inside) -> TokensConstraint:
    excluded = tokens_of(given, "exclude_tokens", place)
    return TokensConstraint(excluded=(*excluded, *inside.end_tokens), without=inside.ends, origin=place)


def _repeated(content: _Read, place: str, *, may_miss: bool, again: bool) -> TagsConstraint:
    return TagsConstraint(
        segments=(Segment("", content, ""),),
        at_least_one=not may_miss,
        stop_after_first=not again,
        free_text=False,
        origin=place,
    )


def _content(given: dict[str, Any], place: str, inside: Inside) -> _Read:
    return _format(needed(given, "content", place), f"{place}.content", inside)


def _optional(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    return _repeated(_content(given, place, inside), place, may_miss=True, again=False)


def _plus(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    return _repeated(_content(given, place, inside), place, may_miss=False, again=True)


def _star(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    return _repeated(_content(given, place, inside), place, may_miss=True, again=True)


def _repeat(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    content, least = _content(given, place, inside), count_of(given, "min", place, MAX_REPEATS)
    if given.get("max") == -1:
        more: tuple[_Read, ...] = (_repeated(content, place, may_miss=True, again=True),)
    else:
        most = count_of(given, "max", place, MAX_REPEATS)
        if most < least:
            raise InvalidRequestError(f"{place}.max is -1 or at least {place}.min", param=f"{place}.max")
        more = (_repeated(content, place, may_miss=True, again=False),) * (most - least)
    parts = (content,) * least + more
    return SequenceConstraint(parts=parts, origin=place) if parts else ChoiceConstraint(options=("",), origin=place)


def _dispatch(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    segments = []
    for index, rule in enumerate(list_of(given, "rules", place)):
        at = f"{place}.rules[{index}]"
        if not isinstance(rule, list) or len(rule) != 2 or not isinstance(rule[0], str) or not rule[0]:
            raise InvalidRequestError(f"{at} must be a list of a text that is not empty and a format", param=at)
        segments.append(Segment(rule[0], _format(rule[1], f"{at}[1]", inside), ""))
    patterns = tuple(segment.begin for segment in segments)
    return TagsConstraint(
        segments=tuple(segments),
        triggers=triggers_of(patterns, given, place, inside),
        stop_after_first=not (given.get("loop") is None or flag_of(given, "loop", place)),
        origin=place,
    )


def _token_dispatch(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    segments, triggers = [], []
    for index, rule in enumerate(list_of(given, "rules", place)):
        at = f"{place}.rules[{index}]"
        if not isinstance(rule, list) or len(rule) != 2:
            raise InvalidRequestError(f"{at} must be a list of a token and a format", param=at)
        token = TokenConstraint(token=token_of(rule[0], f"{at}[0]"), origin=f"{at}[0]")
        triggers.append(token.token)
        segments.append(_between(token, _format(rule[1], f"{at}[1]", inside), "", at))
    is_once = not (given.get("loop") is None or flag_of(given, "loop", place))
    return _among_tokens(segments, triggers, given, place, inside, at_least_one=False, stop_after_first=is_once)


def _token_triggered_tags(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    triggers = [
        token_of(each, f"{place}.trigger_tokens[{index}]")
        for index, each in enumerate(list_of(given, "trigger_tokens", place))
    ]
    for index, tag in enumerate(list_of(given, "tags", place)):
        at = f"{place}.tags[{index}].begin"
        begin = tag.get("begin") if isinstance(tag, dict) else None
        if not isinstance(begin, dict) or begin.get("token") not in triggers:
            raise InvalidRequestError(f"{at} must be a token format with one of the trigger tokens", param=at)
    flags = {name: flag_of(given, name, place) for name in _FLAGS}
    return _among_tokens(_segments(given, place, inside), triggers, given, place, inside, **flags)


def _among_tokens(
    segments: Sequence[Segment],
    triggers: Sequence[int | str],
    given: dict[str, Any],
    place: str,
    inside: Inside,
    *,
    at_least_one: bool,
    stop_after_first: bool,
) -> Constraint:
    """Return free tokens in which each trigger begins a segment."""
    text = _any_tokens(given, place, inside)
    text = replace(text, excluded=(*triggers, *text.excluded))
    one = TagsConstraint(
        segments=tuple(segments), at_least_one=True, stop_after_first=True, free_text=False, origin=place
    )
    rest = one if stop_after_first else SequenceConstraint(parts=(one, text), origin=place)
    return SequenceConstraint(
        parts=(text, _repeated(rest, place, may_miss=not at_least_one, again=not stop_after_first)), origin=place
    )


def _triggered_tags(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    for index, tag in enumerate(list_of(given, "tags", place)):
        if isinstance(tag, dict):
            text_of(tag, "begin", f"{place}.tags[{index}]")
    return TagsConstraint(
        segments=_segments(given, place, inside),
        triggers=triggers_of(texts_of(given, "triggers", place), given, place, inside),
        at_least_one=flag_of(given, "at_least_one", place),
        stop_after_first=flag_of(given, "stop_after_first", place),
        origin=place,
    )


def _tags_with_separator(given: dict[str, Any], place: str, inside: Inside) -> Constraint:
    return TagsConstraint(
        segments=_segments(given, place, inside),
        separator=text_of(given, "separator", place),
        at_least_one=flag_of(given, "at_least_one", place),
        stop_after_first=flag_of(given, "stop_after_first", place),
        free_text=False,
        origin=place,
    )


_FLAGS = ("at_least_one", "stop_after_first")
_READERS: dict[str, tuple[Callable[[dict[str, Any], str, Inside], _Read], tuple[str, ...]]] = {
    "const_string": (_const_string, ("value",)),
    "any_text": (_any_text, ("excludes", "max_chars")),
    "json_schema": (_json_schema, ("json_schema", "style")),
    "qwen_xml_parameter": (_qwen_xml_parameter, ("json_schema",)),
    "token": (_token, ("token",)),
    "exclude_token": (_exclude_token, ("exclude_tokens",)),
    "any_tokens": (_any_tokens, ("exclude_tokens",)),
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
    "token_triggered_tags": (_token_triggered_tags, ("trigger_tokens", "tags", *_FLAGS, "exclude_tokens")),
    "token_dispatch": (_token_dispatch, ("rules", "loop", "exclude_tokens")),
}


def _segments(given: dict[str, Any], place: str, inside: Inside) -> tuple[Segment, ...]:
    found: list[Segment] = []
    for index, value in enumerate(list_of(given, "tags", place)):
        at = f"{place}.tags[{index}]"
        tag = as_object(value, at)
        _only({"type", "begin", "content", "end"}, tag, at)
        found += _segment(tag, at, inside)
    return tuple(found)


def _segment(tag: dict[str, Any], place: str, inside: Inside) -> tuple[Segment, ...]:
    """Return a tag as segments, one for each of its ends."""
    begin = _marker(tag, "begin", place)
    if isinstance(tag.get("end"), dict):
        last = _token_marker(tag["end"], f"{place}.end")
        content = _content(tag, place, replace(inside, ends=(), end_tokens=(last.token,)))
        return (_between(begin, content, last, place),)
    if isinstance(tag.get("end"), list):
        ends = tuple(dict.fromkeys(list_of(tag, "end", place)))
        if not all(isinstance(end, str) for end in ends):
            raise InvalidRequestError(f"{place}.end must be a text or a list of texts", param=f"{place}.end")
    else:
        ends = (text_of(tag, "end", place),)
    closing = tuple(filter(None, ends))
    if len(closing) == len(ends):
        within = replace(inside, ends=closing, end_tokens=())
    else:
        within = replace(inside, ends=(*closing, *inside.ends))
    content = _content(tag, place, within)
    return tuple(_between(begin, content, end, place) for end in ends)


def _marker(tag: dict[str, Any], name: str, place: str) -> str | TokenConstraint:
    """Return the begin or the end of a tag: a text, or a token."""
    is_token = isinstance(tag.get(name), dict)
    return _token_marker(tag[name], f"{place}.{name}") if is_token else text_of(tag, name, place)


def _token_marker(given: dict[str, Any], place: str) -> TokenConstraint:
    if given.get("type", "token") != "token":
        raise InvalidRequestError(f"{place} must be a text, or a format of type token", param=place)
    _only({"type", "token"}, given, place)
    return TokenConstraint(token=token_of(needed(given, "token", place), f"{place}.token"), origin=place)


def _between(begin: str | TokenConstraint, content: _Read, end: str | TokenConstraint, place: str) -> Segment:
    """Return a segment; a token at its begin or end becomes part of the content."""
    if isinstance(begin, str) and isinstance(end, str):
        return Segment(begin, content, end)
    parts = tuple(part for part in (begin, content, end) if not isinstance(part, str))
    whole = SequenceConstraint(parts=parts, origin=place)
    return Segment(begin if isinstance(begin, str) else "", whole, end if isinstance(end, str) else "")
