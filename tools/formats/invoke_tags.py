"""`<invoke name="f">` and `<parameter name="k">`, under several prefixes: MiniMax M2, Step 3, DeepSeek V3.2 and V4."""

from __future__ import annotations

from grammars import ANY_TYPES, ArgumentSpelling, ValueTag
from tools.formats.base import Format, Signs
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.tagged_call import TaggedCall

_NAMES = r"""[^<>"'\s]([^<>"'\n]*[^<>"'\s])?"""
_UNTYPED = (ValueTag(ANY_TYPES, '">'),)
_TYPED = (ValueTag(frozenset({"string"}), '" string="true">'), ValueTag(ANY_TYPES - {"string"}, '" string="false">'))


def _body(prefix: str, stop: str, tags: tuple[ValueTag, ...] = _UNTYPED, raw_type: str = "") -> TaggedCall:
    spelling = ArgumentSpelling(
        before=f'<{prefix}parameter name="',
        tags=tags,
        after=f"</{prefix}parameter>\n",
        names=_NAMES,
        marker=f"</{prefix}parameter>",
    )
    return TaggedCall(
        begin=f'<{prefix}invoke name="{{name}}">\n',
        mark=f"<{prefix}invoke name=",
        head="[\"']?(?P<name>[^<>\"']+)[\"']?",
        head_end=">",
        spelling=spelling,
        member=r'(?P<name>[^<>"]+)"(?:\s+string="(?P<type>true|false)")?',
        member_end=">",
        raw_type=raw_type,
        end=f"</{prefix}invoke>",
        stops=(stop,),
    )


def _dsml(name: str, section: str, aliases: tuple[str, ...]) -> Format:
    begin, end = f"<｜DSML｜{section}>", f"</｜DSML｜{section}>"
    body = _body("｜DSML｜", end, _TYPED, "true")
    return Format(
        name=name,
        native=Block(section=Frame((begin, "\n"), ("\n", end)), body=body, separator="\n"),
        aliases=aliases,
        signs=(Signs(("｜DSML｜", section)),),
    )


MINIMAX_M2 = Format(
    name="minimax_m2",
    model_types=("minimax_m2",),
    native=Block(
        section=Frame(("<minimax:tool_call>", "\n"), ("\n", "</minimax:tool_call>")),
        body=_body("", "</minimax:tool_call>"),
        separator="\n",
    ),
    aliases=("minimax-m2",),
    signs=(Signs(("<minimax:tool_call>",)),),
)

STEP3 = Format(
    name="step3",
    native=Block(
        section=Frame(("<｜tool_calls_begin｜>",), ("<｜tool_calls_end｜>",)),
        call=Frame(("<｜tool_call_begin｜>", "function", "<｜tool_sep｜>"), ("<｜tool_call_end｜>",)),
        body=_body("steptml:", "<｜tool_call_end｜>"),
    ),
    signs=(Signs(("<｜tool_calls_begin｜>",)), Signs(("steptml:",))),
)

DEEPSEEK_V32 = _dsml("deepseek_v32", "function_calls", ("deepseek_v3.2", "deepseekv32"))
DEEPSEEK_V4 = _dsml("deepseek_v4", "tool_calls", ("deepseekv4",))
