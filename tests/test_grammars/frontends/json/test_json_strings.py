"""Strings: formats that hold or not, together with patterns and lengths."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest

from grammars.frontends.json.document.options import JsonOptions
from grammars.frontends.json.meaning import formats
from grammars.frontends.json.spec import JsonSchema
from grammars.network.builder import NetworkBuilder
from tests.test_grammars.simulator import Simulator

SAMPLES = [
    "",
    "a",
    "*",
    "1",
    "0/a",
    "2024-02-29",
    "2023-02-29",
    "12:30:00Z",
    "23:59:60Z",
    "2024-02-29T12:30:00.5+01:00",
    "2024-02-29T23:59:60z",
    "P1Y2M",
    "P1W",
    "PT5S",
    "a@b.co",
    '"a b"@c.d',
    "a.example.org",
    "-a.org",
    "127.0.0.1",
    "::1",
    "fe80::1:2.3.4.5",
    "http://a/b?c#d",
    "http://[::1]/",
    "a b",
    "a:b c",
    "/a~1b",
    "/a~2",
    "{a}",
    "{a",
    "4f5a3c1e-0000-4000-8000-000000000000",
    "\u00e9",
]


@pytest.mark.parametrize("name", formats.NAMES)
def test_complements_of_formats_have_no_text_of_the_format(name):
    validator = jsonschema_rs.validator_for({"format": name}, validate_formats=True)
    inside, outside = formats.language(name), formats.complement(name)
    held = [text for text in SAMPLES if inside.accepts(text, 20_000)]
    failed = [text for text in SAMPLES if outside.accepts(text, 20_000)]
    assert [text for text in held if not validator.is_valid(text)] == []
    assert [text for text in failed if validator.is_valid(text)] == []
    assert held
    assert failed
    assert [text for text in held if not formats.wide(name).accepts(text, 20_000)] == []


STRINGS = [
    ({"not": {"format": "ipv4"}}, ["a", "1.2.3"], ["1.2.3.4"]),
    ({"anyOf": [{"not": {"format": "colour"}}, {"const": "b"}]}, ["b"], ["a", 1]),
    ({"oneOf": [{"format": "ipv4"}, {"format": "uri"}]}, ["1.2.3.4", "a:b"], ["a b", 1]),
    ({"oneOf": [{"format": "uri"}, {"pattern": r"^http://\[::1\]/$"}]}, ["http://a/"], ["http://[::1]/"]),
    ({"if": {"format": "uri"}, "then": {"pattern": "^a"}, "else": {"const": "x"}}, ["a:b", "x"], ["b:c", "y"]),
    ({"format": "email", "maxLength": 255}, ["a@b.c"], ["a"]),
    ({"format": "uri", "minLength": 1, "maxLength": 65536}, ["http://example.org/a?b#c"], ["a b"]),
    ({"format": "hostname", "maxLength": 9}, ["a.example"], ["an.example"]),
    ({"pattern": r"^(?:\S+\s+){0,49}\S+$", "maxLength": 50}, ["a b c", "a" * 50], ["a " * 26, " ", "a" * 51]),
    ({"pattern": r"^(?!con$)\w+$", "maxLength": 6}, ["conn", "co"], ["con", "console"]),
]


@pytest.mark.parametrize(("schema", "accepted", "refused"), STRINGS, ids=[json.dumps(row[0]) for row in STRINGS])
def test_strings_are_those_of_the_schema(schema, accepted, refused):
    kinds = {"type": ["string", "integer"], **schema}
    network = Simulator.of(JsonSchema(kinds))
    assert [value for value in accepted if not network.accepts(json.dumps(value))] == []
    assert [value for value in refused if network.accepts(json.dumps(value))] == []


def test_formats_that_are_annotations_never_fail():
    options = JsonOptions(formats="annotate")
    schema = {"anyOf": [{"type": "string", "not": {"format": "ipv4"}}, {"const": "1.2.3.4"}]}
    network = Simulator.of(JsonSchema(schema, options=options))
    assert network.accepts('"1.2.3.4"')
    assert not network.accepts('"a"')


FORMATS = {
    "date": (["2024-02-29", "0000-01-01"], ["2023-02-29", "2024-13-01"]),
    "regex": (
        [
            *(
                "",
                "^[a-z0-9_]{3,16}$",
                "a*?",
                "(?=a)b(?!c)(?<=d)(?<!e)",
                "(?<n>a)",
                r"\bfoo\B",
                r"[\p{L}\P{Lu}]",
                r"\u0041\u{1f600}",
            ),
            *(
                "(((((a)+)*)?){2}){1,}|()",
                "a{12,13}",
                "a{2,100}",
                "[!-~é-]",
                r"[^\w.%+-]\cA\x41\/",
                "[^]",
                "[]",
                r"漢\.",
            ),
        ],
        [
            *(
                "(",
                ")",
                "a{3,2}",
                "a{13,12}",
                "*",
                "^*",
                "(?=a)*",
                "a**",
                "[b-a]",
                r"[\d-a]",
                "[",
                "]",
                "{",
                r"\y",
                "(?P<n>a)",
            ),
            *("(?>a)", r"\pL", r"\x4", "\\"),
        ],
    ),
    "time": (
        [
            *("12:00:00Z", "23:59:60Z", "12:00:00.1234567890123+23:59"),
            *("15:59:60-08:00", "00:59:60+01:00", "22:59:60+23:00", "23:59:60.5+00:00"),
        ],
        ["22:59:60Z", "12:00:00", "24:00:00Z", "15:59:60+08:00", "15:58:60-08:00", "16:00:60-08:00"],
    ),
    "date-time": (
        ["1998-12-31T23:59:60z", "1990-12-31T15:59:60-08:00"],
        ["1998-12-31T23:58:60Z", "2024-01-01 00:00:00Z"],
    ),
    "duration": (["P12345678901234Y", "P1W"], ["P1Y1D", "PT", "P1W1D"]),
    "email": (
        [
            *("first.middle.family-name+tag@mail.example.co.uk", f"{'a' * 64}@b", ".".join("a" * 32) + "@b"),
            *(f"{'a' * 31}.{'b' * 31}@c", "a.b.c.d.e.f.g.h@i.j", "!#$%&'*+/=?^_`{|}~-@a"),
            *('"a b"@c.d', "a@[127.0.0.1]", "a@[IPv6:::1]", f"a@{'a' * 62}.c"),
        ],
        [f"{'a' * 65}@b", '"a <b"@c', "a..b@c.d", f"a@{'a' * 64}.c", "a@-b"],
    ),
    "idn-email": (["실례@실례.com", "δοκιμή@example.com", "𝕏.é@a", "a@é.c"], ["a@b@", "é"]),
    "hostname": (
        [
            "a" * 63,
            "a--b",
            f"{'a' * 63}.{'b' * 63}.c",
            "a.b.c.d.e.f.g.h",
            ".".join("a" * 90),
            "ec2-12-34.eu-west.compute.internal.prod.corp.example.com",
            f"{'a' * 29}.b.c.d.e",
        ],
        ["a" * 64, ".".join("a" * 128), "-a", "ab--c", "a..b", "a.b.", "xn--X"],
    ),
    "idn-hostname": (["é.com", "실례.com", "a" * 63], ["-a", "a_b", "〮실례", "é" * 60, "·", "1א"]),
    "ipv6": (["::", "1::2:3.4.5.6"], ["1::%eth0", "1::2::3", "12345::"]),
    "uri": (["http://[::1]:80/a?b#c", "http://[v1.x:y]/", "http://h:99999999"], ["http://[::1", "a:b##", "http://h:a"]),
    "uri-reference": (["//[::1]/", ""], [":a", "1a:b", "a%zz"]),
    "iri": (["a:?\ue000", "http://é", "a:\U000e1000"], ["a:\ue000", "a:\ufdd0"]),
    "uri-template": (["{=a}", "{%41}", "é", "{|a}"], ["{}", "{a:0}", "%4", "{a..b}"]),
    "relative-json-pointer": (["10000000000000000000000", "0#"], ["01", "-1", "/a"]),
}


@pytest.mark.parametrize("name", FORMATS)
def test_formats_are_as_wide_as_their_documents(name):
    accepted, refused = FORMATS[name]
    validator = jsonschema_rs.validator_for({"format": name}, validate_formats=True)
    simulator = Simulator.of(JsonSchema({"type": "string", "format": name}))
    simulator.must_tell_apart(accepted, refused)
    assert [validator.is_valid(text) for text in (*accepted, *refused)] == [True] * len(accepted) + [False] * len(
        refused
    )
    other = Simulator.of(JsonSchema({"type": "string", "not": {"format": name}}))
    other.must_tell_apart([], accepted)


@pytest.mark.parametrize("name", formats.NAMES)
def test_report_says_which_formats_are_held_partly(name):
    members = {"a": {"type": "string", "format": name}, "b": {"anyOf": [{"format": name}, {"type": "integer"}]}}
    builder = NetworkBuilder()
    JsonSchema({"type": "object", "properties": members}).emit(builder)
    entries = builder.report()
    held = {entry.pointer: entry.how for entry in entries if entry.keyword == "format"}
    how = "partly" if name in formats.PARTLY else "mask"
    assert held == {"/properties/a": how, "/properties/b/anyOf/0": how}


def test_regex_has_no_two_groups_of_one_name():
    # The validator takes them, ECMA-262 does not.
    network = Simulator.of(JsonSchema({"format": "regex"}))
    network.must_tell_apart(["(?<n>a)"], ["(?<n>a)(?<n>b)", "(?<n>a(?<n>b))"])


# Valid, and never written: what keeps the report honest about each format that is held partly.
LEFT_OUT = {
    "time": "05:29:60+05:30",
    "date-time": "1990-12-31T05:29:60+05:30",
    "email": "a@xn--4gbwdl.xn--wgbh1c",
    "idn-email": '"실례"@a',
    "hostname": "xn--4gbwdl.xn--wgbh1c",
    "idn-hostname": "l·l",
    "regex": r"(a)\1",
}


@pytest.mark.parametrize("name", sorted(formats.PARTLY))
def test_formats_held_partly_are_wider_than_their_masks(name):
    text = LEFT_OUT[name]
    assert jsonschema_rs.validator_for({"format": name}, validate_formats=True).is_valid(text)
    assert not Simulator.of(JsonSchema({"type": "string", "format": name})).accepts(json.dumps(text))


@pytest.mark.parametrize("name", ["date", "duration", "ipv4", "ipv6", "uri", "uri-reference", "uuid"])
def test_what_is_not_of_a_format_is_all_the_rest(name):
    _, refused = FORMATS.get(name, ([], ["01.2.3.4", "256.1.1.1", "é", ""]))
    Simulator.of(JsonSchema({"not": {"format": name}})).must_tell_apart(refused, [1])
