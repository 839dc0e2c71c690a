"""How a model writes calls, told from its template, what that makes of past calls, its tokens and its type."""

from __future__ import annotations

from pathlib import Path

import pytest
from family_shapes import JSON, SHAPES, Shape, template_of
from family_templates import FAMILIES, GLM, HERMES_TOOLS, MISTRAL, QWEN3
from tiny_model import NO_PAST_CALLS, TEMPLATE, write_tiny_model
from tokenizers import AddedToken, Tokenizer
from tokenizers.models import WordLevel

from gateway.cli import main
from gateway.errors import ModelLoadError
from gateway.service.model.folder import ModelFolder
from gateway.service.model.recognition import Recognized, recognized
from gateway.text import ChatTemplate
from tools import format_names


def folder_of(source: str, model_type: str = "", tokens: tuple[str, ...] = ()) -> ModelFolder:
    tokenizer = Tokenizer(WordLevel({"a": 0}, unk_token="a"))
    tokenizer.add_special_tokens([AddedToken(token) for token in tokens])
    return ModelFolder(
        path=Path(),
        tokenizer=tokenizer,
        chat_template=source,
        tools_template=None,
        special_tokens={"bos_token": "<s>", "eos_token": "</s>"},
        eos_token_ids=(0,),
        max_context=10,
        model_type=model_type,
    )


def told_of(source: str, wished: str | None = None, **more: object) -> Recognized:
    folder = folder_of(source, **more)
    return recognized(folder, ChatTemplate(source, folder.special_tokens), wished, "auto")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("qwen3", "hermes"),
        ("qwen3.5", "qwen3_coder"),
        ("gpt-oss", "harmony"),
        ("llama3.1", "llama3_json"),
        ("mistral", "mistral"),
        ("glm", "glm45"),
        ("functionary", "functionary_v32"),
        ("firefunction", "functools"),
        ("functiongemma", "functiongemma"),
        ("chatml", "generic"),
        ("gemma2", "generic"),
        ("parts", "generic"),
    ],
)
def test_families_are_recognized(name: str, expected: str) -> None:
    told = told_of(FAMILIES[name])
    assert told.tool_format is not None
    assert told.tool_format.name == expected
    assert (told.best is None) == (expected == "generic")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        # Newlines tell families apart that have one marker.
        (QWEN3.replace("<tool_call>\\n{", "<tool_call>{").replace("}\\n</tool_call>", "}</tool_call>"), "exaone4"),
        (GLM.replace("+ v +", "+ v +").replace("</arg_key>\\n", "</arg_key>").replace("\\n<arg_key>", "<arg_key>")
         .replace("'\\n</tool_call>'", "'</tool_call>'"), "glm47"),
        (MISTRAL.replace('"[TOOL_CALLS] ["', '"[TOOL_CALLS]["'), "mistral_tekken"),
        (HERMES_TOOLS, "hermes"),
    ],
)  # fmt: skip
def test_what_is_written_decides_between_families_with_one_marker(source: str, expected: str) -> None:
    told = told_of(source)
    assert told.tool_format is not None
    assert told.tool_format.name == expected


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_is_of_its_family(name: str) -> None:
    shape = SHAPES[name]
    told = told_of(template_of(shape))
    assert told.tool_format is not None
    assert told.best is not None
    assert (told.tool_format.name, told.best.contradiction) == (shape.format, "")
    assert (told.reasoning.name if told.reasoning else None) == shape.reasoning
    # Quotes of Python's literals, and arguments on lines, are not as the format writes them.
    if name not in ("lfm2", "llama4", "minicpm3", "command-r-plus", "youtu"):
        assert "past calls are written as the format writes them" in told.best.reasons


def test_every_format_has_a_shape() -> None:
    elsewhere = {"harmony", "llama3_json", "mistral", "mistral_tekken", "functionary_v32", "functools", "functiongemma"}
    # They show no calls, or are of more than one family.
    untold = {
        "generic",
        "gigachat3",
        "glm4",
        "granite-20b-fc",
        "hammer",
        "internlm2",
        "mistral_v11",
        "pythonic",
        "smollm2",
        "tgi",
    }
    told = {shape.format for shape in SHAPES.values()}
    assert {*format_names()} == told | elsewhere | untold | {"xlam"}


