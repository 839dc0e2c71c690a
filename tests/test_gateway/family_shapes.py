# ruff: noqa: E501
"""How each family's chat template frames a conversation, its thoughts and its calls: one line of facts for each."""

from typing import NamedTuple


class Shape(NamedTuple):
    """Where something stands in a template of a family; quotes and line feeds are those of Jinja's literals.

    Attributes:
        format: The name of the tool-call format.
        reasoning: The name of how it thinks.
        call: An expression of one call, `c`; may use the macro `args`, and `loop`.
        before: What stands before all calls.
        between: Between two calls.
        after: Behind all calls.
        turn: What opens the turn of a `role`, and what closes it.
        think: What stands around thoughts, and what follows them.
        said: What stands around content.
        args: The macro's line for each `k` and `v`; `text` is `v` as text, or as JSON.
        told: Words of the prompt on how to call.
    """

    format: str
    reasoning: str | None
    call: str
    before: str = ""
    between: str = ""
    after: str = ""
    turn: tuple[str, str] = ("'<|im_start|>' + role + '\\n'", "<|im_end|>\\n")
    think: tuple[str, str] = ("", "")
    said: tuple[str, str] = ("", "")
    args: str = ""
    told: str = ""


JSON = """'{"name": "' + c.name + '", "arguments": ' + (c.arguments | tojson) + '}'"""
ROLES = ("'<|' + role + '|>'", "<|end|>")
HEADER = ("'<|start_header_id|>' + role + '<|end_header_id|>\\n\\n'", "<|eot_id|>")
BARS = ("'<|begin|>' + role", "<|end|>")
START = ("'<|start|>' + role", "<|eot|>")
THINK = ("<think>\\n", "\\n</think>\\n\\n")
NS = "]<]minimax[>["


def wrapped(begin: str, end: str, call: str = JSON) -> str:
    """The call between two texts."""
    return f"'{begin}' + {call} + '{end}'"


def lines(begin: str, end: str) -> str:
    """The call's name and its arguments, between two texts."""
    return f"'{begin.split('NAME')[0]}' + c.name + '{begin.split('NAME')[1]}' + args(c.arguments) + '{end}'"


def pairs(before: str, between: str, after: str) -> str:
    """One argument: a name and a value."""
    return f"'{before}' + k + '{between}' + text + '{after}'"


KEYS = pairs("<arg_key>", "</arg_key>\\n<arg_value>", "</arg_value>\\n")
INVOKE = pairs('<parameter name="', '">', "</parameter>\\n")
DSML = "'<｜DSML｜parameter name=\"' + k + '\" string=\"' + ('true' if v is string else 'false') + '\">' + text + '</｜DSML｜parameter>\\n'"
PLAIN = "(', ' if not loop.first else '') + k + '=' + (v | tojson)"
K3 = "'<|open|>argument key=\"' + k + '\" type=\"' + ('string' if v is string else 'number') + '\"<|sep|>' + text + '<|close|>argument<|sep|>'"
COFL = "'<cofl:value name=\"' + k + '\" type=\"' + ('raw' if v is string else 'json') + '\">' + text + '</cofl:value>'"
HY3 = "<arg_key>", "</arg_key>\\n<arg_value>", "</arg_value>\\n"
HY4 = ":6124c78e"
PLAMO = "<|plamo:begin_{}:plamo|>", "<|plamo:end_{}:plamo|>"

