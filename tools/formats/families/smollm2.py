"""SmolLM2: an array of JSON objects in one pair of tags, an empty one where no tool is called.

Its chat template has no tools, so the prompt describes them, in the terms of the model's card.
"""

from __future__ import annotations

from grammars import StructuralTag
from tools.formats.base import Format, TemplateMarkers
from tools.formats.block import Block
from tools.formats.bodies.json_call import JsonCall
from tools.formats.constraint import Answer
from tools.formats.reading.frame import Frame

_BEGIN, _END = "<tool_call>", "</tool_call>"
_INSTRUCTIONS = f"""You are an expert in calling functions. You get a question and a list of functions, and answer \
with the function calls that the question needs, or with an empty list where no function is of use.
<tools>{{tools}}</tools>
Write only the calls, as a JSON list of objects with "name" and "arguments" between {_BEGIN} and {_END}. \
Without a call, write {_BEGIN}[]{_END} and answer in words."""
_TEXT = StructuralTag((), triggers=(_BEGIN,))

SMOLLM2 = Format(
    name="smollm2",
    native=Block(section=Frame((_BEGIN, "["), ("]", _END)), body=JsonCall(), separator=", "),
    variants=(Block(call=Frame((_BEGIN,), (_END,)), body=JsonCall(reads_none=True)),),
    signs=(TemplateMarkers(("You are a helpful AI assistant named SmolLM",), ("tools",)),),
    answer=Answer(begin=f"{_BEGIN}[]{_END}", content=_TEXT),
    instructions=_INSTRUCTIONS,
    is_small=True,
)
