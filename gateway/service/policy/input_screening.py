"""Screening of requests under a policy, before anything else is done with them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from gateway.audit.request_record import current_record
from gateway.core.answer import Finding
from gateway.core.arithmetic import Term
from gateway.core.decisions import DecisionRequest
from gateway.core.documents import Document
from gateway.core.images import IMAGE_MARK
from gateway.core.parts import Parted
from gateway.core.request import Caller, ChatRequest, CompletionRequest, Options
from gateway.errors import ContentFilterError, DeadlineExceededError, InvalidRequestError
from gateway.guards import Policies, Policy, Rules, Screen
from gateway.service.policy.judges import Judges, Tags, finding, highest, tag
from gateway.service.policy.recorded_texts import note_contents
from gateway.service.policy.said import said_in
from gateway.service.request.context import RequestContext
from gateway.service.request.tokenizing import TokenizerThreads, check_length, size_of

logger = logging.getLogger(__name__)

Request = TypeVar("Request", ChatRequest, CompletionRequest, DecisionRequest)

_Decode = Callable[[Sequence[int]], str]
_NOTHING: Tags = MappingProxyType({})
SLICE = 10_000
"""Characters between looks at the time: half a second of those that take longest."""


class InputScreening:
    """Screening of one request; call one of `chat`, `completion` and `decisions`, once.

    Args:
        max_seconds: Time limit for all texts together.
        tags: Findings of taggers, by text.

    Attributes:
        texts: Texts for the judges: each message, each prompt, or all questions.
        weights: Probabilities of findings, by the number of their rule, where a judge gives them.
    """

    def __init__(self, policy: Policy, max_seconds: float, tags: Tags) -> None:
        self._policy = policy
        # For texts in which nothing can be replaced: a name, an id, a schema.
        self._strict = policy.input.without_redaction()
        self._across = self._strict.without_bounds()
        self._tags = tags
        self._end = time.monotonic() + max_seconds
        self._counts: Counter[Finding] = Counter()
        self._likely: dict[Finding, float | None] = {}
        self.texts: list[str] = []
        self.weights: dict[int, float] = {}
        self._pieces: list[str] = []

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the findings so far that the client sees."""
        return tuple(each for each in self.found if each.action != "pass")

    @property
    def found(self) -> list[Finding]:
        """Return all findings so far."""
        return [
            replace(each, count=count, probability=self._likely.get(each)) for each, count in list(self._counts.items())
        ]

    async def judge(self, judges: Judges, context: RequestContext) -> None:
        """Return once the judges let the screened texts pass.

        Raises:
            ContentFilterError: A judge blocks one of them.
            OverloadedError: Too many requests wait for judges.
        """
        texts, self.weights = await judges.findings(self._policy.input, self.texts, "input", context)
        found = [each for text in texts for each in text]
        for each in found:
            what = replace(each, count=0, probability=None)
            self._counts[what] += each.count
            self._likely[what] = highest(self._likely.get(what), each.probability)
        log_findings(self._policy.name, found)
        for each in found:
            if each.action == "block":
                raise blocked(each)

    def _log(self) -> None:
        log_findings(self._policy.name, self.found)

    def chat(self, request: ChatRequest) -> ChatRequest:
        """Return the conversation with contents, reasoning, arguments of calls and documents redacted. In names, ids,
        tools, schemas and template variables nothing can be replaced: a finding that would be redacted is blocked.

        Raises:
            ContentFilterError: The policy blocks it.
        """
        messages = tuple(map(self._message, request.messages))
        documents = tuple(map(self._document, request.documents))
        self._fixed(request.template_kwargs)
        if "tools" in self._policy.input_scope:
            self._fixed([tool.to_openai() for tool in request.tools or ()])
        options = self._options(request.options)
        self._log()
        return replace(request, messages=messages, documents=documents, options=options)

    def completion(self, request: CompletionRequest, decode: _Decode) -> CompletionRequest:
        """Return the prompts redacted. A prompt of token ids becomes a text if something in it is replaced.

        Raises:
            ContentFilterError: The policy blocks one.
        """
        prompts = tuple(self._prompt(prompt, decode) for prompt in request.prompts)
        suffix = self._text(request.suffix)
        self._end_text()
        options = self._options(request.options, decode)
        self._log()
        return replace(request, prompts=prompts, suffix=suffix, options=options)

    def decisions(self, request: DecisionRequest) -> DecisionRequest:
        """Return the questions redacted.

        Raises:
            ContentFilterError: The policy blocks one.
        """
        questions = [replace(question, text=self._text(question.text)) for question in request.questions]
        self._end_text()
        self._fixed(request.template_kwargs)
        self._log()
        return replace(request, questions=tuple(questions))

    def _message(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        screened = dict(message)
        self._pieces = []
        for name, value in message.items():
            if name in ("content", "reasoning_content"):
                screened[name] = self._value(value)
            elif name == "tool_calls":
                screened[name] = value and [self._call(call) for call in value]
            elif name != "role":
                self._fixed(value)
        self._end_text()
        return screened

    def _prompt(self, prompt: str | tuple[int, ...], decode: _Decode) -> str | tuple[int, ...]:
        text = prompt if isinstance(prompt, str) else decode(prompt)
        screened = self._text(text)
        self._end_text()
        return prompt if screened == text else screened

    def _document(self, document: Document) -> Document:
        if len(document.parts) > 1:
            self._look("".join(document.parts), self._across)
        title, context, *parts = map(self._text, (document.title, document.context, *document.parts))
        self._fixed(document.id)
        self._end_text()
        return replace(document, parts=tuple(parts), title=title, context=context)

    def _end_text(self) -> None:
        """Join the pieces screened since the last call into one text for the judges."""
        text = "\n".join(piece for piece in self._pieces if piece.strip())
        self._pieces = []
        if text:
            self.texts.append(text)

    def _call(self, call: Mapping[str, Any]) -> dict[str, Any]:
        function = call["function"]
        self._fixed([call.get("id"), function.get("name")])
        # Arguments are objects here, whatever their dialect.
        return {**call, "function": {**function, "arguments": self._value(function.get("arguments"))}}

    def _value(self, value: Any) -> Any:
        """Return the value with its texts and member names screened; a redacted number becomes a text."""
        if isinstance(value, Parted):
            self._look("".join(part for part in value.parts if part != IMAGE_MARK), self._across)
        if isinstance(value, str):
            return self._text(str(value))
        if isinstance(value, list):
            return [self._value(item) for item in value]
        if isinstance(value, dict):
            members: dict[str, Any] = {}
            for name, member in value.items():
                members[_distinct(self._text(name), members)] = self._value(member)
            return members
        if isinstance(value, int | float) and not isinstance(value, bool):
            text = str(value)
            screened = self._text(text)
            return value if screened == text else screened
        return value

    def _options(self, options: Options, decode: _Decode | None = None) -> Options:
        """Return the options with prompts of other terms redacted. The answer's prefix and the constraint, parts of
        which chat templates show, are blocked instead."""
        self._fixed(options.answer_prefix)
        constraint = options.constraint
        if constraint is not None and "schemas" in self._policy.input_scope:
            self._fixed(asdict(constraint))
        if options.arithmetic is None:
            return options
        terms = tuple(self._term(term, decode) for term in options.arithmetic.terms)
        return replace(options, arithmetic=replace(options.arithmetic, terms=terms))

    def _term(self, term: Term, decode: _Decode | None) -> Term:
        messages = None if term.messages is None else tuple(map(self._message, term.messages))
        prompt = term.prompt if term.prompt is None or decode is None else self._prompt(term.prompt, decode)
        return replace(term, messages=messages, prompt=prompt)

    def _fixed(self, value: Any) -> None:
        """Screen the texts of a value in which nothing can be replaced."""
        if isinstance(value, str):
            self._look(value, self._strict)
        elif isinstance(value, Mapping):
            for name, member in value.items():
                self._fixed(name)
                self._fixed(member)
        elif isinstance(value, list | tuple):
            for item in value:
                self._fixed(item)

    def _look(self, text: str, rules: Rules) -> None:
        """Raise if the policy would block or change a text."""
        screen = Screen(rules)
        for begin in range(0, len(text), SLICE):
            screen.feed(text[begin : begin + SLICE])
            if time.monotonic() > self._end:
                raise DeadlineExceededError("screening the request took too long")
        screen.flush()
        if rules is self._strict:
            for found in screen.findings("input"):
                self._counts[replace(found, count=0)] += found.count
        if screen.blocked is not None:
            self._log()
            raise blocked(finding(screen.blocked, "input", 1))

    def _text(self, text: str) -> str:
        screen = Screen(self._policy.input)
        pieces = []
        for begin in range(0, len(text), SLICE):
            pieces.append(screen.feed(text[begin : begin + SLICE]))
            if time.monotonic() > self._end:
                raise DeadlineExceededError("screening the request took too long")
        pieces += (tag(screen, self._policy.input, self._tags, text), screen.flush())
        screened = "".join(pieces)
        for found in screen.findings("input"):
            self._counts[replace(found, count=0)] += found.count
        if screen.blocked is not None:
            self._log()
            raise blocked(finding(screen.blocked, "input", 1))
        if self._policy.input.judged:
            self._pieces.append(screened)
        return screened


class TextCollector(InputScreening):
    """Collection of a request's texts for taggers in `texts`; screens nothing."""

    def _look(self, text: str, rules: Rules) -> None:
        pass

    def _text(self, text: str) -> str:
        if text.strip():
            self.texts.append(text)
        return text


class ScreenedRequest(NamedTuple):
    """Result of screening a request.

    Attributes:
        policy: Policy for the answers; None for none.
        findings: Findings that the client sees.
        weights: Probabilities of findings, by the number of their rule, where a judge gives them.
    """

    policy: Policy | None
    findings: tuple[Finding, ...] = ()
    weights: Mapping[int, float] = MappingProxyType({})


class InputScreener:
    """Screener of requests; long ones queue fairly by tenant.

    Args:
        max_seconds: Time limit for one request.
        most: Most characters of a prompt; None sets no limit.
    """

    def __init__(
        self, tokenizer_threads: TokenizerThreads, judges: Judges, max_seconds: float, most: int | None
    ) -> None:
        self._most = most
        self._tokenizer_threads = tokenizer_threads
        self._judges = judges
        self._max_seconds = max_seconds

    async def screened_request(
        self,
        policies: Policies | None,
        request: Request,
        caller: Caller,
        context: RequestContext,
        screen_texts: Callable[[InputScreening, Request], Request],
    ) -> tuple[Request, ScreenedRequest]:
        """Return the request as its policy lets it pass, with the findings.

        Args:
            screen_texts: `InputScreening`'s method for requests of this kind.

        Raises:
            ContentFilterError: The policy blocks it.
            InvalidRequestError: It asks for a policy that its key may not choose.
        """
        notes, screening = current_record(), None
        notes.model = request.options.model
        policy = policy_of(policies, request.options, caller)
        notes.policy = None if policy is None else policy.name
        if policy is not None and policy.input.applied:
            check_length(request, self._most)
            size, tags, begun = size_of(request), _NOTHING, time.perf_counter()
            if policy.input.taggings:
                collecting = TextCollector(policy, self._max_seconds, {})
                await self._tokenizer_threads.read(partial(screen_texts, collecting, request), size, caller.tenant)
                tags = await self._judges.tags(policy.input, collecting.texts)
            screening = InputScreening(policy, self._max_seconds, tags)
            try:
                request = await self._tokenizer_threads.read(
                    partial(screen_texts, screening, request), size, caller.tenant
                )
                await screening.judge(self._judges, context)
            except RecursionError:
                raise InvalidRequestError("the request is nested too deeply to be screened") from None
            finally:
                notes.decide(screening.found)
                notes.add_stage("guards", begun)
        note_contents(request, policy)
        if policy is not None and policy.output.depends:
            policy = await asyncio.to_thread(policy.for_answer, said_in(request))
        if screening is None:
            return request, ScreenedRequest(policy)
        return request, ScreenedRequest(policy, screening.findings, screening.weights)


def policy_of(policies: Policies | None, options: Options, caller: Caller) -> Policy | None:
    """Return the policy of a request; None for none.

    Raises:
        InvalidRequestError: It asks for a policy that its key may not choose.
    """
    if options.policy is not None and caller.policy not in (None, options.policy):
        raise InvalidRequestError(
            f"{options.policy_origin} and the header ask for different policies", param=options.policy_origin
        )
    asked, origin = caller.policy, "x-portcullis-policy"
    if options.policy is not None:
        asked, origin = options.policy, options.policy_origin
    if policies is not None:
        return policies.of(caller.tenant, asked, origin)
    if asked is not None:
        raise InvalidRequestError("this server has no policies to choose from", param=origin)
    return None


def log_findings(policy: str, findings: Sequence[Finding]) -> None:
    """Log the findings in one line, without any text."""
    if findings:
        told = ", ".join(f"{each.where} {each.guard}/{each.kind} {each.action} {each.count}" for each in findings)
        logger.info("policy %s: %s", policy, told)


def _distinct(name: str, taken: Mapping[str, Any]) -> str:
    """Return the name, with a number appended if it is taken."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found


def blocked(found: Finding) -> ContentFilterError:
    """Return the error for a request that its policy blocks."""
    return ContentFilterError(f"the policy of this server blocks what the request holds ({found.guard}: {found.kind})")
