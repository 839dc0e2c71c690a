"""Bias towards the tokens of the user's message, where a small model extracts values from it.

Such a model changes values that it should copy: it writes `Zuraco` for Zurich, and `USD` where the text has EUR.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from string import punctuation

from gateway.core.request import ChatRequest, Options
from gateway.service.model.loaded import LoadedModel
from gateway.service.request.plan import ToolPlan
from gateway.service.request.rendering import described_fields
from gateway.service.request.tools_in_prompt import text_of
from grammars import Vocabulary

BIAS = 1.0
"""Added to the logits of the tokens of the text, and of those between the values of a JSON text."""

MAX_CHARACTERS = 4_000
"""Longest text whose tokens are biased: a longer one contains most tokens of any answer."""

_BETWEEN = frozenset(b'{}[]:," \t\r\n')


def copying_options(loaded: LoadedModel, request: ChatRequest, tool_plan: ToolPlan | None) -> Options:
    """Return the options of a request, biased to the last message's tokens if its prompt describes the schema's fields.

    The client's own biases have precedence.
    """
    options = request.options
    said = text_of(request.messages[-1]) if described_fields(loaded, request, tool_plan) else ""
    if not said or len(said) > MAX_CHARACTERS:
        return options
    found = _tokens_of(loaded, said) | _between(loaded.vocabulary)
    # A tokenizer may have more tokens than the model has scores.
    bias = {token: BIAS for token in found if token < loaded.engine.vocab_size}
    return replace(options, sampling=replace(options.sampling, logit_bias={**bias, **options.sampling.logit_bias}))


def _tokens_of(loaded: LoadedModel, said: str) -> frozenset[int]:
    """Return the tokens of a text, and of its words alone: with and without punctuation, and in lower case."""
    words = said.split()
    bare = [word.strip(punctuation) for word in words]
    ids = loaded.encode("\n".join((said, *words, *bare, *map(str.lower, bare))), add_special_tokens=False)
    return frozenset(each for each in ids if loaded.vocabulary.tokens[each] is not None)


@lru_cache(maxsize=4)
def _between(vocabulary: Vocabulary) -> frozenset[int]:
    """Return the tokens of only JSON's structural characters, quotes and blanks."""
    tokens = enumerate(vocabulary.tokens)
    return frozenset(at for at, token in tokens if token is not None and _BETWEEN.issuperset(token))
