"""Keys and policies of a running server, read again at a signal."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.config import Config
from gateway.errors import ConfigError

if TYPE_CHECKING:
    from gateway.service.model_pool import ModelPool

logger = logging.getLogger(__name__)


class Reloading:
    """Reads keys and policies again, when it is asked to. What cannot be used leaves all as it was.

    Args:
        config: The settings that the server was started with.
        reread: Those settings, read again from where they came.
        progress: Told what became of it.

    Attributes:
        is_asked: It is to be done, and has not begun.
    """

    def __init__(self, config: Config, reread: Callable[[], Config], progress: Callable[[str], None]) -> None:
        self._config = config
        self._reread = reread
        self._progress = progress
        self._has_terminal = os.isatty(0)
        self._task: asyncio.Task[None] | None = None
        self.is_asked = False

    @property
    def has_lost_terminal(self) -> bool:
        """True if the server's terminal was closed, which sends the same signal."""
        return self._has_terminal and not os.isatty(0)

    def ask(self, *_: object) -> None:
        """Handle the signal."""
        self.is_asked = True

    def go_on(self, pool: ModelPool) -> None:
        """Begin, where it is asked for and not under way. Another thread reads, and may load models that judge."""
        if self.is_asked and (self._task is None or self._task.done()):
            self.is_asked = False
            self._task = asyncio.create_task(asyncio.to_thread(self._reload, pool))

    def _reload(self, pool: ModelPool) -> None:
        try:
            config = self._reread()
            pool.reload(config.server)
        except ConfigError as error:
            self._progress(f"keys and policies stay as they were: {error.message}")
        except Exception:
            logger.exception("keys and policies stay as they were")
        else:
            keys, policies = len(config.server.api_keys), config.server.policies or "none"
            self._progress(f"read again: {keys} API keys; policies: {policies}{self._unread(config)}")

    def _unread(self, config: Config) -> str:
        names = ("api_keys", "api_key_file", "policies")
        kept = {name: getattr(self._config.server, name) for name in names}
        is_all = replace(config, server=replace(config.server, **kept)) == self._config
        return "" if is_all else "; other settings have changed, too, and hold from the next start on"
