"""Judging by the served model: policies' questions about texts, run in its own engine with the request's context."""

from __future__ import annotations

import asyncio
import math
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256

from gateway.core.decisions import DecisionRequest, LabelQuestion, label_question
from gateway.core.labels import YES_NO, letters
from gateway.errors import ConfigError, DeadlineExceededError, GatewayError, InvalidRequestError, NotReadyError
from gateway.guards import JudgeError, Question, Said
from gateway.service.decisions.decision_scorer import DecisionScorer
from gateway.service.model.loaded import LoadedModel
from gateway.service.request.context import RequestContext
from gateway.service.request.tokenizing import TokenizerThreads

MAX_KEPT = 4096
"""Probabilities; each turn of a conversation brings all that came before it again."""
QUOTE = "> "
"""Stands before each line of a text that is asked about."""
GAP = f"\n{QUOTE}[...]\n{QUOTE}"
"""Stands for what was cut."""
TOGETHER = 32
"""Texts that are asked about together: the queue has room for other requests, and what was told of these is kept."""
_LINE_END = re.compile("\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
"""What somebody may read as the end of a line."""
_SLACK = 32
"""Tokens that a text may have more, once what is left of it and what stands around that are read together."""


class JudgeModel:
    """Judge by the served model, with a cache of recent results. For one event loop."""

    def __init__(self, loaded: LoadedModel, decider: DecisionScorer, tokenizer_threads: TokenizerThreads) -> None:
        self._loaded = loaded
        self._decision_scorer = decider
        self._tokenizer_threads = tokenizer_threads
        self._lately: OrderedDict[bytes, float] = OrderedDict()

    @cached_property
    def _marks(self) -> re.Pattern[str]:
        """Return a pattern of the model's marker tokens, longest first; without markers it matches nothing."""
        ends = map(self._loaded.special_name, self._loaded.engine.eos_token_ids)
        names = {*ends, *(name for name, _ in self._loaded.vocabulary.special_tokens)} - {""}
        return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))) or r"(?!)")

    def check(self, questions: Iterable[Question]) -> None:
        """Return if the model can answer all these questions.

        Raises:
            ConfigError: It can never answer one of them; the message says why.
        """
        for each in questions:
            asked = _asked(each, [])
            try:
                self._decision_scorer.trees((asked,))
            except InvalidRequestError as error:
                raise ConfigError(f"the verification {each.text!r} cannot be asked of this model: {error}") from error
            size, most = len(self._loaded.encode(asked.text, add_special_tokens=False)), self._loaded.served.max_context
            if size + _SLACK > most:
                raise ConfigError(
                    f"the verification {each.text[:100]!r} takes {size} tokens; the model's context has {most}"
                )

    async def probabilities(
        self, question: Question, texts: Sequence[str], said: Said | None, where: str, context: RequestContext
    ) -> list[float]:
        """Return the probability of a finding in each text, among the question's labels.

        Raises:
            JudgeError: The model does not answer in time, or cannot answer.
            GatewayError: The request that the texts belong to has ended.
        """
        context = replace(context, adapter=None)
        try:
            async with asyncio.timeout(question.timeout_s) as scope:
                asked = [await self._fitted(question, text, said, where, context) for text in texts]
                return await self._told(question, asked, context)
        except TimeoutError:
            if not scope.expired():
                raise
            raise JudgeError("the texts take too long") from None
        except (DeadlineExceededError, NotReadyError):
            raise
        except GatewayError as error:
            raise JudgeError(error.message) from error

    async def _told(self, question: Question, asked: Sequence[LabelQuestion], context: RequestContext) -> list[float]:
        keys = [sha256(f"{context.cache_salt}\0{question!r}\0{each.text}".encode()).digest() for each in asked]
        told = {key: self._lately[key] for key in keys if key in self._lately}
        self._keep(told)
        new = list({key: each for key, each in zip(keys, asked, strict=True) if key not in told}.items())
        for begin in range(0, len(new), TOGETHER):
            some = dict(new[begin : begin + TOGETHER])
            weights = await self._decision_scorer.weigh(DecisionRequest(questions=tuple(some.values())), context)
            likely = [math.fsum(each.probabilities[place] for place in question.found) for each in weights]
            told |= zip(some, likely, strict=True)
            self._keep(dict(zip(some, likely, strict=True)))
        return [told[key] for key in keys]

    def _keep(self, told: Mapping[bytes, float]) -> None:
        for key, probability in told.items():
            self._lately[key] = probability
            self._lately.move_to_end(key)
        while len(self._lately) > MAX_KEPT:
            self._lately.popitem(last=False)

    async def _fitted(
        self, question: Question, text: str, said: Said | None, where: str, context: RequestContext
    ) -> LabelQuestion:
        """Return the question about a text, which is cut to fit where the rule allows it."""
        is_answer = where != "input"
        parts = [("The answer" if is_answer else "The prompt", text)]
        if is_answer and said is not None and question.with_prompt:
            parts.insert(0, ("The prompt", said.user))
        room = None
        if question.is_cut:
            around = await self._decision_scorer.num_tokens(
                _asked(question, [(name, "") for name, _ in parts]), context
            )
            room = self._loaded.served.max_context - _SLACK - around
        size = sum(len(text) for _, text in parts)
        return await self._tokenizer_threads.read(lambda: self._written(question, parts, room), size, context.tenant)

    def _written(self, question: Question, parts: Sequence[tuple[str, str]], room: int | None) -> LabelQuestion:
        """Return the question about texts of at most `most` tokens each: whole, or their beginning and end."""
        texts = [self._quoted(text) for _, text in parts]
        if room is None:
            return _asked(question, [(name, text) for (name, _), text in zip(parts, texts, strict=True)])
        bound = self._loaded.max_prompt_characters
        if bound is not None:
            texts = [text if len(text) <= 2 * bound else text[:bound] + text[-bound:] for text in texts]
        read = [self._loaded.encode(text, add_special_tokens=False) for text in texts]
        left = []
        for place, (text, ids) in enumerate(zip(texts, read, strict=True)):
            # The last text gets half of the room, or less if it is shorter; the others share the rest.
            most = max(room - len(read[-1]), room // 2) if place < len(read) - 1 else room
            left.append(text if len(ids) <= most else self._ends(ids, most))
            room -= min(len(ids), most)
        return _asked(question, [(name, text) for (name, _), text in zip(parts, left, strict=True)])

    def _ends(self, ids: Sequence[int], most: int) -> str:
        half = max(most // 2, 1)
        return self._loaded.decode(ids[:half]) + GAP + self._loaded.decode(ids[-half:])

    def _quoted(self, text: str) -> str:
        """Return the text as a quotation that it cannot end: every line prefixed, the model's marker tokens removed."""
        text = text.encode("utf-8", "replace").decode()  # lone surrogates, as escapes write them
        text = self._marks.sub(_broken, text)
        return QUOTE + _LINE_END.sub(lambda found: found[0] + QUOTE, text)


def _broken(found: re.Match[str]) -> str:
    name = found[0]
    return f"{name[0]} {name[1:]}" if len(name) > 1 else " "


def _asked(question: Question, parts: Sequence[tuple[str, str]]) -> LabelQuestion:
    """Return the question with labels other than `yes` and `no` replaced by letters."""
    about, labels = "\n\n".join(f"{name}:\n{text}" for name, text in parts), question.labels
    if labels == YES_NO:
        return label_question(about, question.text, ("", ""), YES_NO, "the question")
    return label_question(about, question.text, labels, letters(len(labels)), "the question")
