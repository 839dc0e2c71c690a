"""Settings: one frozen dataclass per concern, the bounds of each field in its annotation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from gateway.engine.config import EngineConfig, Supervision
from gateway.errors import ConfigError
from gateway.setting_types import Count, CountOrZero, Origin, Port, Seconds, SecondsOrZero, Text, check_fields

GRACEFUL_S = 30.0
"""Time for unfinished answers at shutdown where `limits.request_timeout_s` bounds none."""

ENGINE_INTERNALS = frozenset({"block_size", "overlap_masks", "spare_threads", "check_model"})
"""Fields of the engine's dataclass that the service chooses, not a user."""


class _Section:
    """Base of sections: a field whose value is not allowed raises `ConfigError`."""

    __slots__ = ()

    def __post_init__(self) -> None:
        try:
            check_fields(self)
        except ValueError as error:
            raise ConfigError(f"{type(self).__name__.removesuffix('Config').lower()}.{error}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig(_Section):
    """Where and for whom the server listens.

    Attributes:
        host: Address to bind.
        port: TCP port; 0 takes a free one.
        api_keys: Keys that are let in; none given lets everyone in.
        api_key_file: File of further ones, one a line. Unlike a flag, no list of processes shows them.
        key_file: File of API keys with limits that `portcullis keys` changes, in force within a second. Its keys are
            stored as digests. A server with it asks for a key, even where the file has none.
        allowed_hosts: Names that a server which listens on this machine alone, without keys, answers to beside the
            machine's own. Behind a proxy that hands on the name it was asked by, that name.
        allowed_origins: Origins of web pages that browsers let call this server (CORS), such as `https://app.example`;
            `*` allows every page.
        tls_cert: PEM file of the certificate and its chain; serves HTTPS, TLS 1.2 and later. Needs `tls_key`.
        tls_key: PEM file of the certificate's key, without password.
        max_header_bytes: Longest headers of a request, its address and trailers included (431 beyond).
        max_headers: Most headers of a request, trailers included; those are read and left out.
        headers_timeout_s: Seconds for the headers of a request to come (408 beyond).
        body_timeout_s: Seconds for its body.
        keep_alive_timeout_s: Seconds that a connection stays open after an answer. Longer than clients and proxies keep
            theirs: or else they send on one that is just being closed.
        max_connections: Clients that may be connected; for a further one the connection is closed that waits longest
            for a next request, or, where all are in use, what it asks is answered with 503.
        graceful_timeout_s: Seconds that answers under way get at shutdown. None: `limits.request_timeout_s`, so that
            none is cut, and 30 without that. Who stops the server is to wait 15 s longer before it kills it.
        policies: File of policies that screen prompts and answers (see gateway/guards/policy.py); None screens nothing.
        traces: Send a span of OpenTelemetry for each request to a collector, where and how the environment's `OTEL_*`
            say (OTLP over HTTP; else to port 4318 of this machine). Needs the extra `otel`.
        log_format: Format of log lines: `text`, or `json` with one object a line.
        access_log: Log one line a request: id, route, status, key's digest, model, tokens, times, outcome; no texts.
            Costs about 40 us a request.
        ping_interval_s: Seconds of silence in a stream before a comment line keeps the connection alive; 0: never.
        special_tokens_in_text: What markers of the chat template are in what clients send (`<|im_end|>` in a message, a
            tool's result or a description): `text`, so that nobody forges a turn, or `special` tokens, as in the
            template. Prompts of completions are read as they stand, whichever is set.
        unserved: What becomes of requests for what only other servers have (context edits, tools that run there, images
            for a model that reads text, thoughts of one that has none). `ignore`: they are served without it, and told
            in the header `x-portcullis-ignored`. `refuse`: 400. What a request asks of its answer's shape is held to or
            refused, whichever is set.
    """

    host: Text = "127.0.0.1"
    port: Port = 8000
    api_keys: tuple[Text, ...] = field(default=(), repr=False)
    api_key_file: Text | None = None
    key_file: Text | None = None
    allowed_hosts: tuple[Text, ...] = ()
    allowed_origins: tuple[Origin, ...] = ()
    tls_cert: Text | None = None
    tls_key: Text | None = None
    max_header_bytes: Count = 64 * 1024
    max_headers: Count = 128
    headers_timeout_s: Seconds = 15.0
    body_timeout_s: Seconds = 120.0
    keep_alive_timeout_s: SecondsOrZero = 75.0
    max_connections: Count = 4096
    graceful_timeout_s: SecondsOrZero | None = None
    policies: Text | None = None
    traces: bool = False
    log_format: Literal["text", "json"] = "text"
    access_log: bool = True
    ping_interval_s: SecondsOrZero = 15.0
    special_tokens_in_text: Literal["text", "special"] = "text"
    unserved: Literal["ignore", "refuse"] = "ignore"

    @property
    def tick_s(self) -> float | None:
        """The same, None for never."""
        return self.ping_interval_s or None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig(_Section):
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

    path: Text | None = None
    name: Text | None = None
    aliases: tuple[Text, ...] = ()
    any_name: bool = False
    tool_format: Text | None = None
    reasoning_format: Text = "auto"
    tool_weighing: Literal["auto", "on", "off"] = "auto"
    schema_telling: Literal["auto", "on", "off"] = "auto"
    use_generation_config: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessConfig(_Section, Supervision):
    """Process of the engine, and the server's patience with it.

    Attributes:
        mode: `process`: one of its own, which is restarted when it dies. `thread`: a thread of the server. `auto`: a
            process for `portcullis serve`, else a thread.
    """

    mode: Literal["auto", "process", "thread"] = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsConfig(_Section):
    """Bounds on one request; each keeps a single client from taking the server for itself.

    Attributes:
        max_body_bytes: Longest body that is read (413 beyond).
        max_schema_bytes: Longest schema, pattern or grammar text, per constraint.
        max_tools: Most tools in one request.
        max_n: Most answers per prompt, `best_of` included.
        default_max_tokens: Answer length when the request names none (never more than fits in the context).
        loop_stop_tokens: An answer is ended whose last so many tokens are one run of at most 128, sixteen times over
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
        max_stored_grammars: Constraints that are kept by id for each API key.
        request_timeout_s: Seconds from a request's arrival to the end of its answer (504 beyond). Requests may ask for
            less. None sets no bound.
        priorities: Requests may name a `priority`, which goes before every fairness between API keys; false refuses it,
            for keys that do not trust each other.
        share_prefixes: Prompts of one API key are found in the prefix cache by those of another. Faster, for keys that
            trust each other: times and `cached_tokens` tell how another's prompt began.
    """

    max_body_bytes: Count = 4 * 1024 * 1024
    max_schema_bytes: Count = 512 * 1024
    max_tools: Count = 128
    max_n: Count = 16
    default_max_tokens: Count = 1_024
    loop_stop_tokens: CountOrZero = 384
    compile_timeout_s: Seconds = 30.0
    max_compilation_bytes: Count = 1 << 30
    max_compilations: Count = 2
    max_waiting_compilations: Count = 64
    max_constraint_bytes: Count = 512 * 1024 * 1024
    max_stored_responses: CountOrZero = 256
    max_stored_bytes: CountOrZero = 32 * 1024 * 1024
    max_stored_grammars: Count = 256
    request_timeout_s: Seconds | None = None
    priorities: bool = True
    share_prefixes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditConfig(_Section):
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

    url: Text | None = None
    backpressure: Literal["block", "drop"] = "block"
    on_failure: Literal["refuse", "go_on"] = "refuse"
    max_waiting: Count = 1024
    commit_timeout_s: Seconds = 10.0
    contents: bool = False
    key_file: Text | None = None
    head_file: Text | None = None
    rotate_bytes: Count | None = None
    rotate_s: Seconds | None = None


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
