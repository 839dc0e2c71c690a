"""Types of outlines held in your own process: masks of `grammars` as a logits processor of outlines and transformers.

No server: a model of transformers generates, and what it may write next is said by a matcher.
"""

import argparse

import numpy as np
import outlines
import torch
from outlines.processors import OutlinesLogitsProcessor
from outlines.types import Regex, either
from transformers import AutoModelForCausalLM, AutoTokenizer

from gateway.embedded import target_path
from grammars import CompiledGrammar, Compiler, Vocabulary

TICKET = either("bug", "wish") + " #" + Regex("[1-9][0-9]{2,4}") + either(" open", " closed").optional()


class Masks(OutlinesLogitsProcessor):
    """Leaves one sequence the tokens after which a complete text still fits into the tokens that are left."""

    def __init__(self, compiled: CompiledGrammar, vocabulary: Vocabulary, max_tokens: int) -> None:
        super().__init__("torch")
        self._compiled = compiled
        self._max_tokens = max_tokens
        self._num_tokens = len(vocabulary)
        self._row = np.zeros((self._num_tokens + 31) // 32, np.uint32)
        self.reset()

    def reset(self) -> None:
        """Begin a new text."""
        self._matcher = self._compiled.matcher()
        self._is_begun = False

    def process_logits(self, input_ids: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
        """The logits, with those of all other tokens at minus infinity."""
        if self._is_begun:
            assert self._matcher.accept(int(input_ids[0, -1]))
        self._is_begun = True
        self._matcher.fill_mask(self._row, self._max_tokens - self._matcher.num_tokens)
        # A model may have logits for more tokens than there are.
        is_allowed = torch.zeros(logits.shape[-1], dtype=torch.bool)
        bits = np.unpackbits(self._row.view(np.uint8), count=self._num_tokens, bitorder="little")
        is_allowed[: self._num_tokens] = torch.from_numpy(bits)
        return logits.masked_fill(~is_allowed.to(logits.device), -torch.inf)


def main() -> None:
    """Print a text of the type."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "prompt", nargs="?", default="Is it a bug or a wish? Ticket: bug #4711, the blue lamp does not light."
    )
    parser.add_argument("--model", default=str(target_path()), help="a folder or a name on the hub")
    parser.add_argument("--max-tokens", type=int, default=24)
    arguments = parser.parse_args()

    tokenizer = AutoTokenizer.from_pretrained(arguments.model)
    model = outlines.from_transformers(AutoModelForCausalLM.from_pretrained(arguments.model), tokenizer)
    vocabulary = Vocabulary.from_tokenizer(tokenizer)
    masks = Masks(Compiler(vocabulary).compile(TICKET), vocabulary, arguments.max_tokens)
    generate = outlines.Generator(model, processor=masks)
    print(generate(arguments.prompt, max_new_tokens=arguments.max_tokens, do_sample=False))


if __name__ == "__main__":
    main()
