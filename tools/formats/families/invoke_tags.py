"""`<invoke name="f">` and `<parameter name="k">`: MiniMax M2, dots; with prefixes Step 3, DeepSeek V3.2 and V4,
GigaChat 3.5; in other words MiniCPM5."""

from __future__ import annotations

from grammars import ANY_TYPES, ArgumentSpelling, ValueTag
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.tagged_call import TaggedCall
from tools.formats.reading.frame import Frame

_NAMES = r"""[^<>"'\s]([^<>"'\n]*[^<>"'\s])?<?"""
_UNTYPED = (ValueTag(ANY_TYPES, '">'),)
_TYPED = (ValueTag(frozenset({"string"}), '" string="true">'), ValueTag(ANY_TYPES - {"string"}, '" string="false">'))


def _body(
    prefix: str,
    stop: str = "",
    tags: tuple[ValueTag, ...] = _UNTYPED,
    raw_type: str = "",
    words: tuple[str, str] = ("invoke", "parameter"),
    newline: str = "\n",
    quote: tuple[str, str] = ("", ""),
) -> TaggedCall:
    invoke, parameter = (prefix + word for word in words)
    spelling = ArgumentSpelling(
        before=f'<{parameter} name="',
        tags=tags,
        after=f"</{parameter}>{newline}",
        names=_NAMES,
        has_entities=True,
        marker=f"</{parameter}>",
        excluded=quote[0],
    )
    return TaggedCall(
        begin=f'<{invoke} name="{{name}}">{newline}',
        mark=f"<{invoke} name=",
        head="[\"']?(?P<name>[^<>\"']+)[\"']?",
        head_end=">",
        spelling=spelling,
        member=r'(?P<name>[^<>"]+<?)"(?:\s+string="(?P<type>true|false)")?',
        member_end=">",
        raw_type=raw_type,
        end=f"</{invoke}>",
        stops=(stop,) if stop else (),
        quote=quote,
    )


def _section(name: str, body: TaggedCall) -> Block:
    return Block(section=Frame((f"<{name}>", "\n"), ("\n", f"</{name}>")), body=body, separator="\n")


def _typed(name: str, prefix: str, section: str, aliases: tuple[str, ...]) -> Format:
    body = _body(prefix, f"</{prefix}{section}>", _TYPED, "true")
    signs = (TemplateMarkers((prefix, section)),)
    return Format(name=name, native=_section(prefix + section, body), aliases=aliases, signs=signs)


MINIMAX_M2 = Format(
    name="minimax_m2",
    model_types=("minimax_m2",),
    native=_section("minimax:tool_call", _body("", "</minimax:tool_call>")),
    aliases=("minimax-m2",),
    signs=(TemplateMarkers(("<minimax:tool_call>",)),),
)

DOTS = Format(
    name="dots",
    native=_section("dots_function_call", _body("", "</dots_function_call>")),
    signs=(TemplateMarkers(("<dots_function_call>",)),),
)

MINICPM5 = Format(
    name="minicpm5",
    native=Block(body=_body("", words=("function", "param"), newline="", quote=("<![CDATA[", "]]>"))),
    aliases=("minicpm5xml",),
    signs=(TemplateMarkers(('<function name="', '<param name="')),),
)

STEP3 = Format(
    name="step3",
    native=Block(
        section=Frame(("<｜tool_calls_begin｜>",), ("<｜tool_calls_end｜>",)),
        call=Frame(("<｜tool_call_begin｜>", "function", "<｜tool_sep｜>"), ("<｜tool_call_end｜>",)),
        body=_body("steptml:", "<｜tool_call_end｜>"),
    ),
    signs=(TemplateMarkers(("<｜tool_calls_begin｜>",)), TemplateMarkers(("steptml:",), ("<steptml:toolcall>",))),
)

STEP_DR = Format(
    name="step_dr",
    native=_section("steptml:toolcall", _body("steptml:", "</steptml:toolcall>")),
    signs=(TemplateMarkers(("<steptml:toolcall>",)),),
)

DEEPSEEK_V32 = _typed("deepseek_v32", "｜DSML｜", "function_calls", ("deepseek_v3.2", "deepseekv32"))
DEEPSEEK_V4 = _typed("deepseek_v4", "｜DSML｜", "tool_calls", ("deepseekv4",))
# Each name has a space before it.
DEEPSEEK_V41 = _typed("deepseek_v41", "｜DSML｜ ", "calls", ("deepseek_v4.1", "deepseekv41"))
GIGACHAT35 = _typed("gigachat35", "｜GCML｜", "tool_calls", ("gigachat3.5",))
