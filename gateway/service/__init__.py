"""What the wire dialects stand on: plans, runs and verifies requests."""

from gateway.service.plan import Prepared
from gateway.service.service import Service

__all__ = ["Prepared", "Service"]
