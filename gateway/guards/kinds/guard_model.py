"""`guard_model`: texts that a guard model finds something in, at any server that speaks OpenAI's API."""

from __future__ import annotations

import json
import re
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from gateway.guards.answers import FORMATS, Format, Wish
from gateway.guards.kinds.base import JUDGED, JUDGED_OPTIONS, UNMASKED, Guard, OptionError, judged, likely, timeout_of
from gateway.guards.posting import post
from gateway.guards.rule import JudgeError, Rule, Said

MAX_KEPT = 4096
"""Findings; each turn of a conversation brings all that came before it again."""
_WISHES: Mapping[str, type] = {"categories": list, "criterion": str, "threshold": float, "controversial": bool}


class Asking:
    """Asks the model about one text after another; what it said lately it is not asked again.

    Args:
        url: Of its chat completions.
        key: What its server lets in.
        timeout_s: For all texts that are asked about together.
        is_constrained: The server is told what the answer is held to.
    """

    def __init__(
        self,
        url: str,
        key: str | None,
        model: str,
        format: Format,
        wish: Wish,
        *,
        timeout_s: int,
        is_constrained: bool = True,
    ) -> None:
        self._url = url
        self._key = key
        self._format = format
        self._wish = wish
        self._timeout_s = timeout_s
        self._body = {"model": model, "max_tokens": format.max_tokens, "temperature": 0, **format.fields(wish)}
        if is_constrained:
            self._body["structured_outputs"] = {"regex": format.constraint}
        self._lately: OrderedDict[bytes, bool] = OrderedDict()
        self._lock = Lock()

    def open(self) -> None:
        """Nothing is held; a server that is not there yet is asked when there is a text."""

    def close(self) -> None:
        """Nothing is held."""

    def judge(self, texts: Sequence[str], said: Said | None) -> list[bool]:
        """Which of the texts the model finds something in."""
        end = time.monotonic() + self._timeout_s
        return [self._is_found(_conversation(text, said), end) for text in texts]

    def _is_found(self, messages: list[dict[str, str]], end: float) -> bool:
        digest = sha256(json.dumps(messages).encode()).digest()
        with self._lock:
            known = self._lately.get(digest)
            if known is not None:
                self._lately.move_to_end(digest)
                return known
        found = self._ask(messages, end)
        with self._lock:
            self._lately[digest] = found
            if len(self._lately) > MAX_KEPT:
                self._lately.popitem(last=False)
        return found

    def _ask(self, messages: list[dict[str, str]], end: float) -> bool:
        left_s = end - time.monotonic()
        if left_s <= 0:
            raise JudgeError("the texts take too long")
        reply = post(self._url, {**self._body, "messages": messages}, self._key, left_s)
        try:
            return self._format.read(reply["choices"][0], self._wish)
        except (LookupError, TypeError, AttributeError, ArithmeticError) as error:
            raise JudgeError("what was replied is no chat completion as it was asked for") from error


def _conversation(text: str, said: Said | None) -> list[dict[str, str]]:
    if said is None:
        return [{"role": "user", "content": text}]
    return [{"role": "user", "content": said.user}, {"role": "assistant", "content": text}]


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """One rule for all that the model may find."""
    name = options["format"]
    format = FORMATS.get(name)
    if format is None:
        raise OptionError("format", f"must be one of {', '.join(FORMATS)}, not {name!r}")
    for option in _WISHES:
        if option in options and option not in format.wants:
            raise OptionError(option, f"means nothing to {name}")
    for category in options.get("categories", ()):
        if not re.fullmatch(format.names_categories, category):
            raise OptionError("categories", f"must be some of {name}'s, and '{category}' is none")
    threshold = likely(options)
    wish = Wish(
        categories=tuple(options.get("categories", ())),
        criterion=options.get("criterion", format.criterion),
        threshold=threshold,
        is_strict=options.get("controversial", True),
    )
    asking = Asking(
        f"{_base(options['url'])}/chat/completions",
        None if "key_file" not in options else _key(options["key_file"]),
        options["model"],
        format,
        wish,
        timeout_s=timeout_of(options),
        is_constrained=options.get("constrained", True),
    )
    return judged("guard_model", options, asking)


def _base(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_one = False
    if not is_one or parts.username is not None or parts.query or parts.fragment or not re.fullmatch("[!-~]+", url):
        raise OptionError("url", f"must be where the server's API is, as in http://localhost:8001/v1, not {url!r}")
    return url.rstrip("/")


def _key(path: str) -> str:
    try:
        key = Path(path).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError("key_file", f"cannot be read: {error}") from error
    if not re.fullmatch("[!-~]+", key):
        raise OptionError("key_file", f"must hold a key, and {path} does not")
    return key


GUARD = Guard(
    name="guard_model",
    options={
        **JUDGED_OPTIONS,
        **_WISHES,
        "format": str,
        "url": str,
        "model": str,
        "key_file": str,
        "constrained": bool,
    },
    required=("format", "url", "model"),
    unmasked=UNMASKED,
    rules=rules,
    actions=JUDGED,
)
