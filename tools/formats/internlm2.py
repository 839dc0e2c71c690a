"""InternLM 2 and Intern-S1: an object between markers of a plug-in."""

from __future__ import annotations

from dataclasses import replace

from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.json_call import JsonCall

INTERNLM2 = Format(
    name="internlm2",
    model_types=("internlm2",),
    native=Block(
        call=Frame(("<|action_start|>", "<|plugin|>", "\n"), ("<|action_end|>",)),
        body=JsonCall(arguments_key="parameters", tolerated_arguments_keys=("arguments",)),
        separator="\n",
    ),
    aliases=("internlm",),
    signs=(TemplateMarkers(("<|action_start|>", "<|plugin|>")),),
    is_parallel=False,
)
INTERN_S1 = replace(
    INTERNLM2,
    name="intern_s1",
    model_types=("intern_s1",),
    native=replace(INTERNLM2.native, call=replace(INTERNLM2.native.call, end=("\n", "<|action_end|>"))),
    aliases=("interns1",),
    signs=(TemplateMarkers(("<|action_start|>", "<|plugin|>", "<think>")),),
    is_parallel=True,
)
