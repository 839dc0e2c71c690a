"""An agent that answers by calling functions: ask the model, run what it calls, give the results back, repeat.

Start `portcullis serve`, then run this. The arguments of every call satisfy the function's schema, so they go
straight into the function: no repair, no retry, no "the model returned invalid JSON".
"""

import argparse
import json
from collections.abc import Callable
from typing import Any

import openai

MAX_ROUNDS = 4


def get_weather(city: str, unit: str = "celsius") -> dict[str, Any]:
    """Return the weather of a city, as a weather service would."""
    celsius = {"Oslo": 4.5, "Paris": 17.0, "Lima": 21.5}.get(city, 12.0)
    return {"temperature": celsius if unit == "celsius" else celsius * 9 / 5 + 32, "condition": "cloudy"}


def get_time(city: str) -> dict[str, Any]:
    """Return the time in a city."""
    return {"time": {"Oslo": "14:05", "Paris": "14:05", "Lima": "08:05"}.get(city, "12:00")}


FUNCTIONS: dict[str, Callable[..., dict[str, Any]]] = {"get_weather": get_weather, "get_time": get_time}

TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Get the current weather in a city",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string"},
                    "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                },
                "required": ["city"],
                "additionalProperties": False,
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "get_time",
            "description": "Get the local time of a city",
            "parameters": {
                "type": "object",
                "properties": {"city": {"type": "string"}},
                "required": ["city"],
                "additionalProperties": False,
            },
        },
    },
]


def run_agent(client: openai.OpenAI, model: str, question: str) -> str:
    """The answer to the question; what happens on the way is printed."""
    messages: list[Any] = [{"role": "user", "content": question}]
    for round_number in range(MAX_ROUNDS):
        reply = client.chat.completions.create(
            model=model,
            messages=messages,
            tools=TOOLS,
            # The first turn has to look something up; after that the model decides.
            tool_choice="required" if round_number == 0 else "auto",
            temperature=0,
            max_tokens=256,
        )
        message = reply.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return message.content or ""
        for call in message.tool_calls:
            result = FUNCTIONS[call.function.name](**json.loads(call.function.arguments))
            print(f"call    {call.function.name}({call.function.arguments}) -> {json.dumps(result)}")
            messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)})
    return "(no answer: the model kept calling functions)"


def main() -> None:
    """Ask one question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("question", nargs="?", default="What is the weather in Oslo and in Lima?")
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="portcullis")
    arguments = parser.parse_args()

    client = openai.OpenAI(base_url=arguments.base_url, api_key="none")
    print(f"ask     {arguments.question}")
    print(f"answer  {run_agent(client, arguments.model, arguments.question)}")


if __name__ == "__main__":
    main()
