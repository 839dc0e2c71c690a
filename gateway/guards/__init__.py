"""Guards: rules for texts that enter or leave, and the actions on a match."""

from gateway.guards.escapes import JsonScreen
from gateway.guards.kinds.base import JUDGED, JUDGED_OPTIONS, UNMASKED, Guard, OptionError, judged
from gateway.guards.patterns import compile_pattern
from gateway.guards.policy import Policies, Policy, read_policies
from gateway.guards.rule import Applied, Judge, Judged, JudgeError, Opinion, Question, Rule, Said, Span, Tagging
from gateway.guards.rules import Rules
from gateway.guards.screen import Screen

__all__ = [
    "JUDGED",
    "JUDGED_OPTIONS",
    "UNMASKED",
    "Applied",
    "Guard",
    "JsonScreen",
    "Judge",
    "JudgeError",
    "Judged",
    "Opinion",
    "OptionError",
    "Policies",
    "Policy",
    "Question",
    "Rule",
    "Rules",
    "Said",
    "Screen",
    "Span",
    "Tagging",
    "compile_pattern",
    "judged",
    "read_policies",
]
