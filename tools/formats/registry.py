"""All formats by name, and by what a chat template shows; those of other distributions as well."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from tools.errors import UnknownFormatError
from tools.formats.apertus import APERTUS, APERTUS11
from tools.formats.argument_tags import (
    GLM45,
    GLM47,
    IQUEST,
    IQUEST_CODER,
    K2_HORIZON,
    LING3,
    LONGCAT_TAGS,
    SOLAR_OPEN2,
    XINGCHEN4,
)
from tools.formats.base import Format
from tools.formats.cohere import COHERE_COMMAND3, COMMAND_R
from tools.formats.cohere4 import COHERE_COMMAND4
from tools.formats.deepseek import DEEPSEEK_V3, DEEPSEEK_V31
from tools.formats.function_tags import FROG, MIMO, QWEN3_CODER, SEED_OSS, STEP3P5, ZAYA
from tools.formats.functionary import FUNCTIONARY_V31, FUNCTIONARY_V32
from tools.formats.functools import FUNCTOOLS, PHI4_MINI
from tools.formats.gemma import FUNCTIONGEMMA, GEMMA4
from tools.formats.generic import GENERIC, TGI
from tools.formats.gigachat3 import GIGACHAT3, GIGACHAT31
from tools.formats.glimmer import GLIMMER
from tools.formats.glm4 import GLM4
from tools.formats.granite import GRANITE, GRANITE_20B_FC
from tools.formats.harmony import HARMONY
from tools.formats.hermes import DELPHI, EXAONE4, FALCON, HERMES, STEP3_VL
from tools.formats.hunyuan import HUNYUAN
from tools.formats.hy3 import HY3, HY3_OPENSOURCE, HY4
from tools.formats.inkling import INKLING
from tools.formats.internlm2 import INTERN_S1, INTERNLM2
from tools.formats.invoke_tags import (
    DEEPSEEK_V4,
    DEEPSEEK_V32,
    DEEPSEEK_V41,
    DOTS,
    GIGACHAT35,
    MINICPM5,
    MINIMAX_M2,
    STEP3,
    STEP_DR,
)
from tools.formats.kimi_k2 import KIMI_K2
from tools.formats.kimi_k3 import KIMI_K3
from tools.formats.lfm2 import LFM2
from tools.formats.llama3 import LLAMA3_JSON
from tools.formats.longcat import LONGCAT
from tools.formats.minicpm3 import MINICPM3
from tools.formats.minimax_m3 import MINIMAX_M3
from tools.formats.mistral import MISTRAL, MISTRAL_TEKKEN, MISTRAL_V11, MISTRAL_V13
from tools.formats.nemotron import NEMOTRON
from tools.formats.olmo3 import OLMO3
from tools.formats.pangu import PANGU, PANGU_UNUSED
from tools.formats.plamo3 import PLAMO3
from tools.formats.pythonic import LLAMA4_PYTHONIC, PYTHONIC
from tools.formats.smollm2 import SMOLLM2
from tools.formats.solar_open import SOLAR_OPEN
from tools.formats.step_audio2 import STEP_AUDIO2, STEP_AUDIO_R1
from tools.formats.tool_calls_tags import HUNYUAN_A13B, JAMBA, MINIMAX
from tools.formats.xlam import HAMMER, XLAM

FALLBACK = GENERIC.name
"""The format for models of no known family; they have to be told of it."""

PLUG_INS = "portcullis.tool_formats"
"""Group of entry points; each is a `Format`. One that has a name of ours takes its place."""

# Detection takes the first whose signs a template shows, so what is shown by fewer templates comes first.
_OWN = (
    *(KIMI_K3, DEEPSEEK_V41, DEEPSEEK_V32, DEEPSEEK_V4, GIGACHAT35, COHERE_COMMAND4, MINIMAX_M2, MINIMAX_M3, DOTS),
    *(
        SEED_OSS,
        STEP3,
        STEP_DR,
        MINICPM5,
        HY3,
        HY3_OPENSOURCE,
        HY4,
        LONGCAT_TAGS,
        XINGCHEN4,
        IQUEST,
        IQUEST_CODER,
        ZAYA,
        K2_HORIZON,
        SOLAR_OPEN2,
        LING3,
        GLM45,
        GLM47,
        QWEN3_CODER,
        STEP3P5,
        MIMO,
    ),
    *(
        FUNCTIONGEMMA,
        GEMMA4,
        MINICPM3,
        PANGU,
        PANGU_UNUSED,
        STEP_AUDIO2,
        STEP_AUDIO_R1,
        LFM2,
        OLMO3,
        LLAMA4_PYTHONIC,
        GLIMMER,
        INKLING,
        SOLAR_OPEN,
        HARMONY,
        APERTUS,
        APERTUS11,
        FROG,
    ),
    *(COHERE_COMMAND3, COMMAND_R, PLAMO3, DEEPSEEK_V3, DEEPSEEK_V31, KIMI_K2, INTERNLM2, INTERN_S1, LONGCAT, NEMOTRON),
    *(GIGACHAT3, GIGACHAT31, DELPHI, GRANITE, PHI4_MINI, GRANITE_20B_FC, FUNCTIONARY_V32, HUNYUAN, STEP3_VL),
    *(JAMBA, HUNYUAN_A13B, MINIMAX),
    *(MISTRAL_V11, MISTRAL_V13, MISTRAL, MISTRAL_TEKKEN, XLAM, HAMMER, FUNCTOOLS, FALCON, SMOLLM2, EXAONE4),
    HERMES,
    *(LLAMA3_JSON, FUNCTIONARY_V31, GLM4, PYTHONIC, GENERIC, TGI),
)


@cache
def _formats() -> dict[str, Format]:
    """All formats by name, in the order in which they are detected; plug-ins come first."""
    added = [_loaded(point.name, point.load()) for point in entry_points(group=PLUG_INS)]
    return {spec.name: spec for spec in (*added, *(own for own in _OWN if own.name not in {a.name for a in added}))}


def _loaded(name: str, found: object) -> Format:
    if not isinstance(found, Format):
        raise UnknownFormatError(f"the entry point {name!r} of {PLUG_INS} is no tool-call format")
    return found


@cache
def _names() -> dict[str, Format]:
    """All formats by name and alias; a name comes before an alias, and what comes first before what comes later."""
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
