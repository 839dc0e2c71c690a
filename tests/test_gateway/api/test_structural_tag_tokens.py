"""Structural tags that ask for tokens, and random nested ones: the compiled grammar and the verifier agree on each."""

import itertools
import random
import re

import pytest
from structural_forms import choice_of, const

from gateway.api.openai.structural_tags import structural_tag
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from gateway.service.constraints.jobs import JobContext, Verify
from gateway.service.constraints.matcher_recheck import MatcherRecheck
from gateway.service.constraints.specs import spec_of
from gateway.service.constraints.token_texts import VocabularyTokens
from gateway.verify import Verifier
from grammars import Compiler, GrammarError, Vocabulary

WORDS = [b"a", b"b", b"ab", b"<", b">", b"\xc3"]
NAMES = {"<x>": len(WORDS), "<y>": len(WORDS) + 1, "</s>": len(WORDS) + 2}
END = NAMES["</s>"]
BENCH = JobContext(Compiler(Vocabulary.from_tokens([*WORDS, None, None, None], [END], NAMES)), Verifier())
TOKENS = VocabularyTokens(BENCH.compiler.vocabulary)
X, Y = {"type": "token", "token": "<x>"}, {"type": "token", "token": NAMES["<y>"]}
ANY = {"type": "any_tokens"}
PIECES = ["a", "b", "<", ">", "X", "Y"]
"""Texts are made of these; X and Y are the special tokens, `<x>` the text of three others."""
TEXTS = ["".join(each) for size in range(5) for each in itertools.product(PIECES, repeat=size)]


def tokens_of(text):
    ids = {"X": NAMES["<x>"], "Y": NAMES["<y>"], **{word.decode(): i for i, word in enumerate(WORDS[:-1])}}
    return tuple(ids[character] for character in text)


def judged(form):
    """Judges of a text: the compiled grammar, and the verifier by its tokens."""
    constraint = structural_tag({"format": form}, "tag")
    rematch = MatcherRecheck(BENCH.compiler.compile(spec_of(constraint)))

    def verified(text):
        return bool(BENCH.verifier.verify_pieces(constraint, TOKENS.written(tokens_of(text)), TOKENS))

    return (lambda text: rematch.holds(tokens_of(text))), verified


FORMATS = {
    "token by name": (X, "X"),
    "token by number": (Y, "Y"),
    "token with a text": ({"type": "token", "token": "ab"}, "ab"),
    "one token": ({"type": "exclude_token"}, "a|b|ab|<|>|X|Y"),
    "one token but": ({"type": "exclude_token", "exclude_tokens": ["<x>", 0]}, "b|ab|<|>|Y"),
    "any tokens": (ANY, ".*"),
    "any tokens but": ({**ANY, "exclude_tokens": [NAMES["<x>"], "ab"]}, "(?!.*(X|ab)).*"),
    "tag between tokens": ({"type": "tag", "begin": X, "content": ANY, "end": Y}, "X[^Y]*Y"),
    "tag of text and token": ({"type": "tag", "begin": "<", "content": {"type": "any_text"}, "end": X}, "<[ab<>]*X"),
    "tag that ends with a name": ({"type": "tag", "begin": "", "content": ANY, "end": "a<x>"}, "[^X]*aX"),
    "triggered by tokens": (
        {
            "type": "token_triggered_tags",
            "trigger_tokens": ["<x>"],
            "tags": [{"type": "tag", "begin": X, "content": const("a"), "end": ">"}],
            "exclude_tokens": ["b"],
        },
        "([a<>Y]|Xa>)*",
    ),
    "triggered once": (
        {
            "type": "token_triggered_tags",
            "trigger_tokens": ["<x>"],
            "tags": [{"type": "tag", "begin": X, "content": const("a"), "end": Y}],
            "at_least_one": True,
            "stop_after_first": True,
        },
        "[^X]*XaY",
    ),
    "dispatch by tokens": (
        {"type": "token_dispatch", "rules": [["<x>", const("a")], [NAMES["<y>"], const("")]]},
        "([ab<>]|Xa|Y)*",
    ),
    "dispatch by tokens once": (
        {"type": "token_dispatch", "rules": [["<x>", const("a")]], "loop": False, "exclude_tokens": ["<y>"]},
        "[ab<>]*(Xa)?",
    ),
    "few characters": ({"type": "any_text", "max_chars": 3, "excludes": ["ab", "<"]}, "(?!.*ab)[ab>]{0,3}"),
    "few characters in a tag": (
        {"type": "tag", "begin": "<", "content": {"type": "any_text", "max_chars": 2}, "end": ">"},
        "<[ab<]{0,2}>",
    ),
    "name as text": ({"type": "any_text", "excludes": ["<x>"]}, "[ab<>]*"),
}


