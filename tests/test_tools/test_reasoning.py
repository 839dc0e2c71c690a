"""Thoughts told from answers, in every family: the same however a text is cut, and never in the content."""

import itertools
import json
import random

import pytest
from reading import TOOLS

from gateway.text import MarkedText
from grammars import Compiler, JsonSchema, Vocabulary
from tests.oracles import mask_of
from tools import ToolCall, ToolChoice, Transcript, UnknownReasoningError, get_format, seeded_ids
from tools.formats.parser import PassThrough
from tools.reasoning import any_text, detect_reasoning, get_reasoning, reasoning_names

NAMES = [name for name in reasoning_names() if name not in ("harmony", "functionary_v32")]
families = pytest.mark.parametrize("spec", [get_reasoning(name) for name in NAMES], ids=NAMES)


def read(spec, pieces, opening="undecided", gap="any", rest=None):
    parser = spec.reader(rest or PassThrough(), opening, gap)
    events = [event for piece in pieces for event in parser.feed(piece)]
    return Transcript.of(events + parser.finish())


def framed(spec, answer):
    return "".join(spec.answer.begin) + answer + "".join(spec.answer.end)


def texts(spec):
    """Text, whether its prompt began the thoughts, what was thought, what was said."""
    begin, end = spec.begin, spec.end
    return [
        (f"{begin}\nWell,\n then.\n{end}\n\n{framed(spec, 'Yes.')}", "undecided", "Well,\n then.", "Yes."),
        (f"\n{begin}a{end}{framed(spec, 'b ' + begin)}", "undecided", "a", f"b {begin}"),
        (f"a < b{end[:-1]} c{end}{framed(spec, 'Yes.')}", "open", f"a < b{end[:-1]} c", "Yes."),
        (f"{begin}\na{end}\n{framed(spec, 'Yes.')}", "open", "a", "Yes."),
        (f"{begin}{end}\n\n{framed(spec, 'Yes.')}", "undecided", "", "Yes."),
        (f"{begin}never ends ", "undecided", "never ends", ""),
        ("never ends", "open", "never ends", ""),
        (framed(spec, "Yes."), "undecided", "", "Yes."),
        (framed(spec, "Yes."), "closed", "", "Yes."),
        ("Yes.", "undecided", "", "Yes."),
        ("", "undecided", "", ""),
    ]  # fmt: skip


@families
def test_thoughts_are_told_from_the_answer_wherever_the_text_is_cut(spec):
    for text, opening, reasoning, content in texts(spec):
        whole = read(spec, [text], opening)
        assert (whole.reasoning, whole.content) == (reasoning, content), text
        assert read(spec, list(text), opening) == whole
        for cut in range(1, len(text)):
            assert read(spec, [text[:cut], text[cut:]], opening) == whole, (text, cut)
        pairs = list(itertools.combinations(range(1, len(text)), 2))
        for a, b in random.Random(1).sample(pairs, min(30, len(pairs))):
            assert read(spec, [text[:a], text[a:b], text[b:]], opening) == whole, (text, a, b)


@pytest.mark.parametrize(("gap", "content"), [("any", "a "), ("lines", "\n a "), ("none", "\n\n\n a ")])
def test_what_belongs_to_a_constrained_answer_is_kept(gap, content):
    text = "<think>x</think>\n\n\n a "
    for pieces in ([text], list(text)):
        assert read(get_reasoning("think"), pieces, gap=gap).content == content


def test_a_constrained_answer_may_quote_its_end():
    spec = get_reasoning("hunyuan_a13b")
    answer = '{"a": "</answer>"}'
    for pieces in ([framed(spec, answer)], list(framed(spec, answer))):
        assert read(spec, pieces, gap="none").content == answer


def test_calls_follow_thoughts():
    hermes = get_format("hermes")
    text = '<think>I call <tool_call></think>\n\n<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'
    for pieces in ([text], list(text)):
        transcript = read(get_reasoning("think"), pieces, rest=hermes.parser(TOOLS, ids=seeded_ids(1)))
        assert (transcript.reasoning, transcript.content) == ("I call <tool_call>", "")
        assert [call.name for call in transcript.calls] == ["f"]


