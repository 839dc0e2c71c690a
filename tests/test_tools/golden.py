"""For formats whose arguments are JSON: texts of each family, what they say, and what its chat templates show."""

J = '{"a": 1, "t": "x\\n</tool_call> é"}'
ONE = [("f", J)]
BOTH = [("f", J), ("g", "{}")]

# format -> (text, content, calls as (name, arguments))
GOLDEN: dict[str, list[tuple[str, str, list[tuple[str, str]]]]] = {
    "hermes": [
        (f'<tool_call>\n{{"name": "f", "arguments": {J}}}\n</tool_call>', "", ONE),
        (
            f'Sure.\n<tool_call>{{"name":"f","arguments":{J}}}</tool_call><tool_call>{{"name":"g"}}</tool_call>',
            "Sure.",
            BOTH,
        ),
    ],
    "delphi": [
        (
            f'Sure.\n<|tool_call|>\n{{"name": "f", "arguments": {J}}}\n<|tool_call_end|>\n'
            '<|tool_call|>\n{"name": "g", "arguments": {}}\n<|tool_call_end|>',
            "Sure.",
            BOTH,
        )
    ],
    "exaone4": [(f'<tool_call>{{"name": "f", "arguments": {J}}}</tool_call>', "", ONE)],
    "falcon": [
        (
            f'<tool_call>\n[{{"name": "f", "arguments": {J}}}, {{"name": "g", "arguments": {{}}}}]\n</tool_call>',
            "",
            BOTH,
        ),
        (f'<tool_call>\n```json\n[{{"name": "f", "arguments": {J}}}]\n```\n</tool_call>', "", ONE),
        (f'<tool_call>\n{{"name": "f", "arguments": {J}}}\n</tool_call>', "", ONE),
    ],
    "smollm2": [
        (f'<tool_call>[{{"name": "f", "arguments": {J}}}, {{"name": "g", "arguments": {{}}}}]</tool_call>', "", BOTH),
        (f'<tool_call>[\n{{"name": "f", "arguments": {J}}}\n]</tool_call>', "", ONE),
        (f'Sure.\n<tool_call>{{"name": "f", "arguments": {J}}}</tool_call>', "Sure.", ONE),
        ("<tool_call>[]</tool_call>", "", []),
        ("<tool_call>[]</tool_call>The sky is blue.", "The sky is blue.", []),
        ("The sky is blue.", "The sky is blue.", []),
    ],
    "llama3_json": [
        (f'{{"name": "f", "parameters": {J}}}', "", ONE),
        (f'<|python_tag|>{{"name": "f", "parameters": {J}}}; {{"name": "g", "parameters": {{}}}}', "", BOTH),
        (f"Look: <function=f>{J}</function>", "Look:", ONE),
        ('<|python_tag|>f.call(a=1, t="x")', "", [("f", '{"a": 1, "t": "x"}')]),
        ("<|python_tag|>print(1)", "<|python_tag|>print(1)", []),
        ('{"temperature": 3} is what I found.', '{"temperature": 3} is what I found.', []),
        ('Call {"name": "f", "parameters": {}}', "Call", [("f", "{}")]),
        ('Call {"name": "who", "parameters": {}}', 'Call {"name": "who", "parameters": {}}', []),
        ("{ braces }", "{ braces }", []),
    ],
    "mistral": [
        (
            f'[TOOL_CALLS] [{{"name": "f", "arguments": {J}, "id": "abcdefghi"}}, {{"name": "g", "arguments": {{}}}}]',
            "",
            BOTH,
        ),
        (f'Hm.[TOOL_CALLS][{{"arguments": {J}, "name": "f"}}]', "Hm.", ONE),
    ],
    "mistral_tekken": [
        (f'Hm.[TOOL_CALLS][{{"name": "f", "arguments": {J}}}, {{"name": "g", "arguments": {{}}}}]', "Hm.", BOTH)
    ],
    "mistral_v11": [
        (f"[TOOL_CALLS]f[CALL_ID]abc123XYZ[ARGS]{J}[TOOL_CALLS]g[CALL_ID]abc123XYz[ARGS]{{}}", "", BOTH),
        (f"[TOOL_CALLS]f[ARGS]{J}", "", ONE),
    ],
    "mistral_v13": [
        (f"Now.[TOOL_CALLS]f[ARGS]{J}[TOOL_CALLS]g[ARGS]{{}}", "Now.", BOTH),
        (f'[TOOL_CALLS] [{{"name": "f", "arguments": {J}}}]', "", ONE),
    ],
    "deepseek_v3": [
        (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n"
            f"{J}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>g\n```json\n{{}}\n```<｜tool▁call▁end｜>"
            "<｜tool▁calls▁end｜>",
            "",
            BOTH,
        )
    ],
    "deepseek_v31": [
        (
            f"I look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{J}<｜tool▁call▁end｜>"
            "<｜tool▁call▁begin｜>g<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
            "I look.",
            BOTH,
        )
    ],
    "kimi_k2": [
        (
            f"<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{J}<|tool_call_end|>"
            "<|tool_call_begin|>functions.g:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
            "",
            BOTH,
        ),
        (
            f"So.<|tool_call_section_begin|><|tool_call_begin|>f<|tool_call_argument_begin|>{J}<|tool_call_end|>"
            "<|tool_call_section_end|>",
            "So.",
            ONE,
        ),
    ],
    "minimax": [
        (
            f'<tool_calls>\n{{"name": "f", "arguments": {J}}}\n{{"name": "g", "arguments": {{}}}}\n</tool_calls>',
            "",
            BOTH,
        )
    ],
    "jamba": [
        (
            f'<tool_calls>[\n    {{"name": "f", "arguments": {J}}},\n'
            '    {"name": "g", "arguments": {}}\n]</tool_calls>',
            "",
            BOTH,
        ),
        (f'A <tool_calls>[{{"name": "f", "arguments": {J}}}]</tool_calls>', "A", ONE),
    ],
    "hunyuan_a13b": [
        (f'<tool_calls>[{{"name": "f", "arguments": {J}}}, {{"name": "g", "arguments": {{}}}}]</tool_calls>', "", BOTH),
        (f'A <tool_calls>[\n{{"name": "f", "arguments": {J}}}\n] </tool_calls>', "A", ONE),
    ],
    "granite": [
        (f'<|tool_call|>[{{"name": "f", "arguments": {J}}}, {{"name": "g", "arguments": {{}}}}]', "", BOTH),
        (f'<tool_call>[{{"name": "f", "arguments": {J}}}] done', "done", ONE),
    ],
    "granite-20b-fc": [
        (
            f'<function_call> {{"name": "f", "arguments": {J}}}\n<function_call> {{"name": "g", "arguments": {{}}}}',
            "",
            BOTH,
        ),
        ('Well.\n<function_call> {"name": "no_function", "arguments": {}}', "Well.\n", []),
    ],
    "internlm2": [(f'ok<|action_start|><|plugin|>\n{{"name": "f", "parameters": {J}}}<|action_end|>\n', "ok", ONE)],
    "phi4_mini_json": [
        (
            f'<|tool_call|>[{{"name": "f", "arguments": {J}}}, {{"name": "g", "arguments": {{}}}}]<|/tool_call|>',
            "",
            BOTH,
        ),
        (f'<|tool_call|>[{{"name": "f", "arguments": {J}}}]', "", ONE),
        (f'functools[{{"name": "f", "arguments": {J}}}]', "", ONE),
    ],
    "functools": [
        (f' functools[{{"name": "f", "arguments": {J}}}, {{"name": "g", "arguments": {{}}}}]', "", BOTH),
        ("functools.cache is a decorator", "functools.cache is a decorator", []),
    ],
    "cohere_command3": [
        (
            f'<|START_ACTION|>[\n    {{"tool_call_id": "0", "tool_name": "f", "parameters": {J}}},\n'
            '    {"tool_call_id": "1", "tool_name": "g", "parameters": {}}\n]<|END_ACTION|>',
            "",
            BOTH,
        ),
        (f'<|START_ACTION|>[{{"tool_call_id": "0", "tool_name": "f", "parameters": {J}}}]<|END_ACTION|>', "", ONE),
    ],
    "command_r": [
        (
            f'Action: ```json\n[\n    {{\n        "tool_name": "f",\n        "parameters": {J}\n    }},\n    {{\n'
            '        "tool_name": "g",\n        "parameters": {}\n    }\n]```',
            "",
            BOTH,
        ),
        (f'I look.\nAction:\n```json\n[\n    {{"tool_name": "f", "parameters": {J}}}\n]```\n', "I look.", ONE),
        ('Hm.\nAction: ```json\n[{"tool_name": "directly_answer", "parameters": {}}]\n```', "Hm.\n", []),
        ("Action: none", "Action: none", []),
    ],
    "plamo3": [
        (
            "<|plamo:begin_tool_requests:plamo|>"
            "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>f<|plamo:end_tool_name:plamo|>"
            f"<|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{J}"
            "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>"
            "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>g<|plamo:end_tool_name:plamo|>"
            "<|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{}"
            "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>",
            "",
            BOTH,
        )
    ],
    "inkling": [
        (
            f'f<|content_invoke_tool_json|>{{"name":"f","args":{J}}}<|end_message|><|message_model|>'
            'g<|content_invoke_tool_json|>{"name":"g","args":{}}<|end_message|>',
            "",
            BOTH,
        ),
        (
            "<|content_text|>Yes.<|end_message|><|message_model|>f<|content_invoke_tool_json|>"
            f'{{"name":"f","args":{J}}}<|end_message|>',
            "Yes.",
            ONE,
        ),
        ("<|content_text|>f it is", "f it is", []),
    ],
    "solar_open": [
        (
            f"<|tool_calls|><|tool_call:begin|>abc<|tool_call:name|>f<|tool_call:args|>{J}<|tool_call:end|>"
            "<|tool_call:begin|>abd<|tool_call:name|>g<|tool_call:args|>{}<|tool_call:end|>",
            "",
            BOTH,
        ),
        (
            "Yes.<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>abc<|tool_call:name|>f"
            f"<|tool_call:args|>{J}<|tool_call:end|>",
            "Yes.",
            ONE,
        ),
    ],
    "apertus11": [(f'Yes <SPECIAL_71>[{{"f": {J}}}, {{"g": {{}}}}]<SPECIAL_72>', "Yes", BOTH)],
    "apertus": [(f'Yes <|tools_prefix|>[{{"f": {J}}}, {{"g": {{}}}}]<|tools_suffix|>', "Yes", BOTH)],
    "longcat": [(f'<longcat_tool_call>\n{{"name": "f", "arguments": {J}}}\n</longcat_tool_call>', "", ONE)],
    "pangu": [
        (f'Hm.<|tool_call_start|>[{{"name": "f", "arguments": {J}}}, {{"name": "g"}}]<|tool_call_end|>', "Hm.", BOTH)
    ],
    "pangu_unused": [(f'[unused11][{{"name": "f", "arguments": {J}}}][unused12]', "", ONE)],
    "step_audio2": [
        (f"<tool_call>function\nf\n{J}</tool_call><tool_call>function\ng\n{{}}</tool_call>", "", BOTH),
        ("<tool_call>none</tool_call>", "<tool_call>none</tool_call>", []),
    ],
    "step_audio_r1": [
        (f"Hm.<|CALL_START|>function\nf\n{J}<|CALL_END|><|CALL_START|>function\ng\n{{}}<|CALL_END|>", "Hm.", BOTH)
    ],
    "intern_s1": [
        (f'ok<|action_start|><|plugin|>\n{{"name": "f", "parameters": {J}}}\n<|action_end|>\n', "ok", ONE),
        (f'<|action_start|><|plugin|>{{"name": "f", "parameters": {J}}}<|action_end|>', "", ONE),
    ],
    "hunyuan_dense": [
        (
            f"Hm.<tool_calls><tool_call>f\n```json\n{J}\n```</tool_call>\n"
            "<tool_call>g\n```json\n{}\n```</tool_call></tool_calls>",
            "Hm.",
            BOTH,
        )
    ],
    "step3_vl": [
        (
            f'<tool_calls>\n<tool_call>\n{{"name": "f", "arguments": {J}}}\n</tool_call>\n'
            '<tool_call>\n{"name": "g"}\n</tool_call>\n</tool_calls>',
            "",
            BOTH,
        )
    ],
    "gigachat3": [
        (f'function call<|role_sep|>\n{{"name": "f", "arguments": {J}}}', "", ONE),
        (f'Да.<|function_call|>{{"name": "f", "arguments": {J}}}', "Да.", ONE),
        (f'Да.<|message_sep|>\n\nfunction call<|role_sep|>\n{{"name": "f", "arguments": {J}}}', "Да.", ONE),
        (f'<|message_sep|>\n\nfunction call<|role_sep|>\n{{"name": "f", "arguments": {J}}}', "", ONE),
        ("a function call is made", "a function call is made", []),
    ],
    "gigachat31": [(f'<|function_call|>{{"name": "f", "arguments": {J}}}', "", ONE)],
    "nemotron": [(f'<TOOLCALL>[{{"name": "f", "arguments": {J}}}, {{"name": "g"}}]</TOOLCALL>', "", BOTH)],
    "functionary_v31": [(f"Hi<function=f>{J}</function><function=g>{{}}</function>", "Hi", BOTH)],
    "functionary_v32": [
        (f"f\n{J}>>>g\n{{}}", "", BOTH),
        (f"all\nI look it up.>>>f\n{J}", "I look it up.", ONE),
        (f">>>all\nHello\n>>>f\n{J}", "Hello", ONE),
    ],
    "xlam": [
        (f'[{{"name": "f", "arguments": {J}}}, {{"name": "g", "arguments": {{}}}}]', "", BOTH),
        (f'```json\n[{{"name": "f", "arguments": {J}}}]\n```', "", ONE),
        (f'{{"name": "f", "arguments": {J}}}; {{"name": "g", "arguments": {{}}}}', "", BOTH),
        (f'[TOOL_CALLS] [{{"name": "f", "arguments": {J}}}]', "", ONE),
        (f'Now <tool_call>[{{"name": "f", "arguments": {J}}}]</tool_call>', "Now", ONE),
        ("[1, 2] are numbers", "[1, 2] are numbers", []),
    ],
    "hammer": [
        (f'```\n[{{"name": "f", "arguments": {J}}}, {{"name": "g", "arguments": {{}}}}]\n```', "", BOTH),
        ("```python\nprint()\n```", "```python\nprint()\n```", []),
    ],
    "glm4": [(f"f\n{J}", "", ONE), (f"\nf\n{J}", "", ONE), ("f is a function", "f is a function", [])],
    "generic": [
        (f'{{"tool_calls": [{{"name": "f", "arguments": {J}}}, {{"name": "g", "arguments": {{}}}}]}}', "", BOTH),
        (f'{{ "tool_call" : {{"name": "f", "arguments": {J}}} }}', "", ONE),
        ('{"response": "All \\"done\\"\\n\\u00e9."}', 'All "done"\né.', []),
        ('{"response": {"a": [1]}}', '{"a": [1]}', []),
        ("No object at all.", "No object at all.", []),
    ],
    "tgi": [
        ('{"function": {"_name": "f", "a": 1, "b": {"c": "}"}}}', "", [("f", '{"a": 1, "b": {"c": "}"}}')]),
        ('{"function":{"_name":"g"}}', "", [("g", "{}")]),
        ('{"function": {"_name": "no_tool", "content": "Hi there"}}', "Hi there", []),
    ],
}

