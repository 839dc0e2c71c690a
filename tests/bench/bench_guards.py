"""What a screen costs a character and how much it holds back, on ordinary text and on texts made to cost.

    python tests/bench/bench_guards.py [--repeats 5] [--characters 30000] [--forbid | --served]

The README of the gateway, fed a word at a time, for each guard; then texts that begin matches all over, for all of them
together. Medians over repeats. `--forbid`: instead, answers of the embedded model to random prompts, with nothing
forbidden and with 50 terms, in turn. `--served`: instead, what policies and the audit log cost over the wire (see
`served_guards.py`).
"""

import argparse
import json
import re
import statistics
import time
from dataclasses import replace
from pathlib import Path

from served_guards import SERVERS, bench_served

from gateway.guards import Applied, Rules, Screen
from gateway.guards.kinds import GUARDS
from gateway.guards.policy import Policy

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


BIRDS = [
    *("avocet", "bittern", "curlew", "dunnock", "egret", "fieldfare", "goshawk", "heron", "ibis", "jackdaw", "kestrel"),
    *("lapwing", "merlin", "nightingale", "osprey", "pipit", "quail", "redstart", "siskin", "treecreeper", "urubu"),
    *("vireo", "wren", "yellowhammer", "zitting"),
]
FORBIDDEN = [text for bird in BIRDS for text in (bird, f"Project {bird}")]
FORBIDS = {"plain": {}, "whole words": {"whole_words": True}, "look-alikes": {"nfkc": True, "confusables": True}}


def bench_forbidden(repeats: int, tokens: int) -> None:
    """Print for each spelling what its mask costs once, and a token."""
    from engine_peers import make_model, make_prompts, make_request, model_folder
    from tokenizers import Tokenizer

    from gateway.engine import Engine, EngineConfig
    from gateway.service.constraints.forbidding import Forbidding
    from gateway.service.constraints.masks import fill_masks
    from grammars import Compiler, Vocabulary
    from tools.reasoning import any_text

    engine = Engine(make_model("embedded"), EngineConfig(max_num_seqs=1), fill_masks=fill_masks, eos_token_ids=(0,))
    tokenizer = Tokenizer.from_file(str(model_folder("embedded") / "tokenizer.json"))
    compiler = Compiler(Vocabulary.from_tokenizer(tokenizer, eos_token_ids=[0]))

    def seconds(prompt: list[int], constraint: object) -> tuple[float, list[int]]:
        request = make_request(0, prompt, tokens, constraint)
        request.sampling = replace(request.sampling, min_tokens=tokens)
        begun = time.perf_counter()
        (answer,) = engine.generate([request])
        return (time.perf_counter() - begun) / tokens, answer

    for name, options in FORBIDS.items():
        begun = time.perf_counter()
        rules = GUARDS["terms"].rules({"terms": FORBIDDEN, **options})
        policy = Policy(
            name=name, output=Rules([Applied(rule=rule, action="forbid", replacement="") for rule in rules])
        )
        read = time.perf_counter()
        compiled = compiler.compile(Forbidding(policy, may_end=True).without_forbidden(any_text()))
        done = time.perf_counter()
        plain, masked, ratios = [], [], []
        for repeat in range(repeats + 1):  # the first makes the masks
            (prompt,) = make_prompts([64], repeat, engine.vocab_size)
            without, answer = seconds(prompt, None)
            under, same = seconds(prompt, compiled.matcher())
            assert len(answer) == len(same) == tokens
            if repeat:
                plain.append(without)
                masked.append(under)
                ratios.append(under / without)
        told = {
            "forbidden": name,
            "terms": len(FORBIDDEN),
            "read_policy_ms": round((read - begun) * 1e3, 1),
            "compile_ms": round((done - read) * 1e3, 1),
            "plain_us_per_token": round(statistics.median(plain) * 1e6, 1),
            "forbid_us_per_token": round(statistics.median(masked) * 1e6, 1),
            "ratio": round(statistics.median(ratios), 3),
        }
        print(json.dumps(told))
    engine.close()


def main() -> None:
    """Print one line of JSON for each text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--characters", type=int, default=30_000, help="of each costly text")
    parser.add_argument("--forbid", action="store_true")
    parser.add_argument("--tokens", type=int, default=256, help="of each answer under what is forbidden")
    parser.add_argument("--served", action="store_true")
    parser.add_argument(
        "--servers", nargs="+", default=["plain", "plain again", "audit", "policies and audit"], choices=SERVERS
    )
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--streams", type=int, default=6, help="of each client, a round, of 64 tokens")
    parser.add_argument("--pause", type=float, default=0.03, help="seconds between streams of a client, in the mean")
    arguments = parser.parse_args()
    if arguments.served:
        load = (arguments.rounds, arguments.clients, arguments.streams)
        bench_served(arguments.servers, *load, num_tokens=64, pause_s=arguments.pause)
        return
    if arguments.forbid:
        bench_forbidden(arguments.repeats, arguments.tokens)
        return
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