@pytest.mark.parametrize(("form", "pattern"), FORMATS.values(), ids=FORMATS)
def test_a_format_of_tokens_allows_its_texts_and_no_others(form, pattern):
    compiled, verified = judged(form)
    for text in TEXTS:
        is_one = re.fullmatch(pattern, text) is not None
        assert (compiled(text), verified(text)) == (is_one, is_one), text


def made_format(rng, depth):
    """A random format; nested ones to a depth."""
    kind = rng.choice(LEAVES if depth == 0 else [*LEAVES, *NESTED])
    inner = lambda: made_format(rng, depth - 1)  # noqa: E731
    few = lambda options: rng.sample(options, rng.randint(1, 2))  # noqa: E731
    mark = lambda: rng.choice(["<", ">", "a<", "<x>", "b<y>"])  # noqa: E731
    made = {"type": kind}
    match kind:
        case "const_string":
            made["value"] = rng.choice(["", "a", "ab", "<", "b>"])
        case "regex":
            made["pattern"] = rng.choice(["a*", "(ab)?", "[ab]{1,2}", "a|<b"])
        case "any_text":
            made |= rng.choice([{}, {"max_chars": 2}]) | rng.choice([{}, {"excludes": few(["a", "ab", ">", "b<"])}])
        case "token":
            made["token"] = rng.choice(["<x>", NAMES["<y>"], 0, "ab"])
        case "any_tokens" | "exclude_token":
            made["exclude_tokens"] = few(["<x>", NAMES["<y>"], 1, "<"])
        case "sequence" | "or":
            made["elements"] = [inner() for _ in range(rng.randint(1, 3))]
        case "optional" | "plus" | "star":
            made["content"] = inner()
        case "repeat":
            made |= {"min": rng.randint(0, 2), "max": rng.choice([-1, 2]), "content": inner()}
        case "tag":
            made |= tag(rng, inner, rng.choice([mark(), X]), mark)
        case "tags_with_separator":
            made |= {"tags": [tag(rng, inner, mark(), mark) for _ in range(rng.randint(1, 2))], "separator": mark()}
        case "triggered_tags":
            made |= {"tags": [tag(rng, inner, begin, mark) for begin in ("<", "<a")], "triggers": ["<"]}
        case "dispatch":
            made |= {"rules": [[">", inner()], ["<", inner()]], "loop": rng.random() < 0.5}
        case "token_triggered_tags":
            made |= {"tags": [tag(rng, inner, each, mark) for each in (X, Y)], "trigger_tokens": ["<x>", NAMES["<y>"]]}
        case "token_dispatch":
            made |= {"rules": [["<x>", inner()]], "loop": rng.random() < 0.5, "exclude_tokens": few(["<y>", "a"])}
    if "tags" in made:
        made |= {flag: rng.random() < 0.5 for flag in ("at_least_one", "stop_after_first")}
    return made


def tag(rng, inner, begin, mark):
    return {"begin": begin, "content": inner(), "end": rng.choice([mark(), "", [">", "b"], X, Y])}


LEAVES = ["const_string", "regex", "any_text", "token", "any_tokens", "exclude_token"]
NESTED = [
    *("sequence", "or", "optional", "plus", "star", "repeat", "tag", "tags_with_separator"),
    *("triggered_tags", "dispatch", "token_triggered_tags", "token_dispatch"),
]


@pytest.mark.parametrize("seed", range(4))
def test_grammar_and_verifier_agree_on_random_formats(seed):
    rng, num_judged, num_held = random.Random(seed), 0, 0
    for _ in range(100):
        form = made_format(rng, rng.randint(0, 3))
        try:
            compiled, verified = judged(form)
        except (InvalidRequestError, UnsupportedParameterError, GrammarError):
            continue
        for text in rng.sample(TEXTS, 40):
            holds = compiled(text)
            assert verified(text) is holds, (form, text)
            num_held += holds
        num_judged += 1
    assert num_judged > 60
    assert num_held > 250


ASKED = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}
WRITTEN = {
    "qwen_xml": "<parameter=city>\nLima\n</parameter>\n<parameter=days>\n3\n</parameter>\n",
    "minimax_xml": '<parameter name="city">Lima</parameter>\n<parameter name="days">3</parameter>\n',
    "deepseek_xml": '<｜DSML｜parameter name="city" string="true">Lima</｜DSML｜parameter>\n',
    "glm_xml": "<arg_key>city</arg_key><arg_value>Lima</arg_value><arg_key>days</arg_key><arg_value>3</arg_value>",
    "kimi_k3_xml": '<|open|>argument key="city" type="string"<|sep|>Lima<|close|>argument<|sep|>',
    "cohere_xml": '<cofl:value name="city" type="raw">Lima</cofl:value>',
    "minimax_m3_xml": "]<]minimax[>[<city>Lima]<]minimax[>[</city>",
    "deepseek_v4_1_xml": '<｜DSML｜ parameter name="city" string="true">Lima</｜DSML｜ parameter>\n',
}