# format -> parts of chat templates of its models
TEMPLATES: dict[str, list[str]] = {
    "hermes": [
        'within <tool_call></tool_call> XML tags:\\n<tool_call>\\n{\\"name\\": <function-name>, \\"arguments\\": '
        "<args-json-object>}\\n</tool_call><|im_end|>\\n"
    ],
    "delphi": ["Write each call as a JSON object between <|tool_call|> and <|tool_call_end|>."],
    "exaone4": ["{{- '<tool_call>{\"name\": \"' + tool_call.name + '\", \"arguments\": ' }}{{ '}</tool_call>' }}"],
    "falcon": ["{{ '<tool_call>\\n[' }}{{ tool_call | tojson }}{{ ']\\n</tool_call>' }} arguments"],
    "smollm2": ["{{ '<|im_start|>system\\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face' }}"],
    "llama3_json": [
        'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.'
        "{{- '<|python_tag|>' + tool_call.name + '.call(' }}"
    ],
    "mistral": ['{{- "[TOOL_CALLS] [" }}{{ out[:-1] }}{{- \', "id": "\' + tool_call.id + \'"}\' }}'],
    "mistral_v11": ['{{- "[TOOL_CALLS]" + name + "[CALL_ID]" + id + "[ARGS]" + arguments }}'],
    "mistral_v13": ['{{- "[TOOL_CALLS]" + name + "[ARGS]" + arguments }}'],
    "deepseek_v3": [
        "{{'<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>' + tool['type'] + '<｜tool▁sep｜>'}}{{name + '\\n```json\\n'}}"
    ],
    "deepseek_v31": ["{{'<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>'+ name + '<｜tool▁sep｜>' + arguments}}"],
    "kimi_k2": ["<|tool_calls_section_begin|>{{ formatted_id }}<|tool_call_argument_begin|>"],
    "minimax": [
        "{{ '<tool_calls>\\n' }}{% for call in calls %}{{ call | tojson }}{% endfor %}{{ '\\n</tool_calls>' }}"
    ],
    "jamba": ["{{ '<tool_calls>[\\n    ' }}{{ calls }}{{ '\\n]</tool_calls>' }}"],
    "hunyuan_a13b": ["{{ '<tool_calls>[' }}{{ calls }}{{ ']</tool_calls>' }}"],
    "granite": ["<|start_of_role|>tools<|end_of_role|> write <|tool_call|> followed by a JSON list of tools used."],
    "granite-20b-fc": ["SYSTEM: ... '<function_call> ' + message['content'] ..."],
    "internlm2": ["'<|action_start|><|plugin|>\\n' + call"],
    "phi4_mini_json": ["message['content'] + '<|tool|>' + message['tools'] + '<|/tool|>'"],
    "functools": ["' functools[' + tool_calls_json + ']'"],
    "cohere_command3": ["<|START_ACTION|>[{% for tc in message.tool_calls %}"],
    "command_r": ["{{- '\\nAction:\\n```json\\n[\\n' }}{{- '\"tool_name\": \"' + tool_call.name }}"],
    "plamo3": ["{{ '<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|>' }}"],
    "inkling": ["{{- name + '<|content_invoke_tool_json|>' + call }}"],
    "solar_open": ["{{- '<|tool_call:begin|>' + id + '<|tool_call:name|>' + name + '<|tool_call:args|>' }}"],
    "apertus11": ["{%- set tool_calls_token = '<SPECIAL_71>' -%}{%- set end_tool_calls_token = '<SPECIAL_72>' -%}"],
    "apertus": ["'<|tools_prefix|>[' ... ']<|tools_suffix|>'"],
    "longcat": ["within <longcat_tool_call></longcat_tool_call> XML tags"],
    "pangu": ['<|tool_call_start|>[{{ calls | tojson }}]<|tool_call_end|> with "arguments"'],
    "pangu_unused": ['within [unused11][unused12]: [unused11][{"name": <function name>}][unused12]'],
    "step_audio_r1": ["{{- '<|CALL_START|>function\\n' + call.name + '\\n' }}"],
    "hunyuan_dense": ["{{- '<tool_calls><tool_call>' + call.name + '\\n```json\\n' + call.arguments }}"],
    "step3_vl": ["{{- '<tool_calls>\\n<tool_call>\\n' + call + '\\n</tool_call>\\n</tool_calls>' }} arguments"],
    "step_audio2": ["{{- '<tool_call>function\\n' + call.name + '\\n' }}"],
    "gigachat3": ["{{- '<|message_sep|>\\n\\nfunction call<|role_sep|>\\n' }}"],
    "gigachat31": ["{{- '<|function_call|>' + call }}"],
    "nemotron": ["<TOOLCALL>[ {{ calls }} ]</TOOLCALL>"],
    "functionary_v31": ['<function=example_function_name>{\\"example_name\\": \\"example_value\\"}</function>'],
    "functionary_v32": ["{{ '>>>all\\n' + message['content'] }}"],
    "xlam": ['strictly: `[{"name": "tool_call_name", "arguments": {"arg1": "value1"}}]`'],
    "hammer": ["[BEGIN OF FORMAT INSTRUCTION]\n```\n[\n"],
    "glm4": ["[gMASK]<sop>{{ '<|assistant|>' + metadata + '\\n' }}<|observation|>"],
}
