"""Use of API keys: requests and tokens in the running minute and day, held to the key's limits."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from math import ceil

from gateway.errors import ModelNotFoundError, RateLimitError
from gateway.keys.api_key import ApiKey, KeyLimits
from gateway.keys.usage_file import UsageFile
from gateway.keys.use import DAY_S, DayUse, Use, present_day

MINUTE_S = 60.0


class SlidingMinute:
    """Sum of the amounts of the last 60 seconds. Memory: one entry for each request of these."""

    def __init__(self) -> None:
        self._entries: deque[tuple[float, int]] = deque()
        self._total = 0

    def add(self, amount: int, now: float) -> None:
        """Add an amount."""
        if amount:
            self._entries.append((now, amount))
            self._total += amount

    def total(self, now: float) -> int:
        """Return the sum."""
        while self._entries and self._entries[0][0] <= now - MINUTE_S:
            self._total -= self._entries.popleft()[1]
        return self._total

    def room_in_s(self, limit: int, amount: int, now: float) -> float:
        """Return the seconds until the amount fits below the limit; a minute where it never does."""
        left = self.total(now)
        for at, used in self._entries:
            if left + amount <= limit:
                return 0.0
            left -= used
            if left + amount <= limit:
                return at + MINUTE_S - now
        return 0.0 if left + amount <= limit else MINUTE_S

    def reset_in_s(self, now: float) -> float:
        """Return the seconds until the sum is 0 if nothing is added."""
        return self._entries[-1][0] + MINUTE_S - now if self.total(now) else 0.0


class KeyMeter:
    """Use of one key in the present minute and day. For one event loop.

    Args:
        today: Use on a day, which goes on if that is the present one.
    """

    def __init__(self, today: DayUse | None = None) -> None:
        self.num_running = 0
        self._today = today or DayUse(present_day(), Use())
        self._requests, self._prompt, self._completion, self._tokens = (SlidingMinute() for _ in range(4))

    def today(self) -> Use:
        """Return the use of the present day of UTC."""
        if (day := present_day()) != self._today.day:
            self._today = DayUse(day, Use())
        return self._today.use

    def last_day(self) -> DayUse:
        """Return a copy of the use on the last day of any; may be called from another thread."""
        day, use = self._today
        return DayUse(day, replace(use))

    def minute(self) -> Use:
        """Return the use of the last 60 seconds."""
        now = time.monotonic()
        return Use(self._requests.total(now), self._prompt.total(now), self._completion.total(now))

    def admit(self, limits: KeyLimits) -> None:
        """Count a request and begin it.

        Raises:
            RateLimitError: A limit is reached; nothing is counted.
        """
        now = time.monotonic()
        if limits.max_concurrent is not None and self.num_running >= limits.max_concurrent:
            raise RateLimitError(f"this API key may have {limits.max_concurrent} requests at the same time")
        per_minute = limits.requests_per_minute
        if per_minute is not None and (wait_s := self._requests.room_in_s(per_minute, 1, now)):
            raise _refusal(f"this API key may send {per_minute} requests a minute", wait_s)
        self._check_tokens(limits, 1, now)
        self._requests.add(1, now)
        self.today().requests += 1
        self.num_running += 1

    def reserve(self, limits: KeyLimits, prompt_tokens: int) -> None:
        """Count the tokens of a prompt before its answer begins.

        Raises:
            RateLimitError: They exceed a limit; nothing is counted.
        """
        self._check_tokens(limits, max(prompt_tokens, 1), time.monotonic())
        self.charge(prompt_tokens, 0)

    def charge(self, prompt_tokens: int, completion_tokens: int) -> None:
        """Count tokens that were used, whatever the limits."""
        now, today = time.monotonic(), self.today()
        self._prompt.add(prompt_tokens, now)
        self._completion.add(completion_tokens, now)
        self._tokens.add(prompt_tokens + completion_tokens, now)
        today.prompt_tokens += prompt_tokens
        today.completion_tokens += completion_tokens

    def headers(self, limits: KeyLimits) -> dict[str, str]:
        """Return OpenAI's headers about the limits of a minute; none for a limit that is not set."""
        now, headers = time.monotonic(), {}
        limited = (
            ("requests", limits.requests_per_minute, self._requests),
            ("tokens", limits.tokens_per_minute, self._tokens),
        )
        for name, limit, used in limited:
            if limit is not None:
                headers[f"x-ratelimit-limit-{name}"] = str(limit)
                headers[f"x-ratelimit-remaining-{name}"] = str(max(limit - used.total(now), 0))
                headers[f"x-ratelimit-reset-{name}"] = f"{used.reset_in_s(now):.3f}s"
        return headers

    def _check_tokens(self, limits: KeyLimits, amount: int, now: float) -> None:
        per_minute, per_day, today = limits.tokens_per_minute, limits.tokens_per_day, self.today()
        if per_minute is not None and (wait_s := self._tokens.room_in_s(per_minute, amount, now)):
            raise _refusal(f"this API key may use {per_minute} tokens a minute", wait_s)
        if per_day is not None and today.prompt_tokens + today.completion_tokens + amount > per_day:
            raise _refusal(f"this API key may use {per_day} tokens a day (UTC)", DAY_S - time.time() % DAY_S)


def _refusal(message: str, wait_s: float) -> RateLimitError:
    return RateLimitError(message, retry_after_s=max(ceil(wait_s), 1))


class Admission:
    """A running request of a key; `close` ends it."""

    def __init__(self, key: ApiKey, meter: KeyMeter) -> None:
        """Raises:
        RateLimitError: A limit of the key is reached.
        """
        meter.admit(key.limits)
        self._key, self._meter = key, meter
        self._reserved = 0

    def reserve(self, prompt_tokens: int) -> None:
        """Count the prompt's tokens.

        Raises:
            RateLimitError: They exceed a limit of the key.
        """
        self._meter.reserve(self._key.limits, prompt_tokens)
        self._reserved += prompt_tokens

    def check_model(self, name: str) -> None:
        """Raise `ModelNotFoundError` if the key may not use the model by this name."""
        allowed = self._key.limits.models
        if allowed and name not in allowed:
            raise ModelNotFoundError(
                f"this API key may not use the model '{name[:100]}'; it may use {', '.join(allowed)}", param="model"
            )

    def headers(self) -> dict[str, str]:
        """Return the headers about the key's limits."""
        return self._meter.headers(self._key.limits)

    def close(self, prompt_tokens: int, completion_tokens: int) -> None:
        """End the request and count its tokens; those of the prompt that are reserved, once."""
        self._meter.num_running -= 1
        self._meter.charge(max(prompt_tokens - self._reserved, 0), completion_tokens)


class KeyMeters:
    """Meters of all keys that were used.

    Args:
        path: File in which the use of a day is kept over restarts; None for none.

    Raises:
        ConfigError: The file cannot be used.
    """

    def __init__(self, path: str | None = None) -> None:
        self._file = None if path is None else UsageFile(path)
        stored = {} if self._file is None else self._file.stored()
        self._meters = {digest: KeyMeter(use) for digest, use in stored.items()}
        if self._file is not None:
            # A copy of the items: keys come while it is read.
            self._file.begin(lambda: [(digest, meter.last_day()) for digest, meter in list(self._meters.items())])

    def of(self, key: ApiKey) -> KeyMeter:
        """Return the meter of a key."""
        return self._meters.setdefault(key.sha256, KeyMeter())

    def close(self) -> None:
        """Write the use of today to the file."""
        if self._file is not None:
            self._file.close()
