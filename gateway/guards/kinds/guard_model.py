"""`guard_model`: texts that a guard model flags, run from a folder or asked at a server with OpenAI's API."""

from __future__ import annotations

import json
import re
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlsplit

from gateway.guards.answers import FORMATS, NUM_LOGPROBS, Format, GuardModelOptions
from gateway.guards.kinds.base import JUDGED, JUDGED_OPTIONS, UNMASKED, Guard, OptionError, judged, likely, timeout_of
from gateway.guards.posting import post
from gateway.guards.processes import ModelProcess
from gateway.guards.rule import JudgeError, Opinion, Rule, Said

MAX_KEPT = 4096
"""Findings; each turn of a conversation brings all that came before it again."""
_WISHES: Mapping[str, type] = {"categories": list, "criterion": str, "controversial": bool}


class ServedProcess(ModelProcess):
    """A private server with the guard model of a folder; it accepts only the process that started it."""

    module: ClassVar[str] = "gateway.commands.private_server"
    name: ClassVar[str] = "guard model"

    def place(self, timeout_s: float) -> Place:
        """Return its address. A process that ended is started again first, without a time limit.

        Raises:
            JudgeError: The server cannot be started, or others wait for it.
        """
        with self._running(timeout_s):
            return Place(self.told["url"], self.told["key"])


class Place(NamedTuple):
    """Address and API key of a server."""

    url: str
    key: str | None


class GuardModelJudge:
    """Asks the model about texts one by one, and remembers recent verdicts.

    Args:
        server: Address, or the process that starts a server.
        timeout_s: For all texts that are asked about together.
        is_constrained: The request carries the constraint on the answer.
    """

    def __init__(
        self,
        server: Place | ServedProcess,
        model: str,
        format: Format,
        wanted: GuardModelOptions,
        *,
        timeout_s: int,
        is_constrained: bool = True,
    ) -> None:
        self._server = server
        self._format = format
        self._wanted = wanted
        self._timeout_s = timeout_s
        self._body = {
            "model": model,
            "max_tokens": format.max_tokens,
            "temperature": 0,
            "logprobs": True,
            "top_logprobs": NUM_LOGPROBS,
            **format.fields(wanted),
        }
        if is_constrained:
            self._body["structured_outputs"] = {"regex": format.constraint}
        self._lately: OrderedDict[bytes, Opinion] = OrderedDict()
        self._lock = Lock()

    def open(self) -> None:
        """Have the model of a folder loaded; a server that is not there yet is asked when there is a text."""
        if isinstance(self._server, ServedProcess):
            self._server.open()

    def close(self) -> None:
        """End the process of a folder."""
        if isinstance(self._server, ServedProcess):
            self._server.close()

    def judge(self, texts: Sequence[str], said: Said | None) -> list[Opinion]:
        """Return for each text the model's verdict, and its probability if the server reports logprobs."""
        end = time.monotonic() + self._timeout_s
        return [self._opinion(_conversation(text, said), end) for text in texts]

    def _opinion(self, messages: list[dict[str, str]], end: float) -> Opinion:
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

    def _ask(self, messages: list[dict[str, str]], end: float) -> Opinion:
        left_s = end - time.monotonic()
        if left_s <= 0:
            raise JudgeError("the texts take too long")
        server = self._server
        url, key = server.place(left_s) if isinstance(server, ServedProcess) else server
        reply = post(f"{url}/chat/completions", {**self._body, "messages": messages}, key, left_s)
        try:
            return self._format.read(reply["choices"][0], self._wanted)
        except (LookupError, TypeError, AttributeError, ArithmeticError) as error:
            raise JudgeError("what was replied is no chat completion as it was asked for") from error


def _conversation(text: str, said: Said | None) -> list[dict[str, str]]:
    if said is None:
        return [{"role": "user", "content": text}]
    return [{"role": "user", "content": said.user}, {"role": "assistant", "content": text}]


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """Return one rule for all categories of the model."""
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
    wanted = GuardModelOptions(
        categories=tuple(options.get("categories", ())),
        criterion=options.get("criterion", format.criterion),
        threshold=likely(options) if "threshold" in options else format.threshold,
        is_strict=options.get("controversial", True),
    )
    asking = GuardModelJudge(
        _server(options),
        options.get("model", "guard"),
        format,
        wanted,
        timeout_s=timeout_of(options),
        is_constrained=options.get("constrained", True),
    )
    return judged("guard_model", options, asking)


def _server(options: Mapping[str, Any]) -> Place | ServedProcess:
    """Return the server's address, or the process that starts one."""
    folder, url = options.get("folder"), options.get("url")
    if (folder is None) == (url is None):
        raise OptionError("folder", "or url must be given, and not both: where the model is, or who serves it")
    without = ("model", "key_file", "constrained") if url is None else ("config",)
    for option in without:
        if option in options:
            raise OptionError(option, f"means nothing beside {'folder' if url is None else 'url'}")
    if folder is not None:
        return ServedProcess.of(folder, *([options["config"]] if "config" in options else []))
    if "model" not in options:
        raise OptionError("model", "must be given: the model's name at that server")
    return Place(_base(options["url"]), None if "key_file" not in options else _key(options["key_file"]))


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
        "threshold": float,
        "format": str,
        "folder": str,
        "config": str,
        "url": str,
        "model": str,
        "key_file": str,
        "constrained": bool,
    },
    required=("format",),
    unmasked=UNMASKED,
    rules=rules,
    actions=JUDGED,
)