@pytest.mark.parametrize("name", ["hermes", "glm45", "qwen3_coder", "minimax_m2", "llama4_pythonic"])
def test_a_call_that_is_begun_in_thoughts_ends_them(name):
    spec, form = get_reasoning("think"), get_format(name)
    call = ToolCall("", "f", "{}")
    mark = form.marks(TOOLS)[0]
    text = "I know, I call " + (form.render([call]) if not form.native.at_start else f"{mark}[f()]<|python_end|>")
    for pieces in ([text], list(text)):
        rest = form.parser(TOOLS, ids=seeded_ids(1))
        parser = spec.reader(rest, "open", "any", form.marks(TOOLS))
        transcript = Transcript.of([event for piece in pieces for event in parser.feed(piece)] + parser.finish())
        assert (transcript.reasoning, transcript.content) == ("I know, I call", "")
        assert [(call.name, call.arguments) for call in transcript.calls] == [("f", "{}")]


def test_no_call_is_begun_in_thoughts(compiler):
    hermes = get_format("hermes")
    calls = hermes.constraint(TOOLS, ToolChoice("auto"))
    matcher = compiler.compile(get_reasoning("think").constraint(calls, "open", "any", hermes.marks(TOOLS))).matcher()
    for token in b"I call <tool_call":
        assert matcher.accept(token)
    assert not matcher.accept(ord(">"))
    assert matcher.accept(ord(" "))


@pytest.mark.parametrize("lines", ["", "\n", "\n\n"])
def test_line_feeds_may_come_before_thoughts(lines):
    compiler = Compiler(Vocabulary.from_tokens([*(bytes([byte]) for byte in range(256)), None], [256]))
    think, hermes = get_reasoning("think"), get_format("hermes")
    calls = hermes.constraint(TOOLS, ToolChoice("auto"), without=("<think>",))
    compiled = compiler.compile(think.constraint(calls, "undecided", "any", hermes.marks(TOOLS)))
    text = f"{lines}<think>\nA tool.</think>\n" + hermes.render([ToolCall("", "f", "{}")])
    assert compiled.matcher().accept_text(text.encode())
    assert not compiled.matcher().accept_text(f"a{text}".encode())
    found = read(think, [text], rest=hermes.parser(TOOLS, ids=seeded_ids(1)))
    assert (found.reasoning, found.content, len(found.calls)) == ("A tool.", "", 1)


def test_kimi_k3_frames_what_it_says():
    spec, form = get_reasoning("kimi_k3"), get_format("kimi_k3")
    end = "<|close|>response<|sep|>"
    said, tail = f"<|open|>response<|sep|>Hi{end}", "<|close|>message<|sep|>"
    calls = form.render([ToolCall("", "f", '{"a": "x"}')])
    for text, opening, has_begun, expected in (
        (f"Well.<|close|>think<|sep|>{said}{calls}{tail}", "open", False, ("Well.", "Hi", 1)),
        (f"Well.<|close|>think<|sep|>{said}{tail}", "open", False, ("Well.", "Hi", 0)),
        (f"Well.<|close|>think<|sep|>{said.replace('Hi', '')}{calls}", "open", False, ("Well.", "", 1)),
        (f"Hi{end}{calls}{tail}", "closed", True, ("", "Hi", 1)),
        (f"Hi{end}{tail}", "closed", True, ("", "Hi", 0)),
        ("Hi", "closed", True, ("", "Hi", 0)),
    ):
        for pieces in ([text], list(text)):
            rest = form.parser(TOOLS, ids=seeded_ids(1))
            parser = spec.reader(rest, opening, "any", form.marks(TOOLS), has_begun)
            found = Transcript.of([event for piece in pieces for event in parser.feed(piece)] + parser.finish())
            assert (found.reasoning, found.content, len(found.calls)) == expected, text
    assert spec.opening("<|open|>response<|sep|>") == "closed"
    assert spec.has_begun("<|open|>response<|sep|>")
    assert spec.opening("<|open|>think<|sep|>") == "open"


def test_what_stands_behind_an_answer_is_no_content():
    text = "Well.\n[BEGIN FINAL RESPONSE]\nYes.\n[END FINAL RESPONSE]"
    for pieces in ([text], list(text)):
        found = read(get_reasoning("apriel"), pieces, "open")
        assert (found.reasoning, found.content) == ("Well.", "Yes.\n")


def test_functionary_addresses_the_reader_with_tools_and_without():
    spec = get_reasoning("functionary_v32")
    assert spec.opening("...>>>") == "closed"
    assert not spec.thinks
    for text, content in (("all\nHi, all\n", "Hi, all\n"), ("Hi", "Hi"), ("al", "al"), ('all\n{"a": 1}', '{"a": 1}')):
        for pieces in ([text], list(text)):
            assert read(spec, pieces, "closed").content == content
    form = get_format("functionary_v32")
    for text in ("all\nHi>>>f\n{}", "f\n{}"):
        found = read(spec, [text], "closed", rest=form.parser(TOOLS, ids=seeded_ids(1)))
        assert [call.name for call in found.calls] == ["f"]
        assert "all" not in found.content


