"""Shared by the tests of formats whose arguments are not JSON: tools, and a text of each family."""

from format_files import DESCRIBED

from tools import Format, Tool, ToolSet, format_names, get_format
from tools.formats.bodies.delimited_call import DelimitedCall
from tools.formats.bodies.keyword_call import KeywordCall
from tools.formats.bodies.tagged_call import TaggedCall
from tools.formats.reading.respelling import in_order

PARAMETERS = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer"},
        "unit": {"enum": ["celsius", None, 5]},
        "near": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": ["boolean", "string"]}}},
        "exact": {"type": "boolean"},
    },
    "required": ["city"],
    "additionalProperties": False,
}
TOOLS = ToolSet((Tool("get_weather", parameters=PARAMETERS), Tool("now"), Tool("any", parameters={"type": "object"})))

CITY = "Zürich\n<b>"
ARGUMENTS = '{"city": "Zürich\\n<b>", "days": 3, "unit": null, "near": {"a b": [true, "é\\"\\\\"]}, "exact": false}'
CALLS = [("get_weather", ARGUMENTS), ("now", "{}"), ("get_weather", '{"city": ""}')]


def _functions(begin: str, end: str, newline: str, separator: str = "\n") -> str:
    def parameter(name: str, value: str) -> str:
        return f"<parameter={name}>{newline}{value}{newline}</parameter>\n"

    first = parameter("city", CITY) + parameter("days", "3") + parameter("unit", "null")
    first += parameter("near", '{"a b": [true, "é\\"\\\\"]}') + parameter("exact", "false")
    bodies = [
        f"<function=get_weather>\n{first}</function>",
        "<function=now>\n</function>",
        f"<function=get_weather>\n{parameter('city', '')}</function>",
    ]
    return separator.join(f"{begin}\n{body}\n{end}" for body in bodies)


def _invoked(prefix: str, string: str, other: str) -> list[str]:
    def parameter(name: str, kind: str, value: str) -> str:
        return f'<{prefix}parameter name="{name}"{kind}>{value}</{prefix}parameter>\n'

    first = parameter("city", string, CITY) + parameter("days", other, "3") + parameter("unit", other, "null")
    first += parameter("near", other, '{"a b": [true, "é\\"\\\\"]}') + parameter("exact", other, "false")
    return [
        f'<{prefix}invoke name="get_weather">\n{first}</{prefix}invoke>',
        f'<{prefix}invoke name="now">\n</{prefix}invoke>',
        f'<{prefix}invoke name="get_weather">\n{parameter("city", string, "")}</{prefix}invoke>',
    ]


def _dsml(section: str, mark: str = "｜DSML｜") -> str:
    bodies = "\n".join(_invoked(mark, ' string="true"', ' string="false"'))
    return f"<{mark}{section}>\n{bodies}\n</{mark}{section}>"


def _one_line(calls: list[str]) -> str:
    return "".join(calls).replace(">\n", ">").replace("invoke", "function").replace("parameter", "param")


def _hy3(suffix: str, separator: str = "") -> str:
    def argument(name: str, value: str) -> str:
        return f"<arg_key{suffix}>{name}</arg_key{suffix}>\n<arg_value{suffix}>{value}</arg_value{suffix}>\n"

    def call(name: str, arguments: str) -> str:
        return f"<tool_call{suffix}>{name}{separator}\n{arguments}</tool_call{suffix}>\n"

    first = argument("city", CITY) + argument("days", "3") + argument("unit", "null")
    first += argument("near", '{"a b": [true, "é\\"\\\\"]}') + argument("exact", "false")
    calls = call("get_weather", first) + call("now", "") + call("get_weather", argument("city", ""))
    return f"<tool_calls{suffix}>\n{calls}</tool_calls{suffix}>"


def _glm(between: tuple[str, str, str], separator: str, prefix: str = "", last: str = "") -> str:
    after_name, after_key, after_value = between

    def tag(name: str, text: str) -> str:
        return f"<{prefix}{name}>{text}</{prefix}{name}>"

    def argument(name: str, value: str) -> str:
        return tag("arg_key", name) + after_key + tag("arg_value", value) + after_value

    first = argument("city", CITY) + argument("days", "3") + argument("unit", "null")
    first += argument("near", '{"a b": [true, "é\\"\\\\"]}') + argument("exact", "false")
    calls = (("get_weather", first), ("now", ""), ("get_weather", argument("city", "")))
    return separator.join(tag("tool_call", name + after_name + arguments + last) for name, arguments in calls)


