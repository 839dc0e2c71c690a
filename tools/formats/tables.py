"""Tables of TOML that describe formats, and the formats built from them: users' files and `families.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from grammars import ANY_TYPES, ArgumentSpelling, ValueTag
from tools.calls import IdScheme, call_ids
from tools.errors import InvalidFormatError
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.base import Body
from tools.formats.bodies.delimited_call import DelimitedCall
from tools.formats.bodies.json_call import JsonCall
from tools.formats.bodies.keyed_call import KeyedCall
from tools.formats.bodies.keyword_call import KeywordCall
from tools.formats.bodies.named_json import NamedJson
from tools.formats.bodies.tagged_call import TaggedCall
from tools.formats.ids import kimi_id, kimi_ids, known_nine, nine_characters
from tools.formats.reading.frame import Frame

_TEXT = frozenset({"string"})
FAMILIES = Path(__file__).with_name("families.toml")

Text = Annotated[str, msgspec.Meta(min_length=1)]
Pieces = Text | list[Text]
Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_.-]*$")]
Signs = Annotated[list[Text], msgspec.Meta(min_length=1)]
Wrong = Callable[[str, str], InvalidFormatError]
"""Function of a key and a message that returns the error to raise."""


class Table(msgspec.Struct, forbid_unknown_fields=True):
    """Base of tables; an unknown key is an error."""


class SectionTable(Table):
    """Markers around all calls."""

    begin: Pieces
    end: Pieces = []


class CallTable(Table):
    """Markers around each call."""

    begin: Pieces = []
    end: Pieces = []
    separator: str = ""
    at_start: bool = False


class NameTable(Table):
    """Place of the tool's name."""

    key: Text = ""
    before: Pieces = []
    after: Pieces = []
    pattern: str = ""
    is_key: bool = False
    index_key: str = ""
    nothing: str = ""


class ArgumentsTable(Table):
    """Spelling of arguments."""

    encoding: Literal["json", "tagged", "python", "delimited"]
    key: Text = "arguments"
    also: list[Text] = []
    before: str = ""
    between: Pieces = []
    after: str = ""
    end: str = ""
    text_between: Pieces = []
    text_type: str = ""
    names: str = ""
    pattern: str = ""
    quote: tuple[Text, Text] | None = None
    delimiter: str = ""
    separator: Text = ", "
    values: Literal["python", "json"] = "python"


class IdsTable(Table):
    """Shape of the ids of calls."""

    shape: Literal["openai", "nine", "kimi"] = "openai"


class SignsTable(Table):
    """Texts that a chat template of the family contains, and texts that it lacks."""

    has: Signs
    lacks: list[Text] = []


class BlockTable(Table, kw_only=True):
    """One spelling of calls."""

    call: CallTable
    tool: NameTable = msgspec.field(default_factory=NameTable)
    arguments: ArgumentsTable
    section: SectionTable | None = None


class VariantTable(Table, kw_only=True):
    """Another spelling that is read; name and arguments are those of the native one unless given."""

    call: CallTable = msgspec.field(default_factory=CallTable)
    tool: NameTable | None = None
    arguments: ArgumentsTable | None = None
    section: SectionTable | None = None
    written: bool = False


class FormatTable(BlockTable, kw_only=True):
    """A format: the native spelling, variants, and what shows the family."""

    name: Name
    variants: list[VariantTable] = []
    ids: IdsTable = msgspec.field(default_factory=IdsTable)
    aliases: list[Text] = []
    model_types: list[Text] = []
    signs: list[Signs | SignsTable] = []
    parallel: bool = True


class FamiliesFile(Table):
    """The file of the formats that ship with the package."""

    format: list[FormatTable]


def own_formats() -> tuple[Format, ...]:
    """Return the formats of `families.toml`, in its order."""
    tables = msgspec.convert(tomllib.loads(FAMILIES.read_text(encoding="utf-8")), FamiliesFile)
    return tuple(build_format(table, _wrong_in(table.name)) for table in tables.format)


def _wrong_in(name: str) -> Wrong:
    return lambda key, message: InvalidFormatError(f"{FAMILIES.name}: {name}: {key}: {message}")


