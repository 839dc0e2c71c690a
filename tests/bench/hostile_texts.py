"""More constraints made to hurt: patterns, grammars, choices and tags, one function a kind as in `hostile_kinds`."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from grammars import Choice, Gbnf, JsonSchema, Lark, Regex, StructuralTag, Tag


def many_words(n: int) -> Any:
    size = 100 + 137 * n % 4000
    words = [f"{random.Random(n * size + i).randrange(10**6):x}" for i in range(size)]
    return Regex(("(?i)" if n % 3 == 0 else "") + f"({'|'.join(words)})" + ("+", "{2,50}", "*x")[n % 3])


def nested_counts(n: int) -> Any:
    pattern = "a" if n % 2 else "(a|bc?)"
    for _ in range(2 + n % 4):
        pattern = f"({pattern}{{1,{10 + 97 * n % 1000}}})"
    return Regex(pattern + f"{{1,1000}}{n}")


def anchored_counts(n: int) -> Any:
    return JsonSchema({"type": "string", "pattern": f"(^|,)(a{{1,{1 + n * 37 % 990}}}b?){{1,{1 + n % 99}}}(,|$)"})


def nested_looks(n: int) -> Any:
    pattern = "a|b"
    for i in range(2 + n % 20):
        pattern = (
            f"(?=({pattern})c*).",
            f"(?!({pattern}){i})[^{i % 10}]",
            f"(?<=x)({pattern})?",
            f"(?<!({pattern[:9].count('a')}))({pattern})",
        )[(n + i) % 4]
    return Regex(f"({pattern}){{0,{n}}}")


def look_products(n: int) -> Any:
    looks = "".join(f"(?=.*[{chr(97 + i)}-z].{{{i * n % 37}}}{i % 10})" for i in range(2 + n % 9))
    return Regex(looks + f"(?!.*{n}).{{8,{20 + n}}}")


def bounded_looks(n: int) -> Any:
    labels = f"((.{{1,{n % 67}}}[a-{chr(98 + n % 25)}.]){{1,{n % 129}}}(?!a{{0,{n % 71}}}$)[a-z-]+b?){{1,{1 + n % 5}}}"
    return JsonSchema({"type": "string", "pattern": f"^(?!.*{n})(?=.{{1,{n * 7 % 2_000}}}$){labels}$"})


def boundaries(n: int) -> Any:
    return Regex("".join(rf"(\b\w{{1,{1 + i + n % 40}}}\b\W*|\B.)" for i in range(1 + n % 25)))


def back_references(n: int) -> Any:
    return Regex(("(a|b)" * (1 + n % 30) + r"\1", "(?P<x>a*)(?P=x)" * (1 + n % 9), rf"(?:(a)|b)\1{{1,{n + 1}}}")[n % 3])


def unicode_folds(n: int) -> Any:
    parts = (
        r"[\w\d\s]",
        r"\p{L}",
        r"[^\p{Lu}]",
        "[à-ÿ]",
        "[ſK\u212a]",
        r"\P{Nd}",
        "[\u0400-\u04ff]",
        r"\p{Script=Greek}",
    )
    rng = random.Random(n)
    body = "".join(rng.choice(parts) + rng.choice(("", "*", "+?", "{3,40}")) for _ in range(3 + n % 80))
    return Regex("(?i)" + body, ("python", "ecma")[n % 2]) if n % 3 else JsonSchema({"pattern": body})


def far_choices(n: int) -> Any:
    return Regex(f"(.*[{chr(97 + n % 26)}]|x)" * (1 + n % 9) + f".{{{3 + n % 40}}}(y|{n})")


def shuffled_sets(n: int) -> Any:
    rng = random.Random(n)
    sets = ["[" + "".join(rng.sample("abcdefghijklmnop", 1 + rng.randrange(9))) + "]" for _ in range(10 + n * 7 % 400)]
    return Regex("|".join("".join(rng.sample(sets, 5)) + rng.choice(("", "*", ".*")) for _ in range(20 + n * 3 % 200)))


def endings(n: int) -> Any:
    return JsonSchema(
        {"type": "string", "pattern": "|".join(f"{i}(a|b){{{n % 12}}}$" for i in range(2 + n % 50)), "minLength": n}
    )


def empty_loops(n: int) -> Any:
    body = "".join(("()", "(|a)", "(?:)*", "(b{0})", "(c?){0,9}", "((d?)*)*")[(n + i) % 6] for i in range(1 + n % 300))
    return Regex(f"({body})*{{0,{n % 9}}}" if n % 9 == 0 else f"({body}){{0,{1 + n % 900}}}e")


def long_literals(n: int) -> Any:
    text = "".join(chr(97 + (i * i + n) % 26) for i in range(1000 + 997 * n % 30_000))
    return (Regex(text), Choice([text, text[::-1], text[1:]]), Gbnf(f'root ::= "{text}" | "{text[1:]}" root'))[n % 3]


def choice_trees(n: int) -> Any:
    rng = random.Random(n)
    return Choice(
        ["".join(rng.choices("ab", k=1 + rng.randrange(60))) for _ in range(1000 + 990 * n % 40_000)] + [f"{n}"]
    )


def overlapping_choices(n: int) -> Any:
    return Choice(["é" * i + str(n) for i in range(1, 40 + 13 * n % 1200)])


def long_choices(n: int) -> Any:
    return Choice([chr(97 + i) * (10_000 + 9_999 * n % 300_000) for i in range(1 + n % 20)])


def gbnf_counts(n: int) -> Any:
    body = '"a" | [b-d] "é"?'
    for i in range(2 + n % 12):
        body = f"({body}) {('*', '+', '?', '{2,}', '{0,50}', '{7}')[(n + i) % 6]}"
    return Gbnf(f'root ::= ({body}) "{n}"')


def gbnf_webs(n: int) -> Any:
    size = 5 + n * 17 % 800
    rules = [
        f'r{i} ::= r{(i * 2 + 1) % size} r{(i * 3 + 2) % size} | "{i % 10}" | r{(i + 1) % size}' for i in range(size)
    ]
    return Gbnf("root ::= r0\n" + "\n".join(rules))


def gbnf_chained_webs(n: int) -> Any:
    size = 5 + n * 17 % 800
    rules = [f'r{i} ::= r{(i * 2 + 1) % size} r{(i * 3 + 2) % size} | "{i % 10}" | r{i + 1}' for i in range(size - 1)]
    return Gbnf("root ::= r0\n" + "\n".join(rules) + f'\nr{size - 1} ::= "{n}"')


def gbnf_nullable_webs(n: int) -> Any:
    size = 3 + n * 7 % 300
    rules = [f'r{i} ::= r{(i * 2 + 1) % size}? r{(i * 5 + 2) % size}* "{i % 10}"? | "x"' for i in range(size)]
    return Gbnf("root ::= r0 r1\n" + "\n".join(rules))


def gbnf_palindromes(n: int) -> Any:
    letters = [chr(97 + i) for i in range(1 + n % 26)]
    rule = " | ".join(f'"{c}" p "{c}" | "{c}"' for c in letters)
    return Gbnf(f'root ::= p p? p? "{n}"\np ::= {rule} | p p')


def gbnf_expressions(n: int) -> Any:
    levels = 2 + n % 60
    rules = [f'e{i} ::= e{i + 1} (("+{i}" | "-") e{i + 1})* | e{i} "?{i}" e{i}' for i in range(levels)]
    return Gbnf("root ::= e0\n" + "\n".join(rules) + f'\ne{levels} ::= "(" e0 ")" | [0-9]+ | "{n}"')


def right_recursion(n: int) -> Any:
    return Gbnf(f'root ::= a\na ::= "x" a | b\nb ::= "x" b "y" | c\nc ::= "x" c c | "{n}" | ""')


def long_alternatives(n: int) -> Any:
    words = " | ".join(f'"{i * (n + 7)}" w' for i in range(50 + n * 29 % 2500))
    return Gbnf(f'root ::= w\nw ::= {words} | "."')


def lark_left_recursion(n: int) -> Any:
    levels = 1 + n % 50
    rules = "\n".join(f'e{i}: e{i} "+" e{i} | e{i} "*" e{i + 1} | e{i + 1}' for i in range(levels))
    return Lark(
        f'start: e0\n{rules}\ne{levels}: "(" e0 ")" | NUMBER\nNUMBER: /[0-9]{{1,{1 + n}}}/\n%ignore /[ \\t\\n]+/'
    )


def lark_terminals(n: int) -> Any:
    big = "|".join(f"{i}(a|b)*{i}" for i in range(5 + n * 11 % 600))
    return Lark(
        f'start: (BIG | OTHER)+\nBIG: /({big}){{1,{1 + n % 30}}}/\nOTHER.2: BIG "x" | /[^{n % 10}]+/\n%ignore OTHER'
    )


def lark_ignored(n: int) -> Any:
    ignored = "\n".join(f"%ignore /[{chr(97 + i)}-z]{{0,{n % 50}}}#{i}?/" for i in range(1 + n % 25))
    return Lark(f'start: item*\nitem: "a" item "b" | /[a-m]+{n}/ | WORD\nWORD: /\\w+/i\n{ignored}')


def lark_templates(n: int) -> Any:
    depth = 2 + n % 30
    nested = "list{" * depth + '"x"' + ', ","}' * depth
    return Lark(f'start: {nested} "{n}"\nlist{{item, sep}}: item (sep item)* | list{{sep, item}}')


def lark_counts(n: int) -> Any:
    body = 'WORD "," | "[" start "]"'
    for i in range(1 + n % 8):
        body = f"({body})~1..{2 + (n + i) * 13 % 400}"
    return Lark(f"start: {body}\nWORD: /[a-z]+/\n%import common.WS\n%ignore WS\n// {n}")


def lark_imports(n: int) -> Any:
    names = ("INT", "NUMBER", "ESCAPED_STRING", "CNAME", "WS", "FLOAT", "SIGNED_NUMBER", "WORD", "HEXDIGIT", "NEWLINE")
    imports = "\n".join(f"%import common.{name}" for name in names)
    return Lark(f'start: ({" | ".join(names[: 1 + n % 10])})+ "{n}"\n{imports}\n%ignore WS\n%ignore NEWLINE')


def lark_preferences(n: int) -> Any:
    words = "\n".join(f'K{i}.{i}: "{chr(97 + i % 26) * (1 + i % 7)}"' for i in range(2 + n * 3 % 150))
    names = " | ".join(f"K{i}" for i in range(2 + n * 3 % 150))
    return Lark(f"start: ({names} | NAME)*\n{words}\nNAME: /[a-z]+/\n%ignore /[ {n}]/")


def tag_schemas(n: int) -> Any:
    schemas = [
        JsonSchema({"type": "object", "properties": {f"p{j}": {"maxLength": i} for j in range(20)}})
        for i in range(3 + n % 90)
    ]
    tags = tuple(Tag(f"<t{i}>", schema, "</t>") for i, schema in enumerate(schemas))
    return StructuralTag(tags, ("<t",), at_least_one=bool(n % 2))


def tag_prefixes(n: int) -> Any:
    size = 10 + 97 * n % 2000
    tags = tuple(
        Tag("<" + "ab"[i % 2] * (1 + i // 2 % 200) + f"{i}>", Regex(".*"), "<" * (1 + i % 30)) for i in range(size)
    )
    return StructuralTag(tags, tuple(tag.begin for tag in tags) if n % 2 else ("<a", "<b"), at_least_one=n % 3 == 0)


def tag_triggers(n: int) -> Any:
    triggers = tuple("<" + "x" * i for i in range(1, 5 + 11 * n % 500))
    return StructuralTag(
        (Tag(triggers[-1] + ">", Regex(f"({'a?' * (n % 50)})*"), ">"),), triggers[-1:] if n % 2 else triggers
    )


def big_inputs(n: int) -> Any:
    size = 250_000 * (1 + n % 40)
    made: tuple[Callable[[], Any], ...] = (
        lambda: Regex("a" * size),
        lambda: Regex("(" * size),
        lambda: Gbnf('root ::= "' + "a" * size + '"'),
        lambda: Lark("start: " + '"a" ' * (size // 4)),
        lambda: Choice(["a" * size]),
        lambda: Choice([str(i) for i in range(size // 8)]),
        lambda: Lark("start: a\n" + "\n".join(f'a{i}: "x"' for i in range(size // 10))),
        lambda: Regex("[" + "".join(map(chr, range(0x100, 0x100 + size % 50_000))) + "]*"),
        lambda: StructuralTag((Tag("<" * size, Regex("a"), ">"),), ("<",)),
        lambda: Gbnf("root ::= " + "(" * size),
        lambda: Regex("a|" * (size // 2)),
    )
    return made[n % len(made)]()


KINDS: tuple[Callable[[int], Any], ...] = (
    many_words, nested_counts, anchored_counts, nested_looks, look_products, bounded_looks, boundaries,
    back_references, unicode_folds,
    far_choices, shuffled_sets, endings, empty_loops, long_literals, choice_trees, overlapping_choices, long_choices,
    gbnf_counts, gbnf_webs, gbnf_chained_webs, gbnf_nullable_webs, gbnf_palindromes, gbnf_expressions,
    right_recursion, long_alternatives,
    lark_left_recursion, lark_terminals, lark_ignored, lark_templates, lark_counts, lark_imports, lark_preferences,
    tag_schemas, tag_prefixes, tag_triggers, big_inputs,
)  # fmt: skip
