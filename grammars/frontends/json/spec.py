"""The `JsonSchema` constraint: the text is JSON and valid against a schema."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import Any

import msgspec

from grammars.errors import GrammarError, InvalidGrammarError, TooComplexError, UnsatisfiableError
from grammars.frontends.json.algebra import Algebra
from grammars.frontends.json.anything import any_value
from grammars.frontends.json.document import Document
from grammars.frontends.json.emitter import Emitter
from grammars.frontends.json.guarding import ValueGuards, emit_guarded, note_keywords
from grammars.frontends.json.layout import Layout
from grammars.frontends.json.library import Library
from grammars.frontends.json.options import JsonOptions, dialect_number
from grammars.frontends.json.plain_text import Hole, PlainText
from grammars.frontends.json.scalars import ScalarEmitter
from grammars.frontends.json.strict_rules import check_rules
from grammars.frontends.json.strict_subset import converted_text
from grammars.limits import Limits
from grammars.network.builder import NetworkBuilder
from grammars.report import Notes

Schema = dict[str, Any] | bool | str
_ENCODER = msgspec.json.Encoder(decimal_format="number")
_NULLS = b":null", b",null", b"[null"
# Numbers that are not finite, as MessagePack spells them.
_find_not_finite = re.compile(rb"\xcb[\x7f\xff][\xf0-\xff]").search
_ESCAPES = "grammars.json"
_DEFAULT = JsonOptions()
_DEFAULT_SPELLED = repr(_DEFAULT)


@dataclass(frozen=True, slots=True, init=False)
class JsonSchema:
    """JSON texts that are valid against a schema.

    The schema is kept as JSON text, so a spec is compared and hashed by content and later changes of a dictionary do
    not reach it. The order of its properties is part of the content.

    Args:
        schema: a dictionary, a boolean, or JSON text of one. Values in it may be of other types that have one form in
            JSON, such as tuples, sets, decimals and dates.
        options: how the schema is read and its texts are spelled.
        resources: other documents that it may refer to, by URI; nothing is ever fetched.

    Raises:
        InvalidGrammarError: a schema that is not JSON.
    """

    text: str
    options: JsonOptions
    resources: tuple[tuple[str, str], ...]

    def __init__(
        self, schema: Schema, options: JsonOptions | None = None, resources: Mapping[str, Schema] | None = None
    ) -> None:
        object.__setattr__(self, "text", _as_text(schema))
        object.__setattr__(self, "options", options or _DEFAULT)
        given: tuple[tuple[str, str], ...] = ()
        if resources:
            texts = {uri.split("#")[0]: _as_text(document) for uri, document in resources.items()}
            given = tuple(sorted(texts.items()))
        object.__setattr__(self, "resources", given)

    def cache_key(self) -> str:
        """See `Constraint.cache_key`."""
        options = _DEFAULT_SPELLED if self.options is _DEFAULT else repr(self.options)
        resources = "".join(map(repr, self.resources)) if self.resources else ""
        return f"json-schema:{options}:{self.text}{resources}"

    def enforced_text(self, limits: Limits | None = None) -> str:
        """JSON text of the schema that is enforced: another one than `text` where `strict_subset` is "convert".

        Raises:
            GrammarError: `strict_subset` asks for a conversion or for rules that the schema does not allow or keep.
        """
        if self.options.strict_subset == "off":
            return self.text
        limits = limits or Limits()
        dialect = _dialect_of(self.text, self.options)
        if self.options.strict_subset == "convert":
            return converted_text(self.text, dialect, limits)
        check_rules(self.text, limits)
        return self.text

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        if builder.num_states == 0:
            builder.where = ""
        try:
            return self._emit(builder)
        except GrammarError as error:
            error.place("")
            raise

    def _emit(self, builder: NetworkBuilder) -> int:
        limits = builder.limits
        size = len(self.text)
        for _, document in self.resources:
            size += len(document)
        if size > limits.max_schema_bytes:
            raise TooComplexError("max_schema_bytes", size, limits.max_schema_bytes)
        text = self.text if self.options.strict_subset == "off" else self.enforced_text(limits)
        if self.options.spelling == "canonical":
            Library.install(builder, self.options.whitespace)
            if self.options.whitespace == "bounded" and text.isascii():
                plain = PlainText(builder, text, self.options)
                if plain.is_read:
                    return self._emit_plain(builder, plain, text)
        return self._emit_sites(builder, text)

    def _emit_plain(self, builder: NetworkBuilder, plain: PlainText, text: str) -> int:
        """Emits a schema of which a part at least is plain; the report is left for when it is asked for."""
        if not plain.holes:
            builder.note_later(partial(_notes, self, text, builder.limits), plain.num_notes)
            return _satisfiable(plain.finish())
        since, scalars = builder.num_notes, ScalarEmitter(builder, plain, self.options)
        holes = [hole for hole in plain.holes if not scalars.fill(hole)]
        rule = self._emit_sites(builder, text, plain, holes, scalars) if holes else _satisfiable(plain.finish())
        num_notes = plain.num_notes + builder.drop_notes(since)
        builder.note_later(partial(_notes, self, text, builder.limits), num_notes)
        return rule

    def _emit_sites(
        self,
        builder: NetworkBuilder,
        text: str,
        plain: PlainText | None = None,
        holes: Sequence[Hole] = (),
        scalars: ScalarEmitter | None = None,
    ) -> int:
        """Emits the schema subschema by subschema.

        Args:
            plain: emits what is plain of it.
            holes: those of its holes that are not filled; scalars: fills others as they are met.
        """
        limits, resources = builder.limits, dict(self.resources)
        document = Document(text, self.options, resources, limits)
        guards = ValueGuards(document, text, resources, self.options, limits)
        layout = Layout(builder, self.options.whitespace)
        if self.options.spelling == "any":
            rule: int | None = emit_guarded(builder, guards.root(), any_value(builder, layout))
            note_keywords(builder, document)
        else:
            library = Library(builder, layout)
            emitter = Emitter(builder, Algebra(document, self.options, limits, builder, guards), library, plain)
            if plain is None or scalars is None:
                (rule,) = emitter.emit([(document.root,)])
            else:
                emitter.emit_holes(holes, scalars.fill)
                rule = plain.finish()
        rule = _satisfiable(rule)
        if guards.is_needed:
            rule = emit_guarded(builder, guards.root(), rule)
        return rule if self.options.whitespace != "any" else _with_gaps(builder, layout, rule)


def _satisfiable(rule: int | None) -> int:
    if rule is None:
        raise UnsatisfiableError("nothing is valid against the schema", "")
    return rule


def _notes(schema: JsonSchema, text: str, limits: Limits) -> Notes:
    """What the report says of a schema, by emitting it once more."""
    # What of it was plain was counted apart.
    most, states = 3 * limits.max_subschemas, 3 * limits.max_states
    builder = NetworkBuilder(replace(limits, max_subschemas=most, max_states=states))
    Library.install(builder, schema.options.whitespace)
    schema._emit_sites(builder, text)
    return builder.take_notes()


def _with_gaps(builder: NetworkBuilder, layout: Layout, rule: int) -> int:
    start, value, after, end = builder.rule(), builder.state(), builder.state(), builder.state()
    layout.gap(start, value)
    builder.call(value, rule, after)
    layout.gap(after, end)
    builder.accept(end)
    return start


def _dialect_of(text: str, options: JsonOptions) -> int:
    """The dialect that the schema names, or else that of the options; what is wrong with either is said later."""
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError):
        schema = None
    named = schema.get("$schema") if isinstance(schema, dict) else None
    known = dialect_number(named) if isinstance(named, str) else None
    return known or dialect_number(options.dialect) or 2020


def _as_text(schema: Schema) -> str:
    if isinstance(schema, str):
        return schema
    try:
        text = _ENCODER.encode(schema)
        # It writes null for numbers that JSON does not have.
        has_null = b"null" in text and any(null in text for null in _NULLS)
        if not (has_null and _find_not_finite(msgspec.msgpack.encode(schema))):
            return text.decode() if text.isascii() else text.decode().encode("ascii", _ESCAPES).decode()
    except (TypeError, ValueError, RecursionError, OverflowError):
        pass  # The slower encoder writes it, or says what is wrong.
    try:
        return json.dumps(schema, allow_nan=False, default=_as_plain)
    except RecursionError:
        raise TooComplexError("max_depth", 1_000, 1_000) from None
    except (TypeError, ValueError) as error:
        raise InvalidGrammarError(f"the schema is not JSON: {error}") from None


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters outside of ASCII, and where the others go on."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(_ESCAPES, _escaped)


def _as_plain(value: Any) -> Any:
    """What JSON has for a value of another type: the same as the faster encoder writes, or an error."""
    if isinstance(value, Decimal):
        number = int(value) if value == value.to_integral_value() else float(value)
        if number != value:
            raise ValueError(f"the number {value} cannot be written")
        return number
    return msgspec.to_builtins(value)
