"""Arguments that an open schema does not declare, in every format."""

import pytest

from gateway.service.constraints.matcher_recheck import bytes_compiler
from tools import Tool, ToolCall, ToolChoice, ToolSet
from tools.formats.registry import formats

OPEN = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
CLOSED = {**OPEN, "additionalProperties": False}
DECLARED, MORE = '{"city": "Lima"}', '{"city": "Lima", "zone": "west"}'

DECLARED_ALONE = {"minimax_m3"}
"""Where what ends a value names it."""


@pytest.mark.parametrize("spec", formats(), ids=lambda spec: spec.name)
def test_undeclared_arguments_are_written_where_a_schema_lets_them(spec):
    for schema, takes_more in ((OPEN, spec.name not in DECLARED_ALONE), (CLOSED, False)):
        tools = ToolSet((Tool("get_weather", parameters=schema),))
        constraint = spec.constraint(tools, ToolChoice(mode="required"))
        compiled = bytes_compiler().compile(constraint)
        for arguments, holds in ((DECLARED, True), (MORE, takes_more)):
            text = spec.render([ToolCall(spec.ids(1)("get_weather", 0), "get_weather", arguments)], tools).removesuffix(
                "<|call|>"
            )
            assert compiled.matcher().accept_text(text.encode()) is holds, text
