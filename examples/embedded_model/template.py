"""The chat template: ChatML with Hermes tool calls.

Beside messages and tools it takes, where they are given, `response_schema` and `response_choices`: what the answer is
held to. The model is trained with and without them.
"""

from __future__ import annotations

CHAT_TEMPLATE = """\
{%- set system = messages[0].content if messages and messages[0].role in ('system', 'developer') else '' %}
{%- set held = response_schema is defined and response_schema or response_choices is defined and response_choices %}
{%- if tools or held or system %}
{{- '<|im_start|>system\\n' }}
{%- if system %}{{- system }}{%- if tools or held %}{{- '\\n\\n' }}{%- endif %}{%- endif %}
{%- if tools %}
{{- '# Tools\\n<tools>' }}
{%- for tool in tools %}{{- '\\n' + (tool | tojson) }}{%- endfor %}
{{- '\\n</tools>\\nTo call a function, write <tool_call>\\n{"name": <name>, "arguments": <object>}\\n' }}
{{- '</tool_call>' }}
{%- if held %}{{- '\\n\\n' }}{%- endif %}
{%- endif %}
{%- if response_schema is defined and response_schema %}
{{- '# Answer\\nJSON of this schema: ' + (response_schema | tojson) }}
{%- elif response_choices is defined and response_choices %}
{{- '# Answer\\nOne of: ' + response_choices | join(', ') }}
{%- endif %}
{{- '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
{%- if message.role in ('system', 'developer') %}
{%- if not loop.first %}{{- '<|im_start|>system\\n' + message.content + '<|im_end|>\\n' }}{%- endif %}
{%- elif message.role == 'assistant' %}
{{- '<|im_start|>assistant\\n' + (message.content or '') }}
{%- for call in message.tool_calls or [] %}
{%- set function = call.function if call.function is defined else call %}
{%- if not loop.first or message.content %}{{- '\\n' }}{%- endif %}
{{- '<tool_call>\\n{"name": ' + (function.name | tojson) + ', "arguments": ' }}
{{- function.arguments if function.arguments is string else function.arguments | tojson }}
{{- '}\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}
{%- if loop.first or messages[loop.index0 - 1].role != 'tool' %}{{- '<|im_start|>user' }}{%- endif %}
{{- '\\n<tool_response>\\n' + message.content + '\\n</tool_response>' }}
{%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- '<|im_end|>\\n' }}{%- endif %}
{%- else %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""
