"""What is forbidden does not arise, however hard the model tries: in any place, spelling, dialect."""

import random
import re
import unicodedata

import pytest
from guarded_dialects import DIALECTS, MESSAGES, SCHEMAS, policy_of
from pushing import pushing
from scripted import policies

SECRET = "Nightingale"
TERMS = f'terms = ["{SECRET}", "zulu"], nfkc = true, confusables = true'
WISHES = (
    SECRET,
    SECRET.upper(),
    "zulu",
    "Nіghtіngаlе",
    "ｎｉｇｈｔｉｎｇａｌｅ",
    "\\u004eightingale",
    "z\\u0075lu",
    "𝐳𝐮𝐥𝐮",
)
ALIKE = {"і": "i", "а": "a", "е": "e", "ο": "o"}
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": {"type": "string"}}, "c": {}},
    "required": ["a", "b"],
}
FUNCTION = {"name": "find", "parameters": SCHEMA}
TOOLS = [{"type": "function", "function": FUNCTION}]
JSON = {"type": "json_schema", "json_schema": {"name": "s", "schema": SCHEMA}}
CUSTOM = [{"type": "custom", "custom": {"name": "note"}}]
TAG = {"begin": "<f>", "content": {"type": "json_schema", "json_schema": SCHEMA}, "end": "</f>"}
TAGS = {"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<f>"], "tags": [TAG]}}


def leaked(data, is_json):
    """Whether it stands there, in any of the spellings; escapes are read where it is JSON, as in calls."""
    text = data.decode("utf-8", "replace")
    pieces = [("", text)] if is_json else re.findall(r"(<tool_call>|<f>|^)((?:(?!</?(?:tool_call|f)>)[\s\S])*)", text)
    for begin, piece in pieces:
        if begin or is_json:
            piece = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), piece)
        read = "".join(ALIKE.get(each, each) for each in unicodedata.normalize("NFKC", piece)).lower()
        if SECRET.lower() in read or "zulu" in read:
            return True
    return False


def is_json(fields):
    return fields.get("response_format", {}).get("type", "").startswith("json")


def ask(live, **fields):
    body = {"model": "test-model", "messages": MESSAGES, "max_tokens": 120, **fields}
    return live.post("/v1/chat/completions", json=body)


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize(
    "fields",
    [{}, {"response_format": JSON}, {"response_format": {"type": "json_object"}}, {"tools": TOOLS},
     {"tools": TOOLS, "tool_choice": "required"}, {"structured_outputs": {"regex": "[a-zA-Z ]{20,60}"}},
     {"structured_outputs": {"regex": r"(\w+ \w+ )+\w+ \w+ \w+ \w+ \w+ \w+ \w+ \w+ \d+"}},
     {"response_format": TAGS}, {"tools": CUSTOM, "tool_choice": "required"}],
)  # fmt: skip
def test_nothing_leaks_and_nothing_has_to_be_blocked(tiny_live, tmp_path, fields, is_streamed):
    with policies(tiny_live, tmp_path, policy_of("terms", TERMS, "forbid")):
        for seed in range(3):
            with pushing(tiny_live, *WISHES, seed=seed) as pusher:
                reply = ask(tiny_live, stream=is_streamed, **fields)
            assert reply.status_code == 200, reply.text
            assert "content_filter" not in reply.text
            assert not leaked(pusher.written[0], is_json(fields))
            assert len(pusher.written[0]) > 10


def test_it_tries_hard(tiny_live, tmp_path):
    """Where nothing is forbidden that it wishes, it writes it."""
    with policies(tiny_live, tmp_path, policy_of("terms", 'terms = ["other"]', "forbid")):
        for fields in ({}, {"response_format": JSON}, {"tools": TOOLS}):
            with pushing(tiny_live, *WISHES) as pusher:
                ask(tiny_live, **fields)
            assert leaked(pusher.written[0], is_json(fields))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.__name__)
def test_in_every_dialect_free_text_stays_free(tiny_live, tmp_path, dialect):
    """It ends where its tokens do, as text that nothing is asked of."""
    cut = {"completed": "max_output_tokens", "end_turn": "max_tokens"}.get(DIALECTS[dialect][0], "length")
    bounds = {"max_tokens": 40}
    match dialect.__name__:
        case "responses":
            bounds = {"max_output_tokens": 40}
        case "ollama":
            bounds = {"options": {"num_predict": 40}}
        case "tgi":
            bounds = {"parameters": {"details": True, "max_new_tokens": 40}}
    schema = {"type": "object", "properties": {"q": {"type": "string", "maxLength": 30}}, "required": ["q"]}
    with policies(tiny_live, tmp_path, policy_of("terms", TERMS, "forbid")):
        for is_streamed in (False, True):
            with pushing(tiny_live, *WISHES) as pusher:
                text, reason, num_tokens, verdict = dialect(tiny_live, is_streamed, **bounds)
            assert (text, reason, num_tokens or 40) == (pusher.written[0].decode("utf-8", "ignore"), cut, 40)
            assert not leaked(pusher.written[0], False)
            assert verdict["checks"] == [
                {"index": 0, "what": "terms", "where": "answer", "by": "p", "result": "passed"}
            ]
            with pushing(tiny_live, *WISHES) as pusher:
                text, reason, _, verdict = dialect(tiny_live, is_streamed, **SCHEMAS[dialect](schema))
            assert (text, reason) == (pusher.written[0].decode(), DIALECTS[dialect][0])
            assert not leaked(pusher.written[0], True)
            assert [check["result"] for check in verdict["checks"]] == ["passed", "passed"]


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize(
    "fields", [{}, {"max_tokens": 1}, {"response_format": JSON}, {"tools": TOOLS}, {"reasoning": {"max_tokens": 9}}]
)
def test_thoughts_are_kept_clean(thinker, tmp_path, fields, is_streamed):
    with policies(thinker, tmp_path, policy_of("terms", TERMS, "forbid")):
        for wishes in (WISHES, (*WISHES[:2], "</think>", *WISHES[2:])):
            with pushing(thinker, *wishes) as pusher:
                reply = ask(thinker, stream=is_streamed, **fields)
            assert reply.status_code == 200, reply.text
            assert "content_filter" not in reply.text
            assert not leaked(pusher.written[0], is_json(fields))


