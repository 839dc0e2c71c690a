"""What may stand in a text that comes in or goes out, and what is done about it."""

from gateway.guards.escapes import JsonScreen
from gateway.guards.policy import Policies, Policy, read_policies
from gateway.guards.rule import Applied, Judged, JudgeError, Said
from gateway.guards.screen import Rules, Screen

__all__ = [
    "Applied",
    "JsonScreen",
    "JudgeError",
    "Judged",
    "Policies",
    "Policy",
    "Rules",
    "Said",
    "Screen",
    "read_policies",
]
