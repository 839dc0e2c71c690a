"""Flags that several verbs share."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from gateway.config import Config, load_config

_FLAGS = {
    "model": "model.path",
    "name": "model.name",
    "alias": "model.aliases",
    "any_model_name": "model.any_name",
    "tool_format": "model.tool_format",
    "reasoning_format": "model.reasoning_format",
    "tool_weighing": "model.tool_weighing",
    "schema_telling": "model.schema_telling",
    "host": "server.host",
    "port": "server.port",
    "api_key": "server.api_keys",
    "api_key_file": "server.api_key_file",
    "key_file": "server.key_file",
    "policies": "server.policies",
    "tls_cert": "server.tls_cert",
    "tls_key": "server.tls_key",
    "traces": "server.traces",
    "log_format": "server.log_format",
    "audit": "audit.url",
    "audit_key_file": "audit.key_file",
    "device": "engine.device",
    "dtype": "engine.dtype",
    "quantization": "engine.quantization",
    "kv_cache_dtype": "engine.kv_cache_dtype",
    "attention_backend": "engine.attention_backend",
    "speculation": "engine.speculation",
    "draft_model": "engine.draft_model",
    "threads": "engine.num_threads",
    "max_model_len": "engine.max_model_len",
}
"""Arguments by name, and the settings that they are."""


def add_model_arguments(parser: ArgumentParser) -> None:
    """Which model, and where it runs."""
    model = "folder, GGUF file, name that an installed package offers (smollm2) or hub name; default: this package's"
    parser.add_argument("--model", metavar="PATH|NAME", help=model)
    parser.add_argument("--config", metavar="FILE", help="TOML file; default: $PORTCULLIS_CONFIG")
    parser.add_argument("--device", help="torch device; default: a GPU where there is one")
    parser.add_argument("--dtype", help="compute type: auto, float32, bfloat16 or float16")
    parser.add_argument("--quantization", help="none, int8 (a CPU only) or fp8 (a GPU from Ada or Hopper on)")
    parser.add_argument("--kv-cache-dtype", help="what keys and values are kept in: auto or fp8")
    parser.add_argument("--attention-backend", help="auto, triton, flash, compiled or sdpa")
    parser.add_argument("--speculation", metavar="SOURCE,...", help="forced, ngram, model; default: all that there are")
    parser.add_argument("--draft-model", metavar="PATH|NAME", help="a smaller model with the same tokens, for 'model'")
    parser.add_argument("--threads", metavar="N", help="CPU threads of the forward pass; default: all cores but one")
    parser.add_argument("--max-model-len", metavar="TOKENS", help="most tokens of prompt and answer together")


def add_audit_arguments(parser: ArgumentParser) -> None:
    """Where records of requests are kept."""
    where = "SQLite file or SQLAlchemy's URL of the audit log; default: what the settings say, else none"
    parser.add_argument("--audit", metavar="FILE|URL", help=where)
    parser.add_argument("--audit-key-file", metavar="FILE", help="key without which nobody can write its records anew")


def config_of(arguments: Namespace) -> Config:
    """Return the settings of this run: file, environment, and these flags over both.

    Raises:
        ConfigError: One of them is unknown or has a value that is not allowed.
    """
    given = {setting: getattr(arguments, name, None) for name, setting in _FLAGS.items()}
    config = load_config(arguments.config, flags=given)
    tool_format, reasoning_format = config.model.tool_format, config.model.reasoning_format
    if tool_format is not None or reasoning_format not in ("auto", "none"):
        from gateway.service.model.recognition import check_names

        check_names(tool_format, reasoning_format)
    return config
