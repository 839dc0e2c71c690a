"""A schema document: its subschemas, their pointers and the targets of their references."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from grammars.errors import InvalidGrammarError, TooComplexError, UnsupportedError
from grammars.frontends.json.document.decoding import DECODER
from grammars.frontends.json.document.options import (
    JsonOptions,
    Place,
    below,
    dialect_number,
    escape,
    listed_vocabularies,
    nested_schemas,
    published,
    resolved,
    step,
    unescape,
)
from grammars.limits import Limits

_MAX_METASCHEMAS = 16
_DEFINITIONS = ("definitions", "$defs")


class Resource:
    """Schema resource: the root that local references start from, and the dialect it is read in.

    Attributes:
        vocabularies: names of the vocabularies that its meta-schema lists; None: every one of the dialect.
        asserts_format: whether its meta-schema demands that `format` is asserted.
        origin: for the resource of a made schema the one that schema speaks about, else itself.
    """

    __slots__ = ("_origin", "asserts_format", "base", "dialect", "pointer", "root", "vocabularies")

    def __init__(self, root: Any, base: str, dialect: int, pointer: str, origin: Resource | None = None) -> None:
        self.root = root
        self.base = base
        self.dialect = dialect
        self.pointer = pointer
        self.vocabularies: frozenset[str] | None = None
        self.asserts_format = False
        # Not itself: a cycle would live until the garbage collector comes.
        self._origin = origin

    @property
    def origin(self) -> Resource:
        return self._origin or self


class Subschema:
    """A schema at its place in a document, compared by identity. `is_noted`: its keywords are in the report."""

    is_noted = False
    object_part: Any = None
    array_part: Any = None
    words: Any = None

    def __init__(self, schema: Any, pointer: str, resource: Resource) -> None:
        self.schema = schema
        self.pointer = pointer
        self.resource = resource

    def says_the_same_as(self, other: Subschema) -> bool:
        """True if the two schemas are the same text in the same resource."""
        return self is other or (
            self.resource is other.resource and self.schema == other.schema and _is_same_json(self.schema, other.schema)
        )


def _is_same_json(value: Any, other: Any) -> bool:
    """True if values that are equal in Python, where 1 is True, are the same in JSON."""
    if type(value) is not type(other):
        return False
    if type(value) is dict:
        return all(_is_same_json(each, other[name]) for name, each in value.items())
    return type(value) is not list or all(map(_is_same_json, value, other))


class Not:
    """The complement of a subschema."""

    __slots__ = ("subschema",)

    def __init__(self, subschema: Subschema) -> None:
        self.subschema = subschema


SchemaTerm = Subschema | Not


class Document:
    """The subschemas of one schema.

    Args:
        text: JSON text of the schema.
        options: give the dialect of schemas without ``$schema``.
        resources: other documents, by URI; nothing is ever fetched. The dialects' own meta-schemas are always there.
        limits: `max_depth` bounds the nesting.
    """

    def __init__(self, text: str, options: JsonOptions, resources: Mapping[str, str], limits: Limits) -> None:
        self._limits = limits
        self._texts = resources
        self._loaded: dict[str, Any] = {}
        self._subschemas: dict[int, Subschema] = {}
        self._resources: dict[int, Resource] = {}
        self._by_uri: dict[str, Resource] = {}
        self._anchors: dict[tuple[Resource, str], Subschema] = {}
        self._dynamic: dict[tuple[Resource, str], Subschema] = {}
        # What references resolve to, by the resource they are in.
        self._resolved: dict[tuple[Resource, str], Subschema] = {}
        # What `complement` makes of subschemas. On the subschemas, which it leads back to, it would live until the
        # garbage collector comes.
        self.negations: dict[Subschema, Not] = {}
        self.complements: dict[Subschema, Subschema] = {}
        self.negated: dict[Subschema, Any] = {}
        self._is_indexed = False
        self._default = dialect_number(options.dialect) or 2020
        root = self._parsed(text, None)
        resource = self._root_resource(root, "")
        self.everything = Subschema(True, "", resource)
        self.nothing = Subschema(False, "", resource)
        if isinstance(root, bool):
            self.root = self.everything if root else self.nothing
        else:
            self.root = self._subschemas[id(root)] = Subschema(root, "", resource)

    def child(self, subschema: Subschema, schema: Any, *tokens: str) -> Subschema:
        """Return the subschema at `tokens` below `subschema`."""
        if schema is True:
            return self.everything
        if schema is False:
            return self.nothing
        known = self._subschemas.get(id(schema))
        if known is not None:
            return known
        pointer = (
            f"{subschema.pointer}/{tokens[0]}"
            if len(tokens) == 1
            else "/".join((subschema.pointer, *map(escape, tokens)))
        )
        if not isinstance(schema, dict):
            raise InvalidGrammarError("a schema is an object or a boolean", pointer)
        return self._at(schema, pointer, subschema.resource, pointer)

    def children(self, subschema: Subschema, keyword: str, schemas: dict[str, Any]) -> dict[str, Subschema]:
        """Return the subschemas in the keyword's table, by name."""
        found: dict[str, Subschema] = {}
        subschemas, resource = self._subschemas, subschema.resource
        before = f"{subschema.pointer}/{keyword}/"
        name_of_resource = "id" if resource.dialect == 4 else "$id"
        for name, schema in schemas.items():
            known = subschemas.get(id(schema))
            if known is None and type(schema) is dict and name_of_resource not in schema:
                token = escape(name) if "~" in name or "/" in name else name
                known = subschemas[id(schema)] = Subschema(schema, before + token, resource)
            found[name] = self.child(subschema, schema, keyword, name) if known is None else known
        self._refuse_many(0, subschema.pointer)
        return found

    def made(self, subschema: Subschema, schema: dict[str, Any]) -> Subschema:
        """Return a subschema for a derived schema, which is not in the document, about `subschema`."""
        resource = subschema.resource
        self._refuse_many(1, subschema.pointer)
        of = Resource(resource.root, resource.base, 2020, resource.pointer, resource.origin)
        made = Subschema(schema, subschema.pointer, of)
        made.is_noted = True
        self._subschemas[id(schema)] = made
        return made

    def resolve(self, subschema: Subschema, reference: Any) -> Subschema:
        """Return the subschema that a ``$ref`` of `subschema` points to.

        Raises:
            InvalidGrammarError: there is nothing there.
            UnsupportedError: the document is not among the resources.
        """
        if not isinstance(reference, str):
            raise InvalidGrammarError("a reference is text", subschema.pointer + "/$ref")
        key = (subschema.resource, reference)
        if key not in self._resolved:
            self._resolved[key] = self._find_target(subschema, reference)
        return self._resolved[key]

    def _find_target(self, subschema: Subschema, reference: str) -> Subschema:
        where = subschema.pointer + "/$ref"
        if reference.startswith("#"):
            resource, fragment = subschema.resource.origin, reference[1:]
        else:
            base, fragment = resolved(subschema.resource.base, reference)
            resource = self._find(base, reference, where)
        fragment = unquote(fragment)
        if not fragment:
            return self._at(resource.root, resource.pointer, resource, where)
        if fragment.startswith("/"):
            return self._follow(resource, fragment, reference, where)
        self._index_root()
        found = self._anchors.get((resource, fragment))
        if found is None:
            raise InvalidGrammarError(f"nothing is named {reference!r}", where)
        return found

    def dynamic(self, resource: Resource, name: str) -> Subschema | None:
        """The subschema of the resource with this ``$dynamicAnchor``; for "" its root with ``$recursiveAnchor``."""
        self._index_root()
        return self._dynamic.get((resource.origin, name))

    def dynamic_subschemas(self, name: str) -> list[Subschema]:
        """Every subschema met so far that `dynamic` can give for the name."""
        self._index_root()
        return [subschema for (_, anchor), subschema in self._dynamic.items() if anchor == name]

    def _at(self, schema: Any, pointer: str, resource: Resource, where: str) -> Subschema:
        if isinstance(schema, bool):
            return self.everything if schema else self.nothing
        if not isinstance(schema, dict):
            raise InvalidGrammarError("a reference leads to something that is no schema", where)
        subschema = self._subschemas.get(id(schema))
        if subschema is None:
            subschemas = self._subschemas
            if len(subschemas) >= self._limits.max_subschemas:
                self._refuse_many(1, pointer)
            if ("id" if resource.dialect == 4 else "$id") in schema:
                resource = self._inner_resource(schema, pointer, resource)
            subschema = subschemas[id(schema)] = Subschema(schema, pointer, resource)
        return subschema

    def _refuse_many(self, num_more: int, pointer: str) -> None:
        most = self._limits.max_subschemas
        if len(self._subschemas) + num_more > most:
            raise TooComplexError("max_subschemas", len(self._subschemas) + num_more, most, pointer)

    def _follow(self, resource: Resource, pointer: str, reference: str, where: str) -> Subschema:
        """Return the subschema at a pointer; identifiers on the way count in schemas alone."""
        names = pointer.split("/")
        if len(names) == 3 and names[1] in _DEFINITIONS and "~" not in pointer:
            # Where nearly all references lead.
            table = resource.root.get(names[1]) if isinstance(resource.root, dict) else None
            node = table.get(names[2]) if isinstance(table, dict) else None
            if isinstance(node, dict) and "$id" not in node and "id" not in node:
                return self._at(node, resource.pointer + pointer, resource, where)
        node, path, place = resource.root, resource.pointer, Place.SCHEMA
        for raw in names[1:]:
            try:
                node = step(node, raw)
            except KeyError:
                raise InvalidGrammarError(f"nothing stands at {reference!r}", where) from None
            place = below(place, unescape(raw), node, resource.dialect)
            path += "/" + raw
            if place is Place.SCHEMA and isinstance(node, dict):
                resource = self._inner_resource(node, path, resource)
        return self._at(node, path, resource, where)

    def _root_resource(self, root: Any, uri: str) -> Resource:
        known = self._resources.get(id(root))
        if known is None:
            pointer = uri and uri + "#"
            if isinstance(root, dict):
                known = self._new_resource(root, uri, self._default, pointer) if "$id" in root or "id" in root else None
                known = self._resources[id(root)] = known or Resource(root, uri, self._default, pointer)
                if "$schema" in root:
                    self._read_dialect(known, self._default)
            else:
                known = Resource(root, uri, self._default, pointer)
        return known

    def _inner_resource(self, schema: dict[str, Any], pointer: str, outer: Resource) -> Resource:
        """Return the resource that the schema starts, if it has an identifier, else the one it is in."""
        known = self._resources.get(id(schema))
        if known is None:
            # Whether it is a resource is for the dialect around it to say; only then its own $schema counts.
            if isinstance(schema.get("id" if outer.dialect == 4 else "$id"), str):
                known = self._new_resource(schema, outer.base, outer.dialect, pointer)
            if known is None:
                return outer
            self._read_dialect(known, outer.dialect)
            if "$schema" not in schema:
                known.vocabularies, known.asserts_format = outer.vocabularies, outer.asserts_format
            self._resources[id(schema)] = known
        return known

    def _new_resource(self, schema: Any, base: str, dialect: int, pointer: str) -> Resource | None:
        if not isinstance(schema, dict):
            return None
        dialect = dialect_number(str(schema.get("$schema"))) or dialect
        name = schema.get("id" if dialect == 4 else "$id")
        if not isinstance(name, str) or (dialect <= 7 and ("$ref" in schema or name.startswith("#"))):
            return None
        return Resource(schema, resolved(base, name)[0], dialect, pointer)

    def _read_dialect(self, resource: Resource, default: int) -> None:
        """Give the resource the dialect and vocabularies of its ``$schema``, if it has one."""
        uri = resource.root.get("$schema")
        if not isinstance(uri, str):
            return
        listed: Any = None
        resource.dialect = default
        for _ in range(_MAX_METASCHEMAS):
            if uri.rstrip("#") == "http://json-schema.org/draft-03/schema":
                raise UnsupportedError("draft 3", f"{resource.pointer}/$schema")
            number = dialect_number(uri)
            if number is not None:
                resource.dialect = number
                break
            metaschema = self._document(uri.split("#")[0])
            if not isinstance(metaschema, dict):
                break
            listed = metaschema.get("$vocabulary") if listed is None else listed
            uri = metaschema.get("$schema")
            if not isinstance(uri, str):
                break
        if isinstance(listed, dict) and resource.dialect >= 2019:
            where = f"{resource.pointer}/$schema"
            resource.vocabularies, resource.asserts_format = listed_vocabularies(listed, resource.dialect, where)

    def _find(self, base: str, reference: str, where: str) -> Resource:
        self._index_root()
        if base not in self._by_uri:
            root = self._document(base)
            if root is None:
                self.index_given()
            else:
                self._index(self._root_resource(root, base), base)
        if base not in self._by_uri:
            raise UnsupportedError(f"the reference {reference!r} to a document that was not given", where)
        return self._by_uri[base]

    def _document(self, uri: str) -> Any:
        """The given or published document with this URI; None when there is none."""
        if uri not in self._loaded:
            text = self._texts.get(uri)
            text = published(uri) if text is None else text
            self._loaded[uri] = None if text is None else self._parsed(text, uri)
        return self._loaded[uri]

    def _parsed(self, text: str, uri: str | None) -> Any:
        try:
            # Without blanks around it, a text is read in one step.
            root, end = DECODER.raw_decode(text) if text[:1] == "{" else (None, -1)
            if end < len(text):
                root = DECODER.decode(text)
        except ValueError as error:
            raise InvalidGrammarError(f"the schema is not JSON: {error}", uri) from None
        except RecursionError:
            raise TooComplexError("max_depth", self._limits.max_depth + 1, self._limits.max_depth) from None
        if not isinstance(root, (dict, bool)):
            raise InvalidGrammarError("a schema is an object or a boolean", uri)
        return root

    def _index_root(self) -> None:
        if not self._is_indexed:
            self._is_indexed = True
            self._index(self.root.resource, "")

    def index_given(self) -> None:
        """Meets all subschemas of the documents that were given."""
        for uri in self._texts:
            self._index(self._root_resource(self._document(uri), uri), uri)

    def _index(self, resource: Resource, uri: str) -> None:
        """Note the identifiers and anchors of a document. The first of two that are the same counts."""
        self._by_uri.setdefault(uri, resource)
        self._by_uri.setdefault(resource.base, resource)
        stack = [(resource.root, resource.pointer, resource)] if isinstance(resource.root, dict) else []
        while stack:
            schema, pointer, outer = stack.pop()
            inner = self._inner_resource(schema, pointer, outer)
            if inner is not outer:
                self._by_uri.setdefault(inner.base, inner)
            subschema = self._at(schema, pointer, inner, pointer)
            for name in _anchors(schema, inner.dialect):
                self._anchors.setdefault((inner, name), subschema)
            if inner.dialect == 2020 and isinstance(schema.get("$dynamicAnchor"), str):
                self._dynamic.setdefault((inner, schema["$dynamicAnchor"]), subschema)
            if inner.dialect == 2019 and schema is inner.root and schema.get("$recursiveAnchor") is True:
                self._dynamic.setdefault((inner, ""), subschema)
            below = [
                (inner_schema, "/".join((pointer, *map(escape, tokens))), inner)
                for tokens, inner_schema in nested_schemas(schema, inner.dialect)
            ]
            stack.extend(reversed(below))


def _anchors(schema: dict[str, Any], dialect: int) -> list[str]:
    if dialect >= 2019:
        names = [schema.get("$anchor"), schema.get("$dynamicAnchor") if dialect == 2020 else None]
        return [name for name in names if isinstance(name, str)]
    name = schema.get("id" if dialect == 4 else "$id")
    if not isinstance(name, str) or "$ref" in schema:
        return []
    fragment = name.partition("#")[2]
    return [fragment] if fragment else []
