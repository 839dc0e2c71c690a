"""Formats: what is of them and what is not."""

from __future__ import annotations

import re

import pytest

from grammars.errors import TooComplexError
from grammars.frontends.json.meaning import formats
from grammars.frontends.json.validation.formats import NAMES, format_holds
from grammars.limits import Limits
from tests.test_grammars.validation_cases import validator, verdicts

CASES = {
    "date": (["2024-02-29", "2000-02-29", "0000-01-01", "1999-12-31"],
             ["2023-02-29", "1900-02-29", "2024-13-01", "2024-04-31", "2024-1-01", "24-01-01", "2024-01-01\n",
             "২০২৪-01-01", ""]),
    "time": (["12:00:00Z", "23:59:59.999z", "23:59:60Z", "01:29:60+01:30", "15:59:60-08:00", "00:00:00-23:59"],
             ["24:00:00Z", "12:60:00Z", "12:00:61Z", "22:59:60Z", "23:59:60+01:00", "12:00:00", "12:00:00.Z",
             "12:00:00+24:00"]),
    "date-time": (["2024-02-29T12:00:00Z", "1998-12-31t23:59:60z", "1985-04-12T23:20:50.52+00:00"],
                  ["2023-02-29T12:00:00Z", "2024-02-28 12:00:00Z", "2024-02-28T12:00:00", "1998-12-31T22:59:60Z", "T"]),
    "duration": (["P1Y2M3DT4H5M6S", "PT0S", "P2W", "P1M2D", "PT1M2S", "P" + "9" * 40 + "D"],
                 ["P", "PT", "P1YT", "P1Y2D", "PT1H2S", "P1Y2W", "PT0.5S", "1D", "P1D\n", "P২Y"]),
    "email": (["a@b.c", "a.b+c@x-y.example", '"a b"@x', '"\\""@x', "a@[127.0.0.1]", "a@[IPv6:::1]"],
              ["a", "@b", "a@", ".a@b", "a.@b", "a..b@c", "a b@c", "a@-b", "a@[300.0.0.1]", "é@b", "a" * 65 + "@b",
              '"a@b']),
    "idn-email": (["실례@실례.테스트", "é@é.fr", "a@b"], ["실례", "@실례", "a@〮b"]),
    "hostname": (["a", "www.example.com", "1host", "a--b.c", "xn--ihqwcrb4cv8a8dqg056pqjye", "a" * 63],
                 ["", ".", "a.", ".a", "-a", "a-", "a_b", "a" * 64, ".".join(["a" * 63] * 4), "xn--X", "ｅ.com",
                 "a\n"]),
    "idn-hostname": (["실례.테스트", "l·l", "α͵β", "א׳", "ひ・", "नम\u094d\u200dते", "بي\u200cبي", "faß.de", "بب٠١",
    "example。com"],
                     ["〮실례", "a·l", "α͵S", "A׳ב", "def・abc", "\u0301a", "بب٠۰", "ـب", "Bücher", "e\u0301",
                     "a\u200db",
                      "0a.א", "ü" * 60, "xn--X", "-ü", "ü-", "ab--ü", "aא"]),
    "ipv4": (["0.0.0.0", "255.249.199.99"], ["256.0.0.1", "01.2.3.4", "1.2.3", "1.2.3.4.5", "1.2.3.4\n", "1২.2.3.4"]),
    "ipv6": (["::", "::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::8"],
             [":", "1:2:3:4:5:6:7", "1::2::3", "12345::", "::1%eth0", "::1.2.3.256", "1:2:3:4:5:6:7:8:9", "::১"]),
    "uri": (["a:", "http://a/b?c#d", "urn:x:y", "http://[::1]:80/", "http://[v1.a:b]/", "http://u:p@h", "a:b:c",
    "http://%41"],
            ["", "//a", "/a", "a b:c", "1a:b", "http://[::1", "http://a:b", "http://a b", "http://ü", "a:%4", "a:%zz",
            "a:#b#c",
             "a:\\", "http://[::g]", "a:<>"]),
    "uri-reference": (["", "a", "//a", "?q", "#f", "./a:b", "../x"], ["a b", "1a:b", "\\a", "#a#b", "%", ":a"]),
    "iri": (["http://ü/é?\ue000#ß", "http://[::1]/"], ["/é", "http://\ue000", "http://a b", "http://ü%"]),
    "iri-reference": (["é", "//ü", "#ß"], ["\\é", "#\ue000", "é é"]),
    "uri-template": (["", "a{b}c{+d,e:3,f*}", "{?x.y,%41}", "{/a*}", "é%20"],
                     ["{", "}", "{}", "{a", "{a,}", "{a b}", "{v:0}", "{v:10000}", "%4", "a b", "<", "{a..b}", "{^a}"]),
    "json-pointer": (["", "/", "/a~0~1", "//", "/é"], ["a", "#/a", "/~", "/~2", "/a~"]),
    "relative-json-pointer": (["0", "1/a", "10#", "0/"], ["", "/a", "01", "-1", "a", "0##", "1a", "+1/a"]),
    "uuid": (["2EB8AA08-aa98-11ea-b4aa-73b441d16380", "00000000-0000-0000-0000-000000000000"],
             ["2eb8aa08-aa98-11ea-b4aa-73b441d1638", "2eb8aa08aa9811eab4aa73b441d16380",
             "2eb8aa08-aa98-11ea-b4aa-73b441d1638g", ""]),
    "regex": (["", "a|", "^a+?$", "(?:a)(b)\\2(?<n>c)\\k<n>".replace("\\2", "\\1"), "(?=a)(?!b)(?<=c)(?<!d)",
    "[\\b\\-a-z]", "[]", "[^]",
               "\\u{1F600}", "[\\ud83d\\ude00-\\u{1F610}]", "\\cA\\0\\x41", "a{2}", "a{1,}", "a{02,3}?",
               "\\p{L}\\P{Script=Greek}",
               "(?i:a)", "(?i-s:a)", "\\bfoo\\B", "\\/", "(" * 5000 + ")" * 5000, "[--a]", "[a-]", "[\\d-]"],
              ["(", ")", "[", "[b-a]", "a**", "*", "a++", "^*", "(?=a)*", "\\", "\\a", "\\Z", "\\_", "\\-", "]", "}",
              "{", "a{2", "a{3,2}",
               "a{,2}", "{1}", "(?P<n>a)", "(?i)a", "(?ii:a)", "(?-:a)", "(?>a)", "(?#a)", "(?<1>a)",
               "(?<n>a)(?<n>b)", "\\k<n>", "\\1",
               "\\01", "\\u12", "\\u{110000}", "\\x1", "\\c1", "\\p", "\\p{}", "[a-\\d]", "[\\w-z]", "[\\B]", "a|*",
               "(?"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_format_decides(name):
    good, bad = CASES[name]
    assert [
        text for text in good + bad if format_holds(name, text, 2020 if name != "relative-json-pointer" else 2019)
    ] == good


def test_every_format_has_its_cases():
    assert set(CASES) == NAMES == set(formats.NAMES)


def test_relative_pointers_can_have_an_offset_from_2020_on():
    for text in ("0+1", "1-2/a", "0+0#"):
        assert format_holds("relative-json-pointer", text, 2020)
        assert not format_holds("relative-json-pointer", text, 2019)
    assert not format_holds("relative-json-pointer", "0+01", 2020)


def test_unknown_formats_always_hold():
    assert format_holds("mine", "anything", 7)
    assert verdicts({"format": "mine"}, ['"x"', "1"], formats="assert") == ['"x"', "1"]


def test_formats_are_asserted_when_options_say_so():
    for dialect in (4, 6, 7, 2019, 2020):
        assert verdicts({"format": "ipv4"}, ['"1.2.3.4"', '"x"', "1"], dialect=dialect, formats="assert") == [
            '"1.2.3.4"',
            "1",
        ]
        assert verdicts({"format": "ipv4"}, ['"x"'], dialect=dialect, formats="annotate") == ['"x"']


@pytest.mark.parametrize("name", CASES)
def test_what_is_generated_for_a_format_is_of_it(name):
    """The languages behind masks are narrower than the formats, never wider."""
    language, limits = formats.language(name), Limits()
    assert language is not None
    good, bad = CASES[name]
    variants = {re.sub("[0-9]", digit, text) for text in good + bad for digit in "0159"} | set(good + bad)
    for text in variants:
        if len(text) < 500 and language.accepts(text, limits.max_pattern_states):
            assert format_holds(name, text, 2019), text


@pytest.mark.parametrize("name", CASES)
def test_long_hostile_texts_are_decided(name):
    for text in (
        "a" * 50_000,
        "(" * 50_000,
        "a." * 25_000,
        "%41" * 20_000,
        "/" * 50_000,
        "P" + "1" * 50_000,
        "{a" * 20_000,
    ):
        assert format_holds(name, text, 2020) in (True, False)
        assert format_holds(name, text + "\x00", 2020) in (True, False)


def test_long_texts_count_as_work():
    is_valid = validator({"format": "email"}, formats="assert", limits=Limits(max_validation_steps=1000))
    assert is_valid('"a@b"')
    with pytest.raises(TooComplexError):
        is_valid('"' + "a" * 2000 + '"')
