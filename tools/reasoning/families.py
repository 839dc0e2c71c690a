"""The families of models that mark what they think; the order is that of detection, special marks first."""

from __future__ import annotations

from tools.formats.reading.frame import Frame
from tools.reasoning.spec import Reasoning

FAMILIES = (
    Reasoning(
        name="mistral",
        begin="[THINK]",
        end="[/THINK]",
        aliases=("magistral",),
    ),
    Reasoning(
        name="kimi_k3",
        begin="<|open|>think<|sep|>",
        end="<|close|>think<|sep|>",
        answer=Frame(("<|open|>response<|sep|>",), ("<|close|>response<|sep|>",)),
        tail="<|close|>message<|sep|>",
        calls_follow=True,
        efforts=("low", "medium", "high", "max"),
        signs=("<|open|>", "<|close|>", "<|sep|>"),
    ),
    Reasoning(
        name="cohere2moe",
        begin="<|START_THINKING|>",
        end="<|END_THINKING|>",
        answer=Frame(("<|START_TEXT|>",), ("<|END_TEXT|>",)),
        aliases=("cohere2_moe", "north"),
        signs=("<|START_THINKING|>", "<|START_TEXT|>"),
        lacks=("<|START_RESPONSE|>",),
    ),
    Reasoning(
        name="cohere",
        begin="<|START_THINKING|>",
        end="<|END_THINKING|>",
        answer=Frame(("<|START_RESPONSE|>",), ("<|END_RESPONSE|>",)),
        aliases=("cohere_command3",),
        signs=("<|START_THINKING|>", "<|START_RESPONSE|>"),
    ),
    Reasoning(
        name="cohere4",
        begin="<|START_THINKING|>",
        end="<|END_THINKING|>",
        aliases=("cohere_command4",),
    ),
    Reasoning(
        name="gemma4",
        begin="<|channel>thought\n",
        end="<channel|>",
        signs=("<|channel>", "<channel|>"),
    ),
    Reasoning(
        name="seed_oss",
        begin="<seed:think>",
        end="</seed:think>",
        # A budget of nothing is told so, and said again before the end.
        others=(("<seed:think><seed:cot_budget_reflect>", "</seed:cot_budget_reflect></seed:think>"),),
    ),
    Reasoning(
        name="minimax_m3",
        begin="<mm:think>",
        end="</mm:think>",
    ),
    Reasoning(
        name="solar_open2",
        begin="<|think:start|>",
        end="<|think:end|>",
    ),
    Reasoning(
        name="plamo3",
        begin="<|plamo:begin_think:plamo|>",
        end="<|plamo:end_think:plamo|>",
    ),
    Reasoning(
        name="k2_horizon",
        begin="<ifm|think>",
        end="</ifm|think>",
        others=(("<ifm|think_fast>", "</ifm|think_fast>"), ("<ifm|think_faster>", "</ifm|think_faster>")),
        efforts=("low", "medium", "high"),
        aliases=("ifm", "k2_v3"),
        signs=("<ifm|think>",),
    ),
    Reasoning(
        name="kimi_vl",
        begin="◁think▷",
        end="◁/think▷",
        aliases=("kimi",),
    ),
    Reasoning(
        name="apertus",
        begin="<|inner_prefix|>",
        end="<|inner_suffix|>",
    ),
    Reasoning(
        name="apertus11",
        begin="<SPECIAL_69>",
        end="<SPECIAL_70>",
        signs=("inner_token", "<SPECIAL_69>", "<SPECIAL_70>"),
    ),
    Reasoning(
        name="granite",
        begin="Here is my thought process:",
        end="Here is my response:",
    ),
    Reasoning(
        name="apriel",
        begin="Here are my reasoning steps:",
        end="[BEGIN FINAL RESPONSE]",
        tail="[END FINAL RESPONSE]",
        signs=("[BEGIN FINAL RESPONSE]",),
    ),
    Reasoning(
        name="hipo",
        # A judgement of whether to think comes first, and may be all that is thought.
        begin="<judge>",
        end="<answer>",
        tail="</answer>",
        aliases=("kat_v1",),
        signs=("<judge>", "<think_off>", "<answer>"),
    ),
    Reasoning(
        name="reka",
        begin="<reasoning>",
        end="</reasoning>",
        signs=("</reasoning>",),
    ),
    Reasoning(
        name="thinking",
        begin="<THINKING>",
        end="</THINKING>",
        signs=("<THINKING>",),
    ),
    Reasoning(
        name="working_out",
        begin="<start_working_out>",
        end="<end_working_out>",
        answer=Frame(("<SOLUTION>",), ("</SOLUTION>",)),
        writes_answer=False,
    ),
    Reasoning(
        name="delphi",
        begin="<|start_think|>",
        end="<|end_think|>",
    ),
    Reasoning(
        name="minicpm3",
        begin="<|thought_start|>",
        end="<|thought_end|>",
        aliases=("minicpm4",),
    ),
    Reasoning(
        name="pangu",
        begin="[unused16]",
        end="[unused17]",
    ),
    Reasoning(
        name="longcat",
        begin="<longcat_think>",
        end="</longcat_think>",
    ),
    Reasoning(
        name="exaone_deep",
        begin="<thought>",
        end="</thought>",
    ),
    Reasoning(
        name="hunyuan_a13b",
        begin="<think>",
        end="</think>",
        answer=Frame(("<answer>", "\n"), ("\n", "</answer>")),
        signs=("</think>", "<answer>", "</answer>"),
    ),
    Reasoning(
        name="granite33",
        begin="<think>",
        end="</think>",
        answer=Frame(("<response>",), ("</response>",)),
        writes_answer=False,
        signs=("<think></think>", "<response></response>"),
    ),
    Reasoning(
        name="hy3_opensource",
        begin="<think:opensource>",
        end="</think:opensource>",
        signs=(":opensource", "tool_sep", "think"),
        lacks=("<think>",),
    ),
    Reasoning(
        name="hy4",
        begin="<think:6124c78e>",
        end="</think:6124c78e>",
        signs=(":6124c78e", "think"),
        lacks=("<think>",),
    ),
    Reasoning(
        name="think",
        begin="<think>",
        end="</think>",
        aliases=(
            "deepseek_r1", "deepseek_v3", "deepseek-r1", "deepseek-v3", "ernie45", "glm45", "holo2", "kimi_k2",
            "minimax", "minimax_m2", "nemotron", "nemotron_v3", "olmo3", "phi4", "qwen3", "step3", "step3p5",
            "dots", "gigachat35", "ling3", "mimo", "minicpm5", "poolside_v1",
        ),
        on_a_line=True,
        signs=("</think>",),
        # Prompts of some begin the thoughts, and answers that are told again have none.
        hints=("<think>",),
    ),
)  # fmt: skip