def _solar() -> str:
    text = _glm(("\n", "", "\n"), "\n").replace("</arg_key><arg_value>", "<|tool_arg:value|>")
    text = text.replace("<arg_key>", "<|tool_arg:start|>").replace("</arg_value>", "<|tool_arg:end|>")
    return text.replace("<tool_call>", "<|tool_call:start|>").replace("</tool_call>", "<|tool_call:end|>")


def _kimi() -> str:
    def argument(name: str, kind: str, value: str) -> str:
        return f'<|open|>argument key="{name}" type="{kind}"<|sep|>{value}<|close|>argument<|sep|>'

    first = argument("city", "string", CITY) + argument("days", "number", "3") + argument("unit", "null", "null")
    first += argument("near", "object", '{"a b": [true, "é\\"\\\\"]}') + argument("exact", "boolean", "false")
    return (
        f'<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|>{first}<|close|>call<|sep|>'
        '<|open|>call tool="now" index="2"<|sep|><|close|>call<|sep|>'
        f'<|open|>call tool="get_weather" index="3"<|sep|>{argument("city", "string", "")}<|close|>call<|sep|>'
        "<|close|>tools<|sep|>"
    )


def _cohere() -> str:
    def value(name: str, kind: str, text: str) -> str:
        return f'<cofl:value name="{name}" type="{kind}">{text}</cofl:value>'

    first = value("city", "raw", CITY) + value("days", "json", "3") + value("unit", "json", "null")
    first += value("near", "json", '{"a b": [true, "é\\"\\\\"]}') + value("exact", "json", "false")
    return (
        f'<cofl:tool_calls><cofl:tool_call id="0" name="get_weather">{first}</cofl:tool_call>'
        '<cofl:tool_call id="1" name="now"></cofl:tool_call>'
        f'<cofl:tool_call id="2" name="get_weather">{value("city", "raw", "")}</cofl:tool_call></cofl:tool_calls>'
    )


def _lines() -> str:
    near = '{"a b": [true, "é\\"\\\\"]}'
    first = f"- city=>{CITY}<end>\n- days=>3<end>\n- unit=>null<end>\n- near=>{near}<end>\n- exact=>false<end>\n"
    bodies = [f"get_weather;\n{first}", "now;\n", "get_weather;\n- city=><end>\n"]
    return "\n".join(f"[[\ncall {body}\n]]" for body in bodies)


def _gemma(begin: str, end: str, quote: str) -> str:
    near = f'{{x:[true,{quote}é"\\{quote}]}}'
    first = f"city:{quote}{CITY}{quote},days:3,exact:false,near:{near},unit:null"
    bodies = [f"get_weather{{{first}}}", "now{}", f"get_weather{{city:{quote}{quote}}}"]
    return "".join(f"{begin}call:{body}{end}" for body in bodies)


def _glimmer() -> str:
    names = ("get_weather", "now", "get_weather")
    calls = (
        f" to={name}<|message|><atem:function_calls>\n{body}\n</atem:function_calls>"
        for name, body in zip(names, _invoked("atem:", "", ""), strict=True)
    )
    return "<|eom|><|start|>assistant".join(calls)


def _minimax_m3() -> str:
    mark = "]<]minimax[>["

    def tag(name: str, text: str, attribute: str = "") -> str:
        return f"{mark}<{name}{attribute}>{text}{mark}</{name}>"

    first = tag("city", CITY) + tag("days", "3") + tag("unit", "null")
    first += tag("near", '{"a b": [true, "é\\"\\\\"]}') + tag("exact", "false")
    calls = (("get_weather", first), ("now", ""), ("get_weather", tag("city", "")))
    bodies = "\n".join(tag("invoke", arguments, f' name="{name}"') for name, arguments in calls)
    return f"{mark}<tool_call>\n{bodies}\n{mark}</tool_call>"


_KEYWORDS = [
    'get_weather(city="Zürich\\n<b>", days=3, unit=None, near={"a b": [True, "é\\"\\\\"]}, exact=False)',
    "now()",
    "get_weather(city='')",
]


def _json_literals(call: str) -> str:
    return call.replace("None", "null").replace("True", "true").replace("False", "false").replace("''", '""')