SHAPES = {
    "qwen2.5": Shape("hermes", None, wrapped("\\n<tool_call>\\n", "\\n</tool_call>")),
    "qwen3": Shape("hermes", "think", wrapped("\\n<tool_call>\\n", "\\n</tool_call>"), think=THINK),
    "ling-1t": Shape("hermes", "think", wrapped("\\n<tool_call>\\n", "\\n</tool_call>"), turn=("'<role>' + role | upper + '</role>'", "<|role_end|>"), think=THINK),
    "granite4": Shape("hermes", None, wrapped("<tool_call>\\n", "\\n</tool_call>"), between="\\n", turn=("'<|start_of_role|>' + role + '<|end_of_role|>'", "<|end_of_text|>\\n")),
    "exaone4": Shape("exaone4", "think", wrapped("<tool_call>", "</tool_call>"), between="\\n", turn=("'[|' + role + '|]\\n'", "[|endofturn|]\\n"), think=THINK),
    "falcon3": Shape("falcon", None, JSON, "<tool_call>\\n[", ", ", "]\\n</tool_call>", turn=("'<|' + role + '|>\\n'", "\\n")),
    "qwen3-coder": Shape("qwen3_coder", None, lines("<tool_call>\\n<function=NAME>\\n", "</function>\\n</tool_call>"), between="\\n", args=pairs("<parameter=", ">\\n", "\\n</parameter>\\n")),
    "step-3.7": Shape("step3p5", "think", lines("<tool_call>\\n<function=NAME>\\n", "</function>\\n</tool_call>"), think=THINK, args=pairs("<parameter=", ">\\n", "\\n</parameter>\\n")),
    "mimo-v2": Shape("mimo", "think", lines("<tool_call>\\n<function=NAME>\\n", "</function>\\n</tool_call>"), think=("<think>", "</think>"), args=pairs("<parameter=", ">", "</parameter>\\n")),
    "seed-oss": Shape("seed_oss", "seed_oss", lines("<seed:tool_call>\\n<function=NAME>\\n", "</function>\\n</seed:tool_call>"), between="\\n", think=("<seed:think>", "</seed:think>"), args=pairs("<parameter=", ">", "</parameter>\\n")),
    "minimax-m1": Shape("minimax", "think", JSON, "<tool_calls>\\n", "\\n", "\\n</tool_calls>", think=THINK),
    "minimax-m2": Shape("minimax_m2", "think", lines('<invoke name="NAME">\\n', "</invoke>"), "\\n<minimax:tool_call>\\n", "\\n", "\\n</minimax:tool_call>", turn=("']~b]' + role + '\\n'", "[e~[\\n"), think=THINK, args=INVOKE),
    "minimax-m3": Shape("minimax_m3", "minimax_m3", lines(f'{NS}<invoke name="NAME">', f"{NS}</invoke>\\n"), f"{NS}<tool_call>\\n", "", f"{NS}</tool_call>", turn=("']~b]' + role + '\\n'", "[e~[\\n"), think=("<mm:think>", "</mm:think>"), args=f"'{NS}<' + k + '>' + text + '{NS}</' + k + '>'"),
    "dots": Shape("dots", "think", lines('<invoke name="NAME">\\n', "</invoke>"), "<dots_function_call>\\n", "\\n", "\\n</dots_function_call>", think=("<think>", "</think>"), args=INVOKE),
    "step3": Shape("step3", "think", lines('<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="NAME">\\n', "</steptml:invoke><｜tool_call_end｜>"), "<｜tool_calls_begin｜>", "", "<｜tool_calls_end｜>", think=THINK, args=pairs('<steptml:parameter name="', '">', "</steptml:parameter>\\n")),
    "minicpm5": Shape("minicpm5", "think", lines('<function name="NAME">', "</function>"), think=THINK, args=pairs('<param name="', '">', "</param>")),
    "deepseek-v3.2": Shape("deepseek_v32", "think", lines('<｜DSML｜invoke name="NAME">\\n', "</｜DSML｜invoke>"), "\\n\\n<｜DSML｜function_calls>\\n", "\\n", "\\n</｜DSML｜function_calls>", think=("<think>", "</think>"), args=DSML),
    "deepseek-v4": Shape("deepseek_v4", "think", lines('<｜DSML｜invoke name="NAME">\\n', "</｜DSML｜invoke>"), "\\n\\n<｜DSML｜tool_calls>\\n", "\\n", "\\n</｜DSML｜tool_calls>", think=("<think>", "</think>"), args=DSML),
    "deepseek-v4.1": Shape("deepseek_v41", "think", lines('<｜DSML｜ invoke name="NAME">\\n', "</｜DSML｜ invoke>"), "\\n\\n<｜DSML｜ calls>\\n", "\\n", "\\n</｜DSML｜ calls>", think=("<think>", "</think>"), args=DSML.replace("DSML｜", "DSML｜ ")),
    "gigachat3.5": Shape("gigachat35", "think", lines('<｜GCML｜invoke name="NAME">\\n', "</｜GCML｜invoke>"), "\\n\\n<｜GCML｜tool_calls>\\n", "\\n", "\\n</｜GCML｜tool_calls>", turn=("role + '<|role_sep|>\\n'", "<|message_sep|>\\n\\n"), think=("<think>", "</think>"), args=DSML.replace("DSML", "GCML")),
    "glm-4.5": Shape("glm45", "think", lines("\\n<tool_call>NAME\\n", "</tool_call>"), turn=("'<|' + role + '|>\\n'", ""), think=("<think>", "</think>"), args=KEYS),
    "glm-4.7": Shape("glm47", "think", lines("<tool_call>NAME", "</tool_call>"), turn=("'<|' + role + '|>'", ""), think=("<think>", "</think>"), args=KEYS.replace("\\n", "")),
    "laguna-v2": Shape("glm45", "think", lines("<tool_call>NAME\\n", "</tool_call>\\n"), turn=("'<' + role + '>\\n'", "\\n</turn>\\n"), think=THINK, args=KEYS, told="<tool_call>function-name\\n<arg_key>argument-key</arg_key>\\n<arg_value>value-of-argument-key</arg_value>\\n</tool_call>"),
    "laguna-v8": Shape("glm47", "think", lines("<tool_call>NAME", "</tool_call>"), turn=("'<' + role + '>'", "</turn>\\n"), think=("<think>", "</think>"), args=KEYS.replace("\\n", "")),
    "ling-3": Shape("ling3", "think", lines("\\n<tool_call>NAME\\n", "\\n</tool_call>"), turn=("'<role>' + role | upper + '</role>'", "<|role_end|>"), think=("\\n<think>", "</think>"), args=pairs("<arg_key>", "</arg_key>\\n<arg_value>", "</arg_value>"), told="<tool_call>{function-name}\\n<arg_key>{arg-key-1}</arg_key>\\n<arg_value>{arg-value-1}</arg_value>\\n</tool_call>"),
    "k2-horizon": Shape("k2_horizon", "k2_horizon", lines("\\n<ifm|tool_call>NAME\\n", "</ifm|tool_call>"), "<ifm|tool_calls>", "", "\\n</ifm|tool_calls>", turn=("'<|ifm|im_start|>' + role + '\\n'", "<|ifm|im_end|>\\n"), think=("<ifm|think>", "</ifm|think>"), args=KEYS.replace("arg_", "ifm|arg_")),
    "hy3": Shape("hy3", "think", lines("<tool_call>NAME<tool_sep>\\n", "</tool_call>"), "<tool_calls>\\n", "\\n", "\\n</tool_calls>", think=("<think>", "</think>"), args=pairs(*HY3)),
    "hy3-opensource": Shape("hy3_opensource", "hy3_opensource", lines("<tool_call:opensource>NAME<tool_sep:opensource>\\n", "</tool_call:opensource>"), "<tool_calls:opensource>\\n", "\\n", "\\n</tool_calls:opensource>", think=("<think:opensource>", "</think:opensource>"), args=pairs(*(each.replace("key>", "key:opensource>").replace("value>", "value:opensource>") for each in HY3))),
    "solar-open": Shape("solar_open", "solar_open", "'<|tool_call:begin|>' + id + '<|tool_call:name|>' + c.name + '<|tool_call:args|>' + (c.arguments | tojson) + '<|tool_call:end|>'", "<|tool_calls|>", turn=BARS, think=("<|think|>", "<|end|><|begin|>assistant"), said=("<|content|>", "")),
    "solar-open2": Shape("solar_open2", "solar_open2", lines("<|tool_call:start|>NAME\\n", "<|tool_call:end|>"), between="\\n", turn=("'<|im:start|>' + role + '<|im:content|>'", "<|im:end|>\\n"), think=("<|think:start|>", "<|think:end|>"), args=pairs("<|tool_arg:start|>", "<|tool_arg:value|>", "<|tool_arg:end|>\\n")),
    "plamo3": Shape("plamo3", "plamo3", "".join([f"'{PLAMO[0].format('tool_request')}{PLAMO[0].format('tool_name')}' + c.name + '{PLAMO[1].format('tool_name')}", f"{PLAMO[0].format('tool_arguments')}<|plamo:constrain|>json<|plamo:msg|>' + (c.arguments | tojson) + '{PLAMO[1].format('tool_arguments')}{PLAMO[1].format('tool_request')}'"]), PLAMO[0].format("tool_requests"), "", PLAMO[1].format("tool_requests"), turn=("'<|plamo:role|>' + role + '<|plamo:msg|>'", "<|plamo:tag|>"), think=(PLAMO[0].format("think"), PLAMO[1].format("think"))),
    "kimi-k3": Shape("kimi_k3", "kimi_k3", "'<|open|>call tool=\"' + c.name + '\" index=\"' + loop.index | string + '\"<|sep|>' + args(c.arguments) + '<|close|>call<|sep|>'", "<|open|>tools<|sep|>", "", "<|close|>tools<|sep|>", turn=("'<|open|>message role=\"' + role + '\"<|sep|>'", "<|close|>message<|sep|>"), think=("<|open|>think<|sep|>", "<|close|>think<|sep|>"), said=("<|open|>response<|sep|>", "<|close|>response<|sep|>"), args=K3),
    "kimi-k2": Shape("kimi_k2", None, "'<|tool_call_begin|>' + id + '<|tool_call_argument_begin|>' + (c.arguments | tojson) + '<|tool_call_end|>'", "<|tool_calls_section_begin|>", "", "<|tool_calls_section_end|>", turn=("'<|im_' + role + '|>' + role + '<|im_middle|>'", "<|im_end|>")),
    "command-a-4": Shape("cohere_command4", "cohere4", "'<cofl:tool_call id=\"' + loop.index0 | string + '\" name=\"' + c.name + '\">' + args(c.arguments) + '</cofl:tool_call>'", "<cofl:tool_calls>", "", "</cofl:tool_calls>", turn=("'<|START_OF_TURN_TOKEN|><|' + role | upper + '_TOKEN|>'", "<|END_OF_TURN_TOKEN|>"), think=("<|START_THINKING|>", "<|END_THINKING|>"), args=COFL),
    "command-r7b": Shape("cohere_command3", "cohere", """'    {"tool_call_id": "' + loop.index0 | string + '", "tool_name": "' + c.name + '", "parameters": ' + (c.arguments | tojson) + '}'""", "<|START_ACTION|>[\\n", ",\\n", "\\n]<|END_ACTION|>", turn=("'<|START_OF_TURN_TOKEN|><|' + role | upper + '_TOKEN|>'", "<|END_OF_TURN_TOKEN|>"), think=("<|START_THINKING|>", "<|END_THINKING|>"), said=("<|START_RESPONSE|>", "<|END_RESPONSE|>")),
    "command-r-plus": Shape("command_r", None, """'    {\\n        "tool_name": "' + c.name + '",\\n        "parameters": ' + (c.arguments | tojson(indent=4) | indent(8)) + '\\n    }'""", "\\nAction:\\n```json\\n[\\n", ",\\n", "\\n]```\\n", turn=("'<|START_OF_TURN_TOKEN|><|' + role | upper + '_TOKEN|>'", "<|END_OF_TURN_TOKEN|>")),
    "glimmer": Shape("glimmer", "glimmer", "' to=' + c.name + '<|message|><atem:function_calls>\\n<atem:invoke name=\"' + c.name + '\">\\n' + args(c.arguments) + '</atem:invoke>\\n</atem:function_calls>'", "", "<|eom|><|start|>assistant", "", turn=START, think=(" to=self<|message|>", "<|eom|><|start|>assistant"), said=(" to=user<|message|>", ""), args=INVOKE.replace("parameter", "atem:parameter")),
    "inkling": Shape("inkling", "inkling", """c.name + '<|content_invoke_tool_json|>{"name":"' + c.name + '","args":' + (c.arguments | tojson) + '}<|end_message|>'""", "", "<|message_model|>", "<|content_model_end_sampling|>", turn=("'<|message_' + ('model' if role == 'assistant' else role) + '|>'", ""), think=("<|content_thinking|>", "<|end_message|><|message_model|>"), said=("<|content_text|>", "<|end_message|>")),
    "deepseek-r1": Shape("deepseek_v3", "think", "'<｜tool▁call▁begin｜>function<｜tool▁sep｜>' + c.name + '\\n```json\\n' + (c.arguments | tojson) + '\\n```<｜tool▁call▁end｜>'", "<｜tool▁calls▁begin｜>", "\\n", "<｜tool▁calls▁end｜>", turn=("'<｜' + role + '｜>'", "<｜end▁of▁sentence｜>"), think=THINK),
    "deepseek-v3.1": Shape("deepseek_v31", "think", "'<｜tool▁call▁begin｜>' + c.name + '<｜tool▁sep｜>' + (c.arguments | tojson) + '<｜tool▁call▁end｜>'", "<｜tool▁calls▁begin｜>", "", "<｜tool▁calls▁end｜>", turn=("'<｜' + role + '｜>'", "<｜end▁of▁sentence｜>"), think=("<think>", "</think>")),
    "apertus": Shape("apertus", "apertus", """'{"' + c.name + '": ' + (c.arguments | tojson) + '}'""", "<|tools_prefix|>[", ", ", "]<|tools_suffix|>", think=("<|inner_prefix|>", "<|inner_suffix|>")),
    "longcat": Shape("longcat", "longcat", wrapped("<longcat_tool_call>\\n", "\\n</longcat_tool_call>"), think=("<longcat_think>\\n", "\\n</longcat_think>\\n")),
    "longcat-2": Shape("longcat_tags", "longcat", lines("<longcat_tool_call>NAME\\n", "</longcat_tool_call>"), between="\\n", think=("<longcat_think>\\n", "\\n</longcat_think>\\n"), args=KEYS.replace("arg_", "longcat_arg_")),
    "hy4": Shape("hy4", "hy4", lines(f"<tool_call{HY4}>NAME\\n", f"</tool_call{HY4}>"), f"<tool_calls{HY4}>\\n", "\\n", f"\\n</tool_calls{HY4}>", think=(f"<think{HY4}>", f"</think{HY4}>"), args=pairs(*(each.replace("key>", f"key{HY4}>").replace("value>", f"value{HY4}>") for each in HY3))),
    "xingchen-4": Shape("xingchen4", "think", lines("<tool_call>NAME", "</tool_call>"), turn=("'<_' + role + '>'", "<_end>"), think=("<think>", "</think>"), args=KEYS.replace("arg_", "param_").replace("\\n", "")),
    "iquest-q1": Shape("iquest", "think", lines("<iquest_tool_call>NAME", "</iquest_tool_call>"), turn=("'<|iquest_' + role + '|>'", ""), think=("<think>", "</think>"), args=KEYS.replace("\\n", "")),
    "iquest-coder-2": Shape("iquest_coder_v2", "think", lines("<iquestcoder_tool_call>NAME", "</iquestcoder_tool_call>"), turn=("'<|iquestcoder_' + role + '|>'", ""), think=("<think>", "</think>"), args=KEYS.replace("\\n", "")),
    "zaya1": Shape("zaya", "think", lines("<zyphra_tool_call>\\n<function=NAME>\\n", "</function>\\n</zyphra_tool_call>\\n"), think=THINK, args=pairs("<parameter=", ">\\n", "\\n</parameter>\\n")),
    "youtu": Shape("exaone4", "think", wrapped("<tool_call>", "</tool_call>"), turn=("'<|' + role | capitalize + '|>'", ""), think=THINK),
    "step-dr": Shape("step_dr", "think", lines('<steptml:invoke name="NAME">\\n', "</steptml:invoke>"), "<steptml:toolcall>\\n", "\\n", "\\n</steptml:toolcall>", think=THINK, args=pairs('<steptml:parameter name="', '">', "</steptml:parameter>\\n")),
    "spark-x2.5": Shape("glm47", "think", lines("<tool_call>NAME", "</tool_call>"), turn=("'<|' + role + '|>'", "<｜end▁of▁sentence｜>"), think=("<think>", "</think>"), args=KEYS.replace("\\n", "")),
    "pangu-2": Shape("pangu", "think", JSON, "<|tool_call_start|>[", ", ", "]<|tool_call_end|>", think=("<think>", "</think>")),
    "pangu": Shape("pangu_unused", "pangu", JSON, "[unused11][", ", ", "][unused12]", turn=("'[unused9]' + role", "[unused10]"), think=("[unused16]", "[unused17]")),
    "minicpm3": Shape("minicpm3", "minicpm3", "c.name + '(' + args(c.arguments) + ')\\n'", "<|tool_call_start|>\\n```python\\n", "", "```\\n<|tool_call_end|>\\n", think=("<|thought_start|>\\n", "\\n<|thought_end|>\\n"), args=PLAIN.replace(", ", ",")),
    "step-audio2": Shape("step_audio2", None, "'<tool_call>function\\n' + c.name + '\\n' + (c.arguments | tojson) + '</tool_call>'"),
    "step-audio-r1": Shape("step_audio_r1", "think", "'<|CALL_START|>function\\n' + c.name + '\\n' + (c.arguments | tojson) + '<|CALL_END|>'", turn=("'<|BOT|>' + role + '\\n'", "<|EOT|>"), think=THINK),
    "intern-s1": Shape("intern_s1", "think", """'<|action_start|><|plugin|>\\n{"name": "' + c.name + '", "parameters": ' + (c.arguments | tojson) + '}\\n<|action_end|>'""", between="\\n", think=THINK),
    "hunyuan-7b": Shape("hunyuan_dense", "hunyuan_a13b", "'<tool_call>' + c.name + '\\n```json\\n' + (c.arguments | tojson) + '\\n```</tool_call>'", "<tool_calls>", "\\n", "</tool_calls>", think=THINK, said=("<answer>\\n", "\\n</answer>")),
    "step3-vl": Shape("step3_vl", "think", wrapped("<tool_call>\\n", "\\n</tool_call>"), "<tool_calls>\\n", "\\n", "\\n</tool_calls>", think=THINK),
    "naive-n0.5": Shape("mimo", "think", lines("<tool_call>\\n<function=NAME>\\n", "</function>\\n</tool_call>"), turn=("'<|im_start|>' + role + '\\n'", "<|im_end|>"), think=("<think>", "</think>"), args=pairs("<parameter=", ">", "</parameter>\\n")),
    "glm-5.3": Shape("glm47", "think", lines("<tool_call>NAME", "</tool_call>"), turn=("'<|' + role + '|>'", ""), think=("<think>", "</think>"), args=KEYS.replace("\\n", "")),
    "apriel-1.5": Shape("hunyuan_a13b", "apriel", JSON, "\\n<tool_calls>[", ", ", "]</tool_calls>", turn=("'<|' + role + '|>\\n'", "\\n<|end|>\\n"), told="[BEGIN FINAL RESPONSE] ... [END FINAL RESPONSE]"),
    "nemotron": Shape("nemotron", "think", JSON, "<TOOLCALL>[", ", ", "]</TOOLCALL>", turn=("'<SPECIAL_' + role + '>\\n'", "\\n"), think=THINK),
    "gigachat3.1": Shape("gigachat31", None, wrapped("<|function_call|>", ""), turn=("role + '<|role_sep|>\\n'", "<|message_sep|>\\n\\n")),
    "granite3": Shape("granite", None, JSON, "<|tool_call|>[", ", ", "]", turn=("'<|start_of_role|>' + role + '<|end_of_role|>'", "<|end_of_text|>\\n")),
    "phi4-mini": Shape("phi4_mini_json", None, JSON, "<|tool_call|>[", ", ", "]<|/tool_call|>", turn=ROLES),
    "delphi": Shape("delphi", "delphi", wrapped("<|tool_call|>\\n", "\\n<|tool_call_end|>"), between="\\n", turn=HEADER, think=("<|start_think|>\\n", "\\n<|end_think|>\\n\\n")),
    "jamba-1.5": Shape("jamba", None, JSON, "<tool_calls>[\\n    ", ",\\n    ", "\\n]</tool_calls>", turn=ROLES),
    "hunyuan-a13b": Shape("hunyuan_a13b", "hunyuan_a13b", JSON, "<tool_calls>[", ", ", "]</tool_calls>", think=THINK, said=("<answer>\\n", "\\n</answer>")),
    "ministral3": Shape("mistral_v13", "mistral", "'[TOOL_CALLS]' + c.name + '[ARGS]' + (c.arguments | tojson)", turn=("'[' + role | upper + ']'", "</s>"), think=("[THINK]", "[/THINK]")),
    "functionary3.1": Shape("functionary_v31", None, "'<function=' + c.name + '>' + (c.arguments | tojson) + '</function>'", turn=HEADER),
    "frogmini": Shape("frog", "think", lines("<function=NAME>\\n", "</function>"), between="\\n", think=THINK, args=pairs("  <parameter=", ">", "</parameter>\\n")),
    "apertus-1.1": Shape("apertus11", "apertus11", """'{"' + c.name + '": ' + (c.arguments | tojson) + '}'""", "<SPECIAL_71>[", ", ", "]<SPECIAL_72>", turn=("'<SPECIAL_67>'", "<SPECIAL_68>"), think=("<SPECIAL_69>", "<SPECIAL_70>"), told="tool_calls_token inner_token"),
    "olmo3": Shape("olmo3", "think", "c.name + '(' + args(c.arguments) + ')'", "<function_calls>", "\\n", "</function_calls>", think=("<think>", "</think>"), args=PLAIN),
    "lfm2": Shape("lfm2", None, "c.name + '(' + args(c.arguments) + ')'", "<|tool_call_start|>[", ", ", "]<|tool_call_end|>", args=PLAIN),
    "llama4": Shape("llama4_pythonic", None, "c.name + '(' + args(c.arguments) + ')'", "<|python_start|>[", ", ", "]<|python_end|>", turn=("'<|header_start|>' + role + '<|header_end|>\\n\\n'", "<|eot|>"), args=PLAIN),
    "gemma4": Shape("gemma4", "gemma4", "'<|tool_call>call:' + c.name + '{' + args(c.arguments) + '}<tool_call|>'", turn=("'<|turn>' + role + '\\n'", "<turn|>\\n"), think=("<|channel>thought\\n", "<channel|>"), args="(',' if not loop.first else '') + k + ':' + ('<|\"|>' + v + '<|\"|>' if v is string else v | tojson)"),
}  # fmt: skip


