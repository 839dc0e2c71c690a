"""TLS of the server, from `server.tls_cert` and `server.tls_key`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gateway.config.sections import ServerConfig
from gateway.errors import ConfigError

if TYPE_CHECKING:
    from ssl import SSLContext


def tls_context(server: ServerConfig) -> SSLContext | None:
    """Return the context of TLS 1.2 and later with the certificate and its key; None for plain HTTP.

    Raises:
        ConfigError: One of the files is missing, cannot be read, or does not fit the other.
    """
    if server.tls_cert is None and server.tls_key is None:
        return None
    if server.tls_cert is None or server.tls_key is None:
        given, absent = ("tls_key", "tls_cert") if server.tls_cert is None else ("tls_cert", "tls_key")
        raise ConfigError(f"server.{given} is set without server.{absent}; TLS needs both")
    for name, path in (("tls_cert", server.tls_cert), ("tls_key", server.tls_key)):
        try:
            Path(path).read_bytes()
        except OSError as error:
            raise ConfigError(f"cannot read server.{name}: {error}") from error

    import ssl  # its import takes 10 ms, and few servers need it here

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # Without a password of its own, OpenSSL would ask for one at the terminal.
        context.load_cert_chain(server.tls_cert, server.tls_key, password=lambda: "")
    except (ssl.SSLError, ValueError) as error:
        raise ConfigError(
            f"server.tls_cert and server.tls_key must be a certificate chain and its key without password, both PEM, "
            f"not {server.tls_cert} and {server.tls_key}: {error}"
        ) from error
    return context
