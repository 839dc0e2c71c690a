"""`<arg_key>k</arg_key>` and `<arg_value>v</arg_value>`: GLM 4.5 and, without newlines, 4.7."""

from __future__ import annotations

from grammars import ANY_TYPES, ArgumentSpelling, ValueTag
from tools.formats.base import Format, Signs
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.tagged_call import TaggedCall


def _block(newline: str) -> Block:
    spelling = ArgumentSpelling(
        before="<arg_key>",
        tags=(ValueTag(ANY_TYPES, f"</arg_key>{newline}<arg_value>"),),
        after=f"</arg_value>{newline}",
        names=r"[^<>\s]([^<>\n]*[^<>\s])?",
        marker="</arg_value>",
    )
    body = TaggedCall(
        begin=f"{{name}}{newline}",
        mark="",
        head="",
        head_end="",
        spelling=spelling,
        member=r"(?P<name>[^<>]+)</arg_key>",
        member_end="<arg_value>",
        stops=("</tool_call>",),
    )
    return Block(call=Frame(("<tool_call>",), ("</tool_call>",)), body=body, separator=newline)


GLM45 = Format(
    name="glm45",
    native=_block("\n"),
    aliases=("glm", "glm4.5", "glm4_moe"),
    signs=(Signs(("<arg_key>", "<tool_call>{function-name}\n")),),
)

GLM47 = Format(name="glm47", native=_block(""), aliases=("glm4.7",), signs=(Signs(("<arg_key>", "<arg_value>")),))
