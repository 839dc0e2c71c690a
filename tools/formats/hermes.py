"""Hermes 2 and 3, Qwen 2.5 and 3, and many that follow them: a JSON object in `<tool_call>` tags."""

from tools.formats.base import Format
from tools.formats.frame import Frame
from tools.formats.json_call import JsonCall

HERMES = Format(
    name="hermes",
    call=Frame(("<tool_call>", "\n"), ("\n", "</tool_call>")),
    body=JsonCall(),
    separator="\n",
    template_has=("<tool_call>", "</tool_call>", "arguments"),
    template_lacks=("<function=", "<arg_key>", "<tool_call>["),
)
