"""API keys that are made, listed and revoked while a server runs, their limits and their use."""

from gateway.keys.api_key import ApiKey, KeyLimits, key_digest, new_key
from gateway.keys.key_ring import KeyRing
from gateway.keys.meter import Admission, KeyMeter, KeyMeters

__all__ = ["Admission", "ApiKey", "KeyLimits", "KeyMeter", "KeyMeters", "KeyRing", "key_digest", "new_key"]
