"""Markers of a chat template that stand in what a client sends: they are text there, and no special tokens.

Each is broken behind its first character by random digits before the template sees it, which no filter of a template
changes. The places where they stood in the prompt are its breaks: while it is tokenized, a token stands there
and is taken out again. So no token reaches across a break, and all around it is tokenized as ever.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tokenizers import AddedToken, Encoding, Tokenizer

from gateway.core.request import ChatRequest
from gateway.errors import ModelLoadError
from tools.toolset import ToolSet

Span = tuple[int, int]
_Change = Callable[[str], str]

_OWN = frozenset(("<", ">", "[", "]", "|", "{", "}"))
"""Of an added token that is not special, what tells a marker from words and blanks."""

_SCHEMA_WORDS = frozenset(("type", "properties", "description", "required", "items", "enum", "default", "anyOf"))
"""Names in a schema that templates look for; as parts of a marker they are the template's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """The texts that a tokenizer reads as tokens of their own, where they are a template's.

    Attributes:
        anywhere: Finds them.
        in_answers: Finds those that an assistant's turn does not hold by right, as its thoughts and calls are marked.
        parts: Tells texts to which a template may add what makes a marker of them.
        split: The text of a token that takes nothing beside it.
    """

    anywhere: re.Pattern[str]
    in_answers: re.Pattern[str]
    parts: Parts
    split: str

    @classmethod
    def of(cls, tokenizer: Tokenizer, template: str, own: Collection[str], queue: str = "") -> Markers | None:
        """Those of a tokenizer; None where it has none.

        Args:
            template: The text of the chat template.
            own: Texts with which the model marks its thoughts and calls. What stands in neither is a marker only if it
                is special.
            turns: What is rendered between an answer and the end of the next turn: no answer holds these markers.

        Raises:
            ModelLoadError: Each of the tokens that could stand at a break takes something of the text beside it.
        """
        added = list(tokenizer.get_added_tokens_decoder().values())
        texts = {token.content for token in added if len(token.content) > 1 and _is_marker(token, template, own)}
        if not texts:
            return None
        splits = [token for token in added if not (token.lstrip or token.rstrip or token.single_word)]
        split = next((token.content for token in splits if token.special or not token.normalized), None)
        if split is None:
            raise ModelLoadError(
                "markers cannot be told from text with this tokenizer: each of its special tokens takes blanks beside "
                'it; server.special_tokens_in_text = "special" serves it without that'
            )
        in_answers = {text for text in texts if text in queue or not any(text in each for each in own)}
        return cls(anywhere=_any_of(texts), in_answers=_any_of(in_answers), parts=Parts.of(texts), split=split)

    def written(self, request: ChatRequest, write: Callable[[ChatRequest], str]) -> tuple[str, tuple[int, ...]]:
        """Return the prompt of a request, as `write` renders it, and its breaks.

        What an assistant said keeps the marks of thoughts and calls. Where a text may be a part of a marker, the prompt
        is rendered once more with breaks around it, and is that one if it has fewer markers.
        """
        texts: list[str] = []
        _with_texts(request, seen := partial(_noted, texts), seen)
        has_part = any(text in self.parts for text in texts)
        if not has_part and not any(map(self.anywhere.search, texts)):
            return write(request), ()
        by = "".join(secrets.choice("0123456789") for _ in range(24))
        prompt = write(self._broken(request, by, with_parts=False))
        if has_part:
            other = write(self._broken(request, by, with_parts=True))
            if self._num_in(other) < self._num_in(prompt):
                prompt = other
        pieces, breaks, at = prompt.split(by), [], 0
        for piece in pieces[:-1]:
            at += len(piece)
            breaks.append(at)
        return "".join(pieces), tuple(breaks)

    def split_at(self, text: str, breaks: Sequence[int]) -> str:
        """Return the text with the token of its own at each break, for the tokenizer."""
        ends = (*breaks[1:], len(text))
        return text[: breaks[0]] + "".join(self.split + text[a:b] for a, b in zip(breaks, ends, strict=True))

    def kept(self, encoding: Encoding, breaks: Sequence[int]) -> Iterator[tuple[int, str, Span]]:
        """The tokens of what `split_at` returned, without those at the breaks, with their places in the text."""
        size, num_passed = len(self.split), 0
        for token_id, piece, (begin, end) in zip(encoding.ids, encoding.tokens, encoding.offsets, strict=True):
            shift = num_passed * size
            if num_passed < len(breaks) and (begin, end) == (
                breaks[num_passed] + shift,
                breaks[num_passed] + shift + size,
            ):
                num_passed += 1
            else:
                # What the tokenizer adds is at no place.
                yield token_id, piece, (begin - shift, end - shift) if end else (begin, end)

    def _broken(self, request: ChatRequest, by: str, *, with_parts: bool) -> ChatRequest:
        change, said = (partial(self._text, pattern, by, with_parts) for pattern in (self.anywhere, self.in_answers))
        return _with_texts(request, change, said)

    def _text(self, pattern: re.Pattern[str], by: str, with_parts: bool, text: str) -> str:
        broken = pattern.sub(rf"\g<0>{by}", text)
        return f"{by}{broken}{by}" if with_parts and text in self.parts else broken

    def _num_in(self, prompt: str) -> int:
        return sum(1 for _ in self.anywhere.finditer(prompt))


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Texts that end as a marker begins, begin as one ends, or are the inner part of one, its words included.

    Attributes:
        begins: Beginnings of markers, of two characters or more.
        ends: Their ends, likewise.
        inner: What is left of them without some of the signs around their words.
        pairs: The characters with which beginnings end and ends begin.
        most: Beginnings and ends are shorter.
    """

    begins: frozenset[str]
    ends: frozenset[str]
    inner: frozenset[str]
    pairs: frozenset[str]
    most: int

    @classmethod
    def of(cls, texts: Collection[str]) -> Parts:
        """Those of markers."""
        inner = set()
        for text in texts:
            words = re.search(r"\w(?:.*\w)?", text, re.DOTALL)
            if words is not None:
                inner |= {text[a:b] for a in range(words.start() + 1) for b in range(words.end(), len(text) + 1)} - {
                    text
                }
        begins = frozenset(text[:size] for text in texts for size in range(2, len(text)))
        ends = frozenset(text[-size:] for text in texts for size in range(2, len(text)))
        pairs = frozenset((*(each[-2:] for each in begins), *(each[:2] for each in ends)))
        return cls(begins=begins, ends=ends, inner=frozenset(inner), pairs=pairs, most=max(map(len, texts)))

    def __contains__(self, text: str) -> bool:
        if text in self.inner:
            return True
        if text[:2] not in self.pairs and text[-2:] not in self.pairs:
            return False
        sizes = range(2, min(len(text) + 1, self.most))
        return any(text[:size] in self.ends or text[-size:] in self.begins for size in sizes)


