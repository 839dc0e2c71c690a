"""The command line: its verbs, their usage, and what is said of wrong arguments."""

import os
import shlex
import signal
import subprocess
import sys

import pytest
from test_check_schema import PERSON, write

from gateway.cli import _parser, main
from gateway.commands import COMMANDS
from gateway.config.flags import FLAGS
from gateway.service.model.folder import ModelFolder


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


@pytest.mark.parametrize("command", COMMANDS, ids=[command.NAME for command in COMMANDS])
def test_examples_in_help_are_commands(command):
    program, *words = shlex.split(command.EXAMPLE)
    arguments, unknown = _parser().parse_known_args(words)
    assert (program, unknown) == ("portcullis", [])
    assert arguments.run is command.run
