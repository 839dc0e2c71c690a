"""Ollama's API over a real socket: shapes, lines, and every way to be refused."""

import json

import pytest

HELLO = [{"role": "user", "content": "Say hello."}]
WEATHER = [{"role": "user", "content": "What is the weather in Paris?"}]
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": PARAMETERS}}
SCHEMA = {"type": "object", "properties": {"mood": {"enum": ["good", "bad"]}}, "required": ["mood"]}
DURATIONS = ("total_duration", "load_duration", "prompt_eval_duration", "eval_duration")


def body(**fields):
    options = {"num_predict": 12, **fields.pop("options", {})}
    return {"model": "test-model", "messages": HELLO, "options": options, **fields}


def whole(live, path="/api/chat", **fields):
    reply = live.post(path, json=body(**fields, stream=False))
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"] == "application/json"
    return reply.json()


def lines(live, path="/api/chat", **fields):
    reply = live.post(path, json=body(**fields))
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"].startswith("application/x-ndjson")
    assert reply.text.endswith("\n")
    return [json.loads(line) for line in reply.text.splitlines()]


def test_a_whole_chat_has_its_shape(live):
    reply = whole(live)
    assert (reply["model"], reply["done"]) == ("test-model", True)
    assert reply["message"]["role"] == "assistant"
    assert reply["done_reason"] in ("stop", "length")
    assert 0 < reply["eval_count"] <= 12
    assert reply["prompt_eval_count"] > 0
    assert all(isinstance(reply[name], int) and reply[name] >= 0 for name in DURATIONS)
    assert reply["total_duration"] >= reply["prompt_eval_duration"] + reply["eval_duration"] > 0


@pytest.mark.parametrize(("path", "asked"), [("/api/chat", {}), ("/api/generate", {"prompt": "Say hello."})])
def test_lines_say_what_the_whole_says(live, path, asked):
    options = {"seed": 5, "num_predict": 20}
    reply = whole(live, path, options=options, **asked)
    *pieces, end = lines(live, path, options=options, **asked)
    assert all(piece["done"] is False and "eval_count" not in piece for piece in pieces)
    if path == "/api/chat":
        assert "".join(piece["message"]["content"] for piece in pieces) == reply["message"]["content"]
        assert end["message"] == {"role": "assistant", "content": ""}
    else:
        assert "".join(piece["response"] for piece in pieces) == reply["response"]
        assert end["response"] == ""
    assert end["done"] is True
    for name in ("done_reason", "eval_count", "prompt_eval_count"):
        assert end[name] == reply[name]


def test_a_prompt_is_a_chat_of_one_turn(live):
    asked = {"options": {"seed": 3}}
    chat = whole(live, messages=[{"role": "system", "content": "Be brief."}, *HELLO], **asked)
    generated = whole(live, "/api/generate", system="Be brief.", prompt="Say hello.", **asked)
    assert generated["response"] == chat["message"]["content"]


def test_a_raw_prompt_is_continued_as_it_stands(live):
    options = {"temperature": 0, "num_predict": 8}
    raw = whole(live, "/api/generate", prompt="The sky is", raw=True, options=options)
    completion = live.post("/v1/completions", json={"prompt": "The sky is", "temperature": 0, "max_tokens": 8}).json()
    assert raw["response"] == completion["choices"][0]["text"]


@pytest.mark.parametrize("form", ["json", SCHEMA, json.dumps(SCHEMA)], ids=["json", "schema", "text"])
def test_answers_have_their_format(tiny_live, form):
    for seed in range(3):
        reply = whole(tiny_live, format=form, options={"num_predict": 200, "seed": seed})
        value = json.loads(reply["message"]["content"])
        assert isinstance(value, dict)
        assert form == "json" or value["mood"] in ("good", "bad")