_STEP3 = "".join(
    f"<｜tool_call_begin｜>function<｜tool_sep｜>{body}<｜tool_call_end｜>" for body in _invoked("steptml:", "", "")
)

GOLDEN = {
    "qwen3_coder": _functions("<tool_call>", "</tool_call>", "\n"),
    "step3p5": _functions("<tool_call>", "</tool_call>", "\n", ""),
    "mimo": _functions("<tool_call>", "</tool_call>", "", ""),
    "frog": _functions("", "", "").replace("<parameter", "  <parameter").replace("\n\n\n", "\n").strip(),
    "seed_oss": _functions("<seed:tool_call>", "</seed:tool_call>", ""),
    "minimax_m2": "<minimax:tool_call>\n" + "\n".join(_invoked("", "", "")) + "\n</minimax:tool_call>",
    "minimax_m3": _minimax_m3(),
    "dots": "<dots_function_call>\n" + "\n".join(_invoked("", "", "")) + "\n</dots_function_call>",
    "step_dr": "<steptml:toolcall>\n" + "\n".join(_invoked("steptml:", "", "")) + "\n</steptml:toolcall>",
    "minicpm5": _one_line(_invoked("", "", "")),
    "deepseek_v41": _dsml("calls", "｜DSML｜ "),
    "gigachat35": _dsml("tool_calls", "｜GCML｜"),
    "glimmer": _glimmer(),
    "step3": f"<｜tool_calls_begin｜>{_STEP3}<｜tool_calls_end｜>",
    "deepseek_v32": _dsml("function_calls"),
    "deepseek_v4": _dsml("tool_calls"),
    "hy3": _hy3("", "<tool_sep>"),
    "hy3_opensource": _hy3(":opensource", "<tool_sep:opensource>"),
    "hy4": _hy3(":6124c78e"),
    "zaya": _functions("<zyphra_tool_call>", "</zyphra_tool_call>", "\n"),
    "longcat_tags": _glm(("\n", "\n", "\n"), "\n", "longcat_"),
    "xingchen4": _glm(("", "", ""), "").replace("arg_", "param_"),
    "iquest": _glm(("", "", ""), "").replace("tool_call", "iquest_tool_call"),
    "iquest_coder_v2": _glm(("", "", ""), "").replace("tool_call", "iquestcoder_tool_call"),
    "glm45": _glm(("\n", "\n", "\n"), "\n"),
    "glm47": _glm(("", "", ""), ""),
    "ling3": _glm(("\n", "\n", ""), "\n", last="\n"),
    "k2_horizon": "<ifm|tool_calls>\n" + _glm(("\n", "\n", "\n"), "\n", "ifm|") + "\n</ifm|tool_calls>",
    "solar_open2": _solar(),
    "kimi_k3": _kimi(),
    "cohere_command4": _cohere(),
    "gemma4": _gemma("<|tool_call>", "<tool_call|>", '<|"|>'),
    "functiongemma": _gemma("<start_function_call>", "<end_function_call>", "<escape>"),
    "pythonic": f"[{', '.join(_KEYWORDS)}]",
    "llama4_pythonic": f"[{', '.join(_KEYWORDS)}]",
    "lfm2": f"<|tool_call_start|>[{', '.join(_KEYWORDS)}]<|tool_call_end|>",
    "lines": _lines(),
    "minicpm3": "<|tool_call_start|>\n```python\n"
    + "\n".join(_KEYWORDS)
    .replace(", days", ",days")
    .replace(", unit", ",unit")
    .replace(", near", ",near")
    .replace(", exact", ",exact")
    + "\n```\n<|tool_call_end|>",
    "olmo3": "<function_calls>" + "\n".join(map(_json_literals, _KEYWORDS)) + "</function_calls>",
}


def golden_calls(spec: Format) -> list[tuple[str, str]]:
    """What the golden text of a format says. Names within arguments cannot have spaces in all of them."""
    name = "x" if "gemma" in spec.name else "a b"
    return [(each, as_written(spec, arguments.replace("a b", name))) for each, arguments in CALLS]


def as_written(spec: Format, arguments: str) -> str:
    """The arguments with their members in the order in which the format writes them."""
    return in_order(arguments) if isinstance(spec.native.body, DelimitedCall) else arguments


BODIES = (TaggedCall, KeywordCall, DelimitedCall)
SPELLED = [spec for spec in (*map(get_format, format_names()), *DESCRIBED) if isinstance(spec.native.body, BODIES)]
