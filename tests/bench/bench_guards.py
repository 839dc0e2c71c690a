"""What a screen costs a character and how much it holds back, on ordinary text and on texts made to cost.

    python tests/bench/bench_guards.py [--repeats 5] [--characters 30000]

The README of the gateway, fed a word at a time, for each guard; then texts that begin matches all over, for all of them
together. Medians over repeats.
"""

import argparse
import json
import re
import statistics
import time
from pathlib import Path

from gateway.guards import Applied, Rules, Screen
from gateway.guards.kinds import GUARDS

README = (Path(__file__).resolve().parents[2] / "gateway" / "README.md").read_text(encoding="utf-8")
ORDINARY = [
    ("pii", {}),
    ("pii", {"kinds": ["email"]}),
    ("pii", {"kinds": ["card", "iban", "phone"]}),
    ("secrets", {}),
    ("secrets", {"kinds": ["aws", "github", "jwt"]}),
    ("terms", {"terms": ["Project Nightingale"]}),
]
COSTLY = {
    "groups of digits": "12 34 56 78 90 ",
    "digits": "1 2 3 4 5 6 7 8 9 0 ",
    "addresses": "a.b@a.b.c.d@",
    "accounts": "DE89 3704 0044 AB12 CD34 ",
    "assignments": "token=aB3dE5gH7jK9mN1paB3dE5gH7jK9mN1p ",
    "base64": "QUJDREVG",
    "begun keys": "-----BEGIN RSA PRIVATE KEY-----\nabc",
    "words of secrets": "passwordsecrettoken",
}


def rules_of(*guards: tuple[str, dict[str, object]]) -> Rules:
    """All rules of the guards; what they find is marked."""
    found = [rule for name, options in guards for rule in GUARDS[name].rules(options)]
    return Rules([Applied(rule=rule, action="redact", replacement=f"[{rule.kind}]") for rule in found])


def measured(rules: Rules, pieces: list[str], repeats: int) -> dict[str, float]:
    """Microseconds a character, share of pieces after which nothing is held back, most characters held back."""
    seconds, num_free, most = [], 0, 0
    for repeat in range(repeats + 1):  # the first makes the states
        screen = Screen(rules)
        begun = time.perf_counter()
        for piece in pieces:
            screen.feed(piece)
        screen.flush()
        if repeat:
            seconds.append(time.perf_counter() - begun)
    screen = Screen(rules)
    for piece in pieces:
        screen.feed(piece)
        num_free += not screen.num_held
        most = max(most, screen.num_held)
    size = sum(map(len, pieces))
    return {
        "us_per_character": round(statistics.median(seconds) / size * 1e6, 2),
        "share_that_waits_for_nothing": round(num_free / len(pieces), 2),
        "most_held": most,
    }


def main() -> None:
    """Print one line of JSON for each text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--characters", type=int, default=30_000, help="of each costly text")
    arguments = parser.parse_args()
    words = re.findall(r"\s?\w+|[^\w]", README)
    assert "".join(words) == README
    for name, options in ORDINARY:
        told = measured(rules_of((name, options)), words, arguments.repeats)
        print(json.dumps({"guard": name, "options": options, **told}))
    every = rules_of(("pii", {"region": "DE"}), ("secrets", {}))
    check = Screen(every)
    assert check.feed("ann@example.org ") == "[email] "
    for name, text in COSTLY.items():
        told = measured(every, [text * (arguments.characters // len(text))], 1)
        print(json.dumps({"text": name, "us_per_character": told["us_per_character"]}))


if __name__ == "__main__":
    main()
