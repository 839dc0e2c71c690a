"""Temporary adapters of the requests under way: one each, trained on the answer while it is written.

    answer     | every_tokens | every_tokens | ...
    adapter    | none         | trained once | trained twice
                              ^ the text waits here while a thread trains; other texts go on

Keys and values of the text before stay as they were computed. Each adapter has a slot of `Adapters`, after those of
adapters with a name, until its request ends.

See: Wang et al. 2024, "With Greater Text Comes Greater Necessity: Inference-Time Training Helps Long Text Generation".
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from secrets import token_hex

from gateway.engine.adaptation.plain_llama import PlainLlama
from gateway.engine.adaptation.trainer import Trainer
from gateway.engine.adapters import Adapters
from gateway.engine.config import EngineConfig
from gateway.engine.errors import AdaptationsFullError, InvalidEngineConfigError, InvalidSamplingError
from gateway.engine.kv_cache import KvCache
from gateway.engine.models.base import Decoder
from gateway.engine.models.fast_llama import FastLlamaDecoder
from gateway.engine.output_collector import OutputCollector
from gateway.engine.sequence import Sequence, Status

WAIT_S = 0.005
"""Pause of an engine whose texts all wait for a training."""


@dataclass(slots=True)
class _Adaptation:
    """Adapter of one text.

    Attributes:
        slot: Its place among the adapters.
        read: Tokens of the text up to the end of the piece that it was trained on last; at first of the prompt.
        training: The training under way, for which the text waits.
    """

    sequence: Sequence
    every_tokens: int
    slot: int
    trainer: Trainer
    read: int
    training: Future[None] | None = None


class Adaptations:
    """Temporary adapters of an engine. All but the trainings is for the engine's thread."""

    def __init__(self, decoder: Decoder, adapters: Adapters, config: EngineConfig) -> None:
        """Adaptations of a model, or none where `max_adaptations` is 0.

        Raises:
            InvalidEngineConfigError: Another decoder than the lean one computes the model.
        """
        self._adapters, self._config = adapters, config
        self._going: list[_Adaptation] = []
        self._threads = ThreadPoolExecutor(1, "adaptation")  # starts with the first training
        if not config.max_adaptations:
            return
        if not isinstance(decoder, FastLlamaDecoder):
            raise InvalidEngineConfigError("max_adaptations needs a model that the decoder 'lean' computes")
        self._model = PlainLlama(decoder)

    def assign(self, sequence: Sequence, outputs: OutputCollector) -> None:
        """Reserve the adapter of a new text that asks for one, which has its LoRA adapter already.

        Raises:
            InvalidSamplingError: It cannot have one.
            AdaptationsFullError: As many texts have one as may.
        """
        rule, most = sequence.sampling.adaptation, self._config.max_adaptations
        if rule is None:
            return
        for cannot, name, message in (
            (most == 0, "adapt_every_tokens", "is not served: engine.max_adaptations is 0"),
            (bool(sequence.companions), "adapt_every_tokens", "is not served together with guidance or arithmetic"),
            (sequence.pool is not None, "adapt_every_tokens", "is not served for vectors"),
            (rule.rank > self._config.max_adapter_rank, "adapt_rank", "is above engine.max_adapter_rank"),
        ):
            if cannot:
                raise InvalidSamplingError(name, message)
        self.release(outputs)
        free = set(range(most)).difference(each.slot - self._config.max_adapters for each in self._going)
        if not free:
            raise AdaptationsFullError(most)
        fixed = self._adapters.pairs_of(sequence.adapter)
        trainer = Trainer(self._model, self._adapters.shapes, rule.rank, rule.learning_rate, fixed)
        slot = self._config.max_adapters + min(free)
        self._going.append(_Adaptation(sequence, rule.every_tokens, slot, trainer, sequence.num_prompt_tokens))

    def advance(self, outputs: OutputCollector, cache: KvCache) -> None:
        """Begin the trainings that are due, and use the results of those that are done. Call it between two steps."""
        self.release(outputs)
        for each in self._going:
            try:
                if each.training is None and self._is_due(each):
                    self._begin(each, cache)
                elif each.training is not None and each.training.done():
                    self._use(each)
            except InvalidSamplingError as fault:
                outputs.fail(each.sequence, fault)
            except Exception as error:
                outputs.fail_step([each.sequence], error)

    def wait(self) -> None:
        """Wait a moment for the trainings under way, if there are any."""
        wait([each.training for each in self._going if each.training is not None], WAIT_S, "FIRST_COMPLETED")

    def release(self, outputs: OutputCollector) -> None:
        """Drop the adapters of texts that have ended."""
        for each in list(self._going):
            if outputs.sequences.get(each.sequence.request_id) is not each.sequence:
                each.trainer.stopped.set()
                self._adapters.clear(each.slot)
                self._going.remove(each)

    def close(self) -> None:
        """End the thread, after the training under way."""
        for each in self._going:
            each.trainer.stopped.set()
        self._threads.shutdown()

    def _is_due(self, each: _Adaptation) -> bool:
        sequence = each.sequence
        is_decoding = sequence.status is Status.RUNNING and sequence.num_pending == 1
        has_time = each.trainer.spent_s < self._config.max_adaptation_s
        return is_decoding and has_time and len(sequence.token_ids) - each.read >= each.every_tokens

    def _begin(self, each: _Adaptation, cache: KvCache) -> None:
        """Train on the tokens since the last training, in a thread; the keys and values before them are copied."""
        sequence = each.sequence
        start = each.read - 1  # the first new token is foretold by the one before it
        past = self._model.past(cache, sequence, start)
        tokens = sequence.token_ids[start:]
        each.read, sequence.is_paused = len(sequence.token_ids), True
        each.training = self._threads.submit(each.trainer.train, tokens, start, past)

    def _use(self, each: _Adaptation) -> None:
        """Compute the rest of the text with what the training has brought."""
        sequence, training, each.training = each.sequence, each.training, None
        assert training is not None
        training.result()
        if not each.trainer.is_finite:  # 0 * nan would be nan for the rows of others
            raise InvalidSamplingError("adapt_learning_rate", "is too large: the adapter is no number any more")
        self._adapters.put(each.slot, each.trainer.whole)
        sequence.adapter, sequence.is_paused = each.slot, False
        # What is computed from here on is of no use to other texts, of other processes too, nor to this one after its
        # next training.
        sequence.salt = f"\0adapted {token_hex(16)}\0{sequence.request.cache_salt}"
        sequence.block_hashes = []
