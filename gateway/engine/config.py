"""Settings of an engine, and of the supervisor of its process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from gateway.engine.companions import DRAFT
from gateway.engine.errors import InvalidEngineConfigError
from gateway.setting_types import Count, CountOrZero, Device, NamedPath, Seconds, SecondsOrZero, Text, check_fields

MIB = 1 << 20
MOST_KV_BYTES = 512 * MIB
Source = Literal["forced", "ngram", "model"]
"""Of drafts."""
ROWS_AND_TOKENS = {"cpu": (32, 512), "cuda": (256, 8192)}
"""`max_num_seqs` and `max_batch_tokens` where none are named, by kind of device."""

STABLE_S = 60.0
"""A process that served this long did not die of its start: its death counts as the first."""
FIRST_DELAY_S = 0.5
MAX_DELAY_S = 30.0
MAX_DELAY_OF_ANSWERING_S = 1.0
"""A process that emitted tokens can serve, so its successor is likely to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """Sizes and devices of one engine.

    Attributes:
        max_num_seqs: Sequences that decode together; each costs one row of every step. 0: 32, on CUDA 256.
        max_batch_tokens: Tokens of one step, prefill chunks and decodes together. Larger: prompts finish sooner;
            smaller: running requests stall less while a long prompt is read. 0: 512, on CUDA 8,192.
        max_model_len: Longest prompt plus answer, in tokens. None: the model's own. Reduced to what the key/value
            blocks can hold.
        block_size: Tokens of one key/value block; also the granularity of prefix sharing. Rounded up to what the
            attention backend reads, a multiple of 256 for "flash"; `num_blocks` shrinks in proportion.
        num_blocks: Key/value blocks. None: as many as `kv_memory_bytes` holds.
        kv_memory_bytes: Memory for the key/value blocks of all layers, where `num_blocks` is None. None: enough for
            `max_num_seqs` sequences of half the longest length, at most 512 MiB; on CUDA nine tenths of what the
            largest step leaves free. Unused blocks keep prefixes.
        kv_offload_bytes: Host memory for keys and values of prefixes that the blocks have no more room for; they are
            copied back instead of computed again. 0: none. On CUDA it is pinned.
        kv_offload_file: File of one engine that keeps them over a restart; needs `kv_offload_bytes`, which they pass
            through. It holds the users' texts in a form that can be read. None: none.
        kv_offload_file_bytes: Largest size of that file.
        max_waiting: Sequences that may queue beyond the running ones; further ones are refused as overloaded.
        max_waiting_per_tenant: The same for each API key, so that none fills the queue alone. None: half of
            `max_waiting`.
        prefix_caching: Keep finished blocks for later requests that begin alike. Costs one hash per block.
        device: Device of torch; "auto": CUDA if there is one, else the CPU.
        dtype: Compute type. "auto": the checkpoint's own on an accelerator; on a CPU bfloat16 where it has
            instructions for it (AMX, avx512_bf16), else float32.
        quantization: Weights and activations in eight bits: "int8" (one scale an output and a row; CPU only) or "fp8"
            (e4m3; GPUs from Ada and Hopper on, slow on a CPU). Half of bfloat16's memory; each product is off by about
            1 % (fp8: 4 %) instead of 0.3 %.
        kv_cache_dtype: Type of the key/value cache. "auto": the compute type; "fp8" (e4m3): half of bfloat16's memory,
            4 % off at most above 1/64, for attention "triton" and "sdpa"; on a CPU slower than "compiled".
        decoder: "lean" (the Llama family), "transformers" (its classes, all texts in a row), "one_by_one" (each text by
            itself: slow), or "auto": the first that computes the model correctly.
        attention_backend: "triton" (NVIDIA GPUs from Ampere on), "flash" (flash-attn, on CUDA), "compiled" (decode rows
            in one thread of a CPU), "sdpa" (torch's own over gathered pages, everywhere), or "auto": the first that can
            serve the model here and passes a numeric check at load.
        sparse_attention_tokens: Tokens that a token of an answer attends to at most, in the blocks of its text that
            matter most to it; on a CPU, with attention "compiled". Answers of longer texts are approximate, and faster.
            In whole blocks, at least four. 0: all.
        overlap_masks: Fill token masks in a second thread while the model computes, whenever they are slow.
        run_ahead: Start a step before the tokens of the previous one are known, where no drafts are worth more: a
            device computes while the host is busy. None: on CUDA.
        speculation: Sources of drafts: "forced" (tokens that a constraint leaves no choice about), "ngram" (what
            followed the same tokens before, in prompt and answer), "model" (`draft_model`). Empty: no drafts. None: all
            that there are. Answers are the same with and without.
        max_draft_tokens: Most tokens drafted for one request in one step. Each costs a row; the number that pays is
            measured for each request.
        draft_model: Folder or hub name of a smaller model with the same tokens, for "model". None: the sibling of the
            model that ships with this package where that one is served, else none. Its keys and values come out of
            `kv_memory_bytes` too. Pays where the target takes several times as long.
        term_models: Models that requests may name in terms of `logit_arithmetic`, `NAME=FOLDER` each, or a hub name, of
            the same tokens. Each is loaded at the start, and its keys and values come out of `kv_memory_bytes` too. A
            draft model is one of them, named `draft`, without being listed.
        term_classifiers: Classifiers that `classifier(NAME)` in a formula may name, `NAME=FOLDER:CLASS` each: a folder
            of transformers' classifiers of texts, and the class whose log-probability is added. Each token of an answer
            that uses one costs a pass over ten texts, for which all answers wait.
        max_adapters: LoRA adapters that may be loaded at a time. 0: as many as the settings name, at least 8 where
            clients may load others. On CUDA memory for as many of the largest rank is set aside.
        max_adapter_rank: Largest rank of an adapter.
        num_threads: CPU threads of the forward pass. None: torch's own number, less `spare_threads`.
        spare_threads: Cores left to others: an operation waits for the slowest of its threads.
        check_model: Compare the paged forward pass with the stock model on a few tokens at load. Costs a few passes;
            refuses an architecture that would be computed wrongly.
        max_adaptations: Requests whose answers may adapt the model at a time (`adapt_every_tokens`). 0: none. Needs the
            decoder "lean", and memory for a second copy of the weights in the compute type.
        max_adaptation_s: Seconds of training for one request, after which its adapter stays as it is.
    """

    max_num_seqs: CountOrZero = 0
    max_batch_tokens: CountOrZero = 0
    max_model_len: Count | None = None
    block_size: Count = 16
    num_blocks: Count | None = None
    kv_memory_bytes: Count | None = None
    kv_offload_bytes: CountOrZero = 0
    kv_offload_file: Text | None = None
    kv_offload_file_bytes: Count = 4 << 30
    max_waiting: Count = 256
    max_waiting_per_tenant: Count | None = None
    prefix_caching: bool = True
    device: Device = "auto"
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    quantization: Literal["none", "int8", "fp8"] = "none"
    kv_cache_dtype: Literal["auto", "fp8"] = "auto"
    decoder: Literal["auto", "lean", "transformers", "one_by_one"] = "auto"
    attention_backend: Literal["auto", "triton", "flash", "compiled", "sdpa"] = "auto"
    sparse_attention_tokens: CountOrZero = 0
    overlap_masks: bool = True
    run_ahead: bool | None = None
    speculation: tuple[Source, ...] | None = None
    max_draft_tokens: Count = 8
    draft_model: Text | None = None
    term_models: tuple[NamedPath, ...] = ()
    term_classifiers: tuple[NamedPath, ...] = ()
    max_adapters: CountOrZero = 0
    max_adapter_rank: Count = 64
    num_threads: Count | None = None
    spare_threads: CountOrZero = 0
    check_model: bool = True
    max_adaptations: CountOrZero = 0
    max_adaptation_s: Seconds = 60.0

    def __post_init__(self) -> None:
        _check(self)
        if 0 < self.max_batch_tokens < self.max_num_seqs:
            raise InvalidEngineConfigError(
                f"max_batch_tokens ({self.max_batch_tokens}) must be at least max_num_seqs ({self.max_num_seqs}): "
                "each running sequence takes a token of every step"
            )
        if self.kv_offload_file is not None and not self.kv_offload_bytes:
            raise InvalidEngineConfigError("kv_offload_file needs kv_offload_bytes: blocks pass through host memory")
        if self.quantization == "int8" and self.device not in ("auto", "cpu"):
            raise InvalidEngineConfigError(f"quantization int8 needs a CPU, and device is {self.device}")

    @property
    def sources(self) -> tuple[Source, ...]:
        """Sources of drafts: those named in `speculation`, else all that there are."""
        if self.speculation is not None:
            return self.speculation
        return ("forced", "ngram", "model") if self.draft_model is not None else ("forced", "ngram")

    @property
    def named_models(self) -> dict[str, str]:
        """Folders of the models that terms may name, by name, the draft model's among them."""
        drafts = {DRAFT: self.draft_model} if self.draft_model is not None and "model" in self.sources else {}
        return drafts | dict(each.split("=", 1) for each in self.term_models)

    @property
    def named_classifiers(self) -> dict[str, tuple[str, str]]:
        """Folders and classes of the classifiers that formulas may have, by name."""
        found = dict[str, tuple[str, str]]()
        for name, place in (each.split("=", 1) for each in self.term_classifiers):
            folder, _, label = place.rpartition(":")
            if not (folder and label) or name in found:
                raise InvalidEngineConfigError(f"term_classifiers: {name} is named twice, or not FOLDER:CLASS")
            found[name] = folder, label
        return found

    @property
    def least_num_seqs(self) -> int:
        """Sequences that decode together on any kind of device."""
        return self.on("cpu").max_num_seqs

    def on(self, device_type: str) -> EngineConfig:
        """Return the settings with the device's own sizes in place of 0."""
        rows, tokens = ROWS_AND_TOKENS.get(device_type, ROWS_AND_TOKENS["cpu"])
        return replace(
            self,
            max_num_seqs=self.max_num_seqs or min(rows, self.max_batch_tokens or tokens),
            max_batch_tokens=self.max_batch_tokens or max(tokens, self.max_num_seqs),
        )

    def count_blocks(self, slot_bytes: int, max_positions: int, spare_bytes: int | None = None) -> int:
        """Return the number of key/value blocks for a model.

        Args:
            slot_bytes: Size of one token's keys and values.
            max_positions: Longest sequence of the model.
            spare_bytes: Unused memory of the device; None: unknown.
        """
        if self.num_blocks is not None:
            return self.num_blocks
        longest = min(self.max_model_len or max_positions, max_positions)
        block_bytes = slot_bytes * self.block_size
        given = self.kv_memory_bytes or (MOST_KV_BYTES if spare_bytes is None else spare_bytes)
        num_blocks = given // block_bytes
        if num_blocks < 1:
            raise InvalidEngineConfigError(
                f"{given} bytes of memory for keys and values hold no block of {block_bytes}"
            )
        if self.kv_memory_bytes is not None:
            return num_blocks
        # One sequence may be as long as it can in any case.
        return min(num_blocks, -(-longest * max(self.max_num_seqs // 2, 1) // self.block_size))


def _check(settings: EngineConfig | Supervision) -> None:
    try:
        check_fields(settings)
    except ValueError as error:
        raise InvalidEngineConfigError(str(error)) from None


def tenant_share(max_waiting: int, max_waiting_per_tenant: int | None) -> int:
    """Requests of one tenant that may queue beyond the running ones."""
    return min(max_waiting_per_tenant or max(max_waiting // 2, 1), max_waiting)


@dataclass(frozen=True, slots=True, kw_only=True)
class Supervision:
    """Patience of the supervisor with the engine's process.

    Attributes:
        start_timeout_s: Longest time in which the process starts and loads the model.
        hang_timeout_s: Longest silence of its step loop, after which it is killed. Longer than the longest step.
        restart_wait_s: Time that a request waits for a process that is starting again (503 after that).
        max_restarts: Starts in a row after deaths within a minute, 0 for none; at one more death the server gives up
            and the command ends with a status that is not 0. None: no bound, with pauses that grow to half a minute, or
            to a second where the process answered before it died.
    """

    start_timeout_s: Seconds = 600.0
    hang_timeout_s: Seconds = 60.0
    restart_wait_s: SecondsOrZero = 15.0
    max_restarts: CountOrZero | None = None

    def __post_init__(self) -> None:
        _check(self)

    @property
    def beat_s(self) -> float:
        """Longest silence of a healthy step loop: several fit into `hang_timeout_s`."""
        return min(1.0, self.hang_timeout_s / 4)

    def pause_after(self, num_deaths: int, *, has_answered: bool) -> float | None:
        """Return the seconds to wait after `num_deaths` deaths in a row, 0 after the first; None: give up.

        Args:
            has_answered: The process that died last emitted a token.
        """
        if self.max_restarts is not None and num_deaths > self.max_restarts:
            return None
        most = MAX_DELAY_OF_ANSWERING_S if has_answered else MAX_DELAY_S
        return min(most, FIRST_DELAY_S * 2.0 ** min(num_deaths - 2, 30)) if num_deaths > 1 else 0.0