def build_format(table: FormatTable, wrong: Wrong) -> Format:
    """Return the format that a table describes.

    Args:
        wrong: Makes the error of a key whose value does not fit the others.
    """
    ids: IdScheme = {"openai": call_ids, "nine": nine_characters, "kimi": kimi_ids}[table.ids.shape]
    return Format(
        name=table.name,
        native=_block(table, wrong),
        variants=tuple(_variant(variant, table, wrong) for variant in table.variants),
        aliases=tuple(table.aliases),
        signs=tuple(map(template_markers, table.signs)),
        model_types=tuple(table.model_types),
        ids=ids,
        known_id={"nine": known_nine, "kimi": kimi_id}.get(table.ids.shape),
        is_parallel=table.parallel,
    )


def _variant(variant: VariantTable, native: BlockTable, wrong: Wrong) -> Block:
    table = BlockTable(
        call=variant.call,
        tool=variant.tool or native.tool,
        arguments=variant.arguments or native.arguments,
        section=variant.section,
    )
    return _block(table, lambda key, message: wrong("variants", f"{key}: {message}"), variant.written)


def template_markers(signs: list[str] | SignsTable) -> TemplateMarkers:
    """Return the texts of one entry of `signs`."""
    if isinstance(signs, SignsTable):
        return TemplateMarkers(tuple(signs.has), tuple(signs.lacks))
    return TemplateMarkers(tuple(signs))


def pieces_of(value: str | list[str]) -> tuple[str, ...]:
    """Return the pieces of a marker."""
    return (value,) if isinstance(value, str) else tuple(value)


def _block(table: BlockTable, wrong: Wrong, is_written: bool = False) -> Block:
    call, section = table.call, table.section
    is_json = table.arguments.encoding == "json"
    begin = (*pieces_of(call.begin), *(pieces_of(table.tool.before) if is_json else ()))
    if section is None and not (begin or table.tool.before or call.at_start):
        raise wrong("call.begin", "calls without a marker before them need `at_start = true`")
    frame = None if section is None else Frame(pieces_of(section.begin), pieces_of(section.end))
    return Block(
        body=_BODIES[table.arguments.encoding](table, wrong),
        call=Frame(begin, pieces_of(call.end)),
        # Calls in a row are a section without markers.
        section=Frame() if frame is None and call.at_start else frame,
        separator=call.separator,
        at_start=call.at_start,
        is_written=is_written,
    )


def _json(table: BlockTable, wrong: Wrong) -> Body:
    name, arguments = table.tool, table.arguments
    if bool(name.key) + bool(name.after) + name.is_key != 1:
        raise wrong("tool", "one of `key` (a member of the object), `after` (text after the name), `is_key` expected")
    if name.is_key:
        return KeyedCall()
    if name.key:
        also = tuple(arguments.also)
        return JsonCall(name.key, arguments.key, also, index_key=name.index_key, nothing=name.nothing)
    return NamedJson(pieces_of(name.after))


