"""How much of what is marked in public sets the guards `pii` and `secrets` find, and what else they take for it.

    python tests/bench/bench_guard_recall.py FOLDER [--region DE] [--show 5] [--json OUT]

Nothing is fetched. The folder holds any number of

- `*.json` as presidio-research writes them: a list of {"full_text", "spans": [{"entity_type", "start_position",
  "end_position"}]}. Per kind: the share of spans that it covers from end to end, and of what it covers the share that
  touches a span of its type.
- `*.jsonl`, a line an example: {"rule", "text", "is_secret"}, and "secret" where it is known which part of the text
  is one: that must be covered from end to end; else something must be found. "made" marks examples that were written by
  a rule's format; they are told apart.

All kinds of a guard look together, as they do in a policy.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gateway.guards import Applied, Rules, Screen
from gateway.guards.kinds import GUARDS

TYPES = {
    "email": "EMAIL_ADDRESS", "card": "CREDIT_CARD", "iban": "IBAN_CODE", "phone": "PHONE_NUMBER", "url": "DOMAIN_NAME",
}  # fmt: skip

Covered = tuple[int, int, str]
"""Where it begins and ends, and the kind."""


class Covering(Screen):
    """Notes what it replaces.

    Attributes:
        covered: In order, in characters of the text.
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.covered: list[Covered] = []
        self._at = 0

    def _kept(self, text: str) -> str:
        self._at += len(text)
        return text

    def _replaced(self, count: int, replacement: str) -> str:
        self.covered.append((self._at, self._at + count, replacement))
        self._at += count
        return replacement


def rules_of(guard: str, options: dict[str, Any]) -> Rules:
    """All kinds of the guard, each replaced by its name."""
    found = GUARDS[guard].rules(options)
    return Rules([Applied(rule=rule, action="redact", replacement=rule.kind) for rule in found])


def covered_in(rules: Rules, text: str) -> list[Covered]:
    """What the rules cover of the text."""
    screen = Covering(rules)
    screen.feed(text)
    screen.flush()
    return screen.covered


def share(part: int, whole: int) -> float | None:
    """In four digits; None of nothing."""
    return round(part / whole, 4) if whole else None


def pii(path: Path, region: str | None, num_shown: int) -> Iterator[dict[str, Any]]:
    """A line for each kind."""
    rules = rules_of("pii", {} if region is None else {"region": region})
    records = json.loads(path.read_text(encoding="utf-8"))
    spans, found, taken, right = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    missed: dict[str, list[str]] = {kind: [] for kind in TYPES}
    wrong: dict[str, list[str]] = {kind: [] for kind in TYPES}
    for record in records:
        text = record["full_text"]
        covered = covered_in(rules, text)
        for kind, label in TYPES.items():
            own = [(begin, end) for begin, end, other in covered if other == kind]
            places = [(each["start_position"], each["end_position"]) for each in record["spans"]
                      if each["entity_type"] == label]  # fmt: skip
            spans[kind] += len(places)
            taken[kind] += len(own)
            for begin, end in places:
                is_found = any(first <= begin and end <= last for first, last in own)
                found[kind] += is_found
                missed[kind] += [] if is_found else [text[begin:end]]
            for first, last in own:
                is_right = any(first < end and begin < last for begin, end in places)
                right[kind] += is_right
                wrong[kind] += [] if is_right else [text[first:last]]
    for kind in TYPES:
        yield {
            "set": path.name, "records": len(records), "kind": kind, "region": region, "spans": spans[kind],
            "recall": share(found[kind], spans[kind]), "covered": taken[kind],
            "precision": share(right[kind], taken[kind]), "missed": missed[kind][:num_shown],
            "wrong": wrong[kind][:num_shown],
        }  # fmt: skip


def is_found(rules: Rules, example: dict[str, Any]) -> bool:
    """Whether the secret is covered, or, where it is not said which part is one, whether anything is."""
    text, secret = example["text"], example.get("secret")
    covered = covered_in(rules, text)
    if secret is None:
        return bool(covered)
    begin = text.index(secret)
    return any(first <= begin and begin + len(secret) <= last for first, last, _ in covered)


def secrets(path: Path, num_shown: int) -> Iterator[dict[str, Any]]:
    """A line for the examples that were made, one for those that were written down, one for what is none."""
    rules = rules_of("secrets", {})
    examples = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    for is_made in (True, False):
        own = [each for each in examples if each["is_secret"] and each.get("made", False) == is_made]
        of_rule, found = Counter[str](), Counter[str]()
        missed = []
        for each in own:
            of_rule[each["rule"]] += 1
            if is_found(rules, each):
                found[each["rule"]] += 1
            else:
                missed.append(each["text"])
        short = {rule: f"{found[rule]} of {count}" for rule, count in of_rule.items() if found[rule] < 0.95 * count}
        yield {
            "set": path.name, "made": is_made, "examples": len(own), "recall": share(sum(found.values()), len(own)),
            "rules": len(of_rule), "rules_below_0.95": short, "missed": missed[:num_shown],
        }  # fmt: skip
    others = [each for each in examples if not each["is_secret"]]
    flagged = [each["text"] for each in others if covered_in(rules, each["text"])]
    yield {"set": path.name, "no_secrets": len(others), "flagged": len(flagged), "wrong": flagged[:num_shown]}


def main() -> None:
    """Print one line of JSON for each kind of each set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--region", help="of phone numbers without +")
    parser.add_argument("--show", type=int, default=5, help="so many of what was missed or wrong")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    lines = []
    for path in sorted(arguments.folder.glob("*.json*")):
        told = secrets(path, arguments.show) if path.suffix == ".jsonl" else pii(path, arguments.region, arguments.show)
        for line in told:
            print(json.dumps(line, ensure_ascii=False))
            lines.append(line)
    if not lines:
        parser.error(f"{arguments.folder} holds no *.json and no *.jsonl")
    if arguments.json:
        arguments.json.write_text(json.dumps(lines, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