def test_calls_come_whole_with_their_arguments_as_an_object(tiny_live):
    asked = {"tools": [TOOL], "format": {"const": "no"}, "messages": WEATHER}
    for seed in range(40):
        options = {"num_predict": 120, "seed": seed}
        *pieces, end = lines(tiny_live, **asked, options=options)
        calls = [call for piece in pieces for call in piece["message"].get("tool_calls", [])]
        assert all("city" in call["function"]["arguments"] for call in calls)
        reply = whole(tiny_live, **asked, options=options)["message"]
        assert reply.get("tool_calls", []) == calls
        assert end["done_reason"] == "stop"
        if calls:
            assert [call["function"]["index"] for call in calls] == list(range(len(calls)))
            assert all(call["id"] for call in calls)
            return
    raise AssertionError("none of the seeds makes a call")


def test_log_probabilities_are_told(live):
    reply = whole(live, logprobs=True, top_logprobs=2)
    assert "".join(entry["token"] for entry in reply["logprobs"]) == reply["message"]["content"]
    assert all(len(entry["top_logprobs"]) == 2 for entry in reply["logprobs"])
    *pieces, _ = lines(live, "/api/generate", prompt="Say hello.", logprobs=True)
    assert all("top_logprobs" not in entry for piece in pieces for entry in piece["logprobs"])


@pytest.mark.parametrize(
    ("path", "asked"),
    [("/api/chat", {"messages": []}), ("/api/chat", {"messages": None}), ("/api/generate", {"prompt": ""})],
)
def test_nothing_to_answer_loads_the_model(live, path, asked):
    reply = live.post(path, json=body(**asked, keep_alive="5m")).json()
    assert (reply["done"], reply["done_reason"]) == (True, "load")
    assert live.post(path, json=body(**asked, model="nope")).status_code == 404


def test_the_model_is_described(live):
    tags = live.get("/api/tags").json()["models"]
    assert [model["name"] for model in tags] == ["test-model:latest", "gpt-test:latest", "org/name:latest"]
    (running,) = live.get("/api/ps").json()["models"]
    assert running["digest"] == tags[0]["digest"]
    assert len(running["digest"]) == 64
    assert running["size"] > 0
    for asked in ({"model": "test-model"}, {"model": "test-model:latest"}, {"name": "org/name"}):
        sheet = live.post("/api/show", json=asked).json()
        assert sheet["capabilities"] == ["completion", "tools"]
        assert sheet["model_info"]["general.architecture"] == sheet["details"]["family"] == "llama"
        assert sheet["model_info"]["llama.context_length"] == running["context_length"]
        assert sheet["model_info"]["general.parameter_count"] > 1000
        assert "<|im_start|>" in sheet["template"]


def test_every_listed_name_is_served(live):
    for model in live.get("/api/tags").json()["models"]:
        assert whole(live, model=model["model"])["model"] == model["model"]


def test_the_server_says_that_it_is_there(live):
    assert live.get("/").text == "Ollama is running"
    assert live.get("/api/version").json()["version"].count(".") == 2
    for path in ("/", "/api/version", "/api/tags"):
        assert live.http.head(path).status_code == 200


def test_options_that_ask_for_nothing_are_ignored(live):
    loading = {"num_ctx": 512, "num_gpu": 1, "num_thread": 4, "num_batch": 64, "num_keep": 3, "use_mmap": True}
    nothing = {"mirostat": 0, "tfs_z": 1.0, "penalize_newline": True, "repeat_last_n": 64, "seed": -1, "stop": []}
    assert whole(live, options={**loading, **nothing}, keep_alive=-1, think=False)["done"]


def test_a_prompt_may_be_answered_for_as_long_as_the_context_lasts(tiny_live):
    options = {"num_predict": -1, "temperature": 0, "stop": ["qqqq"]}
    reply = whole(tiny_live, options=options, messages=[{"role": "user", "content": "a" * 3900}])
    total = reply["prompt_eval_count"] + reply["eval_count"]
    assert reply["done_reason"] == "stop" or total == tiny_live.service.model.max_context


def refused(reply, status):
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/json"
    assert set(reply.json()) == {"error"}
    return reply.json()["error"]


CHAT, GENERATE = "/api/chat", "/api/generate"


