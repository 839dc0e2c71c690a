"""`portcullis chat`: answers in their shape, and conversations at a terminal."""

import asyncio
import json
import os
import pty
import select
import signal
import subprocess
import sys
import threading

import pytest
from test_check_schema import write

from gateway.cli import main
from gateway.commands import conversation
from gateway.commands.chat import EMBEDDED


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


def test_a_model_that_is_not_there_is_said_in_one_line(monkeypatch, tmp_path, capsys):
    import gateway.embedded

    monkeypatch.setattr(gateway.embedded, "WEIGHTS", tmp_path)
    assert main(["chat", "x"]) == 1
    assert "no weights" in capsys.readouterr().err.splitlines()[-1]
