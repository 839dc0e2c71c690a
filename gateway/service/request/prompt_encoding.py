"""Encoding of a completion's prompts, with fill-in-the-middle."""

from __future__ import annotations

from dataclasses import dataclass

from tokenizers import Tokenizer

from gateway.core.request import CompletionRequest
from gateway.engine.companions import Companion
from gateway.errors import InvalidRequestError, UnsupportedParameterError
from gateway.service.model.loaded import LoadedModel


@dataclass(frozen=True, slots=True)
class EncodedPrompt:
    """Prompt as tokens.

    Attributes:
        echo: Text before each of its answers.
        echo_begin: Position of the first token of `echo`.
        echo_end: Position after its last token.
        companions: Prompts whose scores are combined with its own.
    """

    ids: tuple[int, ...]
    echo: str = ""
    echo_begin: int = 0
    echo_end: int = 0
    companions: tuple[Companion, ...] = ()


def encoded_prompts(loaded: LoadedModel, request: CompletionRequest) -> list[EncodedPrompt]:
    """Return the prompts of a request, in order.

    Raises:
        UnsupportedParameterError: The request has a suffix, and the model has no fill-in-the-middle tokens.
        InvalidRequestError: The request has a suffix, and a prompt is token ids.
    """
    if request.suffix:
        return _with_gaps(loaded, request)
    found = []
    for prompt in request.prompts:
        ids = prompt if isinstance(prompt, tuple) else loaded.encode_prompt(prompt, True, "prompt")
        text = prompt if isinstance(prompt, str) else loaded.decode(prompt)
        found.append(EncodedPrompt(ids, text, 0, len(ids)) if request.echo else EncodedPrompt(ids))
    return found


def _with_gaps(loaded: LoadedModel, request: CompletionRequest) -> list[EncodedPrompt]:
    marks = InfillMarks.of(loaded.tokenizer)
    if marks is None:
        raise UnsupportedParameterError("suffix: this model was not made to fill gaps", param="suffix")
    begin_id, end_id = (loaded.tokenizer.token_to_id(mark) for mark in (marks.prefix, marks.suffix))
    found = []
    for prompt in request.prompts:
        if not isinstance(prompt, str):
            raise InvalidRequestError("suffix needs prompts that are texts, not token ids", param="suffix")
        ids = loaded.encode_prompt(marks.prompt(prompt, request.suffix), True, "prompt")
        begin = ids.index(begin_id) + 1
        found.append(
            EncodedPrompt(ids, prompt, begin, ids.index(end_id, begin)) if request.echo else EncodedPrompt(ids)
        )
    return found


@dataclass(frozen=True, slots=True)
class InfillMarks:
    """Fill-in-the-middle tokens: before the prefix, the suffix, and the answer."""

    prefix: str
    suffix: str
    middle: str

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> InfillMarks | None:
        """Return the first known marks that are tokens of the tokenizer; None without any."""
        return next((marks for marks in _KNOWN if marks._are_in(tokenizer)), None)

    def prompt(self, before: str, after: str) -> str:
        """Return the prompt that the middle continues."""
        return f"{self.prefix}{before}{self.suffix}{after}{self.middle}"

    def _are_in(self, tokenizer: Tokenizer) -> bool:
        return all(tokenizer.token_to_id(mark) is not None for mark in (self.prefix, self.suffix, self.middle))


_KNOWN = (
    InfillMarks("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"),
    InfillMarks("<fim_prefix>", "<fim_suffix>", "<fim_middle>"),
    InfillMarks("<fim-prefix>", "<fim-suffix>", "<fim-middle>"),
    InfillMarks("<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"),
)
"""Marks of Qwen, StarCoder, SantaCoder and DeepSeek."""
