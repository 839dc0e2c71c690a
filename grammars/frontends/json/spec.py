"""The `JsonSchema` constraint: the text is JSON and valid against a schema."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import msgspec

from grammars.errors import GrammarError, InvalidGrammarError, TooComplexError, UnsatisfiableError
from grammars.frontends.base import spelled_out
from grammars.frontends.json.algebra.algebra import Algebra
from grammars.frontends.json.document.document import Document
from grammars.frontends.json.document.options import JsonOptions
from grammars.frontends.json.emit.emitter import Emitter
from grammars.frontends.json.emit.layout import Layout
from grammars.frontends.json.emit.library import Library, any_value
from grammars.frontends.json.validation.value_checks import ValueChecks, emit_checked, note_keywords
from grammars.network.builder import NetworkBuilder

Schema = dict[str, Any] | bool | str
_ENCODER = msgspec.json.Encoder(decimal_format="number")
_NULLS = b":null", b",null", b"[null"
# Numbers that are not finite, as MessagePack spells them.
_find_not_finite = re.compile(rb"\xcb[\x7f\xff][\xf0-\xff]").search
_ESCAPES = "grammars.json"
_DEFAULT = JsonOptions()


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
        resources = "".join(map(repr, self.resources)) if self.resources else ""
        return f"json-schema:{spelled_out(self.options)}:{self.text}{resources}"

    def emit(self, builder: NetworkBuilder) -> int:
        """See `Constraint.emit`."""
        if builder.num_states == 0:
            builder.where = ""
        try:
            return self._emit(builder)
        except GrammarError as error:
            error.place("")
            raise

    def opened(self, builder: NetworkBuilder, kind: type[ValueChecks] = ValueChecks) -> tuple[Algebra, ValueChecks]:
        """Return the algebra of the schema and its checks.

        Raises:
            GrammarError: it is too large, or is no schema.
        """
        limits, resources, size = builder.limits, dict(self.resources), len(self.text)
        for text in resources.values():
            size += len(text)
        if size > limits.max_schema_bytes:
            raise TooComplexError("max_schema_bytes", size, limits.max_schema_bytes)
        document = Document(self.text, self.options, resources, limits)
        checks = kind(document, self.text, resources, self.options, limits)
        return Algebra(document, self.options, limits, builder, checks), checks

    def _emit(self, builder: NetworkBuilder) -> int:
        algebra, checks = self.opened(builder)
        document, whitespace = algebra.document, self.options.whitespace
        if self.options.spelling == "any":
            layout = Layout(builder, whitespace)
            rule: int | None = emit_checked(builder, checks.root(), any_value(builder, layout))
            note_keywords(builder, document)
        else:
            Library.install(builder, whitespace)
            layout = Layout(builder, whitespace)
            (rule,) = Emitter(builder, algebra, Library(builder, layout)).emit([(document.root,)])
        rule = _satisfiable(rule)
        if checks.is_needed:
            if builder.new_values:
                builder.new_values.clear()  # they may rely on this check
            rule = emit_checked(builder, checks.root(), rule)
        return rule if whitespace != "any" else _with_gaps(builder, layout, rule)


def _satisfiable(rule: int | None) -> int:
    if rule is None:
        raise UnsatisfiableError("no text that could be written is valid against the schema", "")
    return rule


def _with_gaps(builder: NetworkBuilder, layout: Layout, rule: int) -> int:
    start, value, after, end = builder.rule(), builder.state(), builder.state(), builder.state()
    layout.gap(start, value)
    builder.call(value, rule, after)
    layout.gap(after, end)
    builder.accept(end)
    return start


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
    """Yield the escapes of characters outside of ASCII and the text between."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(_ESCAPES, _escaped)


def _as_plain(value: Any) -> Any:
    """Return a value of another type as JSON has it, as the faster encoder writes it; else raise."""
    if isinstance(value, Decimal):
        number = int(value) if value == value.to_integral_value() else float(value)
        if number != value:
            raise ValueError(f"the number {value} cannot be written")
        return number
    return msgspec.to_builtins(value)
