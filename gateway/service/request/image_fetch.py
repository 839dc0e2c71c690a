"""Images fetched by HTTP: from allowed hosts at public addresses, without redirects, bounded in bytes and time."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

import httpx

from gateway.config import ImagesConfig
from gateway.errors import InvalidImageError

_PORTS = {"http": 80, "https": 443}


async def fetched(url: str, place: str, bounds: ImagesConfig) -> bytes:
    """Return the file at a URL. Its host's name is resolved once, and the connection goes to the address that was
    looked at.

    Raises:
        InvalidImageError: It may not be fetched, or it cannot be; names the field.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        raise _refused(place, "must be a data URL (data:image/png;base64,...), or one of https or http") from None
    host = parts.hostname or ""
    name = host if port == _PORTS[parts.scheme] else f"{host}:{port}"
    if name not in {allowed.lower() for allowed in bounds.allowed_hosts} or "@" in parts.netloc:
        raise _refused(place, f"images of {name[:200]!r} are not fetched (images.allowed_hosts)")
    try:
        async with asyncio.timeout(bounds.fetch_timeout_s):
            address = await _public_address(host, port)
            if address is None:
                raise _refused(place, f"{host} has an address that is not public")
            return await _read(parts, host, address, place, bounds)
    except TimeoutError:
        raise _refused(place, f"{host} did not send it within {bounds.fetch_timeout_s:g} s") from None
    except (OSError, UnicodeError, httpx.HTTPError, httpx.InvalidURL) as error:
        raise _refused(place, f"it cannot be fetched from {host}: {type(error).__name__}") from error


async def _read(parts: SplitResult, host: str, address: str, place: str, bounds: ImagesConfig) -> bytes:
    url = httpx.URL(parts.geturl()).copy_with(host=address)
    headers = {"host": parts.netloc, "accept": "image/*", "accept-encoding": "identity"}
    data = bytearray()
    async with (
        httpx.AsyncClient(trust_env=False, timeout=bounds.fetch_timeout_s) as client,
        client.stream("GET", url, headers=headers, extensions={"sni_hostname": host}) as reply,
    ):
        if reply.status_code != httpx.codes.OK:
            raise _refused(place, f"{host} replied {reply.status_code}; redirects are not followed")
        async for piece in reply.aiter_raw():
            data += piece
            if len(data) > bounds.max_bytes:
                raise _refused(place, f"it has more than {bounds.max_bytes} bytes (images.max_bytes)")
    return bytes(data)


async def _public_address(host: str, port: int) -> str | None:
    """Return an address of a host; None if one of its addresses is not public."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(address[0]) for *_, address in found]
    return addresses[0] if all(map(_is_public, addresses)) else None


def _is_public(text: str) -> bool:
    address = ip_address(text)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return address.is_global and not address.is_multicast


def _refused(place: str, reason: str) -> InvalidImageError:
    return InvalidImageError(f"{place}: {reason}", param=place)
