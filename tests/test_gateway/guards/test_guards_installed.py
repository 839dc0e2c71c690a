"""Guards of other packages: a distribution in a folder on the path, with the very code of the contributing page."""

import re
import sys
from pathlib import Path

import pytest
from guarded_dialects import policy_of
from scripted import policies, scripted
from test_guards_answers import ask, chunks

from gateway.errors import ConfigError
from gateway.guards import read_policies

PAGE = Path(__file__).resolve().parents[3] / "gateway" / "docs" / "contributing.md"
EXAMPLE = re.search(r"## A guard\n.*?```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)[1]
POINTS = "ticket = our_guards:TICKET\nshouting = our_guards:SHOUTING\n"


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Puts a distribution on the path."""

    def installed(name, points, **modules):
        site = tmp_path / f"site-{name}"
        info = site / f"{name}-1.2.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[portcullis.guards]\n{points}")
        for module, source in modules.items():
            (site / f"{module}.py").write_text(source)
            monkeypatch.delitem(sys.modules, module, raising=False)
        monkeypatch.syspath_prepend(str(site))

    yield installed
    for name in ("our_guards", "their_guards"):
        sys.modules.pop(name, None)


def read(tmp_path, text):
    path = tmp_path / "policies.toml"
    path.write_text(text)
    return read_policies(path)


def said_of(tmp_path, guard, options="name = 'x'", action="block"):
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, policy_of(guard, options, action))
    return str(caught.value)


def one_rule(guard, action, side="output", more=""):
    return f'default = "p"\n[policies.p]\n{side} = [{{ guard = "{guard}", action = "{action}"{more} }}]\n'


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize(
    ("guard", "action", "more", "written", "left", "reason"),
    [
        ("ticket", "redact", ', replacement = "[T]"', "see T-123456, ok", "see [T], ok", "stop"),
        ("ticket", "block", "", "see T-123456, ok", "see ", "content_filter"),
        ("ticket", "annotate", "", "see T-123456, ok", "see T-123456, ok", "stop"),
        ("ticket", "redact", "", "see T-12345, ok", "see T-12345, ok", "stop"),
        ("shouting", "block", "", "NO", "", "content_filter"),
        ("shouting", "annotate", "", "NO", "NO", "stop"),
        ("shouting", "block", "", "no", "no", "stop"),
    ],
)
def test_an_installed_guard_does_what_ours_do(
    tiny_live, tmp_path, install, guard, action, more, written, left, reason, is_streamed
):
    install("ours", POINTS, our_guards=EXAMPLE)
    with policies(tiny_live, tmp_path, one_rule(guard, action, more=more)), scripted(tiny_live, written):
        if is_streamed:
            choices = [chunk["choices"][0] for chunk in chunks(tiny_live)]
            told = "".join(choice["delta"].get("content") or "" for choice in choices)
        else:
            choices = ask(tiny_live).json()["choices"]
            told = choices[0]["message"]["content"] or ""
        assert (told, choices[-1]["finish_reason"]) == (left, reason)
        found = choices[-1].get("guards", [])
        is_found = action == "annotate" or left != written
        kind = "id" if guard == "ticket" else guard
        assert found == (
            [{"guard": guard, "kind": kind, "action": action, "where": "content", "count": 1}] if is_found else []
        )


def test_what_one_knows_by_a_pattern_is_kept_out_by_the_mask(tiny_live, tmp_path, install):
    install("ours", POINTS, our_guards=EXAMPLE.replace("T-[0-9]{6}", "[a-z]"))
    fields = [{"max_tokens": 24, "temperature": 1.5, "seed": seed} for seed in range(3)]
    texts = [ask(tiny_live, **each).json()["choices"][0]["message"]["content"] for each in fields]
    assert all(re.search("[a-z]", text) for text in texts)
    with policies(tiny_live, tmp_path, one_rule("ticket", "forbid")):
        texts = [ask(tiny_live, **each).json()["choices"][0]["message"]["content"] for each in fields]
        assert all(text and not re.search("[a-z]", text) for text in texts)


@pytest.mark.parametrize(("guard", "text"), [("ticket", "T-123456"), ("shouting", "HELLO")])
def test_prompts_are_looked_at_too(tiny_live, tmp_path, install, guard, text):
    install("ours", POINTS, our_guards=EXAMPLE)
    with policies(tiny_live, tmp_path, one_rule(guard, "block", "input")):
        body = {"model": "test-model", "prompt": text, "max_tokens": 1}
        assert tiny_live.post("/v1/completions", json=body).status_code == 400
        body["prompt"] = "hello"
        assert tiny_live.post("/v1/completions", json=body).status_code == 200


def test_a_package_is_imported_where_a_policy_names_its_guard(tmp_path, install):
    install("ours", POINTS, our_guards=EXAMPLE)
    read(tmp_path, policy_of("terms", 'terms = ["a"]', "block"))
    assert "our_guards" not in sys.modules
    assert "must be one of pattern, terms" in (said := said_of(tmp_path, "other"))
    assert "language, shouting, ticket, not 'other'" in said
    assert "our_guards" not in sys.modules
    read(tmp_path, one_rule("ticket", "block"))
    assert "our_guards" in sys.modules


@pytest.mark.parametrize(
    ("points", "source", "said"),
    [
        ("pii = our_guards:PII", "", "guard is pii, which is a guard of this server's, and ours 1.2 has one of that"),
        ("x = absent_module:X", "", "guard is x of ours 1.2, which cannot be imported: ModuleNotFoundError: No module"),
        ("x = our_guards:X", "1 / 0", "guard is x of ours 1.2, which cannot be imported: ZeroDivisionError: division"),
        ("x = our_guards:X", "Y = 1", "guard is x of ours 1.2, which cannot be imported: AttributeError: "),
        ("x = our_guards:X", "X = 1", "guard is x of ours 1.2, and our_guards:X is no Guard of that name"),
        ("x = our_guards:TICKET", EXAMPLE, "guard is x of ours 1.2, and our_guards:TICKET is no Guard of that name"),
    ],
)
def test_what_cannot_be_used_is_said_with_its_package(tmp_path, install, points, source, said):
    install("ours", points, our_guards=source)
    name = points.split(" ")[0]
    assert f"policies.p.output[0].{said}" in said_of(tmp_path, name)


def test_a_name_that_two_packages_take_is_nobodys(tmp_path, install):
    install("ours", POINTS, our_guards=EXAMPLE)
    install("theirs", POINTS.replace("our", "their"), their_guards=EXAMPLE)
    assert "several packages have a guard of that name: ours 1.2 and theirs 1.2" in said_of(tmp_path, "ticket")


@pytest.mark.parametrize(
    ("action", "more", "said"),
    [
        ("redact", "", "action cannot be redact for shouting: it judges whole texts"),
        ("forbid", "", "action cannot be forbid for shouting: it judges whole texts"),
        ("retry", ', otherwise = "redact"', "otherwise cannot be redact for shouting: it judges whole texts"),
    ],
)
def test_a_judge_is_not_asked_for_what_judges_cannot_do(tmp_path, install, action, more, said):
    install("ours", POINTS, our_guards=EXAMPLE.replace("    actions=JUDGED,\n    unmasked=UNMASKED,\n", ""))
    with pytest.raises(ConfigError, match=re.escape(said)):
        read(tmp_path, one_rule("shouting", action, more=more))


def test_its_options_are_checked_like_those_of_ours(tmp_path, install):
    install("ours", POINTS, our_guards=EXAMPLE)
    assert "max is not known; known are guard, action" in said_of(tmp_path, "shouting", "max = 1")
    assert "hold_characters must be a whole number" in said_of(tmp_path, "shouting", 'hold_characters = "x"')
    assert "on_failure must be block or pass" in said_of(tmp_path, "shouting", 'on_failure = "x"')
