"""Command-line flags of settings. Type, default and help of each come from its dataclass."""

from __future__ import annotations

from typing import NamedTuple


class Flag(NamedTuple):
    """Spelling of a setting on the command line.

    Attributes:
        name: With its dashes.
        metavar: Placeholder of the value in `--help`; None: its choices.
        may_repeat: Each use adds one value to a list.
    """

    name: str
    metavar: str | None = None
    may_repeat: bool = False

    @property
    def argument(self) -> str:
        """Return the attribute of argparse's namespace."""
        return self.name.removeprefix("--").replace("-", "_")


FLAGS = {
    "model.path": Flag("--model", "[NAME=]PATH"),
    "model.name": Flag("--name", "NAME"),
    "model.aliases": Flag("--alias", "NAME", may_repeat=True),
    "model.adapters": Flag("--adapter", "NAME=FOLDER", may_repeat=True),
    "model.any_name": Flag("--any-model-name"),
    "model.tool_format": Flag("--tool-format", "NAME|FILE"),
    "model.reasoning_format": Flag("--reasoning-format", "NAME|FILE"),
    "model.tool_weighing": Flag("--tool-weighing"),
    "model.schema_telling": Flag("--schema-telling"),
    "server.host": Flag("--host", "ADDRESS"),
    "server.port": Flag("--port", "PORT"),
    "server.api_keys": Flag("--api-key", "KEY", may_repeat=True),
    "server.api_key_file": Flag("--api-key-file", "FILE"),
    "server.key_file": Flag("--key-file", "FILE"),
    "server.policies": Flag("--policies", "FILE"),
    "server.retrievers": Flag("--retriever", "NAME=KIND:PLACE", may_repeat=True),
    "server.tls_cert": Flag("--tls-cert", "FILE"),
    "server.tls_key": Flag("--tls-key", "FILE"),
    "server.traces": Flag("--traces"),
    "server.log_format": Flag("--log-format"),
    "audit.url": Flag("--audit", "FILE|URL"),
    "audit.key_file": Flag("--audit-key-file", "FILE"),
    "engine.device": Flag("--device", "DEVICE"),
    "engine.dtype": Flag("--dtype"),
    "engine.quantization": Flag("--quantization"),
    "engine.kv_cache_dtype": Flag("--kv-cache-dtype"),
    "engine.attention_backend": Flag("--attention-backend"),
    "engine.sparse_attention_tokens": Flag("--sparse-attention-tokens", "TOKENS"),
    "engine.speculation": Flag("--speculation", "SOURCE,..."),
    "engine.draft_model": Flag("--draft-model", "PATH|NAME"),
    "engine.term_models": Flag("--term-model", "NAME=FOLDER", may_repeat=True),
    "engine.term_classifiers": Flag("--term-classifier", "NAME=FOLDER:CLASS", may_repeat=True),
    "engine.num_threads": Flag("--threads", "N"),
    "engine.max_model_len": Flag("--max-model-len", "TOKENS"),
}
"""By setting, `section.field`."""
