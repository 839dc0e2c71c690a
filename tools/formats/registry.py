"""Registry of all formats, by name and by chat template, with those of other distributions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points

from tools.errors import UnknownFormatError
from tools.formats.base import Format
from tools.formats.families.cohere import COMMAND_R
from tools.formats.families.cohere4 import COHERE_COMMAND4
from tools.formats.families.functionary import FUNCTIONARY_V32
from tools.formats.families.generic import GENERIC
from tools.formats.families.glimmer import GLIMMER
from tools.formats.families.harmony import HARMONY
from tools.formats.families.inkling import INKLING
from tools.formats.families.kimi_k2 import KIMI_K2
from tools.formats.families.kimi_k3 import KIMI_K3
from tools.formats.families.llama3 import LLAMA3_JSON
from tools.formats.families.minimax_m3 import MINIMAX_M3
from tools.formats.families.mistral import MISTRAL_V11, MISTRAL_V13
from tools.formats.families.smollm2 import SMOLLM2
from tools.formats.families.solar_open import SOLAR_OPEN
from tools.formats.families.tgi import TGI
from tools.formats.tables import own_formats

FALLBACK = GENERIC.name
"""The format for models of no known family; the prompt describes it."""

PLUG_INS = "portcullis.tool_formats"
"""Group of entry points; each is a `Format`. One that has a name of ours takes its place."""

# Formats with code of their own; all others are in `families.toml`.
_CODED = (
    KIMI_K3, COHERE_COMMAND4, MINIMAX_M3, GLIMMER, INKLING, SOLAR_OPEN, HARMONY, COMMAND_R, KIMI_K2, FUNCTIONARY_V32,
    MISTRAL_V11, MISTRAL_V13, SMOLLM2, LLAMA3_JSON, GENERIC, TGI,
)  # fmt: skip

# Detection takes the first format whose signs a template shows: signs that fewer templates show come first.
_ORDER = (
    "kimi_k3", "deepseek_v41", "deepseek_v32", "deepseek_v4", "gigachat35", "cohere_command4", "minimax_m2",
    "minimax_m3", "dots", "seed_oss", "step3", "step_dr", "minicpm5", "hy3", "hy3_opensource", "hy4", "longcat_tags",
    "xingchen4", "iquest", "iquest_coder_v2", "zaya", "k2_horizon", "solar_open2", "ling3", "glm45", "glm47",
    "qwen3_coder", "step3p5", "mimo", "functiongemma", "gemma4", "minicpm3", "pangu", "pangu_unused", "step_audio2",
    "step_audio_r1", "lfm2", "olmo3", "llama4_pythonic", "glimmer", "inkling", "solar_open", "harmony", "apertus",
    "apertus11", "frog", "cohere_command3", "command_r", "plamo3", "deepseek_v3", "deepseek_v31", "kimi_k2",
    "internlm2", "intern_s1", "longcat", "nemotron", "gigachat3", "gigachat31", "delphi", "granite", "phi4_mini_json",
    "granite-20b-fc", "functionary_v32", "hunyuan_dense", "step3_vl", "jamba", "hunyuan_a13b", "minimax",
    "mistral_v11", "mistral_v13", "mistral", "mistral_tekken", "xlam", "hammer", "functools", "falcon", "smollm2",
    "exaone4", "hermes", "llama3_json", "functionary_v31", "glm4", "pythonic", "generic", "tgi",
)  # fmt: skip


def _own() -> Iterator[Format]:
    """Return our formats in the order of detection."""
    found = {spec.name: spec for spec in (*_CODED, *own_formats())}
    assert found.keys() == set(_ORDER)
    return (found[name] for name in _ORDER)


@cache
def _formats() -> dict[str, Format]:
    """Return all formats by name in the order of detection, plug-ins first."""
    added = [_loaded(point.name, point.load()) for point in entry_points(group=PLUG_INS)]
    return {spec.name: spec for spec in (*added, *(own for own in _own() if own.name not in {a.name for a in added}))}


def _loaded(name: str, found: object) -> Format:
    if not isinstance(found, Format):
        raise UnknownFormatError(f"the entry point {name!r} of {PLUG_INS} is not a tool-call format")
    return found


@cache
def _names() -> dict[str, Format]:
    """Return all formats by name and alias; names win over aliases, earlier formats over later ones."""
    aliases = {alias: spec for spec in reversed(_formats().values()) for alias in spec.aliases}
    return {**aliases, **_formats()}


def formats() -> tuple[Format, ...]:
    """Return all formats, in the order in which they are detected where all else is equal."""
    return tuple(_formats().values())


def format_names() -> tuple[str, ...]:
    """Return the names of all formats."""
    return tuple(_formats())


def get_format(name: str) -> Format:
    """Return the format of this name, or alias.

    Raises:
        UnknownFormatError: there is none.
    """
    found = _names().get(name)
    if found is None:
        raise UnknownFormatError(f"no tool-call format is named {name!r}; known are {', '.join(_formats())}")
    return found


def detect_format(chat_template: str) -> Format:
    """Return the format that a model's chat template teaches.

    Raises:
        UnknownFormatError: the template is of no known family.
    """
    for spec in _formats().values():
        if spec.matches_template(chat_template):
            return spec
    raise UnknownFormatError(f"the chat template shows none of the known tool-call formats: {', '.join(_formats())}")