@families
def test_a_prompt_tells_whether_thinking_has_begun(spec):
    assert spec.opening(f"...<|assistant|>{spec.begin}\n") == "open"
    assert spec.opening(f"...<|assistant|>{spec.begin}\n\n{spec.end}\n\n") == "closed"
    assert spec.opening(f"{spec.begin} is what I ask about.<|assistant|>") == "undecided"


def test_the_end_of_a_prompt_tells_which_markers_count():
    spec = get_reasoning("k2_horizon")
    for word in ("think", "think_fast", "think_faster"):
        for prompt, opening in ((f"<ifm|{word}>\n", "open"), (f"<ifm|{word}>\n</ifm|{word}>\n", "closed")):
            begun = spec.begun_by(f"<ifm|think>of what?{prompt}")
            assert (begun.end, begun.opening(prompt)) == (f"</ifm|{word}>", opening)
    assert spec.begun_by("Hi") is spec


@pytest.mark.parametrize("name", ["glimmer", "inkling", "solar_open"])
def test_a_prompt_that_ends_as_thoughts_do_leaves_them_to_the_model(name):
    spec = get_reasoning(name)
    assert spec.opening(f"What?{spec.end}") == "undecided"
    assert spec.opening(f"What?{spec.end}{spec.begin}") == "open"
    assert spec.opening(f"What?{spec.end}{spec.begin}{spec.end}") == "closed"


def test_families_are_found_by_template_and_name():
    for template, name in (
        ("{{ '<think>\\n' }}{{ content.split('</think>')[-1] }}", "think"),
        ("[THINK]{{ thinking }}[/THINK]", "mistral"),
        ("<|START_THINKING|>{{ x }}<|END_THINKING|><|START_RESPONSE|>", "cohere"),
        ("<|START_THINKING|>{{ x }}<|END_THINKING|>", "cohere4"),
        ("<|START_THINKING|>{{ x }}<|END_THINKING|><|START_TEXT|>{{ y }}<|END_TEXT|>", "cohere2moe"),
        ("{{ '<|open|>' + tag + '<|sep|>' }}{{ '<|close|>' + tag + '<|sep|>' }}", "kimi_k3"),
        ("{{ '>>>all\\n' }}", "functionary_v32"),
        ("<seed:think>{{ x }}</seed:think>", "seed_oss"),
        ("{{ '<mm:think>' + x + '</mm:think>' }}", "minimax_m3"),
        ("{{ '<ifm|think>' }}{{ '<ifm|think_fast>' }}", "k2_horizon"),
        ("{{ ' to=self<|message|>' + x + '<|eom|>' }}<atem:invoke name=", "glimmer"),
        ("<|message_model|><|content_thinking|>{{ x }}<|end_message|><|content_text|>", "inkling"),
        ("<|begin|>assistant<|think|>{{ x }}<|end|><|begin|>assistant<|content|>", "solar_open"),
        ("{{ '<|channel>thought\\n<channel|>' }}", "gemma4"),
        ("◁think▷{{ x }}◁/think▷", "kimi_vl"),
        ("<think>{{ x }}</think><answer>{{ y }}</answer>", "hunyuan_a13b"),
        ("{{ '<think:opensource>' }}<tool_sep:opensource>", "hy3_opensource"),
        ("{{ content.split('<think_off>')[-1].split('<answer>')[-1] }}{{ 'assistant\n<judge>\n' }}</think>", "hipo"),
        ("{{ content.split('</reasoning>') | last }}", "reka"),
        ("{{ '<|assistant|>' }}{{ '<THINKING>' }}", "thinking"),
        ("Place it between <start_working_out> and <end_working_out>.", "working_out"),
        ("{%- set inner_token = '<SPECIAL_69>' -%}{%- set outer_token = '<SPECIAL_70>' -%}", "apertus11"),
        ("{{ '<|start_think|>\n' + thoughts + '\n<|end_think|>' }}{{ content.split('</think>')[-1] }}", "delphi"),
        ("Here are my reasoning steps:\n[BEGIN FINAL RESPONSE]", "apriel"),
        ("between <think></think> and write your response between <response></response>", "granite33"),
        ("<think>{{ x }}</think>{{ '<response>' + result + '</response>' }}", "think"),
        ("{{ '<|im_start|>assistant\n<think>' }}", "think"),
        ("{{ '<longcat_think>' + x + '</longcat_think>' }}", "longcat"),
    ):
        found = detect_reasoning(template)
        assert found is not None
        assert found.name == name
        assert get_reasoning(name) is found
    assert detect_reasoning("<|im_start|>{{ content }}") is None
    assert get_reasoning("deepseek_r1").name == get_reasoning("qwen3").name == "think"
    with pytest.raises(UnknownReasoningError, match="think"):
        get_reasoning("pondering")


