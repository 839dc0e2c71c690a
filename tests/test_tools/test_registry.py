"""Formats by name and alias, those of other distributions among them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import Format, ToolCall, UnknownFormatError, detect_format, format_names, get_format
from tools.formats import FALLBACK, Block, Frame, JsonCall, registry

# Parsers that other servers know by these names.
OTHER_NAMES = """
apertus apertus2509 cohere_command3 cohere_command4 deepseek_v3 deepseek_v31 deepseek_v32 deepseek_v4 deepseekv3
deepseekv31 deepseekv32 ernie45 functiongemma gemma4 gigachat3 glm45 glm47 gpt-oss granite granite-20b-fc granite4
hermes hunyuan hunyuan_a13b internlm jamba kimi_k2 kimi_k3 lfm2 llama3 llama3_json llama4_json llama4_pythonic longcat
minimax minimax_m2 mistral olmo3 openai phi4_mini_json pythonic qwen qwen25 qwen3_coder qwen3_xml seed_oss step3 xlam
deepseekv41 dots gigachat35 glm hy_v3 inkling k2_horizon ling3 mimo minicpm5 minimax-m2 minimax-m3 minimax_m3 muse
hy_v4 zaya_xml telechat4 iquest_q1 iquest_coder_v2 openpangu_v2 step_audio_2
muse_glimmer plamo3 poolside_v1 solar_open solar_open2 step3p5
"""

PLUG_IN = """
from tools.formats import Block, Format, Frame, JsonCall, TemplateMarkers

SPEC = Format(
    name="{name}",
    native=Block(call=Frame(("<<",), (">>",)), body=JsonCall("tool", "input")),
    aliases=("mine",),
    signs=(TemplateMarkers(("<<tool",)),),
)
NOT_ONE = "<<"
"""


@pytest.mark.parametrize("name", OTHER_NAMES.split())
def test_get_format_knows_the_names_of_other_servers(name: str) -> None:
    assert isinstance(get_format(name), Format)


def test_a_format_is_not_read_where_its_constraint_allows_text() -> None:
    anywhere = Block(call=Frame(("<<",), (">>",)), body=JsonCall())
    with pytest.raises(ValueError, match="variant"):
        Format(name="own", native=anywhere, variants=(Block(body=JsonCall(), at_start=True),))


def test_names_and_aliases_are_told_apart() -> None:
    specs = [get_format(name) for name in format_names()]
    names = [*format_names(), *(alias for spec in specs for alias in spec.aliases)]
    assert len(set(names)) == len(names)
    assert FALLBACK in format_names()


@pytest.fixture
def forget() -> Iterator[None]:
    def clear() -> None:
        registry._formats.cache_clear()
        registry._names.cache_clear()

    clear()
    yield
    clear()


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, target: str, name: str = "own") -> None:
    """A distribution as an installer leaves it: a module, and metadata that names an entry point."""
    module = f"own_format_{abs(hash((target, name, str(folder))))}"
    (folder / f"{module}.py").write_text(PLUG_IN.format(name=name))
    metadata = folder / "own_format-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: own-format\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{registry.PLUG_INS}]\n{name} = {module}:{target}\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, module, raising=False)


def test_a_distribution_adds_a_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget: None) -> None:
    install(tmp_path, monkeypatch, "SPEC")
    spec = get_format("own")
    assert get_format("mine") is spec
    assert detect_format("write <<tool ... >> and not <tool_call></tool_call> arguments") is spec
    assert spec.render([ToolCall("", "f", "{}")]) == '<<{"tool": "f", "input": {}}>>'


def test_a_distribution_takes_the_place_of_a_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget: None
) -> None:
    num_formats = len(format_names())
    registry._formats.cache_clear()
    registry._names.cache_clear()
    install(tmp_path, monkeypatch, "SPEC", name="hermes")
    assert get_format("hermes").native.call.begin == ("<<",)
    assert len(format_names()) == num_formats


def test_an_entry_point_that_is_no_format_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget: None
) -> None:
    install(tmp_path, monkeypatch, "NOT_ONE")
    with pytest.raises(UnknownFormatError, match="entry point 'own'"):
        get_format("hermes")
