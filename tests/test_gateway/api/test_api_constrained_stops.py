"""Stop strings in answers that have a shape: one ends the answer where what is then told is whole, and nowhere else."""

import json
import re

import pytest
from scripted import scripted

from gateway.service.answers.stop_strings import ContentStop
from gateway.service.constraints.matcher_recheck import bytes_compiler
from gateway.text import StopAutomaton, StopSequences
from grammars import Regex

HELLO = [{"role": "user", "content": "Say hello."}]
OBJECT = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 5}}, "required": ["a"]}


@pytest.fixture(params=["whole", "streamed"])
def streams(request):
    return request.param == "streamed"


def chat(live, streams, **fields):
    """Content and the last choice as they are on the wire."""
    body = {"model": "test-model", "messages": HELLO, "max_tokens": 40, "stream": streams, **fields}
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    lines = (line.removeprefix("data: ") for line in reply.text.splitlines())
    choices = [choice for line in lines if line.startswith("{") for choice in json.loads(line)["choices"]]
    content = "".join(choice["delta" if streams else "message"].get("content") or "" for choice in choices)
    return content, choices[-1]


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize(
    ("pattern", "stops", "keeps", "text", "told", "stop"),
    [
        ("[ab]{1,9}", ["b"], False, "aab", "aa", "b"),
        ("[ab]{1,9}", ["b"], False, "bab", "ba", "b"),
        ("[ab]{1,9}", ["b"], True, "baa", "b", "b"),
        ("[a-z]{3}\n", ["\n"], False, "abc\n", "abc\n", None),
        ("[a-z]{3}\n", ["\n"], True, "abc\n", "abc\n", "\n"),
        ("a|abc", ["bc"], False, "abc", "a", "bc"),
        ("ab|abcd", ["bcd", "cd"], False, "abcd", "ab", "cd"),
        ("(ab)*", ["ba"], False, "abab", "abab", None),
        ("é+", ["é"], False, "ééé", "é", "é"),
    ],
    ids=[
        "a whole text before it", "none at the beginning", "with itself", "what the shape needs stays",
        "what the shape needs, with itself", "several bytes", "the shorter one", "nowhere whole", "beyond ASCII",
    ],
)  # fmt: skip
def test_content_stops_where_what_is_told_is_whole(pattern, stops, keeps, text, told, stop, size):
    stopping = ContentStop(StopAutomaton(stops), keeps, bytes_compiler().compile(Regex(pattern)).matcher())
    out = "".join(stopping.feed(text[at : at + size]) for at in range(0, len(text), size))
    assert out + stopping.finish() == told
    assert (None if stopping.match is None else stopping.match.stop) == stop
    assert re.fullmatch(pattern, told)


def test_of_stops_that_end_together_all_are_tried():
    automaton = StopAutomaton(["abc", "c", "bc", "x"])
    at = 0
    for byte in b"abc":
        at = automaton.step(at, byte)
    assert list(automaton.all_completed(at)) == ["abc", "bc", "c"]
    stops = StopSequences(automaton, [], lambda match: match.stop == "c")
    stops.accept_bytes(b"zabc")
    assert (stops.match.begin, stops.match.end) == (3, 4)


@pytest.mark.parametrize(
    ("shape", "stops", "written", "told", "stop"),
    [
        ({"regex": "[a-z]+( [a-z]+)*"}, [" "], "one two", "one", " "),
        ({"choice": ["one", "one two"]}, [" two"], "one two", "one", " two"),
        ({"grammar": 'root ::= "a"+ "b"*'}, ["b"], "aabb", "aa", "b"),
        ({"json": OBJECT}, ["}", '"'], '{"a":"b"}', '{"a":"b"}', None),
        ({"json": {"type": "integer"}}, ["7"], "4275", "42", "7"),
        ({"regex": "[a-z]+\n"}, ["\n"], "one\n", "one\n", None),
    ],
    ids=["regex", "choice", "grammar", "object", "number", "needed"],
)
def test_an_answer_stops_where_its_shape_allows_an_end(tiny_live, streams, shape, stops, written, told, stop):
    with scripted(tiny_live, written):
        content, choice = chat(tiny_live, streams, structured_outputs=shape, stop=stops)
    assert (content, choice["finish_reason"], choice.get("stop_reason")) == (told, "stop", stop)


def test_an_answer_behind_thoughts_stops_by_its_content_alone(thinker, streams):
    with scripted(thinker, "<think>no end</think>\n\none end"):
        content, choice = chat(
            thinker, streams, structured_outputs={"regex": "[a-z]+( [a-z]+)*"}, stop=[" end"], reasoning=True
        )
    assert (content, choice["finish_reason"], choice["stop_reason"]) == ("one", "stop", " end")


@pytest.mark.parametrize(
    ("path", "body", "told", "reason"),
    [
        ("/v1/completions", {"prompt": "x", "structured_outputs": {"regex": "[a-z ]+"}, "stop": " "}, "one", "stop"),
        ("/generate", {"inputs": "x", "parameters": {"grammar": {"type": "regex", "value": "[a-z ]+"}, "stop": [" "],
                                                     "details": True}}, "one ", "stop_sequence"),
    ],
    ids=["completions", "tgi"],
)  # fmt: skip
def test_answers_in_other_dialects_stop_alike(tiny_live, path, body, told, reason):
    with scripted(tiny_live, "one two"):
        reply = tiny_live.post(path, json={"model": "test-model", **body} if path.startswith("/v1") else body)
    assert reply.status_code == 200, reply.text
    answer = reply.json()
    if path == "/generate":
        assert (answer["generated_text"], answer["details"]["finish_reason"]) == (told, reason)
    else:
        (choice,) = answer["choices"]
        assert (choice["text"], choice["finish_reason"], choice["stop_reason"]) == (told, reason, " ")
