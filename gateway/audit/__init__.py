"""Audit records: changes, removals and reordering are detectable.

Importing this is light; the database's library is imported where there is a log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.config import AuditConfig

if TYPE_CHECKING:
    from gateway.audit.log import AuditLog


def opened(config: AuditConfig) -> AuditLog | None:
    """Return the log in the settings; None without one.

    Raises:
        ConfigError: The log cannot be opened; says why.
    """
    if config.url is None:
        return None
    from gateway.audit.log import AuditLog

    return AuditLog(config)