def _tagged(table: BlockTable, wrong: Wrong) -> Body:
    name, arguments = table.tool, table.arguments
    for key in ("before", "between", "after"):
        if not "".join(getattr(arguments, key)).strip():
            raise wrong(f"arguments.{key}", "a marker expected")
    mark = arguments.after.strip()
    if any(mark.startswith(mark[at:]) for at in range(1, len(mark))):
        raise wrong("arguments.after", "a marker that begins as it ends, so that text before it may seem to begin it")
    before, after = pieces_of(name.before), pieces_of(name.after)
    between, text_between = pieces_of(arguments.between), pieces_of(arguments.text_between)
    inner = [(key, "".join(pieces)) for key, pieces in (("between", between), ("text_between", text_between))]
    touching = [(key, text.removesuffix("\n")[-1:]) for key, text in inner]
    for key, char in (*touching, ("after", arguments.after.removeprefix("\n")[:1])):
        if char.isspace():
            raise wrong(f"arguments.{key}", "beside a value no whitespace can stand but a line feed")
    ends = [mark for frame in (table.call, table.section) if frame for mark in pieces_of(frame.end) if mark.strip()]
    if not arguments.end.strip() and not ends:
        raise wrong("arguments.end", "a marker expected where neither a call nor the section has one at its end")
    if not "".join((*before, *pieces_of(table.call.begin))).strip():
        raise wrong("tool.before", "a marker expected where a call has none at its beginning")
    is_bare = not "".join(after).strip()
    if is_bare and not after and re.match(r"[A-Za-z0-9_.-]", arguments.before):
        raise wrong("tool.after", "a marker or whitespace expected where arguments begin like a name")
    if text_between and not arguments.text_type:
        raise wrong("arguments.text_type", "the type expected that `text_between` names")
    if arguments.text_type and not arguments.pattern:
        raise wrong("arguments.pattern", "a regular expression with a group `type` expected beside `text_type`")
    tags: tuple[ValueTag, ...] = (ValueTag(ANY_TYPES, "".join(between)),)
    if text_between:
        tags = (ValueTag(_TEXT, "".join(text_between)), ValueTag(ANY_TYPES - _TEXT, "".join(between)))
    # Names do not contain the characters that the marker after them begins with.
    member = _not_in_names(between)
    groups = ("name", "type") if arguments.text_type else ("name",)
    quote = arguments.quote or ("", "")
    spelling = ArgumentSpelling(
        before=arguments.before,
        tags=tags,
        after=arguments.after,
        names=_pattern(arguments.names, "arguments.names", (), wrong)
        or rf"[^{member}\s]([^{member}\n]*[^{member}\s])?",
        has_entities=True,
        marker=mark,
        # Arguments on lines of their own are read with any whitespace before them.
        excluded=quote[0] or (arguments.before.lstrip() if arguments.before[:1].isspace() else ""),
    )
    opening = "\0".join(("".join(before), "".join(after))).replace("{", "{{").replace("}", "}}")
    return TaggedCall(
        begin=opening.replace("\0", "{name}"),
        mark=before[0].strip() if before else "",
        head="" if is_bare else _pattern(name.pattern, "tool.pattern", ("name",), wrong) or _head(before[1:], after),
        head_end="" if is_bare else _last_mark(after),
        spelling=spelling,
        member=_pattern(arguments.pattern, "arguments.pattern", groups, wrong) or _head((), between),
        member_end=_last_mark(between),
        raw_type=arguments.text_type,
        end=arguments.end,
        stops=tuple(ends[:1]),
        quote=quote,
    )


def _not_in_names(after: tuple[str, ...]) -> str:
    """Return the characters, for a class of a regular expression, that names before these pieces do not contain."""
    return re.escape('<>"' + "".join(after).strip()[0])


def _head(before: tuple[str, ...], after: tuple[str, ...]) -> str:
    """Return the regular expression of a name with the pieces around it, up to the last, any whitespace between."""
    marks = [re.escape(piece.strip()) for piece in after if piece.strip()]
    name = f"(?P<name>[^{_not_in_names(after)}]+)"
    return r"\s*".join((*(re.escape(piece.strip()) for piece in before if piece.strip()), name, *marks[:-1]))


def _last_mark(pieces: tuple[str, ...]) -> str:
    return [piece.strip() for piece in pieces if piece.strip()][-1]


def _pattern(pattern: str, key: str, groups: tuple[str, ...], wrong: Wrong) -> str:
    """Return a regular expression of a file, empty if it gives none."""
    try:
        missing = [group for group in groups if pattern and group not in re.compile(pattern).groupindex]
    except re.error as error:
        raise wrong(key, f"no regular expression: {error}") from None
    if missing:
        raise wrong(key, f"a group `(?P<{missing[0]}>...)` expected")
    return pattern


def _python(table: BlockTable, wrong: Wrong) -> Body:
    arguments = table.arguments
    return KeywordCall(separator=arguments.separator, values="plain" if arguments.values == "json" else "python")


def _delimited(table: BlockTable, wrong: Wrong) -> Body:
    before = "".join(pieces_of(table.tool.before))
    for key, text in (("arguments.delimiter", table.arguments.delimiter), ("tool.before", before)):
        if not text.strip():
            raise wrong(key, "a marker expected")
    return DelimitedCall(table.arguments.delimiter, before)


_BODIES = {"json": _json, "tagged": _tagged, "python": _python, "delimited": _delimited}