# Markers that are put together from variables, as GigaChat 3 has them.
VARIABLES = """\
{%- set marks = namespace(role="<|role_sep|>\\n", message="<|message_sep|>\\n\\n") -%}
{%- for tool in tools or [] %}{{ tool.function.name }}{% endfor %}
{%- for message in messages %}
{{- message.role + marks.role + message.content + marks.message }}
{%- if message.tool_calls %}{%- set call = message.tool_calls[0].function %}
{{- 'function call' + marks.role + '{"name": "' ~ call.name ~ '", "arguments": ' ~ (call.arguments | tojson) ~ '}' }}
{{- marks.message }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ 'assistant' + marks.role }}{% endif %}
"""


def test_markers_made_of_variables_are_seen_where_they_are_written() -> None:
    told = told_of(VARIABLES)
    assert told.tool_format is not None
    assert told.tool_format.name == "gigachat3"


def test_a_template_that_forgets_what_stands_between_arguments_is_known_by_one() -> None:
    shape = SHAPES["llama4"]._replace(
        before="[", after="]", args="k + '=' + (v | tojson)", told="[func_name1(params_name1=params_value1, ...)]"
    )
    told = told_of(template_of(shape))
    assert told.tool_format is not None
    assert told.tool_format.name == "pythonic"


def test_a_format_that_writes_more_turns_as_they_are_comes_first() -> None:
    told = told_of(template_of(SHAPES["ling-3"]))
    assert [each.format.name for each in (told.best, *told.others) if each is not None][:2] == ["ling3", "glm45"]


def test_calls_as_clients_have_them_are_read() -> None:
    wrapped = "({'type': 'function', 'function': {'name': c.name, 'arguments': c.arguments}} | tojson)"
    shape = SHAPES["falcon3"]._replace(
        before="<tool_call>\\n[\\n", call=wrapped, between=",\\n", after="\\n]\\n</tool_call>"
    )
    told = told_of(template_of(shape))
    assert told.tool_format is not None
    assert told.tool_format.name == "falcon"


FOREIGN = QWEN3.replace('\\n<tool_call>\\n{"name": "', '\\n]<]mark[>[<tool_call><invoke name="').replace(
    '", "arguments": \'', '">\'').replace("'}\\n</tool_call>'", "'</invoke>'")  # fmt: skip


def test_signs_do_not_count_where_calls_are_written_otherwise() -> None:
    assert "</tool_call>" in FOREIGN
    told = told_of(FOREIGN)
    assert told.tool_format is not None
    assert told.tool_format.name == "generic"
    assert "hermes" in [each.format.name for each in told.others if each.contradiction]


def test_calls_within_unknown_markers_are_of_no_known_family() -> None:
    for wrapped in ("<mark>{}</mark>", "<mark>[{}]</mark>"):
        begin, end = wrapped.split("{}")
        source = QWEN3.replace("\\n<tool_call>\\n{", begin + "{").replace("}\\n</tool_call>", "}" + end)
        assert source.count(begin) == 2
        told = told_of(source)
        assert told.tool_format is not None
        assert told.tool_format.name == "generic", told.best


BARE = template_of(SHAPES["qwen2.5"]._replace(before="[", call="c | tojson", between=", ", after="]"))


def test_calls_without_markers_are_of_a_family_where_they_are_all_that_is_said() -> None:
    told = told_of(BARE)
    assert told.tool_format is not None
    assert told.tool_format.name == "xlam"
    assert told.best is not None
    assert told.best.reasons == ("past calls are written as the format writes them",)
    told = told_of(BARE.replace("'['", "'Calls: ['"))
    assert told.tool_format is not None
    assert told.tool_format.name == "generic"


@pytest.mark.parametrize(
    ("shape", "signs", "expected"),
    [
        # Quotes are forgotten.
        (
            SHAPES["llama4"]._replace(
                before="[", after="]", args="k + '=' ~ v", told="[func_name1(params_name1=params_value1, ...)]"
            ),
            "params_name1",
            "pythonic",
        ),
        # So is the word before the array, and the array.
        (SHAPES["qwen2.5"]._replace(call=JSON, between=",", told="as functools[...], ..."), "functools", "functools"),
    ],
)
def test_calls_that_nobody_could_read_do_not_speak_against_what_the_prompt_says(
    shape: Shape, signs: str, expected: str
) -> None:
    source = template_of(shape)
    told = told_of(source)
    assert told.tool_format is not None
    assert told.tool_format.name == expected
    assert told.best is not None
    assert not told.best.contradiction
    told = told_of(source.replace(signs, "words"))
    assert told.tool_format is not None
    assert told.tool_format.name == "generic"


