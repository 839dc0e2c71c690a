"""`<arg_key>k</arg_key>` and `<arg_value>v</arg_value>`: GLM 4.5, Laguna; without newlines GLM 4.7; with some
Ling 3; with tags of their own K2-Horizon, Solar Open 2, LongCat's later ones, XingChen and IQuest."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grammars import ANY_TYPES, ArgumentSpelling, ValueTag
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.tagged_call import TaggedCall
from tools.formats.reading.frame import Frame


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tags:
    """Markers around a name and around a value, and what is written between all of them.

    Attributes:
        between: Texts after the tool's name, after an argument's name, after its value.
    """

    call: tuple[str, str] = ("<tool_call>", "</tool_call>")
    key: tuple[str, str] = ("<arg_key>", "</arg_key>")
    value: tuple[str, str] = ("<arg_value>", "</arg_value>")
    between: tuple[str, str, str]
    types: str = ""

    def block(self, separator: str, before_end: str = "", section: Frame | None = None) -> Block:
        after_name, after_key, after_value = self.between
        (begin, end), (key, key_end), (value, value_end) = self.call, self.key, self.value
        body = TaggedCall(
            begin="{name}" + after_name,
            mark="",
            head="",
            head_end="",
            spelling=ArgumentSpelling(
                before=key,
                tags=(ValueTag(ANY_TYPES, key_end + after_key + value),),
                after=value_end + after_value,
                names=r"[^<\s]([^<\n]*[^<\s])?<?",
                has_entities=True,
                marker=value_end,
            ),
            member=f"(?P<name>[^<]+<?){re.escape(key_end)}{self.types}",
            member_end=value,
            raw_type="string",
            stops=(end,),
        )
        return Block(call=Frame((begin,), (before_end, end)), body=body, separator=separator, section=section)


_LINES = _Tags(between=("\n", "\n", "\n"))
_IFM = _Tags(
    call=("<ifm|tool_call>", "</ifm|tool_call>"),
    key=("<ifm|arg_key>", "</ifm|arg_key>"),
    value=("<ifm|arg_value>", "</ifm|arg_value>"),
    between=("\n", "\n", "\n"),
    # Written where a request asked its template for types.
    types=r"(?:\s*<ifm\|arg_type>\s*(?P<type>[a-z]+)[^<>]*</ifm\|arg_type>)?\s*",
)
_IFM_SECTION = Frame(("<ifm|tool_calls>", "\n"), ("\n", "</ifm|tool_calls>"))
_SOLAR = _Tags(
    call=("<|tool_call:start|>", "<|tool_call:end|>"),
    key=("<|tool_arg:start|>", ""),
    value=("<|tool_arg:value|>", "<|tool_arg:end|>"),
    between=("\n", "", "\n"),
)
_LONGCAT = _Tags(
    call=("<longcat_tool_call>", "</longcat_tool_call>"),
    key=("<longcat_arg_key>", "</longcat_arg_key>"),
    value=("<longcat_arg_value>", "</longcat_arg_value>"),
    between=("\n", "\n", "\n"),
)
_XINGCHEN = _Tags(key=("<param_key>", "</param_key>"), value=("<param_value>", "</param_value>"), between=("", "", ""))

LING3 = Format(
    name="ling3",
    model_types=("bailing_moe_v3", "bailing_moe_v3_vl"),
    native=_Tags(between=("\n", "\n", "")).block("\n", before_end="\n"),
    aliases=("ring3", "bailing"),
    signs=(TemplateMarkers(("<arg_key>", "<|role_end|>")),),
)

GLM45 = Format(
    name="glm45",
    native=_LINES.block("\n"),
    aliases=("glm", "glm4.5", "glm4_moe", "laguna", "poolside_v1"),
    signs=tuple(
        TemplateMarkers(("<arg_key>", f"<tool_call>{name}\n"))
        for name in ("{function-name}", "function-name", "function_name")
    ),
)

GLM47 = Format(
    name="glm47",
    native=_Tags(between=("", "", "")).block(""),
    aliases=("glm4.7",),
    signs=(TemplateMarkers(("<arg_key>", "<arg_value>")),),
)

K2_HORIZON = Format(
    name="k2_horizon",
    native=_IFM.block("\n", section=_IFM_SECTION),
    aliases=("ifm", "k2_v3"),
    signs=(TemplateMarkers(("<ifm|tool_call>",)),),
)

SOLAR_OPEN2 = Format(
    name="solar_open2",
    model_types=("solar_open2",),
    native=_SOLAR.block("\n"),
    aliases=("solar_pro4",),
    signs=(TemplateMarkers(("<|tool_call:start|>", "<|tool_arg:start|>")),),
)

LONGCAT_TAGS = Format(
    name="longcat_tags",
    native=_LONGCAT.block("\n"),
    aliases=("longcat2",),
    signs=(TemplateMarkers(("<longcat_arg_key>",)),),
)

XINGCHEN4 = Format(
    name="xingchen4",
    native=_XINGCHEN.block(""),
    aliases=("xing4_0", "telechat3_coder", "telechat4"),
    signs=(TemplateMarkers(("<param_key>", "<param_value>")),),
)

IQUEST = Format(
    name="iquest",
    native=_Tags(call=("<iquest_tool_call>", "</iquest_tool_call>"), between=("", "", "")).block(""),
    aliases=("iquest_q1",),
    signs=(TemplateMarkers(("<iquest_tool_call>",)),),
)

IQUEST_CODER = Format(
    name="iquest_coder_v2",
    native=_Tags(call=("<iquestcoder_tool_call>", "</iquestcoder_tool_call>"), between=("", "", "")).block(""),
    signs=(TemplateMarkers(("<iquestcoder_tool_call>",)),),
)
