"""What the wire dialects stand on: plans, runs and verifies requests.

Importing this is light; what serves is imported when it is first named.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gateway.service.request.plan import Prepared
    from gateway.service.service import Service

__all__ = ["Prepared", "Service"]


def __getattr__(name: str) -> Any:
    if name == "Prepared":
        from gateway.service.request.plan import Prepared

        return Prepared
    if name == "Service":
        from gateway.service.service import Service

        return Service
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
