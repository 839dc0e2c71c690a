"""Formats of structural tags: what each allows, by the compiled grammar and by the verifier, and over the wire."""

import itertools
import re

import pytest
from structural_forms import choice_of, const

from gateway.api.openai.structural_tags import structural_tag
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from gateway.service.constraints.matcher_recheck import bytes_compiler
from gateway.service.constraints.specs import spec_of
from gateway.verify import Verifier

ANY = {"type": "any_text"}
TEXTS = ["".join(each) for size in range(5) for each in itertools.product("ab<>", repeat=size)]
# The format, and a pattern of its texts among these.
FORMATS = {
    "any_text": (ANY, ".*"),
    "excludes": ({**ANY, "excludes": ["ab"]}, "(?!.*ab).*"),
    "max_chars": ({**ANY, "max_chars": 3}, ".{0,3}"),
    "optional": ({"type": "optional", "content": const("a")}, "a?"),
    "plus": ({"type": "plus", "content": const("a")}, "a+"),
    "star": ({"type": "star", "content": const("ab")}, "(ab)*"),
    "star of optional": ({"type": "star", "content": {"type": "optional", "content": const("a")}}, "a*"),
    "repeat": ({"type": "repeat", "min": 1, "max": 3, "content": const("a")}, "a{1,3}"),
    "repeat for ever": ({"type": "repeat", "min": 2, "max": -1, "content": const("a")}, "aa+"),
    "repeat never": ({"type": "repeat", "min": 0, "max": 0, "content": const("a")}, ""),
    "ends": ({"type": "tag", "begin": "<", "content": ANY, "end": [">", "b"]}, "<[a<]*[>b]"),
    "dispatch": ({"type": "dispatch", "rules": [["<", const("a")]], "excludes": ["b"]}, "([a>]|<a)*"),
    "dispatch once": ({"type": "dispatch", "rules": [["<", const("a")]], "loop": False}, "[ab>]*(<a)?"),
    "triggered": (
        {
            "type": "triggered_tags",
            "triggers": ["<"],
            "tags": [{"begin": "<a", "content": const("b"), "end": [">", ""]}],
        },
        "([ab>]|<ab>?)*",
    ),
    "sequence": ({"type": "sequence", "elements": [const("a"), {**ANY, "excludes": ["b"]}]}, "a[a<>]*"),
}


@pytest.mark.parametrize(("form", "pattern"), FORMATS.values(), ids=FORMATS)
def test_a_format_allows_its_texts_and_no_others(form, pattern):
    constraint = structural_tag({"format": form}, "tag")
    compiled, verifier = bytes_compiler().compile(spec_of(constraint)), Verifier()
    for text in TEXTS:
        is_one = re.fullmatch(pattern, text) is not None
        assert compiled.matcher().accept_text(text.encode()) == is_one, text
        assert bool(verifier.verify_pieces(constraint, text)) == is_one, text


@pytest.mark.parametrize(("form", "pattern"), FORMATS.values(), ids=FORMATS)
def test_an_answer_is_in_its_format(tiny_live, form, pattern):
    choice = choice_of(tiny_live, form)
    constraint = structural_tag({"format": form}, "tag")
    assert Verifier().verify_pieces(constraint, choice["message"]["content"])


@pytest.mark.parametrize(
    ("form", "error", "param"),
    [
        ({**ANY, "max_tokens": 5}, UnsupportedParameterError, "tag.format.max_tokens"),
        ({**ANY, "max_chars": 5_000}, UnsupportedParameterError, "tag.format.max_chars"),
        ({"type": "repeat", "min": 3, "max": 1, "content": const("a")}, InvalidRequestError, "tag.format.max"),
        ({"type": "repeat", "min": -1, "max": 1, "content": const("a")}, InvalidRequestError, "tag.format.min"),
        ({"type": "dispatch", "rules": [["<"]]}, InvalidRequestError, "tag.format.rules[0]"),
        ({"type": "tag", "begin": "<", "content": ANY, "end": [5]}, InvalidRequestError, "tag.format.end"),
        ({"type": "optional"}, InvalidRequestError, "tag.format.content"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_served_or_wrong_is_refused_by_its_place(form, error, param):
    with pytest.raises(error) as refused:
        structural_tag({"format": form}, "tag")
    assert refused.value.param == param
