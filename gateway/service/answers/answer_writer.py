"""Writer of one answer: tokens of the engine in, deltas out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from gateway.core.answer import (
    ArgumentsDelta,
    Call,
    CallDelta,
    Delta,
    Finish,
    FinishReason,
    PromptDelta,
    ReasoningDelta,
    TextDelta,
    TokenDetails,
    TokenLogprob,
    TopLogprob,
)
from gateway.engine import TokenEvent, TokenLogprobs
from gateway.errors import DeadEndError, VerificationError
from gateway.service.answers.confidence import Weights
from gateway.service.answers.fields import FieldTeller
from gateway.service.answers.stop_strings import ContentStop
from gateway.service.answers.verification import JobRunner, verify
from gateway.service.constraints.matcher_recheck import MatcherRecheck
from gateway.service.request.plan import Plan
from gateway.text import Detokenizer, MarkedText, StopStream, TokenBytes, unbroken
from tools import events
from tools.reasoning import State, Thinker


class AnswerWriter:
    """Writer of one answer. Call `feed` with every event of the engine until `is_over`, then `finish`.

    Text passes three stages: tokens to characters, stop strings, tool-call parser. With tools, stop strings are
    searched in the content alone, so that none cuts a call's arguments.

    Attributes:
        num_tokens: Tokens written so far.
        num_cached_tokens: Prompt tokens found in the prefix cache.
        num_reasoning_tokens: Tokens of reasoning among those written, markers included.
        is_stopped: A stop string ended the content, or one more call would exceed `max_calls`: stop the engine.
        is_over: The answer is complete.
    """

    def __init__(self, plan: Plan, choice: int, token_bytes: TokenBytes) -> None:
        self._plan = plan
        self._choice = choice
        self._token_bytes = token_bytes
        self._parser = plan.new_parser(choice)
        self._content_stop: ContentStop | None = None
        if plan.stops and (self._parser or plan.stops_under or plan.prefix):
            matcher = plan.stops_under.matcher() if plan.stops_under else None
            self._content_stop = ContentStop(plan.stops, plan.include_stop, matcher)
        # isinstance(None, protocol) would take as long as the rest of this function.
        self._thinker = self._parser if self._parser is not None and isinstance(self._parser, Thinker) else None
        # If the parser or a stop string can end the answer, later tokens of the event are neither sent nor counted.
        may_stop = self._content_stop is not None or (
            plan.tool_plan is not None and plan.tool_plan.max_calls is not None
        )
        self._is_read_singly = self._thinker is not None or may_stop
        self._text: StopStream | Detokenizer | MarkedText
        if plan.stops and self._content_stop is None:
            self._text = StopStream(plan.stops, token_bytes, plan.include_stop)
        elif plan.marks:
            self._text = MarkedText(token_bytes, plan.marks)
        else:
            self._text = Detokenizer(token_bytes)
        self._pieces: list[str] = []
        self._calls: list[Call] = []
        self._arguments: list[str] = []
        self._broken: events.CallBroken | None = None
        self._held: list[TokenLogprob] = []
        self._reached: tuple[FinishReason, int | str | None] | None = None
        self._token_ids: list[int] = []
        self.fields = FieldTeller(plan.json_schema is not None) if plan.report_fields else None
        self.weights = Weights(token_bytes, plan.prefix_ids) if plan.confidence else None
        self._prefix_ids = plan.prefix_ids
        self._is_full = False
        self.is_over = False
        self._has_looped = self._is_steered = self._is_spent = False
        self._num_undecided = 0
        self.num_tokens = 0
        self.num_cached_tokens = 0
        self.num_reasoning_tokens = 0

    @property
    def token_ids(self) -> tuple[int, ...]:
        """Return the tokens so far."""
        return tuple(self._token_ids)

    @property
    def is_stopped(self) -> bool:
        return self._is_full or (self._content_stop is not None and self._content_stop.match is not None)

    @property
    def reasoning_end_ids(self) -> tuple[int, ...]:
        """Return the tokens that end the reasoning; see `Plan`."""
        return self._plan.reasoning_end_ids

    @property
    def is_thinking(self) -> bool:
        """True while the next token belongs to the reasoning."""
        return self._thinker is not None and self._thinker.state == "thinking"

    def feed(self, event: TokenEvent) -> list[Delta]:
        """Return the deltas of one event.

        Raises:
            VerificationError: The answer ended with a call that cannot be parsed.
        """
        self.num_cached_tokens = event.num_cached_tokens
        deltas: list[Delta] = []
        if event.prompt_logprobs is not None:
            deltas.append(PromptDelta(self._choice, tuple(self._shape(event.prompt_logprobs))))
        if self._prefix_ids:
            deltas += self._feed_prefix()
        deltas += self._feed_tokens(event.token_ids, self._shape(event.logprobs or ()))
        if event.finish_reason is not None and not self.is_stopped:
            deltas += self._read(self._text.finish(), last=True)
        if event.finish_reason is not None or self.is_stopped:
            self._close(event)
        return deltas

    async def finish(self, ask: JobRunner) -> Finish:
        """Return the last delta of the complete and verified answer.

        Raises:
            VerificationError: The answer violates what was asked for.
            DeadEndError: The tokens ran out before the answer was complete.
        """
        assert self._reached is not None, "the last event has been fed"
        text = "".join(self._pieces)
        plan, token_ids = self._plan, self._token_ids
        if plan.stops_under is not None and self.is_stopped:
            # The last tokens were dropped: match the text without them.
            plan, token_ids = replace(plan, recheck=MatcherRecheck(plan.stops_under)), []
        try:
            verdict = await verify(ask, plan, text, self._calls, token_ids)
        except VerificationError:
            if not self._is_spent:
                raise
            raise DeadEndError("the answer could not be completed in its tokens; it was withheld") from None
        rest = () if self._calls else tuple(self._held)
        confidence = None
        if self.weights is not None:
            arguments = self._plan.argument_schemas
            confidence = await asyncio.to_thread(
                self.weights.confidence, text, self._plan.json_schema, self._calls, arguments
            )
        return Finish(
            self._choice,
            *self._reached,
            has_looped=self._has_looped,
            is_steered=self._is_steered,
            rest=rest,
            verdict=verdict,
            confidence=confidence,
        )

    def _feed_prefix(self) -> list[Delta]:
        """Return the deltas of the answer's prefix, whose tokens belong to the prompt."""
        ids, self._prefix_ids = self._prefix_ids, ()
        deltas = self._feed_tokens(ids, ())
        self.num_tokens = self.num_reasoning_tokens = 0
        return deltas

    def _feed_tokens(self, token_ids: Sequence[int], logprobs: Sequence[TokenLogprob]) -> list[Delta]:
        if not self._is_read_singly:
            return self._feed_run(token_ids, logprobs)
        deltas: list[Delta] = []
        for place, token in enumerate(token_ids):
            if self.is_stopped:
                break
            deltas += self._feed_one(token, logprobs[place : place + 1])
        return deltas

    def _feed_one(self, token: int, logprobs: Sequence[TokenLogprob]) -> list[Delta]:
        if self._thinker is None:
            return self._feed_run((token,), logprobs)
        before, num_passed = self._thinker.state, self._thinker.num_passed
        deltas = self._feed_run((token,), logprobs)
        if self._thinker.num_passed == num_passed:
            self._count(before, self._thinker.state)
        else:
            self._num_undecided = 0
        return deltas

    def _feed_run(self, token_ids: Sequence[int], logprobs: Sequence[TokenLogprob]) -> list[Delta]:
        self.num_tokens += len(token_ids)
        self._token_ids += token_ids
        self._held += logprobs
        return self._read(self._text.feed(token_ids), last=False)

    def _count(self, before: State, after: State) -> None:
        """Count a token as reasoning or marker. Log-probabilities are reported for the answer alone."""
        if before == after == "answering":
            return  # e.g. half a character
        if before == after == "undecided":
            self._num_undecided += 1
            return
        self._held.clear()
        if "thinking" in (before, after):
            self.num_reasoning_tokens += 1 + self._num_undecided
        self._num_undecided = 0

    def _read(self, text: str, last: bool) -> list[Delta]:
        deltas: list[Delta] = []
        if self._parser is None:
            if self._content_stop is None:
                return self._content(text)
            found: list[events.Event] = [events.ContentDelta(text)]
        else:
            found = self._parser.feed(text) if text else []
            if last:
                found += self._parser.finish()
        for event in found:
            if not self.is_stopped:
                deltas += self._tell(event)
        if last and self._content_stop is not None:
            deltas += self._content(self._content_stop.finish())
        return deltas

    def _tell(self, event: events.Event) -> list[Delta]:
        match event:
            case events.ContentDelta(text):
                text = unbroken(text)
                return self._content(self._content_stop.feed(text) if self._content_stop else text)
            case events.ReasoningDelta(text):
                return self._thought(unbroken(text))
            case events.CallStart(index, id, name, kind):
                before = self._content(self._content_stop.finish()) if self._content_stop else []
                if self._plan.tool_plan and len(self._calls) == self._plan.tool_plan.max_calls:
                    self._is_full = True
                    return before
                self._arguments, id, name = [], unbroken(id), unbroken(name)
                self._calls.append(Call(id, name, "", kind))
                return [*before, CallDelta(self._choice, index, id, name, kind, self._take_held())]
            case events.ArgumentsDelta(index, text):
                text = unbroken(text)
                self._arguments.append(text)
                return [ArgumentsDelta(self._choice, index, text, logprobs=self._take_held())]
            case events.CallEnd():
                begun = self._calls[-1]
                self._calls[-1] = Call(begun.id, begun.name, "".join(self._arguments), begun.kind)
                return []
            case events.CallBroken():
                self._broken = event
                return []

    def _thought(self, text: str) -> list[Delta]:
        if self._plan.reasoning is None or not self._plan.reasoning.include or not text:
            return []
        return [ReasoningDelta(self._choice, text)]

    def _content(self, text: str) -> list[Delta]:
        if not text:
            return []
        self._pieces.append(text)
        return [TextDelta(self._choice, text, self._take_held())]

    def _take_held(self) -> tuple[TokenLogprob, ...]:
        """Return and clear the log-probabilities of the tokens since the last delta."""
        entries, self._held = tuple(self._held), []
        return entries

    def _close(self, event: TokenEvent) -> None:
        if self._broken is not None:
            raise VerificationError(f"the model's tool call was not readable: {self._broken.reason}")
        self._is_spent = event.finish_reason == "length" and not self.is_stopped
        has_shape = bool(self._calls) or not self._plan.has_free_text
        self._is_steered = event.is_steered and has_shape and not self.is_stopped
        self._reached, self.is_over = self._reason(event), True
        self._has_looped = event.finish_reason == "repetition" and not self.is_stopped
        self._held += self._shape([event.ending] if event.ending is not None else [])

    def _reason(self, event: TokenEvent) -> tuple[FinishReason, int | str | None]:
        stop = self._text.match if isinstance(self._text, StopStream) else None
        if self._content_stop is not None and self._content_stop.match is not None:
            stop = self._content_stop.match
        if self._is_steered:
            return "length", None
        if self._calls:
            return ("stop" if self._plan.is_named_call else "tool_calls"), None
        if stop is not None:
            return "stop", stop.stop
        is_cut = event.finish_reason in ("length", "repetition") or (event.is_full and event.stop_reason is None)
        return ("length" if is_cut and self._plan.has_free_text else "stop"), event.stop_reason

    def _shape(self, entries: Sequence[TokenLogprobs]) -> list[TokenLogprob]:
        return [self._shape_one(entry) for entry in entries]

    def _shape_one(self, entry: TokenLogprobs) -> TokenLogprob:
        drawn, top, known = (
            self._candidate((entry.token_id, entry.logprob)),
            entry.top[: self._plan.num_top],
            entry.details,
        )
        if known is None:
            return TokenLogprob(drawn, tuple(map(self._candidate, top)))
        masked, candidates = entry.masked, [self._candidate(*each) for each in zip(top, known.removed, strict=False)]
        if masked is not None:
            # The likeliest allowed tokens are told even where the model finds forbidden ones likelier.
            shift, listed = entry.logprob - masked.logprob, {token for token, _ in top}
            more = [(token, logprob + shift) for token, logprob in masked.top[: self._plan.num_top]]
            candidates += [self._candidate(pair, is_removed=False) for pair in more if pair[0] not in listed]
        mass = 0.0 if masked is None else masked.removed_mass
        details = TokenDetails(known.is_forced, known.is_drafted, known.time_ms, mass)
        return TokenLogprob(drawn, tuple(candidates), details)

    def _candidate(self, pair: tuple[int, float], is_removed: bool = False) -> TopLogprob:
        token_id, logprob = pair
        data = (self._token_bytes[token_id] if token_id < len(self._token_bytes) else None) or b""
        # JSON has no infinity; no sampled token is this unlikely.
        return TopLogprob(token_id, data.decode("utf-8", "replace"), data, max(logprob, -9999.0), is_removed)
