"""What can be said against a chat without its model."""

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
    """Raise if the chat is refused whatever the model: a number out of its range, a constraint that does not compile.

    Raises:
        GatewayError: Names the field that is at fault.
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
