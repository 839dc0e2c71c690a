"""Independent verification: it never imports the grammar compiler, so one bug cannot affect both."""

from gateway.verify.pattern import CostError
from gateway.verify.productions import UnreadableError
from gateway.verify.strict_json import StrictJsonError, parse_strict
from gateway.verify.verdict import Verdict
from gateway.verify.verifier import Verifier

__all__ = ["CostError", "StrictJsonError", "UnreadableError", "Verdict", "Verifier", "parse_strict"]