@pytest.fixture(scope="module")
def bytewise():
    tokens = [*(bytes([byte]) for byte in range(256)), None]
    return JobContext(Compiler(Vocabulary.from_tokens(tokens, [256])), Verifier())


@pytest.mark.parametrize(("style", "text"), WRITTEN.items(), ids=WRITTEN)
def test_arguments_in_the_style_of_a_tool_format(bytewise, style, text):
    content = {"type": "json_schema", "json_schema": ASKED, "style": style}
    constraint = structural_tag(
        {"format": {"type": "tag", "begin": "<call>", "content": content, "end": "</call>"}}, "tag"
    )
    compiled = bytewise.compiler.compile(spec_of(constraint))
    other = text.replace("city", "town")  # the name that is required
    for written, holds in ((text, True), (other, False), ("", False), ("{}", False), (text + "x", False)):
        whole = f"<call>{written}</call>"
        assert compiled.matcher().accept_text(whole.encode()) is holds, whole
        assert bool(Verify(constraint, whole).do(bytewise)) is holds, whole


def test_the_older_name_of_a_style(bytewise):
    old = structural_tag({"format": {"type": "qwen_xml_parameter", "json_schema": ASKED}}, "tag")
    new = structural_tag({"format": {"type": "json_schema", "json_schema": ASKED, "style": "qwen_xml"}}, "tag")
    assert spec_of(old) == spec_of(new)
    assert bytewise.compiler.compile(spec_of(old)).matcher().accept_text(WRITTEN["qwen_xml"].encode())


@pytest.mark.parametrize(
    ("token", "message"),
    [(99, "there is no special token"), ("<z>", "there is no special token"), (5, "part of a character"), (END, "end")],
)
def test_a_token_that_cannot_be_written_is_refused(token, message):
    constraint = structural_tag({"format": {"type": "token", "token": token}}, "tag")
    with pytest.raises(GrammarError, match=message):
        BENCH.compiler.compile(spec_of(constraint))


@pytest.mark.parametrize(
    ("form", "error", "param"),
    [
        ({"type": "token", "token": -1}, InvalidRequestError, "tag.format.token"),
        ({"type": "token", "token": True}, InvalidRequestError, "tag.format.token"),
        ({"type": "exclude_token", "exclude_tokens": [None]}, InvalidRequestError, "tag.format.exclude_tokens[0]"),
        ({**ANY, "max_tokens": 3}, UnsupportedParameterError, "tag.format.max_tokens"),
        (
            {"type": "token_triggered_tags", "trigger_tokens": [1], "tags": [{"begin": "a", "content": X, "end": ""}]},
            InvalidRequestError,
            "tag.format.tags[0].begin",
        ),
        (
            {"type": "triggered_tags", "triggers": ["a"], "tags": [{"begin": X, "content": X, "end": ""}]},
            InvalidRequestError,
            "tag.format.tags[0].begin",
        ),
        ({"type": "token_dispatch", "rules": [["<x>"]]}, InvalidRequestError, "tag.format.rules[0]"),
        ({"type": "json_schema", "json_schema": {}, "style": "yaml"}, UnsupportedParameterError, "tag.format.style"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_malformed_is_refused_by_its_place(form, error, param):
    with pytest.raises(error) as refused:
        structural_tag({"format": form}, "tag")
    assert refused.value.param == param


@pytest.mark.parametrize(
    ("form", "pattern"),
    [
        (
            {
                "type": "tag",
                "begin": {"type": "token", "token": "<|im_start|>"},
                "content": {"type": "regex", "pattern": "[a-c]{2}"},
                "end": {"type": "token", "token": "z"},
            },
            r"(<\|im_start\|>)?[a-c]{2}z",
        ),
        (
            {
                "type": "token_triggered_tags",
                "trigger_tokens": ["<|im_start|>"],
                "tags": [{"begin": {"type": "token", "token": "<|im_start|>"}, "content": const("ab"), "end": "."}],
                "at_least_one": True,
                "stop_after_first": True,
            },
            r"(?s).*ab\.",
        ),
        ({"type": "exclude_token", "exclude_tokens": ["<|im_start|>"]}, r"(?s).+"),
    ],
    ids=["tag", "triggered", "one token"],
)
def test_an_answer_of_tokens_is_verified_by_its_pieces(tiny_live, form, pattern):
    choice = choice_of(tiny_live, form, **{"x-portcullis-verdict": "1"})
    assert re.fullmatch(pattern, choice["message"]["content"])
    assert choice["verified_by"] == "pieces"
