"""State that the models of one server share: API keys, policies, stored constraints, audit log, counts."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gateway.audit import opened
from gateway.audit.request_record import current_record
from gateway.config import Config, ServerConfig
from gateway.errors import ConfigError, ModelNotFoundError
from gateway.guards import Policies, read_policies
from gateway.keys import KeyMeters, KeyRing
from gateway.retrieval import Embed
from gateway.service.answers.response_cache import ResponseCache, cache_key
from gateway.service.constraints.compilations import CompilationCounts
from gateway.service.constraints.store import GrammarStore
from gateway.service.retrieval import Retrieval

if TYPE_CHECKING:
    from gateway.audit.log import AuditLog
    from gateway.core.request import Caller, ChatRequest, CompletionRequest
    from gateway.service.model.loaded import LoadedModel
    from gateway.service.request.plan import Prepared


class Shared:
    """Keys, policies, stored constraints and audit log of a server. `close` ends what has threads or files.

    Attributes:
        keys: Accepted API keys.
        meters: Use of each key.
        kept: Stored constraints by id.
        policies: Policies in force; None without any.
        audit: Audit log; None without one.
        compilation_counts: Compilations of all models.
        cache: Cache of responses; None without one.
        retrieval: Stores of documents.
        embed: Embeds a query by a model of the server; for stores of documents.
        policy_stamp: Text that differs for policies read at different times; empty without any.
    """

    def __init__(self, config: Config, policies: Policies | None = None, audit: AuditLog | None = None) -> None:
        self.keys = KeyRing(config.server.api_keys, config.server.key_file)
        self.meters = KeyMeters(config.server.usage_file)
        self.kept = GrammarStore(config.limits)
        self.policies = policies
        self.audit = audit
        self.compilation_counts = CompilationCounts()
        self.policy_stamp = "" if policies is None else token_hex()
        self.cache = ResponseCache(config.cache) if config.cache.max_bytes else None
        self.embed: Embed = _no_model
        self.retrieval = Retrieval(config.server.retrievers, lambda *query: self.embed(*query))

    @classmethod
    def open(cls, config: Config) -> Shared:
        """Return the state that the settings describe, with the policies' models loaded.

        Raises:
            ConfigError: The policy file is malformed, or a file that it or the settings name cannot be opened.
        """
        policies = read_configured(config.server)
        audit = opened(config.audit)
        try:
            if policies is not None:
                policies.open()
            return cls(config, policies, audit)
        except BaseException:
            _close(policies, audit)
            raise

    def replace(self, server: ServerConfig, policies: Policies | None) -> None:
        """Put keys and policies of new settings in force. Running requests keep the ones they began with."""
        # Judges that only the old policies use end with the last request that may ask them.
        self.policies, self.policy_stamp = policies, "" if policies is None else token_hex()
        self.keys.replace_plain(server.api_keys)

    def close(self) -> None:
        """Close the policies' models, the audit log, the use of keys and the cache."""
        _close(self.policies, self.audit)
        self.meters.close()
        if self.cache is not None:
            self.cache.close()


async def with_stored(
    prepared: Prepared, asked: ChatRequest | CompletionRequest, caller: Caller, shared: Shared, loaded: LoadedModel
) -> Prepared:
    """Return the plan with the stored response to its request, or the key under which that is to be stored.

    Nothing is looked up where the answer is not determined: it is sampled without a seed, or chosen of several.
    """
    is_sampled = any(prompt.sampling.temperature > 0 for prompt in prepared.prompts)
    cache = shared.cache
    if cache is None or prepared.candidates != prepared.n or (is_sampled and asked.options.sampling.seed is None):
        return prepared
    names = (prepared.model_name, *(term.adapter for term in asked.options.terms))
    adapters = [loaded.served.adapters[name] for name in names if name in loaded.served.adapters]
    key = cache_key(asked, caller, loaded.stamp, shared.policy_stamp, *(adapter.stamp for adapter in adapters))
    stored = await asyncio.to_thread(cache.get, key)
    current_record().cached = "miss" if stored is None else "hit"
    return replace(prepared, cache_key=key, stored=stored)


def read_configured(server: ServerConfig) -> Policies | None:
    """Return the policies that the settings name; None without any.

    Raises:
        ConfigError: The policy file is malformed.
    """
    if server.policies is None:
        return None
    # With a key file any key may be named, as its keys come and go.
    return read_policies(server.policies, server.api_keys if server.key_file is None else None)


def check_replaceable(keys: KeyRing, old: ServerConfig, new: ServerConfig) -> None:
    """Raise unless the keys of new settings can replace those of a running server.

    Raises:
        ConfigError: One of them asks for keys and the other does not.
    """
    if old.key_file is None and bool(new.api_keys) == keys.is_empty:
        raise ConfigError("a server that asks for keys does so until its end, and one that asks for none likewise")


async def _no_model(query: str, model: str, prompt: str | None) -> NDArray[np.float32]:
    raise ModelNotFoundError(f"the model {model}, which embeds queries, is not served here")


def _close(policies: Policies | None, audit: AuditLog | None) -> None:
    if policies is not None:
        policies.close()
    if audit is not None:
        audit.close()