def template_of(shape: Shape) -> str:
    """A chat template of this shape."""
    opens, closes = shape.turn
    thoughts = f"{{{{- '{shape.think[0]}' + m.reasoning_content + '{shape.think[1]}' }}}}" if shape.think[0] else ""
    return "\n".join([
        "{%- macro args(given) -%}{%- for k, v in given.items() -%}{%- set text = v if v is string else (v | tojson) -%}",
        f"{{{{- {shape.args or 'text'} -}}}}{{%- endfor -%}}{{%- endmacro -%}}",
        "{%- macro turn(role) -%}" + f"{{{{- {opens} -}}}}" + "{%- endmacro -%}",
        "{{- bos_token }}",
        "{%- for tool in tools or [] %}{{- (tool | tojson) + '\\n' }}{%- if loop.last %}" + f"{{{{- '{shape.told}' }}}}" + "{%- endif %}{%- endfor %}",
        "{%- for m in messages %}{{- turn(m.role) }}",
        "{%- if m.role == 'assistant' %}",
        "{%- if m.reasoning_content %}" + thoughts + "{%- endif %}",
        "{%- if m.content %}" + f"{{{{- '{shape.said[0]}' + m.content + '{shape.said[1]}' }}}}" + "{%- endif %}",
        "{%- for call in m.tool_calls or [] %}{%- set c = call.function %}{%- set id = call.id %}",
        f"{{{{- ('{shape.before}' if loop.first else '{shape.between}') }}}}{{{{- {shape.call} }}}}",
        f"{{%- if loop.last %}}{{{{- '{shape.after}' }}}}{{%- endif %}}{{%- endfor %}}",
        "{%- else %}{{- m.content }}{%- endif %}",
        f"{{{{- '{closes}' }}}}{{%- endfor %}}",
        "{%- if add_generation_prompt %}{{- turn('assistant') }}{%- endif %}",
    ])  # fmt: skip
