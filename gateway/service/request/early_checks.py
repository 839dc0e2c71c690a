"""Checks of a chat that need no model."""

from __future__ import annotations

from gateway.config import LimitsConfig
from gateway.core.request import ChatRequest
from gateway.service.constraints.matcher_recheck import bytes_compiler
from gateway.service.constraints.specs import constraint_error, spec_of
from gateway.service.model.loaded import KERNELS, Progress
from gateway.service.request.limits import check_chat
from grammars import GrammarError
from grammars.jit.aot import make_ready


def check_beforehand(request: ChatRequest, limits: LimitsConfig, progress: Progress) -> None:
    """Raise if any model would refuse the chat: a number is out of range, or the constraint does not compile.

    Raises:
        GatewayError: Names the field.
    """
    compiler = bytes_compiler()
    check_chat(request, limits, len(compiler.vocabulary))
    constraint = request.options.constraint
    if constraint is None:
        return
    make_ready(KERNELS, progress)
    try:
        compiler.compile(spec_of(constraint))
    except GrammarError as error:
        raise constraint_error(error, constraint.origin) from error
