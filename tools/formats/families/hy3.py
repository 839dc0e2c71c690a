"""Hy3 and Hy4 of Tencent: keys and values between tags as GLM has them; some checkpoints add a suffix to each tag."""

from __future__ import annotations

from grammars import ANY_TYPES, ArgumentSpelling, ValueTag
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.tagged_call import TaggedCall
from tools.formats.reading.frame import Frame


def _block(suffix: str, separator: str = "") -> Block:
    """The calls whose tags have a suffix, with the name of a tag behind a tool's name, if any stands there."""

    def begin(name: str) -> str:
        return f"<{name}{suffix}>"

    def end(name: str) -> str:
        return f"</{name}{suffix}>"

    spelling = ArgumentSpelling(
        before=begin("arg_key"),
        tags=(ValueTag(ANY_TYPES, f"{end('arg_key')}\n{begin('arg_value')}"),),
        after=f"{end('arg_value')}\n",
        names=r"[^<\s]([^<\n]*[^<\s])?<?",
        has_entities=True,
        marker=end("arg_value"),
    )
    body = TaggedCall(
        begin=f"{{name}}{begin(separator) if separator else ''}\n",
        mark="",
        head="(?P<name>[^<>]+)" if separator else "",
        head_end=begin(separator) if separator else "",
        spelling=spelling,
        member=f"(?P<name>[^<]+<?){end('arg_key')}",
        member_end=begin("arg_value"),
        stops=(end("tool_call"),),
    )
    return Block(
        section=Frame((begin("tool_calls"), "\n"), ("\n", end("tool_calls"))),
        call=Frame((begin("tool_call"),), (end("tool_call"),)),
        body=body,
        separator="\n",
    )


HY3 = Format(
    name="hy3",
    native=_block("", "tool_sep"),
    aliases=("hunyuan", "hy_v3"),
    signs=(TemplateMarkers(("<tool_sep>", "<arg_key>")),),
)
HY3_OPENSOURCE = Format(
    name="hy3_opensource",
    native=_block(":opensource", "tool_sep"),
    signs=(TemplateMarkers((":opensource", "tool_sep", "arg_key"), ("<tool_sep>",)),),
)
HY4 = Format(
    name="hy4",
    model_types=("hy_v4",),
    native=_block(":6124c78e"),
    aliases=("hy_v4",),
    signs=(TemplateMarkers((":6124c78e", "arg_key", "arg_value")),),
)