def _is_marker(token: AddedToken, template: str, own: Collection[str]) -> bool:
    """Whether an added token is special, or one that the template or the format of thoughts and calls writes."""
    text = token.content
    return token.special or bool(_OWN & set(text) and (text in template or any(text in each for each in own)))


def _any_of(texts: Collection[str]) -> re.Pattern[str]:
    """Finds the first character of each of the texts; none of no texts."""
    return re.compile(rf"(?={_alternatives(texts)})." if texts else r"(?!)", re.DOTALL)


def _alternatives(texts: Collection[str]) -> str:
    """A pattern of the texts, each beginning in it once: what is read costs the same however many begin alike."""
    if "" in texts:
        return ""
    rests: dict[str, list[str]] = {}
    for text in sorted(texts):
        rests.setdefault(text[0], []).append(text[1:])
    found = [re.escape(first) + _alternatives(rest) for first, rest in rests.items()]
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"


def _noted(texts: list[str], text: str) -> str:
    texts.append(text)
    return text


def _with_texts(request: ChatRequest, change: _Change, said: _Change) -> ChatRequest:
    """The request with all texts changed that a client chooses freely, what an assistant said by `said`."""
    messages = tuple(_message(message, change, said) for message in request.messages)
    tools = request.tools and ToolSet(
        tuple(
            replace(tool, description=_changed(tool.description, change), parameters=_changed(tool.parameters, change))
            for tool in request.tools
        )
    )
    kwargs = {name: _changed(value, change) for name, value in request.template_kwargs.items()}
    return replace(request, messages=messages, tools=tools, template_kwargs=kwargs)


def _message(message: Mapping[str, Any], change: _Change, said: _Change) -> dict[str, Any]:
    change_of = said if message.get("role") == "assistant" else change
    changed: dict[str, Any] = {}
    for name, value in message.items():
        if name == "role":
            changed[name] = value
        elif name == "content" and isinstance(value, list):
            changed[name] = [{**part, "text": change_of(part["text"])} if "text" in part else part for part in value]
        elif name == "tool_calls" and value:
            changed[name] = [_call(call, change) for call in value]
        else:
            changed[name] = _changed(value, change_of)
    return changed


def _call(call: Mapping[str, Any], change: _Change) -> dict[str, Any]:
    """A call with its texts changed; the names of its fields stay."""
    changed = {name: value if name in ("type", "function") else _changed(value, change) for name, value in call.items()}
    return {**changed, "function": {name: _changed(value, change) for name, value in call["function"].items()}}


def _changed(value: Any, change: _Change) -> Any:
    """A value with its texts changed, names of members included."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {
            name if name in _SCHEMA_WORDS or not isinstance(name, str) else change(name): _changed(member, change)
            for name, member in value.items()
        }
    if isinstance(value, list | tuple):
        return [_changed(item, change) for item in value]
    return value
