"""Format for models of no family: calls or a response as one JSON object, described in the prompt."""

from __future__ import annotations

from grammars import JsonSchema
from tools.formats.base import Format
from tools.formats.block import Block
from tools.formats.bodies.json_call import JsonCall
from tools.formats.constraint import Answer
from tools.formats.families.generic_call import GenericCall
from tools.formats.families.tgi_call import TgiCall
from tools.formats.reading.frame import Frame

_TEXT = JsonSchema({"type": "string"})

_TOLD = """You can call these tools:
{tools}

To call a tool, write only:
{"tool_calls": [{"name": ..., "arguments": {...}}]}
To answer without a tool, write only:
{"response": ...}"""
_TOLD_TGI = """You can call these tools:
{tools}

If one of them helps, write a JSON object with "function": an object with the name of the tool as "_name", and its \
arguments. If none of them helps, "_name" is "no_tool", and "content" the text that you say to the user."""

GENERIC = Format(
    name="generic",
    native=Block(section=Frame(('{"tool_calls": [',), ("]", "}")), body=JsonCall(), separator=", ", at_start=True),
    variants=(Block(body=GenericCall(), at_start=True),),
    answer=Answer(begin='{"response": ', end="}", content=_TEXT),
    told=_TOLD,
)
TGI = Format(
    name="tgi",
    native=Block(section=Frame(), body=TgiCall(), separator="\n", at_start=True),
    is_parallel=False,
    answer=Answer(begin='{"function": {"_name": "no_tool", "content": ', end="}}", content=_TEXT),
    told=_TOLD_TGI,
)
