# ruff: noqa: E501
"""Chat templates in the shape that real families have theirs in, each with what the real one is particular about."""

CHATML = """\
{%- for message in messages %}
{{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""

# Adds up content, looks into it for thoughts, and merges results into one turn of the user.
QWEN3 = """\
{%- if tools %}
{{- '<|im_start|>system\\n' }}
{%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
{{- "# Tools\\n<tools>" }}
{%- for tool in tools %}{{- "\\n" + (tool | tojson) }}{%- endfor %}
{{- "\\n</tools>\\n<tool_call>\\n{\\"name\\": <function-name>, \\"arguments\\": <args-json-object>}\\n</tool_call>" }}
{{- "<|im_end|>\\n" }}
{%- elif messages[0].role == 'system' %}{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}{%- endif %}
{%- for message in messages %}
{%- if message.role == "user" or (message.role == "system" and not loop.first) %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
{%- elif message.role == "assistant" %}
{%- set content = message.content %}
{%- set thoughts = '' %}
{%- if message.reasoning_content is defined and message.reasoning_content is not none %}
{%- set thoughts = message.reasoning_content %}
{%- elif '</think>' in message.content %}
{%- set thoughts = message.content.split('</think>')[0].split('<think>')[-1] %}
{%- set content = message.content.split('</think>')[-1].lstrip('\\n') %}
{%- endif %}
{{- '<|im_start|>assistant\\n' }}
{%- if thoughts %}{{- '<think>\\n' + thoughts.strip('\\n') + '\\n</think>\\n\\n' }}{%- endif %}
{{- content }}
{%- for call in message.tool_calls or [] %}
{%- if call.function %}{%- set call = call.function %}{%- endif %}
{{- '\\n<tool_call>\\n{"name": "' + call.name + '", "arguments": ' }}
{%- if call.arguments is string %}{{- call.arguments }}{%- else %}{{- call.arguments | tojson }}{%- endif %}
{{- '}\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- elif message.role == "tool" %}
{%- if loop.first or messages[loop.index0 - 1].role != "tool" %}{{- '<|im_start|>user' }}{%- endif %}
{{- '\\n<tool_response>\\n' + message.content + '\\n</tool_response>' }}
{%- if loop.last or messages[loop.index0 + 1].role != "tool" %}{{- '<|im_end|>\\n' }}{%- endif %}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""

# The system speaks first or not at all, somebody asks, roles are few, and arguments are objects.
QWEN35 = """\
{%- macro shown(content) %}{%- if content is string %}{{- content }}{%- elif content is iterable and content is not mapping %}
{%- for item in content %}{{- item.text }}{%- endfor %}
{%- else %}{{- raise_exception('Unexpected content type.') }}{%- endif %}{%- endmacro %}
{%- if not messages %}{{- raise_exception('No messages provided.') }}{%- endif %}
{%- if tools %}
{{- '<|im_start|>system\\n# Tools\\n<tools>' }}
{%- for tool in tools %}{{- '\\n' + (tool | tojson) }}{%- endfor %}
{{- '\\n</tools>\\n<tool_call>\\n<function=example_function_name>\\n<parameter=example_parameter_1>\\nvalue_1\\n</parameter>\\n' }}
{{- '</function>\\n</tool_call>' }}
{%- if messages[0].role == 'system' %}{{- '\\n\\n' + shown(messages[0].content) | trim }}{%- endif %}
{{- '<|im_end|>\\n' }}
{%- elif messages[0].role == 'system' %}{{- '<|im_start|>system\\n' + shown(messages[0].content) | trim + '<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(is_asked=false, last=0) %}
{%- for message in messages %}
{%- if message.role == 'user' and not shown(message.content).startswith('<tool_response>') %}
{%- set ns.is_asked = true %}{%- set ns.last = loop.index0 %}
{%- endif %}
{%- endfor %}
{%- if not ns.is_asked %}{{- raise_exception('No user query found in messages.') }}{%- endif %}
{%- for message in messages %}
{%- set content = shown(message.content) | trim %}
{%- if message.role == 'system' %}
{%- if not loop.first %}{{- raise_exception('System message must be at the beginning.') }}{%- endif %}
{%- elif message.role == 'user' %}{{- '<|im_start|>user\\n' + content + '<|im_end|>\\n' }}
{%- elif message.role == 'assistant' %}
{%- set thoughts = message.reasoning_content if message.reasoning_content is string else '' %}
{{- '<|im_start|>assistant\\n' + ('<think>\\n' + thoughts | trim + '\\n</think>\\n\\n' if loop.index0 > ns.last else '') + content }}
{%- for call in message.tool_calls or [] %}
{%- set call = call.function %}
{{- ('\\n\\n' if loop.first and content else '' if loop.first else '\\n') + '<tool_call>\\n<function=' + call.name + '>\\n' }}
{%- for name, value in call.arguments | items %}
{{- '<parameter=' + name + '>\\n' + (value if value is string else value | tojson | safe) + '\\n</parameter>\\n' }}
{%- endfor %}
{{- '</function>\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}
{%- if loop.previtem and loop.previtem.role != 'tool' %}{{- '<|im_start|>user' }}{%- endif %}
{{- '\\n<tool_response>\\n' + content + '\\n</tool_response>' }}
{%- if loop.last or loop.nextitem.role != 'tool' %}{{- '<|im_end|>\\n' }}{%- endif %}
{%- else %}{{- raise_exception('Unexpected message role.') }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' + ('<think>\\n\\n</think>\\n\\n' if enable_thinking is false else '<think>\\n') }}
{%- endif %}
"""

# Joins descriptions to text; late messages of the system are not shown; the tool of a result is that of the last call.
GPT_OSS = """\
{%- set said = namespace(system='', last=none) %}
{%- if messages[0].role in ['developer', 'system'] %}{%- set said.system = messages[0].content %}{%- endif %}
{{- '<|start|>developer<|message|># Instructions\\n' + said.system + '\\n' }}
{%- for tool in tools or [] %}
{{- '// ' + tool.function.description + '\\ntype ' + tool.function.name + ' = (_: {\\n' }}
{%- for name, schema in tool.function.parameters.properties.items() %}
{{- '  ' + name + ': ' + schema.get('type', 'any') + ',\\n' }}
{%- endfor %}
{{- '}) => any;\\n' }}
{%- endfor %}
{{- '<|end|>' }}
{%- for message in messages %}
{%- if message.role == 'assistant' %}
{%- if "<|channel|>" in message.content %}{{- raise_exception('channel tags do not belong into content') }}{%- endif %}
{%- if message.thinking %}{{- '<|start|>assistant<|channel|>analysis<|message|>' + message.thinking + '<|end|>' }}{%- endif %}
{%- if message.tool_calls %}
{%- if message.content %}{{- '<|start|>assistant<|channel|>commentary<|message|>' + message.content + '<|end|>' }}{%- endif %}
{%- for call in message.tool_calls %}
{%- set said.last = call.function.name %}
{{- '<|start|>assistant to=functions.' + said.last + '<|channel|>commentary json<|message|>' }}
{{- (call.function.arguments | tojson) + '<|call|>' }}
{%- endfor %}
{%- else %}{{- '<|start|>assistant<|channel|>final<|message|>' + message.content + '<|end|>' }}{%- endif %}
{%- elif message.role == 'tool' %}
{%- if said.last is none %}{{- raise_exception('a result without a call') }}{%- endif %}
{{- '<|start|>functions.' + said.last + ' to=assistant<|channel|>commentary<|message|>' + (message.content | tojson) + '<|end|>' }}
{%- elif message.role == 'user' %}{{- '<|start|>user<|message|>' + message.content + '<|end|>' }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start|>assistant' }}{%- endif %}
"""

# Refuses several calls in one message; the system's first message is joined to what it says itself.
LLAMA31 = """\
{{- bos_token }}
{%- if messages[0]['role'] == 'system' %}
{%- set system_message = messages[0]['content'] | trim %}{%- set messages = messages[1:] %}
{%- else %}{%- set system_message = "" %}{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" + system_message + "<|eot_id|>" }}
{%- if tools %}
{{- '{"name": function name, "parameters": dictionary of argument name and its value}.\\n' }}
{%- for t in tools %}{{- (t | tojson(indent=4)) + "\\n\\n" }}{%- endfor %}
{%- endif %}
{%- for message in messages %}
{%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
{{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + message['content'] | trim + '<|eot_id|>' }}
{%- elif 'tool_calls' in message %}
{%- if not message.tool_calls | length == 1 %}
{{- raise_exception("This model only supports single tool-calls at once!") }}
{%- endif %}
{%- set call = message.tool_calls[0].function %}
{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' + message.content }}
{{- '{"name": "' + call.name + '", "parameters": ' + (call.arguments | tojson) + "}<|eot_id|>" }}
{%- else %}
{{- "<|start_header_id|>ipython<|end_header_id|>\\n\\n" + (message.content | tojson) + "<|eot_id|>" }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}
"""

# Speakers take turns, the system speaks first or not at all, ids have nine characters.
MISTRAL = """\
{%- if messages[0]["role"] == "system" %}
{%- set system_message = messages[0]["content"] %}{%- set loop_messages = messages[1:] %}
{%- else %}{%- set loop_messages = messages %}{%- endif %}
{%- set ns = namespace(index=0) %}
{%- for message in loop_messages %}
{%- if not (message.role == "tool" or (message.tool_calls is defined and message.tool_calls is not none)) %}
{%- if (message["role"] == "user") != (ns.index % 2 == 0) %}
{{- raise_exception("After the optional system message, conversation roles must alternate user/assistant") }}
{%- endif %}
{%- set ns.index = ns.index + 1 %}
{%- endif %}
{%- endfor %}
{{- bos_token }}
{%- for message in loop_messages %}
{%- if message["role"] == "user" %}
{%- if tools is not none and loop.last %}{{- "[AVAILABLE_TOOLS]" + (tools | tojson) + "[/AVAILABLE_TOOLS]" }}{%- endif %}
{{- "[INST] " }}
{%- if loop.first and system_message is defined %}{{- system_message + "\\n\\n" }}{%- endif %}
{{- message["content"] + "[/INST]" }}
{%- elif message.tool_calls is defined and message.tool_calls is not none %}
{{- message.content + "[TOOL_CALLS] [" }}
{%- for call in message.tool_calls %}
{%- if not call.id is defined or call.id | length != 9 %}{{- raise_exception("ids have nine characters") }}{%- endif %}
{{- (call.function | tojson)[:-1] + ', "id": "' + call.id + '"}' + ("]" if loop.last else ", ") }}
{%- endfor %}
{{- eos_token }}
{%- elif message["role"] == "assistant" %}{{- " " + message["content"] | trim + eos_token }}
{%- elif message["role"] == "tool" %}
{%- if not message.tool_call_id is defined or message.tool_call_id | length != 9 %}{{- raise_exception("ids") }}{%- endif %}
{{- '[TOOL_RESULTS] {"content": ' + (message.content | tojson) + ', "call_id": "' + message.tool_call_id + '"}[/TOOL_RESULTS]' }}
{%- else %}{{- raise_exception("Only user and assistant roles are supported, but for an initial system message") }}
{%- endif %}
{%- endfor %}
"""

# No system at all, and speakers take turns.
GEMMA2 = """\
{{ bos_token }}
{%- if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}
{%- for message in messages %}
{%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{- raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
{%- endif %}
{%- set role = 'model' if message['role'] == 'assistant' else message['role'] %}
{{- '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}
"""

# Prints content whatever it is, and arguments one by one.
GLM = """\
[gMASK]<sop>
{%- macro visible(content) %}{%- if content is string %}{{- content }}{%- elif content is iterable and content is not mapping %}
{%- for item in content %}{{- item.text }}{%- endfor %}{%- else %}{{- content }}{%- endif %}{%- endmacro %}
{%- if tools %}{{- '<|system|>\\n<tools>\\n' }}
{%- for tool in tools %}{{- (tool | tojson(ensure_ascii=False)) + '\\n' }}{%- endfor %}
{{- '</tools>\\n<tool_call>{function-name}\\n<arg_key>{arg-key-1}</arg_key>\\n<arg_value>{arg-value-1}</arg_value>\\n</tool_call>' }}
{%- endif %}
{%- for m in messages %}
{%- if m.role == 'user' %}{{- '<|user|>\\n' + visible(m.content) }}
{%- elif m.role == 'assistant' %}
{{- '<|assistant|>' }}
{%- if m.reasoning_content is string %}{{- '\\n<think>' + m.reasoning_content + '</think>' }}{%- endif %}
{{- '\\n' + visible(m.content) | trim }}
{%- for tc in m.tool_calls or [] %}
{%- if tc.function %}{%- set tc = tc.function %}{%- endif %}
{{- '\\n<tool_call>' + tc.name }}
{%- for k, v in tc.arguments.items() %}
{{- '\\n<arg_key>' + k + '</arg_key>\\n<arg_value>' + (v if v is string else v | tojson(ensure_ascii=False)) + '</arg_value>' }}
{%- endfor %}
{{- '\\n</tool_call>' }}
{%- endfor %}
{%- elif m.role == 'tool' %}{{- '<|observation|>\\n<tool_response>\\n' + visible(m.content) + '\\n</tool_response>' }}
{%- elif m.role == 'system' %}{{- '<|system|>\\n' + visible(m.content) }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}
"""

# Arguments of earlier calls are text, and text is joined to them.
FUNCTIONARY = """\
{%- for message in messages %}
{%- if loop.first %}{{- '<|start_header_id|>system<|end_header_id|>\\n\\n' }}
{%- for tool in tools or [] %}{{- '// ' + tool.function.description + '\\n' + tool.function.name + '\\n' }}{%- endfor %}
{{- '<|eot_id|>' }}{%- endif %}
{%- if message.role in ['user', 'system'] %}
{{- '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' + message.content + '<|eot_id|>' }}
{%- elif message.role == 'tool' %}{{- '<|start_header_id|>tool<|end_header_id|>\\n\\n' + message.content + '<|eot_id|>' }}
{%- else %}
{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- if message.content %}{{- '>>>all\\n' + message.content }}{%- endif %}
{%- for call in message.tool_calls or [] %}{{- '>>>' + call.function.name + '\\n' + call.function.arguments }}{%- endfor %}
{{- '<|eot_id|>' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n>>>' }}{%- endif %}
"""

# Its tools are text in a variable of another name, and it wants to know the time.
FIREFUNCTION = """\
{%- set suffix -%}{%- filter trim -%}Functions are called as functools[...].{%- endfilter -%}{%- endset -%}
{%- set suffix = suffix + "\\n" + functions -%}
{%- set suffix = suffix + '\\nToday is ' + datetime + '.' -%}
{%- for message in messages -%}
{%- set role = message['role'] | lower -%}
{%- set said = namespace(text=message['content'] | trim) -%}
{%- if loop.first and role != 'system' -%}{{ '<|start_header_id|>system<|end_header_id|>\\n\\n' + suffix + '<|eot_id|>' }}{%- endif -%}
{%- if 'tool_calls' in message and message['tool_calls'] -%}
{%- set said.text = said.text + ' functools[' -%}
{%- for call in message['tool_calls'] -%}
{%- set said.text = said.text + '{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}' -%}
{%- if not loop.last -%}{%- set said.text = said.text + ', ' -%}{%- endif -%}
{%- endfor -%}
{%- set said.text = said.text + ']' -%}
{%- endif -%}
{{ '<|start_header_id|>' + role + '<|end_header_id|>\\n\\n' + said.text }}
{%- if loop.first and role == 'system' -%}{{ '\\n' + suffix }}{%- endif -%}{{ '<|eot_id|>' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif -%}
"""

# Content is a list of parts and nothing else.
PARTS = """\
{{ bos_token }}
{%- for tool in tools or [] %}{{ (tool | tojson) + '\\n' }}{%- endfor %}
{%- for message in messages %}
{{- message['role'] | capitalize + ':' }}
{%- for part in message['content'] %}{% if part['type'] == 'text' %}{{ ' ' + part['text'] }}{% endif %}{% endfor %}
{%- for call in message.tool_calls or [] %}{{ ' [' + call.function.name + '(' + (call.function.arguments | tojson) + ')]' }}{% endfor %}
{{- '<end>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ 'Assistant:' }}{% endif %}
"""

# A result tells its tool; what is joined goes through `safe`.
FUNCTIONGEMMA = """\
{{ bos_token }}
{%- for tool in tools or [] %}
{{- '<start_function_declaration>' + tool.function.name + '{description:<escape>' + tool.function.description + '<escape>}' }}
{%- endfor %}
{%- for message in messages %}
{%- if message.role == 'tool' %}
{%- if 'name' not in message %}{{ raise_exception("Invalid tool response: 'name' must be there") }}{% endif %}
{{- '<start_function_response>response:' + message.name + '{value:<escape>' + message.content + '<escape>}' }}
{%- else %}
{{- '<start_of_turn>' ~ message.role ~ '\\n' ~ (message.content | safe) }}
{%- for call in message.tool_calls or [] %}
{{- '<start_function_call>call:' + call.function.name + '{' }}
{%- for key, value in call.function.arguments | dictsort %}
{{- key + ':' + (('<escape>' + value + '<escape>') | safe if value is string else value | tojson) + ('' if loop.last else ',') }}
{%- endfor %}
{{- '}<end_function_call>' }}
{%- endfor %}
{{- '<end_of_turn>\\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}
"""

# Iterates over tools without looking whether there are any: for requests with tools alone.
HERMES_TOOLS = """\
{{ bos_token }}
{{- '<|im_start|>system\\n<tools> ' }}
{%- for tool in tools %}
{{- '{"type": "function", "function": {"name": "' + tool.function.name + '", "description": "' }}
{{- tool.function.description + '(' }}
{%- for name, fields in tool.function.parameters.properties.items() %}{{- name + ': ' + fields.type }}{%- endfor %}
{{- ')"}} ' }}
{%- endfor %}
{{- '</tools>\\n<tool_call>\\n{"name": <function-name>, "arguments": <args-dict>}\\n</tool_call><|im_end|>\\n' }}
{%- for message in messages %}
{%- if message.role == "user" or message.role == "system" or (message.role == "assistant" and message.tool_calls is not defined) %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- elif message.role == "assistant" %}
{{- '<|im_start|>assistant' }}
{%- if message.content %}{{- '\\n' + message.content }}{%- endif %}
{%- for call in message.tool_calls %}
{{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- elif message.role == "tool" %}{{- '<|im_start|>tool\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""

FAMILIES = {
    "chatml": CHATML,
    "qwen3": QWEN3,
    "qwen3.5": QWEN35,
    "gpt-oss": GPT_OSS,
    "llama3.1": LLAMA31,
    "mistral": MISTRAL,
    "gemma2": GEMMA2,
    "glm": GLM,
    "functionary": FUNCTIONARY,
    "firefunction": FIREFUNCTION,
    "parts": PARTS,
    "functiongemma": FUNCTIONGEMMA,
}
