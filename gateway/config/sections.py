"""Settings: one frozen dataclass per concern, the bounds of each field in its annotation."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from gateway.engine.config import EngineConfig, Supervision
from gateway.errors import ConfigError
from gateway.setting_types import (
    Count,
    CountOrZero,
    NamedPath,
    Origin,
    Port,
    PortOrAny,
    Price,
    Seconds,
    SecondsOrZero,
    Text,
    check_fields,
)

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
    """Settings of the HTTP server: address, keys, bounds on connections, logs.

    Attributes:
        host: Address to bind.
        port: TCP port; 0 takes a free one.
        api_keys: Accepted API keys. Empty: every client is accepted.
        api_key_file: File of further API keys, one a line. Unlike a flag, it does not show in lists of processes.
        key_file: File of API keys with limits, stored as digests. Changes by `portcullis keys` hold within a second.
            A server with it asks for a key even if the file has none.
        usage_file: SQLite file that keeps the use of API keys on the present day over restarts, for one server at a
            time. A crash loses at most its last second, and the answers that were running. None: in memory.
        metrics_key: Key that `/metrics` asks for, as bearer token; it opens nothing else. None: `/metrics` is open.
        metrics_port: Port of the same host that serves `/metrics` and nothing else; the main port has none then. None:
            `/metrics` is on the main port.
        allowed_hosts: Further host names that a server without keys on a local address accepts. Behind a proxy that
            forwards the client's `Host`, that name.
        allowed_origins: Origins of web pages that browsers let call this server (CORS), such as `https://app.example`;
            `*` allows every page.
        tls_cert: PEM file of the certificate and its chain; serves HTTPS, TLS 1.2 and later. Needs `tls_key`.
        tls_key: PEM file of the certificate's key, without password.
        max_header_bytes: Most bytes of a request's headers, target and trailers included (431 beyond).
        max_headers: Most headers of a request, trailers included (431 beyond).
        headers_timeout_s: Time for the headers of a request to arrive (408 beyond).
        body_timeout_s: Time for its body to arrive (408 beyond).
        keep_alive_timeout_s: Time that an idle connection stays open. Should be longer than clients and proxies keep
            theirs, or they send requests on a connection that is being closed.
        max_connections: Most connections. A further one replaces the connection that has been idle longest, or gets
            503 if all are in use.
        graceful_timeout_s: Time that running answers get at shutdown. None: `limits.request_timeout_s`, or 30 s without
            it. A supervisor must wait more than 15 s longer before it kills the server.
        drain_key: Key for `/drain`, which refuses new requests and returns when those under way have ended, for hooks
            of orchestrators. None: there is no such route.
        policies: TOML file of policies that screen prompts and answers. None: no screening.
        retrievers: Stores of documents that chats may search, `NAME=KIND:PLACE` each, such as
            `manuals=sqlite:manuals.db`, for every client that the server accepts.
        max_model_bytes: Memory for the engines of all loaded models. A model that is asked for takes the place of those
            that were idle longest; while others in use leave no room, it gets 503. None: no limit.
        unload_after_s: Idle time after which a model is unloaded, until it is asked for again; Ollama's `keep_alive`
            overrides it. None: never.
        pull: Allow `/api/pull`, with which a client adds a model from the hub.
        traces: Send OpenTelemetry spans and metrics of requests over OTLP and HTTP, configured by the variables
            `OTEL_*` (default: port 4318 of this machine). Needs the extra `otel`.
        log_format: Format of log lines: `text`, or `json` with one object a line.
        access_log: Log one line a request: id, route, status, key's digest, model, tokens, times, outcome; no texts.
            Costs about 0.15 ms of CPU a request.
        playground: Serve a page for browsers at `/`: chats, constraints, tokens, state of the server. The page itself
            needs no key; its requests do.
        ping_interval_s: Seconds of silence in a stream before a comment line keeps the connection alive; 0: never.
        special_tokens_in_text: Meaning of the template's markers (such as `<|im_end|>`) in messages, tool results and
            descriptions: `text`, so that no client can forge a turn, or `special` tokens. Prompts of completions are
            tokenized as they are in both cases.
        unserved: Handling of request fields for functions that this server does not have (context edits, hosted tools,
            images for a text model, reasoning of a model without it). `ignore`: serve without them and name them in
            the header `x-portcullis-ignored`. `refuse`: 400. Constraints are always enforced or refused.
    """

    host: Text = "127.0.0.1"
    port: PortOrAny = 8000
    api_keys: tuple[Text, ...] = field(default=(), repr=False)
    api_key_file: Text | None = None
    key_file: Text | None = None
    usage_file: Text | None = None
    metrics_key: Text | None = field(default=None, repr=False)
    metrics_port: Port | None = None
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
    drain_key: Text | None = field(default=None, repr=False)
    policies: Text | None = None
    retrievers: tuple[NamedPath, ...] = ()
    max_model_bytes: Count | None = None
    unload_after_s: SecondsOrZero | None = None
    pull: bool = False
    traces: bool = False
    log_format: Literal["text", "json"] = "text"
    access_log: bool = True
    playground: bool = True
    ping_interval_s: SecondsOrZero = 15.0
    special_tokens_in_text: Literal["text", "special"] = "text"
    unserved: Literal["ignore", "refuse"] = "ignore"

    @property
    def tick_s(self) -> float | None:
        """Return `ping_interval_s`; None if pings are off."""
        return self.ping_interval_s or None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig(_Section):
    """Settings of the served model: its files, its names, its formats.

    Attributes:
        path: Folder, GGUF file, name of a model that an installed package offers (`smollm2`), or hub name. None: the
            bundled model.
        kind: `generative`: the model writes answers. `encoder`: it embeds texts, or scores pairs of texts. `auto`:
            `encoder` if the folder has a `modules.json` or a classifier of transformers.
        pooling: Pooling of the states of a text's tokens into its embedding: that of the `last` token, of the first
            (`cls`), their `mean`, or their `max`. `none`: no embeddings. `auto`: as an encoder's files say, `last` for
            a generative model.
        on_demand: Load the model at the first request for it instead of at the start.
        name: Name on the wire; None takes the last part of the path.
        aliases: Further names that clients may use for it.
        any_name: Accept every model name in requests, for clients whose model name cannot be configured.
        adapters: LoRA adapters of the model, `NAME=FOLDER` each, in PEFT's layout. Requests choose one by its name.
        adapter_folder: Folder below which `/v1/load_lora_adapter` may load further adapters, for every client that
            the server accepts. None: no adapter is loaded or unloaded while the server runs.
        tool_format: Name of the tool-call format, or path of a TOML file that describes one. None: detected from the
            chat template; for an unknown family `generic`, which the prompt describes.
        reasoning_format: Name of the reasoning format, or path of a TOML file that describes one. `auto`: that of the
            tool format's file, else detected from the chat template. `none`: everything is the answer.
        tool_weighing: Choose the tool, or none, by the likelihood of the user's words given each tool's description
            instead of by sampling: for small models, which seldom call by themselves. At most one call an answer.
            Costs a short prompt per tool; with more than 32 tools the model chooses itself. `auto`: if the tool format
            asks for it (SmolLM2's).
        schema_telling: Describe the schema of the answer in the prompt, in a few words and with two examples, if the
            chat template does not; tokens of the user's last message are then favoured. `auto`: if the tool format
            asks for it (SmolLM2's).
        prompt_price: Price of 1,000 tokens of prompts, in any currency, for the costs in `/metrics`. 0: not shown.
        completion_price: Price of 1,000 tokens of answers.
        use_generation_config: Take defaults of temperature, `top_p`, `top_k`, `min_p` and `repetition_penalty` from the
            model's `generation_config.json`; else they are neutral.
    """

    path: Text | None = None
    kind: Literal["auto", "generative", "encoder"] = "auto"
    pooling: Literal["auto", "none", "last", "mean", "cls", "max"] = "auto"
    on_demand: bool = False
    name: Text | None = None
    aliases: tuple[Text, ...] = ()
    any_name: bool = False
    adapters: tuple[NamedPath, ...] = ()
    adapter_folder: Text | None = None
    tool_format: Text | None = None
    reasoning_format: Text = "auto"
    tool_weighing: Literal["auto", "on", "off"] = "auto"
    schema_telling: Literal["auto", "on", "off"] = "auto"
    prompt_price: Price = 0.0
    completion_price: Price = 0.0
    use_generation_config: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessConfig(_Section, Supervision):
    """Process of the engine, and the server's patience with it.

    Attributes:
        mode: `process`: a process of its own, restarted when it dies. `thread`: a thread of the server. `auto`: a
            process for a server, a thread for `portcullis chat`.
    """

    mode: Literal["auto", "process", "thread"] = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsConfig(_Section):
    """Bounds on one request; each keeps a single client from taking the server for itself.

    Attributes:
        max_body_bytes: Most bytes of a request's body (413 beyond).
        max_schema_bytes: Most bytes of a schema, pattern or grammar.
        max_tools: Most tools in one request.
        max_n: Most answers per prompt, `best_of` included.
        max_terms: Most prompts, adapters and models whose scores are combined with those of a request
            (`negative_prompt`, terms of `logit_arithmetic`). Each costs as much as one more answer. 0: guidance and
            arithmetic are refused.
        max_inputs: Most texts of a request for embeddings, documents of a reranking, or pairs to be scored.
        default_max_tokens: Answer length if the request gives none, reduced to what the context has left.
        loop_stop_tokens: End an answer whose last tokens, at least this many, repeat one run of at most 128 tokens
            sixteen times or more. Requests may override it. 0: never.
        compile_timeout_s: Time for a job on a constraint (compile, explain, verify) and for screening a prompt. With an
            engine process, constraints have processes too, and one that takes longer is killed.
        max_compilation_bytes: Memory by which such a process may grow; beyond it, it is killed.
        max_compilations: Jobs on constraints that run at the same time, a process or a thread each. One API key gets
            all but one of them. Also the number of long texts tokenized at the same time.
        max_waiting_compilations: Jobs that may wait for that; further ones are refused (429). One API key may have half
            of them. The same for long texts.
        max_constraint_bytes: Memory for compiled constraints, cached or in use, in the server's process and in the
            engine's. Without room new ones are refused (429).
        max_stored_responses: Stored answers of `/v1/responses` per API key, the most recently used; 0 stores none.
        max_stored_bytes: Memory for the stored answers of one key.
        max_stored_grammars: Stored constraints per API key.
        request_timeout_s: Time from a request's arrival to the end of its answer (504 beyond). Requests may ask for
            less. None: no limit.
        priorities: Accept `priority` in requests, which overrides fairness between API keys; false refuses it, for keys
            that do not trust each other.
        share_prefixes: Share the prefix cache between API keys. Faster, for keys that trust each other: times and
            `cached_tokens` reveal how another key's prompt began.
    """

    max_body_bytes: Count = 4 * 1024 * 1024
    max_schema_bytes: Count = 512 * 1024
    max_tools: Count = 128
    max_n: Count = 16
    max_terms: CountOrZero = 8
    max_inputs: Count = 2_048
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
    """Settings of the audit log; see gateway/audit/README.md.

    Attributes:
        url: SQLAlchemy URL of a database, or path of an SQLite file. None: no audit log.
        backpressure: `block`: the last bytes of a reply are sent once its record is committed to disk. `drop`: no reply
            waits; records without room are dropped, counted and logged, and the last ones may be lost in a power cut.
        on_failure: Reply whose record cannot be written: `refuse` (503) or `go_on`.
        max_waiting: Requests whose records may wait to be written.
        commit_timeout_s: Time that a reply waits for its record; after it the record counts as not written.
        contents: Record prompts and answers too, as the policy's guards leave them.
        key_file: File of a key (at least 16 bytes, surrounding blanks ignored) that signs the chain of records.
        head_file: File that gets the number and hash of the last record; in a protected place it reveals truncation.
        rotate_bytes: Size at which an SQLite file is continued in a new one. None: never.
        rotate_s: Age of the file's first record at which it is continued in a new one. None: never.
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
class BatchesConfig(_Section):
    """Settings of `/v1/files` and `/v1/batches`.

    Attributes:
        folder: Folder of files and batches, for one server at a time. None: the endpoints reply 404.
        max_file_bytes: Most bytes of an uploaded file (413 beyond).
        max_lines: Most lines of a batch.
        max_line_bytes: Most bytes of a line.
        max_unfinished: Unfinished batches of one API key; further ones are refused (429).
        max_stored_bytes: Bytes of one API key's files from which on uploads and new batches are refused (413).
        max_concurrent: Lines of all batches that run at a time. They have the lowest priority, but a running one is not
            interrupted: less than `engine.max_num_seqs` leaves room for other requests.
    """

    folder: Text | None = None
    max_file_bytes: Count = 100 * 1024 * 1024
    max_lines: Count = 50_000
    max_line_bytes: Count = 4 * 1024 * 1024
    max_unfinished: Count = 16
    max_stored_bytes: Count = 1 << 30
    max_concurrent: Count = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheConfig(_Section):
    """Cache of responses. The same request of the same API key gets the same answer again, if its answer is determined:
    temperature 0, or a seed. The header `x-portcullis-cache` says `hit` or `miss`.

    Attributes:
        max_bytes: Most bytes of stored responses; the least recently used ones are dropped. 0: no cache.
        path: SQLite file that keeps them over restarts, for one server at a time. None: in memory.
        ttl_s: Age from which a response is generated again. None: never.
    """

    max_bytes: CountOrZero = 0
    path: Text | None = None
    ttl_s: Seconds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagesConfig(_Section):
    """Bounds on the images of one request, for models that read images. Each is read in a process of its own, within
    the time and memory of a job on a constraint (`limits.compile_timeout_s`, `limits.max_compilation_bytes`).

    Attributes:
        max_images: Most images of a request.
        max_bytes: Most bytes of the file of an image. One sent as base64 must fit into `limits.max_body_bytes` too.
        max_pixels: Most pixels of an image, which are known before it is decoded.
        max_tokens: Most tokens of an image where the model's files leave its size open (Qwen-VL): a larger one is made
            smaller. Its vision part reads it in one step, in which no answer goes on.
        allowed_hosts: Hosts that images are fetched from, such as `pictures.example` or `pictures.example:8443`. A host
            with an address that is not public is refused, and so are redirects. Empty: no image is fetched.
        fetch_timeout_s: Time for fetching an image.
    """

    max_images: Count = 8
    max_bytes: Count = 10 * 1024 * 1024
    max_pixels: Count = 32 * 1024 * 1024
    max_tokens: Count = 4096
    allowed_hosts: tuple[Text, ...] = ()
    fetch_timeout_s: Seconds = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that can be set.

    Attributes:
        models: Settings of servers of one further model each, from `[models.NAME]`.
    """

    server: ServerConfig = field(default_factory=ServerConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    engine: EngineConfig = field(default_factory=EngineConfig)
    process: ProcessConfig = field(default_factory=ProcessConfig)
    limits: LimitsConfig = field(default_factory=LimitsConfig)
    audit: AuditConfig = field(default_factory=AuditConfig)
    batches: BatchesConfig = field(default_factory=BatchesConfig)
    cache: CacheConfig = field(default_factory=CacheConfig)
    images: ImagesConfig = field(default_factory=ImagesConfig)
    models: tuple[Config, ...] = ()

    @property
    def every_model(self) -> tuple[Config, ...]:
        """Return the settings by model. The bundled model is one of several only where they name it."""
        alone = replace(self, models=())
        return self.models if self.models and self.model == ModelConfig() else (alone, *self.models)

    @property
    def graceful_s(self) -> float:
        """Return the time that running answers get at shutdown."""
        given, longest = self.server.graceful_timeout_s, self.limits.request_timeout_s
        return given if given is not None else GRACEFUL_S if longest is None else longest

    def with_engine_process(self) -> Config:
        """Return the settings of a server, whose engine has a process of its own unless they say otherwise."""
        if self.process.mode != "auto":
            return self
        models = tuple(each.with_engine_process() for each in self.models)
        return replace(self, process=replace(self.process, mode="process"), models=models)