def test_llama_4_is_told_to_write_objects_and_does() -> None:
    shape = SHAPES["llama4"]._replace(
        before="<|python_start|><|python_end|>",
        call="""'{"name": "' + c.name + '", "parameters": ' + (c.arguments | tojson) + '}'""",
        between="",
        after="",
        told='{"name": function name, "parameters": dictionary of argument name and its value}',
    )
    told = told_of(template_of(shape))
    assert told.tool_format is not None
    assert told.tool_format.name == "llama3_json"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<tool_call>function_name\n<arg_key>name</arg_key>\n<arg_value>value</arg_value>", "glm45"),
        (
            "{% if schemas %}Write as in [func1(params_name=params_value), func2(params)]: {{ schemas }}{% endif %}"
            "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}",
            "pythonic",
        ),
        ("[gMASK]<sop>{% for m in messages %}<|{{ m['role'] }}|>{{ m['metadata'] }}\n{% endfor %}", "glm4"),
    ],
)
def test_what_is_told_decides_where_no_past_calls_are_shown(source: str, expected: str) -> None:
    told = told_of(source)
    assert told.tool_format is not None
    assert told.tool_format.name == expected


def test_a_format_that_the_template_contradicts_is_refused_at_load() -> None:
    with pytest.raises(ModelLoadError, match="does not write calls in the format glm45"):
        told_of(QWEN3, "glm45")
    told = told_of(QWEN3, "exaone4")  # it reads them
    assert told.tool_format is not None
    assert told.tool_format.name == "exaone4"
    with pytest.raises(ModelLoadError, match="nope"):
        told_of(QWEN3, "nope")


def test_tokens_and_type_tell_where_the_template_does_not() -> None:
    assert told_of(NO_PAST_CALLS, model_type="lfm2").best is None
    told = told_of(NO_PAST_CALLS, model_type="lfm2", tokens=("<|tool_call_start|>",))
    assert told.tool_format is not None
    assert told.tool_format.name == "lfm2"
    assert told.best is not None
    assert told.best.reasons == ("the model's type is lfm2", "<|tool_call_start|> is a token")


def test_inspect_prints_what_was_found_and_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_tiny_model(tmp_path, template=TEMPLATE)
    assert main(["inspect", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "tool format       hermes, score" in out
    assert "past calls begin as the format writes them, and are read" in out
    assert '"name": "find_city_tool"' in out
    assert "a call begins with one of ['<tool_call>']" in out
    assert main(["inspect", str(folder), "--tool-format", "kimi_k2"]) == 1
    assert "does not write calls in the format kimi_k2" in capsys.readouterr().err


def test_reasoning_may_be_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, file = write_tiny_model(tmp_path / "model", template=TEMPLATE), tmp_path / "acme.toml"
    file.write_text('name = "acme"\nbegin = "<ponder>"\nend = "</ponder>"\n')
    assert main(["inspect", str(folder), "--reasoning-format", str(file)]) == 0
    assert "reasoning format  acme ('<ponder>' to '</ponder>')" in capsys.readouterr().out
    file.write_text('name = "acme"\nbegin = "<ponder>"\n')
    assert main(["inspect", str(folder), "--reasoning-format", str(file)]) == 1
    assert "acme.toml: Object missing required field `end`" in capsys.readouterr().err


def test_smollm2_is_known_by_its_name_where_its_template_says_nothing_of_tools() -> None:
    named = "{# You are a helpful AI assistant named SmolLM #}" + FAMILIES["chatml"]
    told = told_of(named)
    assert told.tool_format is not None
    assert told.tool_format.name == "smollm2"
    later = told_of(named + "{% if xml_tools %}{{ xml_tools }}{% endif %}")
    assert later.tool_format is not None
    assert later.tool_format.name == "generic"


def test_inspect_says_where_a_model_is_of_no_known_family(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(write_tiny_model(tmp_path, template=NO_PAST_CALLS))]) == 1
    assert "generic, told in words" in capsys.readouterr().out