def test_stop_strings_and_logprobs_are_as_ever(tiny_live, tmp_path):
    with policies(tiny_live, tmp_path, policy_of("terms", TERMS, "forbid")):
        with pushing(tiny_live, "weather") as pusher:
            choice = ask(tiny_live, logprobs=True, top_logprobs=1).json()["choices"][0]
        told = b"".join(bytes(entry["bytes"]) for entry in choice["logprobs"]["content"])
        assert told == pusher.written[0]
        with pushing(tiny_live, "weather"):
            choice = ask(tiny_live, stop=["eath"]).json()["choices"][0]
        assert choice["finish_reason"] == "stop"
        assert choice["message"]["content"].endswith("w")


def test_a_model_whose_scores_are_all_for_it_does_not_write_it(tiny_live, tmp_path):
    tokens = tiny_live.service._loaded.vocabulary.tokens
    bias = {str(number): 100 for number, data in enumerate(tokens) if data and b"e" in data}
    rule = policy_of("pattern", 'pattern = "[eE]"', "forbid")
    fields = {"logit_bias": dict(list(bias.items())[:200]), "temperature": 0, "max_tokens": 60}
    for forbids in (False, True):
        with policies(tiny_live, tmp_path, rule if forbids else rule.replace("[eE]", "[xX]")):
            for shape in ({}, {"response_format": JSON}):
                reply = ask(tiny_live, **fields, **shape).json()["choices"][0]
                assert ("e" in reply["message"]["content"].lower()) is not forbids


def test_what_is_left_of_a_constraint(tiny_live, tmp_path):
    with policies(tiny_live, tmp_path, policy_of("terms", 'terms = ["red", "a"], whole_words = true', "forbid")):
        for _ in range(3):
            reply = ask(tiny_live, structured_outputs={"choice": ["red", "reddish", "a b"]}).json()
            assert reply["choices"][0]["message"]["content"] == "reddish"
        impossible = {"type": "object", "properties": {"a": {}}, "required": ["a"]}
        tools = [{"type": "function", "function": {"name": "f", "parameters": impossible}}]
        for fields in (
            {"structured_outputs": {"choice": ["red"]}},
            {"structured_outputs": {"regex": "(dark )?red"}},
            {"structured_outputs": {"json": impossible}},
            {"tools": tools, "tool_choice": "required"},
        ):
            reply = ask(tiny_live, **fields)
            assert reply.status_code == 400, fields
            assert "the policy 'p' forbids every text that the constraint allows" in reply.json()["error"]["message"]
        broken = ask(tiny_live, structured_outputs={"json": {"type": "strin"}}).json()["error"]
        assert "policy" not in broken["message"]


@pytest.mark.parametrize("is_streamed", [False, True])
def test_where_no_mask_says_it_it_is_blocked(tiny_live, tmp_path, is_streamed):
    grammar = {"grammar": "start: /[a-z ]{30}/"}
    with policies(tiny_live, tmp_path, policy_of("terms", TERMS, "forbid")), pushing(tiny_live, "zulu"):
        reply = ask(tiny_live, stream=is_streamed, structured_outputs=grammar)
    assert "zulu" not in reply.text
    assert "content_filter" in reply.text


def test_the_original_schema_is_what_is_verified(tiny_live, tmp_path):
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "unevaluatedProperties": False,
        "required": ["a"],
    }
    for old in ({}, {"$schema": "http://json-schema.org/draft-04/schema#"}):
        with policies(tiny_live, tmp_path, policy_of("terms", TERMS, "forbid")), pushing(tiny_live, *WISHES) as pusher:
            reply = ask(tiny_live, structured_outputs={"json": {**schema, **old}})
        assert reply.status_code == 200, reply.text
        assert not leaked(pusher.written[0], True)


def test_any_policy_keeps_its_word(tiny_live, tmp_path):
    """Random terms over few letters, so that they overlap, against a look at the whole text."""
    source = random.Random(7)
    for _ in range(12):
        terms = ["".join(source.choices("abc", k=source.randint(1, 4))) for _ in range(source.randint(1, 4))]
        whole, ignore = source.random() < 0.5, source.random() < 0.5
        options = f"terms = {terms!r}, whole_words = {str(whole).lower()}, ignore_case = {str(ignore).lower()}"
        edge = r"\b" if whole else ""
        flags = re.IGNORECASE if ignore else 0
        found = re.compile(f"{edge}(?:{'|'.join(terms)}){edge}", flags)
        with policies(tiny_live, tmp_path, policy_of("terms", options.replace("'", '"'), "forbid")):
            for fields in ({}, {"response_format": {"type": "json_object"}}):
                with pushing(tiny_live, *terms, *map(str.upper, terms), " ", seed=source.random()) as pusher:
                    reply = ask(tiny_live, **{**fields, "max_tokens": 60})
                assert reply.status_code == 200, reply.text
                assert "content_filter" not in reply.text
                assert found.search(pusher.written[0].decode("utf-8", "replace")) is None or fields
                if fields:
                    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', pusher.written[0].decode())
                    assert not any(found.search(each.replace("\\", "")) for each in strings if "\\" not in each)
