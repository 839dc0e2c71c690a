"""The two tasks that every client does, and what it has to bring home."""

import json
from dataclasses import dataclass

from pydantic import BaseModel

WEATHER = "It is 21 degrees in Lima."
QUESTION = "What is the weather in Lima?"


@dataclass(frozen=True)
class Server:
    """Where the server is, and what its model is called."""

    url: str
    model: str

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"


class Weather(BaseModel):
    """The weather in a city."""  # clients tell the model this

    city: str
    degrees: int


def get_weather(city: str) -> str:
    """Tell the weather in a city.

    Args:
        city: Its name.
    """
    return json.dumps({"weather": "sunny"})


TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Tell the weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}


def check_told(answer: str | None) -> None:
    """The second task is done: what the tool said is in the answer."""
    assert answer is not None
    assert "sunny" in answer


def check(weather: Weather) -> None:
    """The first task is done."""
    assert (weather.city, weather.degrees) == ("Lima", 21)