@pytest.mark.parametrize(
    ("path", "fields", "says"),
    [
        (CHAT, {"messages": "hi"}, "messages: Expected `array | null`"),
        (CHAT, {"messages": [{"role": "king"}]}, "messages[0].role"),
        (CHAT, {"messages": [{"role": "tool", "content": "x"}]}, "messages[0]: no earlier call waits for a result"),
        (
            CHAT,
            {"messages": [{"role": "tool", "content": "x", "tool_name": "f"}]},
            "messages[0].tool_name: no call that waits for its result has the tool_name 'f'",
        ),
        (
            CHAT,
            {"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{"}}]}]},
            "messages[0].tool_calls[0].function.arguments",
        ),
        (CHAT, {"format": "xml"}, 'format must be "json"'),
        (CHAT, {"format": "{"}, "format is a string that is not JSON"),
        (CHAT, {"format": {"type": "x"}}, "format: "),
        (CHAT, {"format": SCHEMA, "options": {"num_predict": 1}}, "Raise options.num_predict"),
        (CHAT, {"options": {"temperature": -1}}, "options.temperature must be between"),
        (CHAT, {"options": {"top_p": 2}}, "options.top_p must be between"),
        (CHAT, {"options": {"repeat_penalty": -1}}, "options.repeat_penalty must be between"),
        (CHAT, {"options": {"num_ctx": 0}}, "options.num_ctx must be at least 1"),
        (CHAT, {"options": {"mirostat": 2}}, "options.mirostat is not served"),
        (CHAT, {"options": {"tfs_z": 0.5}}, "options.tfs_z is not served"),
        (CHAT, {"options": {"penalize_newline": False}}, "options.penalize_newline is not served"),
        (CHAT, {"options": {"embedding_only": True}}, "options.embedding_only is not served"),
        (CHAT, {"options": {"vocab_only": True}}, "options.vocab_only is not served"),
        (CHAT, {"options": {"temperature": "hot"}}, "options.temperature: Expected"),
        (CHAT, {"options": {"stop": [""]}}, "options.stop holds an empty text"),
        (CHAT, {"think": "hard"}, "think"),
        (CHAT, {"top_logprobs": 2}, "top_logprobs needs"),
        (CHAT, {"logprobs": True, "top_logprobs": 21}, "top_logprobs must be between"),
        (CHAT, {"tools": [{"type": "function"}]}, "tools[0].function"),
        (CHAT, {"tools": [{"type": "web", "function": {"name": "f"}}]}, "tools[0].type"),
        (CHAT, {"messages": [], "keep_alive": 0}, "keep_alive"),
        (GENERATE, {"prompt": "", "keep_alive": "0s"}, "keep_alive"),
        (GENERATE, {"prompt": "x", "suffix": "y"}, "suffix is not served"),
        (GENERATE, {"prompt": "x", "template": "y"}, "template is not served"),
        (GENERATE, {"prompt": "x", "context": [1]}, "context is not served"),
        (GENERATE, {"prompt": "x", "width": 64}, "width is not served"),
    ],
)
def test_what_cannot_be_served_is_refused_by_name(tiny_live, path, fields, says):
    assert says in refused(tiny_live.post(path, json=body(**fields)), 400)
    assert says in refused(tiny_live.post(path, json=body(**fields, stream=False)), 400)


@pytest.mark.parametrize("path", [CHAT, GENERATE, "/api/show"])
def test_failures_have_their_statuses(tiny_live, path):
    assert "column 1" in refused(tiny_live.post(path, content=b"x"), 400)
    assert "model is missing" in refused(tiny_live.post(path, json={"prompt": "x"}), 400)
    assert "'nope'" in refused(tiny_live.post(path, json=body(model="nope", prompt="x")), 404)
    refused(tiny_live.post(path, content=b" " * 5_000_000), 413)
    refused(tiny_live.get(path), 405)
    refused(tiny_live.post(f"{path}/nothing", json={}), 404)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *[("POST", f"/api/{name}") for name in ("pull", "push", "create", "copy")],
        ("DELETE", "/api/delete"),
        ("POST", "/api/blobs"),
    ],
)
def test_what_changes_models_is_refused_by_name(tiny_live, method, path):
    address = f"{path}/sha256:00" if path.endswith("blobs") else path
    reply = tiny_live.http.request(method, address, json={"model": "test-model"})
    assert refused(reply, 400).startswith(f"{path} is not served")
