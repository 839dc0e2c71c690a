"""What is read of a model's folder: a chat template for each purpose, whichever file holds it."""

import json
import shutil
from pathlib import Path

import pytest
from family_templates import CHATML, HERMES_TOOLS
from serving import config_for, serving

from gateway.service.model.folder import ModelFolder

TOOL = {"type": "function", "function": {"name": "f", "description": "What it does", "parameters": {"type": "object"}}}


@pytest.fixture
def folder(tiny_model: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_model, tmp_path / "model"))


def set_template(folder: Path, template: object) -> None:
    path = folder / "tokenizer_config.json"
    settings = json.loads(path.read_text())
    path.write_text(json.dumps({**settings, "chat_template": template}))


NAMED = [{"name": "default", "template": "plain"}, {"name": "tool_use", "template": "with tools"}]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("plain", ("plain", None)),
        (NAMED, ("plain", "with tools")),
        ({each["name"]: each["template"] for each in NAMED}, ("plain", "with tools")),
        (NAMED[1:], ("with tools", "with tools")),
        (NAMED[:1], ("plain", None)),
        (None, (None, None)),
    ],
)
def test_each_purpose_has_its_template(folder: Path, template: object, expected: tuple[object, object]) -> None:
    set_template(folder, template)
    found = ModelFolder.open(folder)
    assert (found.chat_template, found.tools_template) == expected


def test_files_of_their_own_come_first(folder: Path) -> None:
    set_template(folder, NAMED)
    (folder / "chat_template.jinja").write_text("from a file")
    further = folder / "additional_chat_templates"
    further.mkdir()
    (further / "tool_use.jinja").write_text("with tools, from a file")
    found = ModelFolder.open(folder)
    assert (found.chat_template, found.tools_template) == ("from a file", "with tools, from a file")


def test_a_template_may_stand_in_a_document_of_its_own(folder: Path) -> None:
    set_template(folder, None)
    (folder / "chat_template.json").write_text(json.dumps({"chat_template": "from a document"}))
    assert ModelFolder.open(folder).chat_template == "from a document"


def test_requests_with_tools_and_without_are_rendered_by_their_own_template(folder: Path) -> None:
    set_template(
        folder, [{"name": "default", "template": CHATML}, {"name": "tool_use", "template": "T:" + HERMES_TOOLS}]
    )
    user = {"role": "user", "content": "Hello"}
    with serving(config_for(folder)) as live:
        assert live.service._loaded.tool_format.name == "hermes"
        prompts = [
            live.post("/apply-template", json={"messages": [user], **more}).json()["prompt"]
            for more in ({}, {"tools": [TOOL]})
        ]
    assert prompts[0].startswith("<|im_start|>user\nHello")
    assert prompts[1].startswith("T:")
    assert "What it does" in prompts[1]


def test_all_special_tokens_that_settings_name_are_told_to_templates(folder: Path) -> None:
    path = folder / "tokenizer_config.json"
    more = {"sep_token": "<sep>", "image_token": {"content": "<image>"}, "add_bos_token": True}
    path.write_text(json.dumps(json.loads(path.read_text()) | more))
    tokens = ModelFolder.open(folder).special_tokens
    assert tokens["sep_token"] == "<sep>"
    assert tokens["image_token"] == "<image>"
    assert "add_bos_token" not in tokens
