"""Sizes of an engine, and timeouts of its process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args, get_type_hints

from gateway.engine.errors import InvalidEngineConfigError

MIB = 1 << 20
MOST_KV_BYTES = 512 * MIB
SOURCES = ("forced", "ngram", "model")
ROWS_AND_TOKENS = {"cpu": (32, 512), "cuda": (256, 8192)}
"""`max_num_seqs` and `max_batch_tokens` where none are named, by kind of device."""

STABLE_S = 60.0
"""A worker that served this long did not die of its start, so its death counts as the first."""
FIRST_DELAY_S = 0.5
MAX_DELAY_S = 30.0
MAX_DELAY_OF_ANSWERING_S = 1.0
"""A worker that gave out tokens can serve, so the next one is retried soon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """Sizes and devices of one engine.

    Attributes:
        max_num_seqs: Requests that decode together. Each costs one row of every step. 0: 32, on CUDA 256.
        max_batch_tokens: Tokens of one step, prefill chunks and decodes together. Larger: prompts finish sooner;
            smaller: running requests stall less while a long prompt is read. 0: 512, on CUDA 8,192.
        max_model_len: Longest prompt plus answer, in tokens. None: what the model was made for. Reduced to what the
            key/value blocks can hold.
        block_size: Tokens of one key/value block; also the granularity of prefix sharing. Rounded up to what the
            attention backend reads, a multiple of 256 for "flash"; `num_blocks` shrinks in proportion.
        num_blocks: Key/value blocks. None: as many as `kv_memory_bytes` holds.
        kv_memory_bytes: Memory for the key/value blocks, all layers together, when `num_blocks` is None. None: what
            `max_num_seqs` sequences fill that are half as long as they may be, at most 512 MiB, on CUDA nine tenths of
            what the largest step leaves free. Unused blocks keep prefixes.
        max_waiting: Requests that may queue beyond the running ones; more are refused.
        max_waiting_per_tenant: The same of each tenant that has a name, so that none fills the queue alone. None: half
            of `max_waiting`.
        prefix_caching: Keep finished blocks for later requests that begin alike. Costs one hash per block.
        device: "auto" (CUDA if there is one), "cpu", "cuda", "cuda:1", ...
        dtype: Compute type. "auto": on a CPU bfloat16 where it has instructions for it (AMX, avx512_bf16), else
            float32; on an accelerator the checkpoint's own.
        quantization: "none"; "int8": weights in eight bits, one scale an output, and activations in eight bits, one
            scale a row, on a CPU; or "fp8": the same in floats of eight bits (e4m3), on GPUs from Ada and Hopper on,
            and slowly on a CPU. Half of bfloat16's memory; each product is off by about 1 % (fp8: 4 %) instead of
            0.3 %.
        kv_cache_dtype: What keys and values are kept in. "auto": the compute type; "fp8": floats of eight bits (e4m3),
            half of bfloat16's memory, 4 % off at most above 1/64. Attention "triton" and "sdpa" can read them; on a CPU
            it is slower than "compiled".
        decoder: "lean" (the Llama family), "transformers" (its classes, all texts in a row), "one_by_one" (each text by
            itself: slow), or "auto": the first of them that computes the model rightly.
        attention_backend: "triton" (a kernel of ours, on an NVIDIA GPU from Ampere on), "flash" (flash-attn, on CUDA),
            "compiled" (decode rows in one thread of a CPU), "sdpa" (torch's own over gathered pages, everywhere), or
            "auto": the first of them that can serve the model here, and whose numbers are right when it is tried at
            load.
        overlap_masks: Fill token masks in a second thread while the model computes, whenever they are slow.
        run_ahead: Start a step before the tokens of the one before it are known, where no drafts are worth more: a
            device computes while the host is busy. None: on CUDA.
        speculation: Where drafts come from, see `speculation`: "forced" (what a constraint leaves no choice about),
            "ngram" (what followed the same tokens before, in prompt and answer), "model" (`draft_model`). Empty: no
            drafts. Answers are the same with and without.
        max_draft_tokens: Most tokens drafted for one request in one step. Each costs a row; how many of them are worth
            it is found out for each request.
        draft_model: Folder or hub name of a smaller model with the same tokens, for "model". None: there is none. Its
            keys and values come out of `kv_memory_bytes` too. Pays where the target takes several times as long.
        num_threads: Threads of torch's CPU kernels, for the whole process. None: torch's own number, less
            `spare_threads`.
        spare_threads: Cores left to others: an operation waits for the slowest of its threads.
        check_model: Compare the paged forward pass with the stock model on a few tokens at load. Costs a few passes;
            refuses an architecture that would be computed wrongly.
    """

    max_num_seqs: int = 0
    max_batch_tokens: int = 0
    max_model_len: int | None = None
    block_size: int = 16
    num_blocks: int | None = None
    kv_memory_bytes: int | None = None
    max_waiting: int = 256
    max_waiting_per_tenant: int | None = None
    prefix_caching: bool = True
    device: str = "auto"
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    quantization: Literal["none", "int8", "fp8"] = "none"
    kv_cache_dtype: Literal["auto", "fp8"] = "auto"
    decoder: Literal["auto", "lean", "transformers", "one_by_one"] = "auto"
    attention_backend: Literal["auto", "triton", "flash", "compiled", "sdpa"] = "auto"
    overlap_masks: bool = True
    run_ahead: bool | None = None
    speculation: tuple[str, ...] = ("forced", "ngram")
    max_draft_tokens: int = 8
    draft_model: str | None = None
    num_threads: int | None = None
    spare_threads: int = 0
    check_model: bool = True

    def __post_init__(self) -> None:
        positive = ("block_size", "max_waiting", "max_draft_tokens")
        for name in ("max_num_seqs", "max_batch_tokens"):
            if getattr(self, name) < 0:
                raise InvalidEngineConfigError(f"{name} must be at least 1, or 0, not {getattr(self, name)}")
        optional = ("max_model_len", "num_blocks", "kv_memory_bytes", "num_threads", "max_waiting_per_tenant")
        for name in positive + tuple(name for name in optional if getattr(self, name) is not None):
            if getattr(self, name) < 1:
                raise InvalidEngineConfigError(f"{name} must be at least 1, not {getattr(self, name)}")
        if 0 < self.max_batch_tokens < self.max_num_seqs:
            raise InvalidEngineConfigError(
                f"max_batch_tokens ({self.max_batch_tokens}) must be at least max_num_seqs ({self.max_num_seqs}), "
                "or running requests would starve"
            )
        choices = get_type_hints(EngineConfig)
        for name in ("dtype", "quantization", "kv_cache_dtype", "decoder", "attention_backend"):
            if getattr(self, name) not in get_args(choices[name]):
                raise InvalidEngineConfigError(f"{name} {getattr(self, name)!r} is not known")
        unknown = sorted(set(self.speculation).difference(SOURCES))
        if unknown:
            raise InvalidEngineConfigError(f"speculation {unknown[0]!r} is not known; sources are {', '.join(SOURCES)}")

    def on(self, device_type: str) -> EngineConfig:
        """With numbers that suit this kind of device where none are named."""
        rows, tokens = ROWS_AND_TOKENS.get(device_type, ROWS_AND_TOKENS["cpu"])
        return replace(
            self,
            max_num_seqs=self.max_num_seqs or min(rows, self.max_batch_tokens or tokens),
            max_batch_tokens=self.max_batch_tokens or max(tokens, self.max_num_seqs),
        )

    def count_blocks(self, slot_bytes: int, max_positions: int, spare_bytes: int | None = None) -> int:
        """Return the number of key/value blocks for a model with this many bytes a token, in sequences of at most
        `max_positions`.

        Args:
            spare_bytes: Of the device, that nothing else needs; None: it is not known.
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


def tenant_share(max_waiting: int, max_waiting_per_tenant: int | None) -> int:
    """Requests of one tenant that may queue beyond the running ones."""
    return min(max_waiting_per_tenant or max(max_waiting // 2, 1), max_waiting)


@dataclass(frozen=True, slots=True, kw_only=True)
class Supervision:
    """Timeouts and limits of the supervisor, in seconds.

    Attributes:
        start_timeout_s: For the process to come up and load the model.
        hang_timeout_s: Without a sign from its step loop: then it is ended. Longer than the longest step.
        restart_wait_s: That a request waits for a process that is starting again.
        max_restarts: Starts in a row of a process that dies soon; then it is given up. None: never, with pauses that
            grow up to `MAX_DELAY_S`, or `MAX_DELAY_OF_ANSWERING_S` while it answers before it dies.
    """

    start_timeout_s: float = 600.0
    hang_timeout_s: float = 60.0
    restart_wait_s: float = 15.0
    max_restarts: int | None = None

    def __post_init__(self) -> None:
        for name in ("start_timeout_s", "hang_timeout_s"):
            if getattr(self, name) <= 0:
                raise InvalidEngineConfigError(f"{name} must be positive, not {getattr(self, name)}")

    @property
    def beat_s(self) -> float:
        """Longest silence of a step loop that turns: several fit into the time that is taken for a hang."""
        return min(1.0, self.hang_timeout_s / 4)

    def pause_after(self, num_deaths: int, *, has_answered: bool) -> float | None:
        """Return the seconds to wait after this many deaths in a row; 0 after the first, None: no further restart.

        Args:
            has_answered: Whether the process that died last gave out any token.
        """
        if self.max_restarts is not None and num_deaths > self.max_restarts:
            return None
        most = MAX_DELAY_OF_ANSWERING_S if has_answered else MAX_DELAY_S
        return min(most, FIRST_DELAY_S * 2.0 ** min(num_deaths - 2, 30)) if num_deaths > 1 else 0.0
