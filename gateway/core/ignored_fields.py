"""Ignored fields of a request, collected where they are met and reported with the reply."""

from __future__ import annotations

import re
from contextvars import ContextVar
from dataclasses import dataclass, field

from gateway.errors import UnsupportedParameterError

MAX_TOLD = 16
"""Most names reported per request; a history may hold thousands of images."""

MEDIA = {
    **dict.fromkeys(("image", "image_url", "input_image"), "image"),
    **dict.fromkeys(("audio", "audio_url", "input_audio"), "audio"),
    **dict.fromkeys(("video", "video_url"), "video"),
    **dict.fromkeys(("file", "input_file"), "file"),
    "document": "document",
}
"""Kinds of media by the type of the content part, in all dialects."""

_INDEX = re.compile(r"\[\d+\]")


@dataclass(slots=True, eq=False)
class IgnoredFields:
    """Names of the ignored fields of one request, without duplicates, in order.

    Attributes:
        refuses: A request that would be served without something it asks for is refused (`server.unserved`).
        names: Fields, as the client spelled them (`tools[3].defer_loading`).
    """

    refuses: bool = False
    names: dict[str, None] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """Return the names for a header or log line, the first `MAX_TOLD` and the number of others."""
        names = list(self.names)
        more = [f"and {len(names) - MAX_TOLD} more"] if len(names) > MAX_TOLD else []
        return ", ".join([*names[:MAX_TOLD], *more])

    @property
    def kinds(self) -> set[str]:
        """Return the names without the numbers in them."""
        return {_INDEX.sub("[]", name) for name in self.names}


_current: ContextVar[IgnoredFields | None] = ContextVar("ignored_fields", default=None)


def collect_ignored(refuses: bool) -> IgnoredFields:
    """Return the names for the request of this task, and of tasks that it starts from here on; none yet."""
    found = IgnoredFields(refuses)
    _current.set(found)
    return found


def ignore_field(name: str, message: str = "", *, kind: str = "") -> None:
    """Note that the request is served without what this field asks for.

    Args:
        name: The field. Neither it nor `kind` may hold a text of the client's: they become a header, and a label of a
            metric.
        message: Message of the error if such requests are refused.
        kind: What the field asks for, if its name does not say it.

    Raises:
        UnsupportedParameterError: The server refuses such requests.
    """
    found = _current.get()
    if found is not None and found.refuses:
        raise UnsupportedParameterError(message or f"{name} is not served", param=name)
    note_ignored(f"{name} ({kind})" if kind else name)


def note_ignored(name: str) -> None:
    """Note the same of what asks for nothing in the answer, a hint or an upper bound: it is never refused."""
    found = _current.get()
    if found is not None:
        found.names[name] = None


def placeholder(kind: str, place: str) -> str:
    """Return the placeholder text for a part that is no text, and note the part as ignored.

    Args:
        kind: Type of the part.
        place: Path in the body.

    Raises:
        UnsupportedParameterError: The type is unknown, or the server refuses such requests.
    """
    message = f"{place}: content of type '{kind[:100]}' is not served, only text"
    if kind not in MEDIA:
        raise UnsupportedParameterError(message, param=f"{place}.type")
    ignore_field(place, f"{message}; {MEDIA[kind]} content needs a server whose model reads it")
    return f"[{MEDIA[kind]} left out: this model reads text only]"
