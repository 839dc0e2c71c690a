"""`<function=f>` and `<parameter=k>`: Qwen 3 Coder and 3.5, Step 3.5 and later, ZAYA 1; without newlines MiMo and
Seed-OSS; without tags around them FrogBoss and FrogMini."""

from __future__ import annotations

from dataclasses import replace

from grammars import ANY_TYPES, ArgumentSpelling, ValueTag
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.tagged_call import TaggedCall
from tools.formats.reading.frame import Frame


def _body(newline: str, stop: str, indent: str = "") -> TaggedCall:
    spelling = ArgumentSpelling(
        before=f"{indent}<parameter=",
        tags=(ValueTag(ANY_TYPES, f">{newline}"),),
        after=f"{newline}</parameter>\n",
        names=r"[^<>\s]([^<>\n]*[^<>\s])?<?",
        has_entities=True,
        marker="</parameter>",
        # Read with any whitespace before it.
        excluded="<parameter=" if indent else "",
    )
    return TaggedCall(
        begin="<function={name}>\n",
        mark="<function=",
        head="(?P<name>[^<>]+)",
        head_end=">",
        spelling=spelling,
        member="(?P<name>[^<>]+<?)",
        member_end=">",
        end="</function>",
        stops=(stop,) if stop else (),
    )


def _block(body: TaggedCall, separator: str) -> Block:
    return Block(call=Frame(("<tool_call>", "\n"), ("\n", "</tool_call>")), body=body, separator=separator)


_QWEN = _body("\n", "</tool_call>")
_MIMO = _body("", "</tool_call>")
_SEED = _body("", "</seed:tool_call>")
_FROG = _body("", "", indent="  ")
_SIGNS = TemplateMarkers(("<tool_call>", "<function=", "<parameter="), ("<seed:tool_call>",))

QWEN3_CODER = Format(
    name="qwen3_coder",
    model_types=("qwen3_next", "qwen3_5", "qwen3_5_moe"),
    native=_block(_QWEN, "\n"),
    # The first marker is often left out.
    variants=(Block(call=Frame((), ("</tool_call>",)), body=_QWEN),),
    aliases=("qwen3_xml", "qwen3.5", "qwen35", "nemotron3"),
    signs=(_SIGNS,),
)

STEP3P5 = replace(
    QWEN3_CODER,
    name="step3p5",
    model_types=("step3p5", "step3p7"),
    native=_block(_QWEN, ""),
    aliases=("step3.5", "step3p7"),
)

MIMO = replace(
    QWEN3_CODER,
    name="mimo",
    model_types=("mimo_v2", "mimo_v2_flash"),
    native=_block(_MIMO, ""),
    variants=(Block(call=Frame((), ("</tool_call>",)), body=_MIMO),),
    aliases=("mimo_v2",),
)

SEED_OSS = Format(
    name="seed_oss",
    model_types=("seed_oss",),
    native=Block(call=Frame(("<seed:tool_call>", "\n"), ("\n", "</seed:tool_call>")), body=_SEED, separator="\n"),
    signs=(TemplateMarkers(("<seed:tool_call>",)),),
)

ZAYA = Format(
    name="zaya",
    native=Block(
        call=Frame(("<zyphra_tool_call>", "\n"), ("\n", "</zyphra_tool_call>")),
        body=_body("\n", "</zyphra_tool_call>"),
        separator="\n",
    ),
    aliases=("zaya1", "zaya_xml"),
    signs=(TemplateMarkers(("<zyphra_tool_call>",)),),
)

FROG = Format(
    name="frog",
    native=Block(body=_FROG, separator="\n"),
    aliases=("frogboss", "frogmini"),
    signs=(TemplateMarkers(("<function=", "\n  <parameter="), ("<tool_call>",)),),
)
