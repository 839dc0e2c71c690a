"""Schemas that are read from their text: as a whole, in part, or not at all."""

_WORDS = [f"word {i}" for i in range(40)]
WHOLE = [
    {"type": "object"},
    {"type": "object", "properties": {"b": {"type": "string"}, "a": {}, "a b": True, "c": False}, "required": ["a"]},
    {"type": "object", "properties": {"a": False}, "required": ["a"]},
    {"type": "object", "properties": {"a": {"type": "null"}}, "required": ["x", "a", "x"]},
    {"type": "object", "required": ["x"], "additionalProperties": False},
    {"type": "object", "properties": {"": {"type": "null"}}, "additionalProperties": {"type": ["string", "integer"]}},
    {"type": "array", "items": {"type": ["null", "boolean", "number"]}, "minItems": 3},
    {"type": "array", "items": {"type": "array", "items": True}, "minItems": 1, "maxItems": 1},
    {"type": "array", "items": False},
    {"type": "array", "items": {}, "minItems": 2, "maxItems": 1},
    {"enum": ["a", "a!", "a b", "b", "a"], "title": "long first: the quote is a byte like any other"},
    {"type": "object", "properties": {"a": {"enum": _WORDS}, "b": {"enum": _WORDS, "type": "string"}}},
    {"type": "string", "minLength": 2, "maxLength": 5},
    {"type": "string", "minLength": 0},
    {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {"next": {"$ref": "#"}}}}},
    {"$schema": "http://json-schema.org/draft-07/schema#", "$id": "http://x/y", "type": "boolean", "x": 1.5e3},
    {"$id": "http://x/y", "type": "array", "items": {"$ref": "#/$defs/id"}, "$defs": {"id": {"type": "null"}}},
    {"type": "object", "allOf": [{"properties": {"b": {}}, "required": ["b", "x"]}, {"properties": {"a": {}}}]},
    {"type": "string", "format": "made up"},
    {"type": "object", "format": "grid", "properties": {"a": {"type": ["integer", "null"], "format": "date"}}},
    {"type": "array", "items": {"format": "int32"}, "minItems": 1, "format": "uuid"},
    {"type": "array", "items": {"type": "string", "minLength": 2, "format": "slug"}},
    {"type": "array", "items": {"type": "string", "format": "slug", "enum": ["a", "b"]}},
    {"type": "array", "items": {"id": "http://x", "$id": "#y", "type": "object", "properties": {"a": {"id": "b"}}}},
]
# Not JSON that kernels read, or in no known dialect.
NOT_READ = [
    "true",
    '{"type": "string", "a": 1e999}',
    '{"type": "string", "a": 01}',
    '{"type": "string"} x',
    '{"type": "string",}',
    '{"type": "string", "a": "\\x"}',
    '{"type": "string", "a": NaN}',
    '{"$schema": "http://json-schema.org/draft-03/schema", "type": "string"}',
    '{"$schema": "http://example.com/unknown", "type": "string"}',
    '{"type": "string", "x": ' + 300 * "[" + 300 * "]" + "}",
]
# Left to others from the root on.
NOT_PLAIN = [
    '{"type": "object", "properties": {"a": {}, "a": {"type": "null"}}}',
    '{"type": "string", "type": "null"}',
    '{"t\\u0079pe": "string"}',
    '{"$ref": "#/a", "a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}}',
    '{"$ref": "#/a"}',
    '{"$ref": "#/a%20b", "a b": {}}',
    '{"$ref": "other#/a"}',
    '{"type": "string", "enum": []}',
    '{"type": "strin"}',
    '{"type": "string", "format": "date"}',
    '{"format": "ipv4"}',
    '{"type": "integer", "format": 3}',
    '{"type": "string", "format": "d\\u0061te"}',
    '{"type": "integer", "format": "date", "format": "int32"}',
    '{"anyOf": [{"type": "integer"}, {"type": "null"}], "format": "made up"}',
    '{"properties": []}',
    '{"uniqueItems": 1}',
    '{"anyOf": [{"type": "integer"}, {"type": "number"}]}',
    '{"anyOf": [{"$ref": "#"}, {"type": "null"}]}',
    '{"allOf": [{"type": "string"}, {"maxLength": 3}]}',
    '{"allOf": [{"type": "object", "required": ["a"]}, {"type": ["object", "null"], "additionalProperties": {}}]}',
    '{"allOf": [{"type": "object", "required": ["a"]}, {"type": "null"}]}',
    '{"allOf": [{"type": "object", "required": ["a"]}, false]}',
    '{"allOf": [{"required": ["a"]}, {"properties": {"b": {}}}]}',
    '{"allOf": [{"type": "object", "required": ["a"]}, {"$ref": "#"}]}',
    '{"anyOf": [{"type": "string", "maxLength": 3}, {"enum": ["a"]}]}',
    '{"anyOf": [{"enum": ["a"]}, {"enum": ["b", "a"]}]}',
    '{"oneOf": [{"type": "string"}, {"enum": ["a"]}]}',
    '{"oneOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "null"}]}',
    '{"anyOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {}}}]}',
    '{"anyOf": [{"$ref": "#/a"}, {"$ref": "#/a"}], "a": {"properties": {"b": {}}}}',
    '{"oneOf": [{"properties": {"a": {"type": "null"}}}, {"type": "object", "properties": {"b": {}}}]}',
    '{"oneOf": [{"type": "object", "properties": {"a": {"const": "x"}}}, '
    '{"type": "object", "properties": {"a": {"const": "y"}}, "required": ["a"]}]}',
    '{"oneOf": [{"type": "object", "properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"]}, '
    '{"type": "object", "properties": {"a": {"const": "y"}}, "required": ["a"]}]}',
    '{"oneOf": [{"properties": {"a": {"const": "x"}}, "required": ["a"]}, '
    '{"properties": {"a": {"const": "y"}}, "required": ["a"]}]}',
    '{"$schema": "http://json-schema.org/draft-04/schema#", "oneOf": ['
    '{"type": "object", "properties": {"a": {"const": "x"}}, "required": ["a"]}, '
    '{"type": "object", "properties": {"a": {"const": "y"}}, "required": ["a"]}]}',
    '{"type": "object", "anyOf": [{"type": "object", "properties": {"a": {}}}, {"type": ["null", "object"]}]}',
    '{"type": "strin", "anyOf": [{"type": "string"}, {"type": "null"}]}',
    '{"oneOf": [{"enum": ["a", "b"]}, {"enum": ["c", "b"]}]}',
    '{"oneOf": [{"enum": ["a", "b"]}, {"type": ["string", "null"], "minLength": 2}]}',
    '{"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "properties": {"b": {}}}]}',
    '{"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "properties": {"a": {}}, '
    '"additionalProperties": false}]}',
    '{"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "additionalProperties": false, '
    '"patternProperties": {"^a": {}}}]}',
    '{"oneOf": [{"type": "object", "properties": {"a": {}}}, {"type": "object", "additionalProperties": false}]}',
    '{"$ref": "#/$defs/a/$defs/b", "$defs": {"a": {"$id": "http://x", "$defs": {"b": {"type": "null"}}}}}',
]
WITH_HOLES = [
    {"a": {"type": "string", "format": "date"}, "b": {"type": "integer", "minimum": -3, "maximum": 12}},
    {"a": {"type": ["string", "integer"], "format": "date"}, "b": {"type": ["null", "integer"], "format": "date"}},
    {"a": {"format": "made up"}, "b": {"type": "string", "format": "made up", "maxLength": 2, "pattern": "^[ab]*$"}},
    {"a": {"allOf": [{"$ref": "#/$defs/part"}, {"format": "grid"}], "format": "date"}, "b": {"format": "date-time"}},
    {"a": {"type": "object", "allOf": [{"format": "grid", "required": ["b"]}, {"type": "object", "format": "x"}]}},
    {"a": {"oneOf": [{"type": "string", "format": "made up"}, {"type": ["null", "integer"], "format": "date"}]}},
    {"a": {"type": ["string", "null"], "enum": ["x", None, 3]}, "b": {"const": {"a": [1, "é"]}}},
    {"a\n": {"type": "null"}, "é": {"type": "boolean"}},
    {"a": {"type": ["boolean", "null", "string", "array"], "maxLength": 2, "pattern": "^[ab]*$"}},
    {"a": {"anyOf": [{"type": "object", "properties": {"b": {"type": "null"}}}, {"type": "integer"}]}},
    {
        "a": {"type": "array", "items": {"enum": [1, 2.5, 1e3]}, "minItems": 1},
        "b": {"type": "number", "multipleOf": 0.5},
    },
    {"a": {"type": "integer", "enum": []}, "b": {"not": {}}, "c": {"$id": "http://x", "type": "null"}},
    {"a": {"type": "string", "enum": ["é", '"']}, "b": {"type": "integer", "minimum": 2, "enum": [1, 2, 3]}},
    {"a": {"properties": {"b": {"type": "null"}}, "required": ["b"]}},
    {"a": {"type": ["object", "array", "string"], "additionalProperties": False, "minItems": 1, "maxLength": 1}},
    {"a": {"type": ["array", "null"], "items": {"type": "null"}, "additionalItems": False, "maxItems": 2}},
    {"a": {"type": ["string", "null"], "enum": ["x", "y"], "required": ["z"]}},
    {"a": {"oneOf": [{"$ref": "#/$defs/few"}, {"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/tree"}}]}},
    {"a": {"anyOf": [{"type": "integer", "minimum": 3}, {"$ref": "#/$defs/tree"}]}, "b": {"$ref": "#/$defs/tree"}},
    {"a": {"allOf": [{"$ref": "#/$defs/tree"}, {"required": ["left"]}]}, "b": {"allOf": [{"$ref": "#/$defs/few"}]}},
    {"a": {"$ref": "#/$defs/none"}, "b": {"anyOf": [{"$ref": "#/$defs/none"}, {"type": "null"}]}},
    {"a": {"type": "array", "uniqueItems": True, "items": {"oneOf": [{"$ref": "#/$defs/few"}, {"const": 7}]}}},
    {"a": {"patternProperties": {"^a": {"$ref": "#/$defs/tree"}}, "additionalProperties": {"$ref": "#/$defs/few"}}},
    {"id": {"anyOf": [{"$ref": "#/properties/id/x"}, {"type": "null"}], "x": {"type": "boolean"}}},
    {"a": {"anyOf": [{"type": "object", "properties": {name: {"type": "null"}}} for name in ("b", "b", "c")]}},
    {"a": {"anyOf": [{"properties": {"b": {"enum": ["x"]}}}, {"additionalProperties": {"type": "null"}}]}},
    {
        "a": {
            "anyOf": [
                {"type": ["object", "null"], "properties": {"b": {"const": 1}}, "required": ["b"]},
                {"type": "object", "properties": {"b": {"const": 2}}, "additionalProperties": False},
                {"type": "string", "minLength": 1},
                {"type": "array"},
            ]
        }
    },
    {
        "a": {
            "oneOf": [
                {"type": "object", "properties": {"b": {}, "c": {"enum": ["x", "y"]}}, "required": ["b", "c"]},
                {"type": "object", "properties": {"c": {"const": "z"}, "d": {"minimum": 3}}, "required": ["c"]},
                {
                    "type": ["object", "null"],
                    "properties": {"c": {"enum": ["w"]}},
                    "required": ["c"],
                    "maxProperties": 2,
                },
                {"type": "array", "items": {"type": "null"}},
            ]
        }
    },
    {
        "a": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"b": {"const": name}},
                    "maxProperties": 2,
                    "required": ["b"],
                }
                for name in ("x", "y", "z")
            ]
        }
    },
    {"a": {"type": ["null", "integer", "array"], "oneOf": [{"type": "array", "items": {}}, {"type": "null"}]}},
    {"a": {"oneOf": [{"enum": ["a", "b"]}, {"type": "string", "enum": ["c"]}, {"type": "null"}]}},
    {
        "a": {
            "oneOf": [
                {"type": "object", "properties": {"b": {}, "c": {}}, "required": ["c"], "additionalProperties": False},
                {"type": "object", "properties": {"b": {}}, "required": ["b"], "additionalProperties": False},
                {"type": "object", "required": ["d"], "additionalProperties": {"type": "null"}, "minProperties": 2},
            ]
        }
    },
    {"a": {"id": "/a", "type": "array", "items": {"$id": "i", "type": "string", "pattern": "^a"}}},
    {"a": {"$id": "http://x/", "$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": True}},
    *[
        {"a": {"type": ["array", "null"], "uniqueItems": True, **rest}}
        for rest in (
            {},
            {"items": True, "minItems": 2},
            {"items": False},
            {"items": {"type": "string"}, "maxItems": 3},
            {"items": {"type": "string"}, "maxItems": 1},
            {"items": {"type": ["string", "null"]}},
            {"items": {"type": "string", "maxLength": 1}},
            {"items": {"type": ["integer", "string"], "maxLength": 1}},
            {"items": {"type": "boolean"}, "minItems": 2},
            {"items": {"$ref": "#/$defs/few"}},
            {"items": {"$ref": "#/$defs/tree"}},
            {"items": {"$ref": "#/$defs/even"}},
            {"items": {"type": "object", "maxProperties": 1}, "minItems": 1},
            {"items": {"type": "object", "maxProperties": 0}, "minItems": 2},
        )
    ],
    {
        "a": {
            "type": "object",
            "allOf": [{"properties": {"b": {"minimum": 3}}, "required": ["b"]}, {"$ref": "#/$defs/part"}],
        }
    },
    {"a": {"allOf": [{"$ref": "#/$defs/part"}, {"type": "object"}, {}, True], "required": ["z", "q"]}},
    {
        "a": {
            "allOf": [
                {"allOf": [{"$ref": "#/$defs/part"}], "properties": {"p": {}}},
                {"properties": {"b": {"const": 1}}},
            ]
        }
    },
    {"a": {"allOf": [{"$ref": "#/$defs/part"}], "properties": {"q": {"type": "null"}}, "required": ["r"]}},
    {"a": {"type": "object", "allOf": [{"properties": {"b": {}}}, {"properties": {"b": {"type": "null"}}}]}},
    {"a": {"type": ["object", "null"], "allOf": [{"required": ["b"]}, {"properties": {"b": {"type": "null"}}}]}},
    {"a": {"type": "object", "allOf": [{"required": ["b"]}, {"properties": {"b": False}}]}, "c": {"type": "null"}},
    {"a": {"anyOf": [{"enum": ["a", "b"]}, {"enum": ["b"]}, {"$ref": "#/$defs/few"}, {"type": ["string", "null"]}]}},
    {
        "a": {
            "oneOf": [{"type": "boolean", "enum": [False]}, {"type": "object", "oneOf": [{"$ref": "#/$defs/part"}, {}]}]
        }
    },
    {
        "a": {
            "oneOf": [
                {"anyOf": [{"$ref": "#/$defs/few"}, {"$ref": "#/$defs/even"}]},
                {"type": "null"},
                {"type": "array"},
            ]
        }
    },
    {"a": {"type": "array", "uniqueItems": False, "items": {"type": "null"}}, "b": {"uniqueItems": True}},
    {"a": {"type": ["array", "object"], "uniqueItems": True, "additionalProperties": {"type": "null"}}},
]
DEFINITIONS = {
    "few": {"enum": ["a", "b"]},
    "tree": {
        "type": "object",
        "properties": {"left": {"$ref": "#/$defs/tree"}, "value": {"$ref": "#/$defs/even"}},
        "additionalProperties": False,
    },
    "even": {"type": "integer", "multipleOf": 2},
    "none": {"not": {}},
    "part": {
        "type": "object",
        "properties": {"q": {"type": "boolean"}, "r": {"$ref": "#/$defs/few"}},
        "required": ["q"],
    },
}
