"""Kimi K3: tags between special tokens, each argument with its type."""

from __future__ import annotations

from grammars import JSON_TYPES, ArgumentSpelling, ValueTag
from tools.formats.base import Format, Signs
from tools.formats.block import Block
from tools.formats.frame import Frame
from tools.formats.tagged_call import TaggedCall

_SPELLING = ArgumentSpelling(
    before='<|open|>argument key="',
    tags=tuple(ValueTag(frozenset({name}), f'" type="{name}"<|sep|>') for name in JSON_TYPES),
    after="<|close|>argument<|sep|>",
    names=r'[^"&|\s]([^"&|\n]*[^"&|\s])?',
    has_entities=True,
    marker="<|close|>",
)

KIMI_K3 = Format(
    name="kimi_k3",
    model_types=("kimi_k3",),
    native=Block(
        section=Frame(("<|open|>tools<|sep|>",), ("<|close|>tools<|sep|>",)),
        body=TaggedCall(
            begin='<|open|>call tool="{name}" index="{index}"<|sep|>',
            mark="<|open|>call",
            head=r'tool="(?P<name>[^"]+)"(?:\s+index="[0-9]*")?',
            head_end="<|sep|>",
            spelling=_SPELLING,
            member=r'(?P<name>[^"]+)"(?:\s+type="(?P<type>[a-z]+)")?',
            member_end="<|sep|>",
            raw_type="string",
            end="<|close|>call<|sep|>",
            stops=("<|close|>tools<|sep|>",),
            first_index=1,
        ),
    ),
    signs=(Signs(("<|open|>", "<|close|>", "<|sep|>")),),
)