WORDS = [b"</think>", b"\n\n", b"<tool_call>", b"<think>", b"</", b"<|", b"|>", b'{"a":', b"[/THINK", b"hello "]
TEXT = [*(bytes([byte]) for byte in range(256)), *WORDS]
END = len(TEXT)
MARKS = sorted(
    {mark for name in NAMES for mark in get_reasoning(name).marks if mark.strip()[0] in "<[" and "\n" not in mark}
)
SPECIAL = {mark: END + 1 + place for place, mark in enumerate(MARKS)}
COMPILERS = {
    "special": Vocabulary.from_tokens([*TEXT, None, *[None] * len(SPECIAL)], [END], SPECIAL),
    "text": Vocabulary.from_tokens([*TEXT, None], [END]),
}


@pytest.fixture(scope="module", params=COMPILERS)
def compiler(request):
    return Compiler(COMPILERS[request.param])


def written(compiler, constraint, drawn, spare):
    """A text that a model without sense writes, with so many tokens more than the shortest needs."""
    compiled = compiler.compile(constraint)
    matcher, text = compiled.matcher(), ""
    names = {token_id: name for name, token_id in compiler.vocabulary.special_tokens}
    marked = MarkedText(compiler.vocabulary.tokens, names)
    for left in range(compiled.min_tokens + spare, -1, -1):
        allowed = sorted(mask_of(matcher, left))
        marks = [token for token in allowed if token >= 256 and token != END]
        token = drawn.choice(marks if marks and drawn.random() < 0.4 else allowed)
        assert matcher.accept(token)
        if token == END:
            return text + marked.finish()
        text += marked.feed([token])
    raise AssertionError("the budget was not enough")


SCHEMA = {
    "type": "object",
    "properties": {"a": {"enum": ["x", "y z"]}},
    "required": ["a"],
    "additionalProperties": False,
}


@families
@pytest.mark.parametrize("opening", ["open", "undecided"])
def test_answers_are_whole_and_thoughts_stay_out_of_them(compiler, spec, opening):
    gap = "none" if spec.answer.begin else "lines"
    constraint = spec.constraint(spec.wrapped(JsonSchema(SCHEMA)), opening, gap)
    drawn = random.Random(2)
    for spare in (0, 1, 2, 3, 5, 8, 30):
        transcript = read(spec, [written(compiler, constraint, drawn, spare)], opening, gap)
        assert json.loads(transcript.content)["a"] in ("x", "y z")
        assert spec.end not in transcript.reasoning


@families
@pytest.mark.parametrize("opening", ["open", "undecided"])
def test_calls_are_whole_and_thoughts_stay_out_of_them(compiler, spec, opening):
    hermes, drawn = get_format("hermes"), random.Random(2)
    for mode, gap in (("required", "lines"), ("auto", "any")):
        calls = hermes.constraint(TOOLS, ToolChoice(mode), without=(spec.begin.strip(),))
        constraint = spec.constraint(calls, opening, gap)
        for spare in (0, 1, 2, 5, 40):
            parser = hermes.parser(TOOLS, ids=seeded_ids(1))
            transcript = read(spec, [written(compiler, constraint, drawn, spare)], opening, gap, parser)
            assert not transcript.broken
            assert bool(transcript.calls) or mode == "auto"
            assert not (mode == "required" and transcript.content)
            # Where the marker is a special token, its text is text.
            assert len(compiler.vocabulary.special_tokens) or spec.begin.strip() not in transcript.content
            assert all(json.loads(call.arguments) == {} for call in transcript.calls)


def test_free_text_can_be_without_some_texts(compiler):
    matcher = compiler.compile(any_text(("<think>", "ab"))).matcher()
    for token in b"<thinkab":
        assert matcher.is_complete
        assert matcher.accept(token) == (token != ord("b"))
    assert compiler.compile(any_text()).min_tokens == 0


def test_a_way_out_of_thoughts_costs_one_token(compiler):
    rest = JsonSchema({"const": 7})
    constraint = get_reasoning("think").constraint(rest, "open", "lines")
    assert compiler.compile(constraint).min_tokens == compiler.compile(rest).min_tokens + 1
