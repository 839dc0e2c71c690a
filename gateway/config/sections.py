"""What can be set: frozen dataclasses, one per concern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin, get_type_hints

from gateway.errors import ConfigError

GRACEFUL_S = 30.0
"""For answers under way at shutdown, where nothing says how long they may take."""


def either(names: Sequence[str]) -> str:
    """The names as alternatives: `a, b or c`."""
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _check_choices(section: Any) -> None:
    """Raise unless what is one of several names is one of them, for settings that no file or flag went through."""
    for name, hint in get_type_hints(type(section)).items():
        if get_origin(hint) is Literal and getattr(section, name) not in get_args(hint):
            what = f"{type(section).__name__.removesuffix('Config').lower()}.{name}"
            raise ConfigError(f"{what} must be {either(get_args(hint))}, not {getattr(section, name)!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """Where and for whom the server listens.

    Attributes:
        host: Address to bind.
        port: TCP port; 0 takes a free one.
        api_keys: Keys that are let in; none given lets everyone in.
        api_key_file: File of further ones, one a line. Unlike a flag, no list of processes shows them.
        allowed_hosts: Names that a server which listens on this machine alone, without keys, answers to beside the
            machine's own. Behind a proxy that hands on the name it was asked by, that name.
        max_header_bytes: Longest headers of a request, its address and trailers included (431 beyond).
        max_headers: Most headers of a request, trailers included; those are read and left out.
        headers_timeout_s: Seconds for the headers of a request to come (408 beyond).
        body_timeout_s: Seconds for its body.
        max_unfinished_bytes: Bodies that have begun and are not whole, of all clients together; beyond it those of more
            than 64 KiB are refused (503).
        write_timeout_s: Seconds in which a client takes something of what is written to it; else its connection ends,
            and with it what it asked for.
        keep_alive_timeout_s: Seconds that a connection stays open after an answer. Longer than clients and proxies keep
            theirs: or else they send on one that is just being closed.
        max_connections: Clients that may be connected; for a further one the connection is closed that waits longest
            for a next request, or, where all are in use, what it asks is answered with 503.
        graceful_timeout_s: Seconds that answers under way get at shutdown. None: `limits.request_timeout_s`, so that
            none is cut, and 30 without that. Who stops the server is to wait 15 s longer before it kills it.
        policies: File of policies that screen prompts and answers (see gateway/guards/policy.py); None screens nothing.
        traces: Send a span of OpenTelemetry for each request to a collector, where and how the environment's `OTEL_*`
            say (OTLP over HTTP; else to port 4318 of this machine). Needs the extra `otel`.
        ping_interval_s: Seconds of silence in a stream before a comment line keeps the connection alive; 0: never.
        special_tokens_in_text: What markers of the chat template are in what clients send (`<|im_end|>` in a message, a
            tool's result or a description): `text`, so that nobody forges a turn, or `special` tokens, as in the
            template. Prompts of completions are read as they stand, whichever is set.
        unserved: What becomes of requests for what only other servers have (context edits, tools that run there, images
            for a model that reads text, thoughts of one that has none). `ignore`: they are served without it, and told
            in the header `x-portcullis-ignored`. `refuse`: 400. What a request asks of its answer's shape is held to or
            refused, whichever is set.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    api_keys: tuple[str, ...] = field(default=(), repr=False)
    api_key_file: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    max_header_bytes: int = 64 * 1024
    max_headers: int = 128
    headers_timeout_s: float = 15.0
    body_timeout_s: float = 120.0
    max_unfinished_bytes: int = 256 * 1024 * 1024
    write_timeout_s: float = 60.0
    keep_alive_timeout_s: float = 75.0
    max_connections: int = 4096
    graceful_timeout_s: float | None = None
    policies: str | None = None
    traces: bool = False
    ping_interval_s: float = 15.0
    special_tokens_in_text: Literal["text", "special"] = "text"
    unserved: Literal["ignore", "refuse"] = "ignore"

    @property
    def tick_s(self) -> float | None:
        """The same, None for never."""
        return self.ping_interval_s or None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """Which model is served, under which names.

    Attributes:
        path: Folder, GGUF file, name of a model that an installed package offers, or hub name; None serves the model
            that ships with this package.
        name: Name on the wire; None takes the last part of the path.
        aliases: Further names that clients may use for it.
        any_name: Requests are served whatever name they have for it: for clients that cannot be told another.
        tool_format: Name of the tool-call format, or of a TOML file that tells of one; None detects it from the chat
            template, and where it is of no known family takes `generic`, of which the model is told in words.
        reasoning_format: Name of the way to mark reasoning; `auto` detects it from the chat template, `none` takes
            whatever the model writes for its answer.
        tool_weighing: Whether a tool is called, and which, is decided by how likely the user's words are, told what
            each tool does, instead of by what the model would write: for small models, which seldom call by
            themselves. An answer has then at most one call. Costs a short prompt for each tool; of more than 32 the
            model chooses itself. `auto` does so where the format asks for it: SmolLM2's.
        schema_telling: Whether the model is told the schema that its answer is held to, in a few words and behind two
            examples, where its chat template does not tell it; tokens of the user's last message are then favoured.
            `auto` does so where the format asks for it: SmolLM2's.
        use_generation_config: Where a request does not say, temperature, `top_p`, `top_k`, `min_p` and
            `repetition_penalty` are those of the model's `generation_config.json`; otherwise they are neutral.
    """

    path: str | None = None
    name: str | None = None
    aliases: tuple[str, ...] = ()
    any_name: bool = False
    tool_format: str | None = None
    reasoning_format: str = "auto"
    tool_weighing: Literal["auto", "on", "off"] = "auto"
    schema_telling: Literal["auto", "on", "off"] = "auto"
    use_generation_config: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """How much the engine takes on; handed to it field by field.

    Attributes:
        max_num_seqs: Sequences that decode together; None takes 32, on an NVIDIA GPU 256.
        max_batch_tokens: Tokens in one forward pass; long prompts are cut into chunks of this size. None takes 512, on
            an NVIDIA GPU 8,192.
        max_model_len: Tokens of prompt and answer together; None takes the model's own.
        num_blocks: KV-cache blocks; None takes as many as `kv_memory_bytes` holds.
        kv_memory_bytes: Memory for the KV cache; None takes what `max_num_seqs` sequences fill that are half as long as
            they may be, at most 512 MiB, on an NVIDIA GPU nine tenths of what the largest step leaves free.
        max_waiting: Sequences that may wait; one more is refused as overloaded.
        max_waiting_per_tenant: The same for each API key, where there are any; None takes half of `max_waiting`.
        prefix_caching: Keep the KV cache of prompts for later ones that begin alike.
        device: `cpu`, or `cuda`, `mps` or `xpu`, with a number (`cuda:1`) or without; `auto` takes a GPU where there is
            one.
        dtype: Compute type; `auto` is the checkpoint's own on a GPU, on a CPU bfloat16 where it is fast, else float32.
        quantization: `none`, `int8` (a CPU only) or `fp8` (a GPU from Ada or Hopper on; slow on a CPU): half of
            bfloat16's memory, a little less exact.
        kv_cache_dtype: What keys and values are kept in: `auto`, the compute type, or `fp8`, half of bfloat16's memory,
            a little less exact; on a CPU slower.
        decoder: `lean` (the Llama family), `transformers` (its classes), `one_by_one` (each text by itself: slow), or
            `auto`: the first of them that computes the model rightly.
        attention_backend: `auto`, `triton` (an NVIDIA GPU), `flash` (flash-attn, on a GPU), `compiled` (a CPU with few
            threads) or `sdpa`.
        run_ahead: Start a step before the tokens of the one before it are known, wherever drafts do not bring more;
            None does so on an NVIDIA GPU.
        speculation: Where drafts of several tokens come from: `forced`, `ngram`, `model`; empty: nowhere; None: all
            three, `model` where there is a draft model. Answers are the same with and without; which ones pay is found
            out for each request.
        max_draft_tokens: Most tokens drafted for one request in one step.
        draft_model: Folder or hub name of a smaller model with the same tokens, for `model`; None takes the sibling of
            the model that ships with the package, where that one is served.
        num_threads: CPU threads of the forward pass; None: torch's own number, less one that the server needs where the
            engine has a process of its own.
    """

    max_num_seqs: int | None = None
    max_batch_tokens: int | None = None
    max_model_len: int | None = None
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
    run_ahead: bool | None = None
    speculation: tuple[Literal["forced", "ngram", "model"], ...] | None = None
    max_draft_tokens: int = 8
    draft_model: str | None = None
    num_threads: int | None = None

    def __post_init__(self) -> None:
        _check_choices(self)

    @property
    def least_num_seqs(self) -> int:
        """Sequences that decode together wherever the engine runs."""
        return self.max_num_seqs or min(32, self.max_batch_tokens or 32)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessConfig:
    """Where the engine runs, and how patient the server is with it.

    Attributes:
        mode: `process`: in one of its own, which is started again when it dies. `thread`: in a thread of this one.
            `auto`: for `portcullis serve` a process, for all else a thread.
        start_timeout_s: Seconds to start it and load the model.
        hang_timeout_s: Seconds without a sign from its step loop, after which it is killed. Must be longer than the
            longest step takes.
        restart_wait_s: Seconds that a request waits while it is starting again (503 after that).
        max_restarts: Starts in a row after it died within a minute, 0 for none; one more death, and it is given up:
            the command ends with a status that is not 0. None tries for ever, with pauses that grow to half a minute,
            of one that answers before it dies to a second.
    """

    mode: Literal["auto", "process", "thread"] = "auto"
    start_timeout_s: float = 600.0
    hang_timeout_s: float = 60.0
    restart_wait_s: float = 15.0
    max_restarts: int | None = None

    def __post_init__(self) -> None:
        _check_choices(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsConfig:
    """Bounds on one request; each keeps a single client from taking the server for itself.

    Attributes:
        max_body_bytes: Longest body that is read (413 beyond).
        max_schema_bytes: Longest schema, pattern or grammar text, per constraint.
        max_choices: Most alternatives in `choice`.
        max_tools: Most tools in one request.
        max_messages: Most messages in one chat.
        max_prompts: Most prompts in one completion request.
        max_n: Most answers per prompt, `best_of` included.
        max_stop_sequences: Most stop strings.
        max_stop_bytes: Longest stop string.
        max_top_logprobs: Most alternatives per token.
        max_logit_bias: Most entries in `logit_bias`.
        max_bad_words: Most entries in `bad_words`, each as long as a stop string may be.
        max_template_kwargs_bytes: Longest `chat_template_kwargs`, as JSON.
        default_max_tokens: Answer length when the request names none (never more than fits in the context).
        max_repeated_tokens: An answer is ended whose last so many tokens are one run of at most 128, sixteen times over
            or more. Requests may ask for something else. 0: answers may repeat themselves.
        compile_timeout_s: Seconds that may be worked on a constraint (to compile it, to explain it, to verify a text),
            and for screening a prompt. Where the engine has a process of its own, so have constraints, and one that
            takes longer is killed.
        max_compilation_bytes: Memory by which such a process may grow at that; it is killed, too.
        max_compilations: Constraints that are worked on at the same time, a process or a thread each; others wait. One
            API key gets all but one of them. As many long texts become tokens at the same time.
        max_waiting_compilations: Constraints that may wait for that; one more is refused as overloaded. One API key may
            have half of them waiting. The same for long texts.
        max_constraint_bytes: Memory for compiled constraints, in the server's process and in the engine's: those that
            are kept for who asks again, and those in use. New ones wait for room (429).
        max_stored_responses: Answers of `/v1/responses` that are kept for each API key, those used last; 0 keeps none.
        max_stored_bytes: Memory for those of one key.
        max_kept_grammars: Constraints that are kept by id for each API key.
        max_kept_grammar_bytes: Bytes of their text, for each key.
        max_checked_bytes: Longest text that is matched with a constraint on request.
        max_tokenized_characters: Longest text whose tokens are asked for; each takes some 100 bytes meanwhile.
        max_listed_tokens: Most tokens that are listed as allowed next.
        max_decision_questions: Most questions in one request for decisions.
        max_decision_labels: Most answers to choose from in one question.
        max_decision_passes: Most places in prompts and answers whose probabilities one request for decisions may ask
            for: one for each question, where answers are single tokens.
        request_timeout_s: Seconds from a request's arrival to the end of its answer (504 beyond). Requests may ask for
            less. None sets no bound.
        priorities: Requests may name a `priority`, which goes before every fairness between API keys; false refuses it,
            for keys that do not trust each other.
        share_prefixes: Prompts of one API key are found in the prefix cache by those of another. Faster, for keys that
            trust each other: times and `cached_tokens` tell how another's prompt began.
    """

    max_body_bytes: int = 4 * 1024 * 1024
    max_schema_bytes: int = 512 * 1024
    max_choices: int = 10_000
    max_tools: int = 128
    max_messages: int = 2_000
    max_prompts: int = 32
    max_n: int = 16
    max_stop_sequences: int = 16
    max_stop_bytes: int = 512
    max_top_logprobs: int = 20
    max_logit_bias: int = 1_024
    max_bad_words: int = 512
    max_template_kwargs_bytes: int = 8 * 1024
    default_max_tokens: int = 1_024
    max_repeated_tokens: int = 384
    compile_timeout_s: float = 30.0
    max_compilation_bytes: int = 1 << 30
    max_compilations: int = 2
    max_waiting_compilations: int = 64
    max_constraint_bytes: int = 512 * 1024 * 1024
    max_stored_responses: int = 256
    max_stored_bytes: int = 32 * 1024 * 1024
    max_kept_grammars: int = 256
    max_kept_grammar_bytes: int = 8 * 1024 * 1024
    max_checked_bytes: int = 1024 * 1024
    max_tokenized_characters: int = 1_000_000
    max_listed_tokens: int = 1_000
    max_decision_questions: int = 400
    max_decision_labels: int = 255
    max_decision_passes: int = 8_192
    request_timeout_s: float | None = None
    priorities: bool = True
    share_prefixes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditConfig:
    """What is kept of requests, and what happens where it cannot be; see gateway/audit/README.md.

    Attributes:
        url: SQLAlchemy's URL of a database, or the path of an SQLite file; None keeps nothing.
        backpressure: `block`: the last bytes of a reply leave when its record is committed, to the disk. `drop`: no
            reply waits; what finds no room is dropped and counted, in the log too, and what came last may be lost with
            the power.
        on_failure: Where a record that a reply waits for cannot be written: `refuse` (503) or `go_on`.
        max_waiting: Requests whose records may wait to be written.
        commit_timeout_s: Seconds that a reply waits for that; then the record counts as one that cannot be written.
        contents: Keep what models read and wrote, too, as the policy's guards leave it.
        key_file: File of a key (16 bytes or more, blanks at its ends do not count), without which nobody can make a
            chain that verifies.
        head_file: File that gets number and hash of the last record. Where others cannot write, it shows a cut end.
        rotate_bytes: Size from which on an SQLite file is followed by a new one; None for never.
        rotate_s: The same by the age of the file's first record, in seconds.
    """

    url: str | None = None
    backpressure: Literal["block", "drop"] = "block"
    on_failure: Literal["refuse", "go_on"] = "refuse"
    max_waiting: int = 1024
    commit_timeout_s: float = 10.0
    contents: bool = False
    key_file: str | None = None
    head_file: str | None = None
    rotate_bytes: int | None = None
    rotate_s: float | None = None

    def __post_init__(self) -> None:
        _check_choices(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that can be set."""

    server: ServerConfig = field(default_factory=ServerConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    engine: EngineConfig = field(default_factory=EngineConfig)
    process: ProcessConfig = field(default_factory=ProcessConfig)
    limits: LimitsConfig = field(default_factory=LimitsConfig)
    audit: AuditConfig = field(default_factory=AuditConfig)

    @property
    def graceful_s(self) -> float:
        """Seconds that answers under way get at shutdown."""
        given, longest = self.server.graceful_timeout_s, self.limits.request_timeout_s
        return given if given is not None else GRACEFUL_S if longest is None else longest
