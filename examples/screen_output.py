"""Texts screened before they leave: first by a guard for denied phrases, then by a verdict of the model itself.

Start `portcullis serve`, then run this. The verdict is held to two choices, so there is nothing to parse, and comes
with the probability that the model gives it.
"""

import argparse
import math
from dataclasses import dataclass

import openai

from gateway.guards import Applied, Rules, Screen
from gateway.guards.kinds import GUARDS

DENIED = GUARDS["terms"].rules({"terms": ["internal use only", "password:"]})
POLICY = Rules([Applied(rule=rule, action="block", replacement="") for rule in DENIED])
VERDICTS = ["ham", "spam"]
TEXTS = ("See you at lunch, I bring the notes.", "Click here for cheap watches!", "The new password: hunter2")


@dataclass(frozen=True)
class Screening:
    """Decision about a text, and its reason."""

    passes: bool
    reason: str


def screen_text(client: openai.OpenAI, model: str, text: str) -> Screening:
    """Decide on a text; a text with a denied phrase never reaches the model."""
    screen = Screen(POLICY)
    screen.feed(text)
    screen.flush()
    if screen.blocked is not None:
        return Screening(False, f"it holds one of the denied {screen.blocked.rule.kind}")
    verdict, probability = judge(client, model, text)
    return Screening(verdict == "ham", f"the model says {verdict} ({probability:.0%})")


def judge(client: openai.OpenAI, model: str, text: str) -> tuple[str, float]:
    """The model's verdict and its probability."""
    reply = client.chat.completions.create(
        model=model,
        messages=[
            {"role": "system", "content": f"Labels: {', '.join(VERDICTS)}. Answer with one label."},
            {"role": "user", "content": text},
        ],
        temperature=0,
        max_tokens=16,
        logprobs=True,
        extra_body={"structured_outputs": {"choice": VERDICTS}},
    )
    choice = reply.choices[0]
    tokens = choice.logprobs.content if choice.logprobs and choice.logprobs.content else []
    return choice.message.content or "", math.exp(sum(token.logprob for token in tokens))


def main() -> None:
    """Screen each text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", nargs="*", default=TEXTS)
    parser.add_argument("--base-url", default="http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="portcullis")
    arguments = parser.parse_args()

    client = openai.OpenAI(base_url=arguments.base_url, api_key="none")
    for text in arguments.texts:
        screening = screen_text(client, arguments.model, text)
        print(f"{'pass ' if screening.passes else 'block'}  {text}\n       {screening.reason}")


if __name__ == "__main__":
    main()
