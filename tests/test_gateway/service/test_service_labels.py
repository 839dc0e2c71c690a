"""Labels as a tree, against sums over whole sequences."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.decisions import LabelWeights
from gateway.service.decisions.decision_scorer import answer_head
from gateway.service.decisions.label_tree import LabelTree
from tools.formats.reading.frame import Frame
from tools.reasoning import Reasoning

ENDS = (9, 8)


def distribution(written, seed=0, size=10):
    """A made-up model: log-probabilities of all tokens after a text."""
    chooser = random.Random(f"{seed}{written}")
    weights = [chooser.random() + 1e-6 for _ in range(size)]
    return [math.log(weight / sum(weights)) for weight in weights]


def told(tree):
    return {written: [distribution(written)[token] for token in tokens] for written, tokens in tree.children.items()}


def brute(label, ends):
    total = sum(distribution(label[:place])[token] for place, token in enumerate(label))
    return total + math.log(sum(math.exp(distribution(label)[end]) for end in ends)) if ends else total


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple), min_size=1, max_size=8, unique=True))
def test_tree_gives_each_label_its_probability(labels):
    tree = LabelTree(labels, ENDS)
    begins_another = any(a != b and b[: len(a)] == a for a in labels for b in labels)
    expected = [brute(label, ENDS if begins_another else ()) for label in labels]
    found = tree.logprobs(told(tree))
    assert found == pytest.approx(expected)
    assert math.fsum(map(math.exp, found)) <= 1 + 1e-9
    assert next(iter(tree.children)) == ()


def test_tree_looks_at_what_begins_alike_once():
    assert LabelTree([(1, 2, 3), (1, 2, 4), (5,)], ENDS).children == {(): (1, 5), (1,): (2,), (1, 2): (3, 4)}
    assert LabelTree([(1,), (2,), (3,)], ENDS).children == {(): (1, 2, 3)}


def test_label_that_begins_another_is_told_by_its_end():
    children = LabelTree([(1,), (1, 2)], ENDS).children
    assert {written: set(tokens) for written, tokens in children.items()} == {
        (): {1},
        (1,): {2, *ENDS},
        (1, 2): set(ENDS),
    }


def test_weights_are_shares_of_their_mass():
    weights = LabelWeights(
        logprobs=(math.log(0.1), math.log(0.3)), is_best=True, num_places=1, num_prompt_tokens=3, num_cached_tokens=0
    )
    assert weights.mass == pytest.approx(0.4)
    assert weights.probabilities == pytest.approx((0.25, 0.75))
    unlikely = LabelWeights(
        logprobs=(-2000.0, -2000.0 + math.log(3)), is_best=False, num_places=1, num_prompt_tokens=3, num_cached_tokens=0
    )
    assert unlikely.mass == 0
    assert unlikely.probabilities == pytest.approx((0.25, 0.75))


@pytest.mark.parametrize(
    ("reasoning", "prompt", "head"),
    [
        (Reasoning(name="a", begin="<think>", end="</think>"), "user: x\nassistant: <think>\n", "</think>\n\n"),
        (Reasoning(name="a", begin="<think>", end="</think>"), "assistant: <think>\n\n</think>\n\n", ""),
        (Reasoning(name="a", begin="<think>", end="</think>"), "assistant: ", ""),
        (Reasoning(name="b", begin="<t>", end="</t>", answer=Frame(("<r>",), ("</r>",))), "assistant: <t>", "</t><r>"),
        (Reasoning(name="b", begin="<t>", end="</t>", answer=Frame(("<r>",), ("</r>",))), "assistant: ", "<r>"),
        (Reasoning(name="b", begin="<t>", end="</t>", answer=Frame(("<r>",), ("</r>",))), "assistant: <r>", ""),
    ],
)
def test_answer_begins_behind_the_thoughts(reasoning, prompt, head):
    assert answer_head(reasoning, prompt) == head
