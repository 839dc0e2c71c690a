"""`/v1/grammars` and `/v1/verify` over a real socket."""

import json
import re

import pytest
from serving import config_for, serving

from gateway.config import LimitsConfig, ServerConfig
from grammars import library

SCHEMA = {
    "type": "object",
    "properties": {"city": {"enum": ["Paris", "Rome"]}, "days": {"type": "integer", "minimum": 1}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
UNIQUE = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}, "uniqueItems": True}
LARK = 'start: "a" WORD\nWORD: /[b-d]{2}/'
GBNF = 'root ::= "x" [0-9]+'

SPELLINGS = {
    "schema": ({"schema": SCHEMA}, "json_schema"),
    "schema as text": ({"schema": json.dumps(SCHEMA)}, "json_schema"),
    "json_schema": ({"json_schema": SCHEMA}, "json_schema"),
    "response_format": (
        {"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA}}},
        "json_schema",
    ),
    "structured_outputs": ({"structured_outputs": {"json": SCHEMA}}, "json_schema"),
    "guided_json": ({"guided_json": SCHEMA}, "json_schema"),
    "grammar object": ({"grammar": {"type": "json", "value": SCHEMA}}, "json_schema"),
    "regex": ({"regex": "[ab]+"}, "regex"),
    "choice": ({"choice": ["yes", "no"]}, "choice"),
    "lark": ({"lark": LARK}, "lark"),
    "gbnf": ({"gbnf": GBNF}, "gbnf"),
    "grammar": ({"grammar": GBNF}, "gbnf"),
    "ebnf": ({"ebnf": LARK}, "lark"),
    "library": ({"id": "library:uuid"}, "regex"),
}


def post(live, path, body, status=200):
    reply = live.post(f"/v1{path}", json=body)
    assert reply.status_code == status, reply.text
    return reply.json()


@pytest.mark.parametrize(("body", "kind"), SPELLINGS.values(), ids=SPELLINGS)
def test_compile_reads_every_spelling(live, body, kind):
    reply = post(live, "/grammars", body)
    assert (reply["object"], reply["kind"], reply["kept"]) == ("grammar", kind, True)
    assert reply["min_tokens"] >= 1
    assert post(live, "/grammars", {"id": reply["id"]})["min_tokens"] == reply["min_tokens"]
    assert post(live, "/grammars/lint", body) == {
        "object": "grammar.lint",
        "valid": True,
        "errors": [],
        "warnings": reply["warnings"],
    }


def test_equal_constraints_have_one_id(live):
    ids = {post(live, "/grammars", SPELLINGS[name][0])["id"] for name in ("schema", "json_schema", "guided_json")}
    assert len(ids) == 1
    assert post(live, "/grammars", {"schema": SCHEMA, "strict": True})["id"] not in ids


def test_compile_tells_how_each_keyword_is_held(live):
    reply = post(live, "/grammars", {"schema": SCHEMA})
    held = {(entry["pointer"], entry["keyword"]): entry["how"] for entry in reply["report"]}
    assert held["/properties/days", "minimum"] == "mask"
    assert held["", "required"] == "mask"
    assert sum(reply["counts"].values()) == len(held)
    checked = post(live, "/grammars", {"schema": UNIQUE})
    assert checked["counts"]["check"] == 1
    (warning,) = checked["warnings"]
    assert (warning["code"], warning["pointer"], warning["keyword"]) == ("checked", "", "uniqueItems")


def test_lint_points_at_misspelled_keywords(live):
    schema = {"type": "object", "properties": {"a": {"type": "integer", "minimun": 3, "title": "A", "x-hint": 1}}}
    (warning,) = post(live, "/grammars/lint", {"schema": schema})["warnings"]
    assert (warning["code"], warning["pointer"], warning["keyword"]) == (
        "misspelled_keyword",
        "/properties/a",
        "minimun",
    )
    assert "minimum" in warning["message"]


def test_lint_warns_of_members_that_no_value_fits(live):
    schema = {"type": "object", "properties": {"a": {"type": "string", "minLength": 5, "maxLength": 3}}}
    reply = post(live, "/grammars/lint", {"schema": schema})
    (warning,) = reply["warnings"]
    assert reply["valid"]
    assert (warning["code"], warning["pointer"]) == ("never_written", "/properties/a")


@pytest.mark.parametrize(
    ("body", "code", "where"),
    [
        ({"schema": {"properties": {"a": {"type": "strin"}}}}, "invalid_grammar", "/properties/a"),
        ({"schema": {"properties": {"a": {"$ref": "#/nowhere"}}}}, "invalid_grammar", "/properties/a"),
        ({"schema": {"type": "string", "enum": [1]}}, "unsatisfiable", "/enum"),
        ({"regex": "a(b"}, "invalid_grammar", "column"),
        ({"gbnf": 'root ::= "a" missing'}, "invalid_grammar", "line 1"),
        ({"lark": 'start: "a"\nother: ('}, "invalid_grammar", "line"),
        ({"schema": "{"}, "invalid_value", None),
        ({"choice": []}, "invalid_value", None),
        ({}, "invalid_value", None),
    ],
)
def test_lint_says_what_is_wrong_and_where(live, body, code, where):
    reply = post(live, "/grammars/lint", body)
    assert not reply["valid"]
    (error,) = reply["errors"]
    assert error["code"] == code
    assert (where is None and error["where"] in (None, "", "/")) or where in error["where"]
    refused = post(live, "/grammars", body, 400)["error"]
    assert (refused["code"], refused["param"], refused.get("where")) == (code, error["param"], error["where"])


def test_explain_gives_the_shortest_example(live):
    reply = post(live, "/grammars/explain", {"schema": SCHEMA})
    assert json.loads(reply["example"]) == {"city": "Rome", "days": 1}
    assert 0 < reply["forced_share"] < 1
    assert reply["by_check"] == []
    assert reply["num_states"] > 10


ACCEPTED = [
    ({"regex": "[ab]+c"}, "abc", (True, True, 3), "", True),
    ({"regex": "[ab]+c"}, "ab", (False, True, 2), "abc", False),
    ({"regex": "[ab]+c"}, "abd", (False, False, 2), "abc", False),
    ({"regex": "[ab]+c?"}, "aab", (True, True, 3), "abc", True),
    ({"choice": ["Grüße", "Grund"]}, "Grü", (False, True, 4), "", False),
    ({"choice": ["Grüße", "Grund"]}, "Grüss", (False, False, 4), "", False),
    ({"gbnf": GBNF}, "y", (False, False, 0), "x", False),
    ({"lark": LARK}, "acd", (True, True, 3), "", True),
    ({"regex": "x*"}, "", (True, True, 0), "x", True),
]


@pytest.mark.parametrize(("body", "text", "found", "characters", "end"), ACCEPTED)
def test_accept_says_up_to_where_and_what_was_expected(live, body, text, found, characters, end):
    reply = post(live, "/grammars/accept", {**body, "text": text})
    assert (reply["accepted"], reply["is_prefix"], reply["byte_offset"]) == found
    assert reply["character_offset"] == len(text.encode()[: found[2]].decode("utf-8", "ignore"))
    assert reply["expected"]["characters"] == characters
    assert reply["expected"]["end"] is end
    listed = [byte for low, high in reply["expected"]["bytes"] for byte in range(low, high + 1)]
    assert [chr(byte) for byte in listed if 32 <= byte < 127] == list(characters)


def test_accept_asks_guards(live):
    for text, is_match in (("[[1],[2]]", True), ("[[1],[1]]", False)):
        reply = post(live, "/grammars/accept", {"schema": UNIQUE, "text": text})
        assert reply["accepted"] is is_match
        verdict = post(live, "/verify", {"schema": UNIQUE, "text": text})
        assert verdict["passed"] is is_match


def test_accept_reads_tokens_as_it_reads_text(live):
    text = '{"city": "Rome", "days": 12}'
    ids = live.service._loaded.tokenizer.encode(text).ids
    by_text = post(live, "/grammars/accept", {"schema": SCHEMA, "text": text})
    assert by_text["accepted"]
    assert post(live, "/grammars/accept", {"schema": SCHEMA, "token_ids": ids}) == by_text


def test_next_tokens_are_those_whose_text_may_follow(live):
    pattern, text = "(cat|cart|dog)s?", "ca"
    reply = post(live, "/grammars/next-tokens", {"regex": pattern, "text": text, "limit": 1000})
    words = [word + end for word in ("cat", "cart", "dog") for end in ("", "s")]
    tokens = live.service._loaded.vocabulary.tokens
    wanted = [
        token
        for token, data in enumerate(tokens)
        if data and any(word.encode().startswith(text.encode() + data) for word in words)
    ]
    assert [token["id"] for token in reply["tokens"]] == wanted
    assert reply["num_allowed"] == len(wanted)
    assert [bytes(token["bytes"]) for token in reply["tokens"]] == [tokens[token] for token in wanted]
    assert (reply["is_prefix"], reply["complete"], reply["forced"]) == (True, False, [])
    few = post(live, "/grammars/next-tokens", {"regex": pattern, "text": text, "limit": 1})
    assert few["tokens"] == reply["tokens"][:1]
    assert few["num_allowed"] == len(wanted)


def test_next_tokens_tell_what_is_forced_and_where_a_text_ends(live):
    reply = post(live, "/grammars/next-tokens", {"choice": ["Paris", "Rome"], "text": "Pa"})
    assert "".join(token["text"] for token in reply["forced"]) == "ris"
    done = post(live, "/grammars/next-tokens", {"choice": ["Paris", "Rome"], "text": "Rome"})
    assert done["complete"]
    assert {token["id"] for token in done["tokens"]} == set(live.service._loaded.engine.eos_token_ids)
    astray = post(live, "/grammars/next-tokens", {"choice": ["Paris", "Rome"], "text": "Pot"})
    assert (astray["is_prefix"], astray["byte_offset"], astray["num_allowed"]) == (False, 1, 0)
    tight = post(live, "/grammars/next-tokens", {"regex": "[a-z]{1,40}0", "max_tokens": 1, "limit": 1000})
    loose = post(live, "/grammars/next-tokens", {"regex": "[a-z]{1,40}0", "limit": 1000})
    assert tight["num_allowed"] < loose["num_allowed"]


VERDICTS = [
    ({"schema": SCHEMA}, '{"city": "Rome", "days": 1}', True, "json", None),
    ({"schema": SCHEMA}, '{"city": "Rome", "days": 0}', False, "json", "/days"),
    ({"schema": SCHEMA}, '{"city": "Rome", "days": 1,}', False, "json", "/days"),
    ({"regex": "a+"}, "aaa", True, "regex", None),
    ({"regex": "a+"}, "aab", False, "regex", None),
    ({"choice": ["a"]}, "b", False, "choice", None),
    ({"lark": LARK}, "abb", True, "grammar", None),
    ({"lark": LARK}, "abe", False, "grammar", None),
    ({"gbnf": GBNF}, "x12", True, "grammar", None),
    ({"gbnf": GBNF}, "x", False, "grammar", None),
]


@pytest.mark.parametrize(("body", "text", "passed", "check", "path"), VERDICTS)
def test_verify_gives_a_verdict_with_a_place(live, body, text, passed, check, path):
    reply = post(live, "/verify", {**body, "text": text})
    assert (reply["passed"], reply["path"]) == (passed, path)
    assert reply["check"] in (check, "schema")
    assert (reply["reason"] is None) is passed


def test_kept_constraint_is_one_of_requests(live):
    assert live.http.put("/v1/grammars/city", json={"schema": SCHEMA}).status_code == 201
    assert live.http.put("/v1/grammars/city", json={"schema": SCHEMA}).status_code == 200
    kept = live.get("/v1/grammars/city").json()
    assert (kept["kind"], kept["definition"], kept["named"]) == ("json_schema", SCHEMA, True)
    hello = [{"role": "user", "content": "A city?"}]
    asked = {"messages": hello, "max_tokens": 60, "seed": 3}
    plain = post(live, "/chat/completions", {**asked, "response_format": {"type": "json_object", "schema": SCHEMA}})
    for field in ({"response_format": {"type": "grammar_id", "id": "city"}}, {"structured_outputs": {"id": "city"}}):
        reply = post(live, "/chat/completions", {**asked, **field})
        assert reply["choices"][0]["message"] == plain["choices"][0]["message"]
    tgi = live.post(
        "/generate",
        json={
            "inputs": "City:",
            "parameters": {"grammar": {"type": "grammar_id", "value": "city"}, "max_new_tokens": 60},
        },
    )
    assert json.loads(tgi.json()["generated_text"]).keys() == {"city", "days"}
    assert live.http.delete("/v1/grammars/city").json() == {"object": "grammar.deleted", "id": "city", "deleted": True}
    gone = post(live, "/chat/completions", {**asked, "response_format": {"type": "grammar_id", "id": "city"}}, 404)
    assert gone["error"]["code"] == "grammar_not_found"
    assert gone["error"]["param"] == "response_format.id"
    assert live.get("/v1/grammars/city").status_code == live.http.delete("/v1/grammars/city").status_code == 404


def test_ready_made_constraints_are_listed_and_used(live):
    ready = {entry["id"]: entry for entry in live.get("/v1/grammars").json()["library"]}
    assert ready.keys() == {f"library:{name}" for name in library.names()}
    asked = {"prompt": "An id:", "max_tokens": 80, "response_format": {"type": "grammar_id", "id": "library:uuid"}}
    text = post(live, "/completions", asked)["choices"][0]["text"]
    assert re.fullmatch(ready["library:uuid"]["definition"], text)


@pytest.mark.parametrize("name", ["grammar-1", "library:mine", ".hidden", "a" * 65, "a b"])
def test_id_that_cannot_be_given_is_refused(live, name):
    reply = live.http.put(f"/v1/grammars/{name}", json={"regex": "a"})
    assert (reply.status_code, reply.json()["error"]["param"]) == (400, "id")


def test_two_constraints_in_one_body_are_refused(live):
    error = post(live, "/grammars", {"regex": "a", "id": "library:uuid"}, 400)["error"]
    assert error["param"] == "id"
    error = post(live, "/grammars", {"regex": "a", "choice": ["b"]}, 400)["error"]
    assert error["param"] in ("regex", "choice")
    chat = {"messages": [{"role": "user", "content": "x"}], "response_format": {"type": "grammar_id", "id": "x"}}
    assert post(live, "/chat/completions", {**chat, "regex": "a"}, 400)["error"]["param"] == "response_format.id"


@pytest.mark.parametrize(
    ("path", "body", "param"),
    [
        ("/grammars/accept", {"regex": "a", "text": "a", "token_ids": [1]}, "token_ids"),
        ("/grammars/accept", {"regex": "a", "token_ids": [1 << 40]}, "token_ids"),
        ("/grammars/accept", {"regex": "a", "text": "a" * 1_100_000}, "text"),
        ("/grammars/next-tokens", {"regex": "a", "limit": 100_000}, "limit"),
        ("/grammars/next-tokens", {"regex": "a", "limit": -1}, "limit"),
        ("/grammars/next-tokens", {"regex": "a", "max_tokens": 0}, "max_tokens"),
        ("/verify", {"regex": "a"}, "text"),
        ("/verify", {"text": "a"}, "schema"),
        ("/grammars", {"regex": "a" * 600_000}, "regex"),
    ],
)
def test_what_is_out_of_bounds_is_named(live, path, body, param):
    assert post(live, path, body, 400)["error"]["param"] == param


def test_each_key_keeps_its_own_within_bounds(tiny_model):
    limits = LimitsConfig(max_stored_grammars=2)
    with serving(config_for(tiny_model, server=ServerConfig(port=0, api_keys=("one", "two")), limits=limits)) as live:

        def call(key, method, path, **body):
            headers = {"authorization": f"Bearer {key}"}
            return live.http.request(method, f"/v1/grammars{path}", headers=headers, json=body or None)

        assert live.get("/v1/grammars").status_code == 401
        first = call("one", "POST", "", regex="a").json()["id"]
        call("one", "POST", "", regex="b")
        third = call("one", "POST", "", regex="c").json()["id"]
        assert [call("one", "GET", f"/{name}").status_code for name in (first, third)] == [404, 200]
        assert call("two", "GET", f"/{third}").status_code == 404
        assert [call("one", "PUT", f"/n{i}", regex="a").status_code for i in range(3)] == [201, 201, 400]
        assert call("one", "PUT", "/n1", regex="d").status_code == 200
        unkept = call("one", "POST", "", regex="e").json()
        assert not unkept["kept"]
        assert {entry["id"] for entry in call("one", "GET", "").json()["data"]} == {"n0", "n1"}
        assert call("two", "GET", "").json()["data"] == []
