"""Texts to tokens and back, in the shapes of several servers."""

import pytest

TEXT = 'Grüße, 世界! {"a": 1}'
HELLO = [{"role": "user", "content": "hi"}]
TOOLS = [{"type": "function", "function": {"name": "find_it", "parameters": {"type": "object", "properties": {}}}}]


PARTS = [{"type": "text", "text": "a"}] * 10_001


def post(live, path, status=200, **body):
    reply = live.post(path, json=body)
    assert reply.status_code == status, reply.text
    return reply.json()


def test_tokenize_as_vllm_does(live):
    ids = live.service._loaded.tokenizer.encode(TEXT).ids
    reply = post(live, "/tokenize", prompt=TEXT, model="test-model", return_token_strs=True)
    assert reply["tokens"] == ids
    assert reply["count"] == len(ids) == len(reply["token_strs"])
    assert reply["max_model_len"] == live.service.model.max_context
    assert post(live, "/tokenize", prompt=TEXT)["token_strs"] is None
    assert post(live, "/detokenize", tokens=ids) == {"prompt": TEXT, "content": TEXT}


def test_tokenize_a_conversation_as_it_is_prompted(live):
    reply = post(live, "/tokenize", messages=HELLO)
    prompt = post(live, "/apply-template", messages=HELLO)["prompt"]
    assert post(live, "/detokenize", tokens=reply["tokens"])["prompt"] == prompt
    answered = post(live, "/v1/chat/completions", messages=HELLO, max_tokens=1)
    assert answered["usage"]["prompt_tokens"] == reply["count"]
    closed = post(live, "/tokenize", messages=HELLO, add_generation_prompt=False)
    assert closed["tokens"] == reply["tokens"][: closed["count"]]
    assert closed["count"] < reply["count"]
    with_tools = post(live, "/apply-template", messages=HELLO, tools=TOOLS)["prompt"]
    assert "find_it" in with_tools
    assert "find_it" not in prompt


def test_tokenize_as_tgi_does(live):
    tokens = post(live, "/tokenize", inputs=TEXT)
    assert [token["id"] for token in tokens] == live.service._loaded.tokenizer.encode(TEXT).ids
    assert tokens[0]["start"] == 0
    assert tokens[-1]["stop"] == len(TEXT)
    assert all(token["text"] == TEXT[token["start"] : token["stop"]] for token in tokens)
    chat = post(live, "/chat_tokenize", messages=HELLO)
    assert chat["templated_text"] == post(live, "/apply-template", messages=HELLO)["prompt"]
    assert len(chat["tokenize_response"]) == post(live, "/tokenize", messages=HELLO)["count"]


def test_tokenize_as_llama_cpp_does(live):
    ids = post(live, "/tokenize", content=TEXT)["tokens"]
    assert post(live, "/detokenize", tokens=ids)["content"] == TEXT
    pieces = post(live, "/tokenize", content=TEXT, with_pieces=True)["tokens"]
    assert [piece["id"] for piece in pieces] == ids
    data = b"".join(
        piece["piece"].encode() if isinstance(piece["piece"], str) else bytes(piece["piece"]) for piece in pieces
    )
    assert data == TEXT.encode()


def test_tokenize_as_sglang_does(live):
    one = post(live, "/v1/tokenize", prompt=TEXT)
    many = post(live, "/v1/tokenize", prompt=[TEXT, "", "x"])
    assert one["count"] == len(one["tokens"]) == many["count"][0]
    assert many["tokens"][0] == one["tokens"]
    assert post(live, "/v1/detokenize", tokens=one["tokens"]) == {"text": TEXT}
    assert post(live, "/v1/detokenize", tokens=many["tokens"]) == {"text": [TEXT, "", "x"]}
    end = live.service._loaded.engine.eos_token_ids[0]
    assert post(live, "/v1/detokenize", tokens=[end]) == {"text": ""}
    named = post(live, "/v1/detokenize", tokens=[end], skip_special_tokens=False)
    assert named == {"text": live.service._loaded.tokenizer.id_to_token(end)}


@pytest.mark.parametrize(
    ("path", "body", "param"),
    [
        ("/tokenize", {}, "prompt"),
        ("/tokenize", {"prompt": "a", "messages": HELLO}, "messages"),
        ("/tokenize", {"messages": []}, "messages"),
        ("/tokenize", {"messages": HELLO, "chat_template": "x"}, "chat_template"),
        ("/tokenize", {"prompt": "a" * 1_000_001}, "prompt"),
        ("/tokenize", {"inputs": "a" * 1_000_001}, "inputs"),
        ("/v1/tokenize", {"prompt": ["a" * 600_000] * 2}, "prompt"),
        ("/v1/chat/completions", {"messages": HELLO * 10_001}, "messages"),
        ("/tokenize", {"messages": [{"role": "user", "content": PARTS}]}, "messages[0].content"),
        ("/detokenize", {"tokens": [-1]}, "tokens"),
        ("/detokenize", {"tokens": [1 << 40]}, "tokens"),
        ("/detokenize", {}, "tokens"),
        ("/v1/detokenize", {"tokens": [1, [2]]}, "tokens"),
        ("/apply-template", {}, "messages"),
        ("/v1/tokenize", {"prompt": 5}, "prompt"),
    ],
)
def test_what_does_not_fit_is_named(live, path, body, param):
    assert post(live, path, 400, **body)["error"]["param"] == param


def test_a_long_text_is_refused_though_it_would_be_cut(live):
    reply = post(live, "/generate", 422, inputs="a" * 1_000_001, parameters={"truncate": 5})
    assert "inputs has 1000001 characters" in reply["error"]


def test_another_model_is_not_served(live):
    assert post(live, "/tokenize", 404, prompt="a", model="gpt-9")["error"]["code"] == "model_not_found"


def test_version_and_ping(live):
    assert live.get("/version").json()["version"]
    assert live.get("/ping").json() == {"status": "ok"}
