"""A schema document: its subschemas, where they stand, and what their references mean."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from grammars.errors import InvalidGrammarError, TooComplexError, UnsupportedError
from grammars.frontends.json.options import JsonOptions, dialect_number
from grammars.limits import Limits

_MAX_EXPONENT = 400
_NOT_SCHEMAS = frozenset(("enum", "const", "default", "examples"))


class Resource:
    """One schema resource: the root that local references start from, and the dialect it is read in."""

    __slots__ = ("base", "dialect", "pointer", "root")

    def __init__(self, root: Any, base: str, dialect: int, pointer: str) -> None:
        self.root = root
        self.base = base
        self.dialect = dialect
        self.pointer = pointer


class Site:
    """One subschema at its place; there is one site for each, so sites compare by identity."""

    __slots__ = ("is_noted", "memo", "pointer", "resource", "schema")

    def __init__(self, schema: Any, pointer: str, resource: Resource) -> None:
        self.schema = schema
        self.pointer = pointer
        self.resource = resource
        self.is_noted = False
        self.memo: dict[str, Any] = {}


class Not:
    """The complement of a site."""

    __slots__ = ("site",)

    def __init__(self, site: Site) -> None:
        self.site = site


Literal = Site | Not


class Document:
    """The sites of one schema.

    Args:
        text: JSON text of the schema.
        options: give the dialect of schemas without ``$schema``.
        resources: other documents, by URI; nothing is ever fetched.
        limits: `max_depth` bounds the nesting.
    """

    def __init__(self, text: str, options: JsonOptions, resources: Mapping[str, str], limits: Limits) -> None:
        self._limits = limits
        self._texts = resources
        self._sites: dict[int, Site] = {}
        self._known: dict[str, tuple[Any, Resource]] | None = None
        self._default = dialect_number(options.dialect) or 2020
        root = self._load(text, None)
        resource = self._root_resource(root, "")
        self.everything = Site(True, "", resource)
        self.nothing = Site(False, "", resource)
        self.root = self._at(root, "", resource, "")

    def child(self, site: Site, schema: Any, *tokens: str) -> Site:
        """The site of a subschema that stands at `tokens` below `site`."""
        if schema is True:
            return self.everything
        if schema is False:
            return self.nothing
        known = self._sites.get(id(schema))
        if known is not None:
            return known
        pointer = site.pointer + "".join("/" + _escape(token) for token in tokens)
        if not isinstance(schema, dict):
            raise InvalidGrammarError("a schema is an object or a boolean", pointer)
        return self._at(schema, pointer, site.resource, pointer)

    def made(self, site: Site, schema: dict[str, Any]) -> Site:
        """A site for a schema that stands nowhere but says something about `site`."""
        resource = site.resource
        made = Site(schema, site.pointer, Resource(resource.root, resource.base, 2020, resource.pointer))
        made.is_noted = True
        self._sites[id(schema)] = made
        return made

    def resolve(self, site: Site, reference: Any) -> Site:
        """The site that a ``$ref`` of `site` points to.

        Raises:
            InvalidGrammarError: there is nothing there.
            UnsupportedError: the document is not among the resources.
        """
        where = site.pointer + "/$ref"
        if not isinstance(reference, str):
            raise InvalidGrammarError("a reference is text", where)
        if reference.startswith("#"):
            resource, fragment = site.resource, reference[1:]
        else:
            base, fragment = urldefrag(urljoin(site.resource.base, reference))
            resource = self._find(base, reference, where)
        if not fragment:
            return self._at(resource.root, resource.pointer, resource, where)
        if fragment.startswith("/"):
            return self._follow(resource, unquote(fragment), reference, where)
        found = self._index().get(f"{resource.base}#{fragment}")
        if found is None:
            raise InvalidGrammarError(f"nothing is named {reference!r}", where)
        return self._at(found[0], "#" + fragment, found[1], where)

    def _at(self, schema: Any, pointer: str, resource: Resource, where: str) -> Site:
        if isinstance(schema, bool):
            return self.everything if schema else self.nothing
        if not isinstance(schema, dict):
            raise InvalidGrammarError("a reference leads to something that is no schema", where)
        site = self._sites.get(id(schema))
        if site is None:
            site = self._sites[id(schema)] = Site(schema, pointer, self._inner_resource(schema, pointer, resource))
        return site

    def _follow(self, resource: Resource, pointer: str, reference: str, where: str) -> Site:
        node, place = resource.root, resource.pointer + pointer
        for raw in pointer.split("/")[1:]:
            token = raw.replace("~1", "/").replace("~0", "~")
            if isinstance(node, dict) and token in node:
                node = node[token]
            elif isinstance(node, list) and token.isascii() and token.isdigit() and int(token) < len(node):
                node = node[int(token)]
            else:
                raise InvalidGrammarError(f"nothing stands at {reference!r}", where)
            if isinstance(node, dict):
                resource = self._inner_resource(node, place, resource)
        return self._at(node, place, resource, where)

    def _root_resource(self, root: Any, uri: str) -> Resource:
        dialect = self._dialect(root, self._default)
        return Resource(root, _identifier(root, uri, dialect) or uri, dialect, "")

    def _inner_resource(self, schema: dict[str, Any], pointer: str, outer: Resource) -> Resource:
        """The resource that the schema starts, if it has an identifier, else the one it stands in."""
        if schema is outer.root:
            return outer
        base = _identifier(schema, outer.base, outer.dialect)
        return outer if base is None else Resource(schema, base, self._dialect(schema, outer.dialect), pointer)

    @staticmethod
    def _dialect(schema: Any, default: int) -> int:
        uri = schema.get("$schema") if isinstance(schema, dict) else None
        if not isinstance(uri, str):
            return default
        if uri.rstrip("#") == "http://json-schema.org/draft-03/schema":
            raise UnsupportedError("draft 3", "/$schema")
        return dialect_number(uri) or default

    def _find(self, base: str, reference: str, where: str) -> Resource:
        index = self._index()
        if base not in index and base in self._texts:
            root = self._load(self._texts[base], base)
            resource = self._root_resource(root, base)
            for key, value in self._identified(root, resource):
                index.setdefault(key, value)
            index.setdefault(base, (root, resource))
        if base not in index:
            raise UnsupportedError(f"the reference {reference!r} to a document that was not given", where)
        return index[base][1]

    def _index(self) -> dict[str, tuple[Any, Resource]]:
        """Identified resources by URI and anchors by URI and fragment."""
        if self._known is None:
            self._known = dict(self._identified(self.root.schema, self.root.resource))
        return self._known

    def _load(self, text: str, uri: str | None) -> Any:
        try:
            root = json.loads(text, parse_float=_decimal, parse_constant=_refuse_constant)
        except ValueError as error:
            raise InvalidGrammarError(f"the schema is not JSON: {error}", uri) from None
        except RecursionError:
            raise TooComplexError("max_depth", self._limits.max_depth + 1, self._limits.max_depth) from None
        if not isinstance(root, (dict, bool)):
            raise InvalidGrammarError("a schema is an object or a boolean", uri)
        return root

    def _identified(self, root: Any, resource: Resource) -> Iterator[tuple[str, tuple[Any, Resource]]]:
        yield resource.base, (root, resource)
        stack = [(root, resource)]
        while stack:
            node, resource = stack.pop()
            if isinstance(node, list):
                stack.extend((value, resource) for value in node)
            if not isinstance(node, dict):
                continue
            inner = self._inner_resource(node, "", resource)
            if inner is not resource:
                yield inner.base, (node, inner)
            names = [node.get("$anchor"), node.get("$dynamicAnchor")]
            identifier = node.get("id" if inner.dialect == 4 else "$id")
            if isinstance(identifier, str) and identifier.startswith("#"):
                names.append(identifier[1:])
            for name in names:
                if isinstance(name, str):
                    yield f"{inner.base}#{name}", (node, inner)
            stack.extend((value, inner) for key, value in node.items() if key not in _NOT_SCHEMAS)


def _identifier(schema: Any, base: str, dialect: int) -> str | None:
    """The absolute URI that the schema gives itself, if any."""
    name = schema.get("id" if dialect == 4 else "$id") if isinstance(schema, dict) else None
    if not isinstance(name, str) or (dialect <= 7 and ("$ref" in schema or name.startswith("#"))):
        return None
    return urldefrag(urljoin(base, name))[0]


def _escape(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token


def _decimal(text: str) -> Decimal:
    """The number exactly; far exponents are refused, since their digits would have to be written out."""
    number = Decimal(text)
    if number and abs(number.adjusted()) > _MAX_EXPONENT:
        raise ValueError(f"the number {text} is out of range")
    return number


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")
