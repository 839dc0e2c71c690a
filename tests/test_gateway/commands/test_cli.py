"""The command, as a process where its life matters, else in this one."""

import asyncio
import json
import os
import pty
import re
import select
import shlex
import signal
import socket
import subprocess
import sys
import threading
from importlib.metadata import packages_distributions

import httpx
import openai
import pytest

from gateway import package_check
from gateway.cli import _parser, main
from gateway.commands import COMMANDS, conversation
from gateway.commands.chat import EMBEDDED
from gateway.commands.loading_server import LoadingServer
from gateway.config.flags import FLAGS
from gateway.errors import InstallationError
from gateway.service.model.folder import ModelFolder

PERSON = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def write(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


def test_importing_the_command_is_light():
    heavy = ["torch", "transformers", "numba", "numpy", "litestar", "uvicorn", "tokenizers", "jinja2"]
    code = f"import sys, gateway.cli; print([name for name in {heavy!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


@pytest.mark.parametrize(("given", "policy"), [(None, "passive"), ("active", "active")])
def test_threads_that_wait_leave_the_core_unless_they_are_told_otherwise(tmp_path, monkeypatch, given, policy):
    monkeypatch.setenv("OMP_WAIT_POLICY", given or "")  # so that it is put back
    if given is None:
        monkeypatch.delenv("OMP_WAIT_POLICY")
    assert main(["check-schema", write(tmp_path / "s.json", PERSON)]) == 0
    assert os.environ["OMP_WAIT_POLICY"] == policy


def test_check_schema_prints_how_each_keyword_is_held(tmp_path, capsys):
    assert main(["check-schema", write(tmp_path / "s.json", PERSON)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"mask\s+/\S*\s*properties", out)
    assert "accepted" in out


def test_check_schema_reports_as_json(tmp_path, capsys):
    assert main(["check-schema", write(tmp_path / "s.json", PERSON), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["accepted"] is True
    assert report["shortest_bytes"] == len('{"name":""}')
    assert {"properties", "required", "type"} <= {entry["keyword"] for entry in report["keywords"]}


def test_check_schema_names_members_that_no_value_fits(tmp_path, capsys):
    path = write(tmp_path / "s.json", {"type": "object", "properties": {"a": {"enum": []}}})
    assert main(["check-schema", path]) == 0
    assert "never written, since no value fits: /properties/a\n" in capsys.readouterr().out
    assert main(["check-schema", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["never_written"] == ["/properties/a"]


@pytest.mark.parametrize(
    ("schema", "code", "pointer"),
    [
        ({"properties": {"a": {"type": "strong"}}}, "invalid_grammar", "/properties/a"),
        (False, "unsatisfiable", None),
        (
            {"properties": {"a": {"enum": []}}, "required": ["a"], "type": "object"},
            "unsatisfiable",
            "/properties/a/enum",
        ),
        ({"type": "string", "pattern": "(a)\\1"}, "unsupported", "/pattern"),
    ],
    ids=str,
)
def test_check_schema_fails_with_the_place(tmp_path, capsys, schema, code, pointer):
    path = write(tmp_path / "s.json", schema)
    assert main(["check-schema", path]) == 1
    line = capsys.readouterr().out
    assert line.startswith(path)
    assert f"[{code}]" in line
    assert pointer is None or pointer in line
    assert main(["check-schema", path, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["accepted"], report["code"]) == (False, code)
    assert pointer is None or pointer in report["pointer"]


@pytest.mark.parametrize("content", ["{", "[1]", "5", None])
def test_check_schema_names_a_file_that_is_no_schema(tmp_path, capsys, content):
    path = tmp_path / "s.json"
    if content is not None:
        path.write_text(content)
    assert main(["check-schema", str(path)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("portcullis: ")
    assert str(path) in captured.err


@pytest.mark.parametrize("arguments", [[], ["serv"], ["--versoin"], ["chat", "x", "--regex", "a", "--choice", "b"]])
def test_wrong_usage_exits_with_two(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: portcullis" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["serve", "--port", "many"], "server.port"),
        (["serve", "--port", "99999"], "99999"),
        (["serve", "--model", "/nowhere/at/all", "--port", "0"], "/nowhere/at/all"),
        (["serve", "--config", "/nowhere.toml"], "/nowhere.toml"),
        (["serve", "--port", "0", "--dtype", "float7", "--model", "TINY"], "float7"),
        (["serve", "--port", "0", "--tool-format", "morse", "--model", "TINY"], "morse"),
        (["serve", "--port", "0", "--reasoning-format", "pondering", "--model", "TINY"], "pondering"),
        (["chat", "x", "--schema", "/nowhere.json"], "/nowhere.json"),
        (["chat", "x", "--model", "/nowhere/model.gguf"], "there is no file /nowhere/model.gguf; a model is a"),
        (["chat", "x", "--model", "/nowhere/model"], "config.json, *.safetensors and tokenizer.json"),
        (["chat", "x", "--model", __file__], "is a file; a model is a .gguf file, a folder"),
    ],
    ids=lambda value: value[1] if isinstance(value, list) else "",
)
def test_what_cannot_be_done_is_said_in_one_line(arguments, says, capsys, tiny_model):
    before = signal.getsignal(signal.SIGTERM)
    try:
        assert main([str(tiny_model) if argument == "TINY" else argument for argument in arguments]) == 1
    finally:
        signal.signal(signal.SIGTERM, before)
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("portcullis: ")
    assert says in last


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chat", "x", "--regex", "("], "--regex"),
        (["chat", "x", "--schema", "SCHEMA"], "--schema"),
        (["chat", "x", "--temperature", "-1"], "temperature"),
        (["chat", "x", "--temperature", "nan"], "temperature"),
        (["chat", "x", "--max-tokens", "0"], "--max-tokens"),
        (["chat", "x", "--attention-backend", "flsh"], "auto, triton, flash, compiled or sdpa"),
        (["serve", "--port", "0", "--device", "gpu"], "engine.device"),
        (["serve", "--port", "99999"], "--port"),
        (["serve", "--port", "0", "--reasoning-format", "nope"], "'model.reasoning_format': "),
        (["serve", "--port", "0", "--tool-format", "morse"], "morse"),
        (["serve", "--port", "0", "--reasoning-format", "pondering"], "pondering"),
        (["serve", "--port", "0", "--draft-model", "/nowhere/at/all"], "/nowhere/at/all"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_wrong_whatever_the_model_is_said_before_it_loads(arguments, says, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(ModelFolder, "open", lambda path: pytest.fail("the model is read"))
    path = write(tmp_path / "s.json", {"type": "string", "minLength": 2, "maxLength": 1})
    before = signal.getsignal(signal.SIGTERM)
    try:
        assert main([path if argument == "SCHEMA" else argument for argument in arguments]) == 1
    finally:
        signal.signal(signal.SIGTERM, before)
    assert says in capsys.readouterr().err.strip().splitlines()[-1]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([], "no config.json and no *.safetensors"),
        (["config.json"], "no *.safetensors;"),
        (["model.safetensors"], "no config.json;"),
        (["config.json", "model.safetensors"], "no tokenizer.json;"),
        (["model.gguf"], "model.gguf is no GGUF file that can be read: it does not begin with GGUF"),
        (["model.Q4_0.gguf", "model.Q8_0.gguf"], "2 GGUF models: model.Q4_0.gguf, model.Q8_0.gguf; name the file"),
    ],
    ids=str,
)
def test_what_a_models_folder_lacks_is_said_before_it_loads(files, says, capsys, tmp_path):
    for name in files:
        (tmp_path / name).write_text("{}")
    assert main(["chat", "x", "--model", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert says in error
    assert "indexing" not in error


def test_help_says_what_is_served_and_gives_an_example(capsys):
    with pytest.raises(SystemExit):
        main([])
    shown = capsys.readouterr().err
    assert "OpenAI, Anthropic, TGI and Ollama" in shown
    assert "portcullis chat" in shown
    for command in COMMANDS:
        with pytest.raises(SystemExit) as caught:
            main([command.NAME, "--help"])
        assert caught.value.code == 0
        shown = capsys.readouterr().out
        assert f"example:\n  portcullis {command.NAME}" in shown
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert all(flag.name in shown for flag in FLAGS.values())
    assert "TCP port; 0 takes a free one; default: 8000" in shown


@pytest.mark.parametrize(("verb", "near"), [("serv", "serve"), ("chta", "chat"), ("zzz", "verbs are serve, chat")])
def test_a_mistyped_verb_gets_the_nearest(verb, near, capsys):
    with pytest.raises(SystemExit):
        main([verb])
    assert near in capsys.readouterr().err.splitlines()[-1]


def heed_interrupts():
    """Let SIGINT interrupt, which a shell has its background jobs ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_chat_without_a_question_is_a_conversation(tmp_path):
    schema = write(tmp_path / "s.json", {"type": "boolean"})
    broken = write(tmp_path / "b.json", {"type": "strong"})
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "gateway", "chat", "--threads", "1"],
        stdin=terminal, stdout=terminal, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=heed_interrupts,
    )  # fmt: skip
    os.close(terminal)
    timer = threading.Timer(60, process.kill)
    timer.start()
    shown = ""

    def read_until(end):
        nonlocal shown
        while end not in shown:
            shown += os.read(master, 4096).decode()
        before, _, shown = shown.partition(end)
        return before

    def ask(line):
        os.write(master, f"{line}\n".encode())
        read_until("\r\n")  # what the terminal echoes
        return read_until("> ").strip()

    try:
        read_until("> ")
        assert ask(f"/schema {schema}") == ""
        assert ask("Is water wet?") in ("true", "false")
        assert ask(f"/schema {broken}") == ask("/system Be brief.") == ask("/reset") == ""
        assert ask("Is fire cold?") in ("true", "false")
        process.send_signal(signal.SIGINT)  # at the prompt it clears the line
        while not select.select([master], [], [], 1.0)[0]:
            process.send_signal(signal.SIGINT)  # readline sees one that came before it waited with the next
        read_until("> ")
        assert ask("And now?") in ("true", "false")
        os.write(master, b"\x04")
        assert process.wait(60) == 0
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        os.close(master)


def test_interrupting_an_answer_keeps_the_conversation(monkeypatch, capsys):
    lines = iter(["one", "two", "/quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    asked = []

    async def answer(service, request, written):
        asked.append(request)
        written.append("begun")
        if len(asked) == 1:
            signal.raise_signal(signal.SIGINT)
            await asyncio.sleep(60)

    monkeypatch.setattr(conversation, "print_answer", answer)
    heed_interrupts()
    conversation.Conversation(None, lambda messages, constraint: messages, None, None, "Be brief.").run()
    assert [message["content"] for message in asked[1]] == ["Be brief.", "one", "begun", "two"]


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (["serve", "--prot", "1"], "--port?"),
        (["serve", "--prot=1"], "--port?"),
        (["chat", "x", "--shema", "f"], "--schema?"),
        (["check-schema", "f", "--jsno"], "--json?"),
        (["serve", "--zzzzzz"], "--zzzzzz"),
        (["chat", "x", "y"], "unknown argument y"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_unknown_flag_is_told_with_the_verbs_usage_and_the_nearest(arguments, near, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith(f"usage: portcullis {arguments[0]}")
    assert error.rstrip().endswith(near)


def test_chat_without_a_shape_says_what_the_embedded_model_is_for(monkeypatch, capsys, tmp_path):
    import gateway.embedded

    monkeypatch.setattr(gateway.embedded, "WEIGHTS", tmp_path)  # what is said is said before it loads
    assert main(["chat", "It is 21 degrees in Lima."]) == 1
    assert EMBEDDED in capsys.readouterr().err
    assert main(["chat", "x", "--choice", "yes"]) == 1
    assert EMBEDDED not in capsys.readouterr().err


def test_chat_answers_in_its_shape(tiny_model, capsys, tmp_path):
    asked = ["chat", "hi", "--model", str(tiny_model), "--seed", "1", "--temperature", "1"]
    assert main([*asked, "--choice", "yes", "--choice", "no"]) == 0
    captured = capsys.readouterr()
    assert captured.out.strip() in ("yes", "no")
    assert "loading the weights" in captured.err
    schema = write(tmp_path / "s.json", {"type": "integer", "minimum": 0, "maximum": 9})
    assert main([*asked, "--schema", schema, "--system", "Be brief."]) == 0
    assert 0 <= json.loads(capsys.readouterr().out) <= 9
    assert main([*asked, "--regex", "("]) == 1
    assert "--regex" in capsys.readouterr().err
    assert main([*asked, "--max-tokens", "4"]) == 0


def test_who_asks_while_the_model_loads_is_told_the_stage():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        told = []
        with LoadingServer(listener, told.append) as starting:
            silent = socket.create_connection(listener.getsockname(), timeout=30)  # says nothing, holds up nobody
            starting("loading the weights")
            reply = httpx.get(f"{url}/health", timeout=30)
            assert (reply.status_code, reply.headers["retry-after"]) == (503, "1")
            assert (reply.json()["status"], reply.json()["stage"]) == ("starting", "loading the weights")
            with pytest.raises(openai.InternalServerError, match="loading the weights"):
                openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0).models.list()
            reply = httpx.head(f"{url}/health", timeout=30)
            assert (reply.status_code, reply.content) == (503, b"")
        silent.close()
        assert told == ["loading the weights"]
        # Whoever comes next serves on it.
        listener.setblocking(True)
        with socket.create_connection(listener.getsockname(), timeout=30), listener.accept()[0]:
            pass


def test_serve_prints_its_address_serves_and_leaves_on_a_signal(tiny_model):
    process = subprocess.Popen(
        [sys.executable, "-m", "gateway", "serve", "--model", str(tiny_model), "--port", "0", "--api-key", "k"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PORTCULLIS_MODEL_NAME": "named"},
    )
    lines = []
    timer = threading.Timer(240, process.kill)
    timer.start()
    try:
        for line in process.stderr:
            lines.append(line)
            address = re.search(r"serving named on (http://127\.0\.0\.1:\d+/v1)", line)
            if address:
                break
        else:
            raise AssertionError("".join(lines))
        assert any("loading the weights" in line for line in lines)
        assert not any("everyone who reaches" in line for line in lines)
        models = httpx.get(f"{address[1]}/models", headers={"x-api-key": "k"}, timeout=30)
        assert models.json()["data"][0]["id"] == "named"
        assert httpx.get(f"{address[1]}/models", timeout=30).status_code == 401
        body = {"prompt": "x", "max_tokens": 400, "ignore_eos": True, "stream": True}
        with httpx.stream(
            "POST", f"{address[1]}/completions", json=body, headers={"x-api-key": "k"}, timeout=60
        ) as stream:
            events = stream.iter_lines()
            next(events)
            process.send_signal(signal.SIGTERM)
            # What is under way when the signal comes is finished first.
            assert list(events)[-2:] == ["data: [DONE]", ""]
        rest = process.stderr.read()
        assert process.wait(30) == 0
        assert "stopped" in rest
        assert "Traceback" not in rest
    finally:
        timer.cancel()
        process.kill()
        process.wait()
        process.stderr.close()


def test_serve_says_that_an_address_is_taken_before_it_loads(capsys):
    before = signal.getsignal(signal.SIGTERM)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        try:
            assert main(["serve", "--port", str(taken.getsockname()[1])]) == 1
        finally:
            signal.signal(signal.SIGTERM, before)
    error = capsys.readouterr().err
    assert "cannot bind" in error
    assert "--port" in error
    assert "loading" not in error


def test_a_model_that_is_not_there_is_said_in_one_line(monkeypatch, tmp_path, capsys):
    import gateway.embedded

    monkeypatch.setattr(gateway.embedded, "WEIGHTS", tmp_path)
    assert main(["chat", "x"]) == 1
    assert "no weights" in capsys.readouterr().err.splitlines()[-1]


def test_the_packages_come_from_one_place():
    package_check.check_packages()
    assert len({package_check.folder_of(name) for name in package_check.PACKAGES}) == 1


@pytest.mark.parametrize("name", package_check.PACKAGES)
def test_no_other_distribution_owns_our_names(name):
    assert set(packages_distributions().get(name, [])) <= {"portcullis"}


def test_the_command_refuses_packages_from_elsewhere(monkeypatch, tmp_path, capsys):
    found = {"tools": tmp_path / "other"}
    real = package_check.folder_of
    monkeypatch.setattr(package_check, "folder_of", lambda name: found.get(name) or real(name))
    with pytest.raises(InstallationError, match="'tools' is imported from"):
        package_check.check_packages()
    assert main(["check-schema", "/x"]) == 1
    assert "another package of that name" in capsys.readouterr().err


def test_an_absent_package_is_named(monkeypatch):
    monkeypatch.setattr(package_check, "folder_of", lambda name: None)
    with pytest.raises(InstallationError, match="'gateway' is missing"):
        package_check.check_packages()


@pytest.mark.parametrize("command", COMMANDS, ids=[command.NAME for command in COMMANDS])
def test_examples_in_help_are_commands(command):
    program, *words = shlex.split(command.EXAMPLE)
    arguments, unknown = _parser().parse_known_args(words)
    assert (program, unknown) == ("portcullis", [])
    assert arguments.run is command.run
