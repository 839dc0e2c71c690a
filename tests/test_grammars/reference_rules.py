"""Random context-free grammars as data, written as GBNF or Lark."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

LETTERS = "ab"
NAMES = ("start", "one", "two", "three")


def grammars(max_leaves: int = 6) -> st.SearchStrategy[dict]:
    """A body for each name: text, class, call, seq, or, repeat, each a tuple with its kind first."""
    leaves = st.one_of(
        st.text(LETTERS, min_size=1, max_size=2).map(lambda t: ("text", t)),
        st.sampled_from(NAMES).map(lambda n: ("call", n)),
        st.sampled_from(["a", "b", "ab"]).map(lambda t: ("class", t)),
        st.just(("seq",)),
    )

    def extend(inner):
        return st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(lambda items: ("seq", *items)),
            st.lists(inner, min_size=2, max_size=3).map(lambda items: ("or", *items)),
            st.tuples(inner, st.sampled_from([(0, None), (1, None), (0, 1), (2, 2), (1, 3), (2, None)])).map(
                lambda pair: ("repeat", pair[0], *pair[1])
            ),
        )

    body = st.recursive(leaves, extend, max_leaves=max_leaves)
    return st.fixed_dictionaries(dict.fromkeys(NAMES, body))


def joined(node, write: Callable) -> str:
    """A sequence or a choice, in both languages."""
    kind, *items = node
    return "(" + {"seq": " ", "or": " | "}[kind].join(map(write, items)) + ")"


def as_gbnf(grammar: dict) -> str:
    """The grammar in GBNF."""

    def write(node) -> str:
        match node:
            case ("text", text):
                return f'"{text}"'
            case ("class", text):
                return f"[{text}]"
            case ("call", name):
                return name
            case ("seq" | "or", *_):
                return joined(node, write)
            case ("repeat", body, low, high):
                return f"{write(body)}{{{low},{'' if high is None else high}}}"
        raise AssertionError(node)

    return "\n".join(f"{name} ::= {write(body)}" for name, body in grammar.items())


def as_lark(grammar: dict, ignored: str = "") -> str:
    """The grammar in Lark's language; the rule "three" is the terminal THREE where it calls nothing."""
    is_terminal = not calls(grammar["three"])

    def write(node) -> str:
        match node:
            case ("text", text):
                return f'"{text}"'
            case ("class", text):
                return f"/[{text}]/"
            case ("call", "three") if is_terminal:
                return "THREE"
            case ("call", name):
                return name
            case ("seq" | "or", *_):
                return joined(node, write)
            case ("repeat", body, low, None):
                return f"({write(body)}~{low} {write(body)}*)"
            case ("repeat", body, low, high):
                return f"({write(body)})~{low}..{high}"
        raise AssertionError(node)

    lines = [f"{name}: {write(body)}" for name, body in grammar.items() if name != "three" or not is_terminal]
    if is_terminal:
        lines.append(f"THREE: {write(grammar['three'])}")
    return "\n".join(lines) + (f"\n%ignore {ignored}\n" if ignored else "\n")


def calls(node) -> list[str]:
    """The rules that a body calls."""
    if node[0] == "call":
        return [node[1]]
    return [name for part in node[1:] if isinstance(part, tuple) for name in calls(part)]
