"""Special tokens in a client's input, which are tokenized as plain text.

Random digits, which no template filter changes, are inserted after the first character of each marker. After rendering
they are removed, and their positions in the prompt are its breaks. For tokenizing, a special token is inserted at each
break, and removed from the result. So no token crosses a break, and the other text is tokenized as usual.
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
"""Characters that distinguish a marker from words and blanks, among added tokens that are not special."""

_SCHEMA_WORDS = frozenset(("type", "properties", "description", "required", "items", "enum", "default", "anyOf"))
"""Names in a schema that templates read; they are never broken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """Texts that a tokenizer reads as single tokens and that a template uses.

    Attributes:
        anywhere: Pattern of all markers.
        in_answers: Pattern of the markers that an assistant's turn must not contain: all but those of reasoning and
            calls.
        parts: Texts that a template may complete to a marker.
        split: Text of the token that is inserted at breaks; it absorbs no blanks beside it.
    """

    anywhere: re.Pattern[str]
    in_answers: re.Pattern[str]
    parts: Parts
    split: str

    @classmethod
    def of(cls, tokenizer: Tokenizer, template: str, own: Collection[str], turns: str = "") -> Markers | None:
        """Return the markers of a tokenizer; None where it has none.

        Args:
            template: The text of the chat template.
            own: Texts with which the model marks its reasoning and calls. A token in neither is a marker only if it is
                special.
            turns: Text rendered after an answer, up to the end of the next turn: no answer contains its markers.

        Raises:
            ModelLoadError: Each token that could be inserted at a break absorbs text beside it.
        """
        added = list(tokenizer.get_added_tokens_decoder().values())
        texts = {token.content for token in added if len(token.content) > 1 and _is_marker(token, template, own)}
        if not texts:
            return None
        splits = [token for token in added if not (token.lstrip or token.rstrip or token.single_word)]
        split = next((token.content for token in splits if token.special or not token.normalized), None)
        if split is None:
            raise ModelLoadError(
                "markers cannot be distinguished from text with this tokenizer: each special token absorbs blanks "
                'beside it; server.special_tokens_in_text = "special" serves it without that'
            )
        in_answers = {text for text in texts if text in turns or not any(text in each for each in own)}
        return cls(anywhere=_any_of(texts), in_answers=_any_of(in_answers), parts=Parts.of(texts), split=split)

    def written(self, request: ChatRequest, write: Callable[[ChatRequest], str]) -> tuple[str, tuple[int, ...]]:
        """Return the prompt of a request, as `write` renders it, and its breaks.

        An assistant's message keeps the markers of reasoning and calls. If a text may be a part of a marker, the prompt
        is rendered again with breaks around the text, and that prompt is returned if it has fewer markers.
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
        """Return the text with the splitting token at each break, for the tokenizer."""
        ends = (*breaks[1:], len(text))
        return text[: breaks[0]] + "".join(self.split + text[a:b] for a, b in zip(breaks, ends, strict=True))

    def kept(self, encoding: Encoding, breaks: Sequence[int]) -> Iterator[tuple[int, str, Span]]:
        """Yield the tokens of the text that `split_at` returned, without those at breaks, with places in the text."""
        size, num_passed = len(self.split), 0
        for token_id, piece, (begin, end) in zip(encoding.ids, encoding.tokens, encoding.offsets, strict=True):
            shift = num_passed * size
            if num_passed < len(breaks) and (begin, end) == (
                breaks[num_passed] + shift,
                breaks[num_passed] + shift + size,
            ):
                num_passed += 1
            else:
                # A token that the tokenizer adds has an empty span.
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
    """Parts of markers: texts that end with a marker's beginning, begin with its end, or are its inner part.

    Attributes:
        begins: Beginnings of markers, of two characters or more.
        ends: Ends of markers, of two characters or more.
        inner: Markers without some of the signs around their words.
        pairs: Last two characters of beginnings, and first two of ends.
        most: Bound on the length of beginnings and ends, exclusive.
    """

    begins: frozenset[str]
    ends: frozenset[str]
    inner: frozenset[str]
    pairs: frozenset[str]
    most: int

    @classmethod
    def of(cls, texts: Collection[str]) -> Parts:
        """Return the parts of markers."""
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
    """Return whether an added token is special, or used by the template or the formats of reasoning and calls."""
    text = token.content
    return token.special or bool(_OWN & set(text) and (text in template or any(text in each for each in own)))


def _any_of(texts: Collection[str]) -> re.Pattern[str]:
    """Return a pattern that finds the first character of each of the texts; without texts it finds nothing."""
    return re.compile(rf"(?={_alternatives(texts)})." if texts else r"(?!)", re.DOTALL)


def _alternatives(texts: Collection[str]) -> str:
    """Return a pattern of the texts as a trie, so that matching takes no longer where many texts begin alike."""
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
    """Return the request with all texts that a client chooses changed by `change`, an assistant's by `said`."""
    messages = tuple(_message(message, change, said) for message in request.messages)
    tools = request.tools and ToolSet(
        tuple(
            replace(tool, description=_changed(tool.description, change), parameters=_changed(tool.parameters, change))
            for tool in request.tools
        )
    )
    kwargs = {name: _changed(value, change) for name, value in request.template_kwargs.items()}
    documents = tuple(
        replace(each, parts=tuple(map(change, each.parts)), title=change(each.title), id=change(each.id))
        for each in request.documents
    )
    return replace(request, messages=messages, tools=tools, template_kwargs=kwargs, documents=documents)


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
    """Return a call with its texts changed, but not the names of its fields."""
    changed = {name: value if name in ("type", "function") else _changed(value, change) for name, value in call.items()}
    return {**changed, "function": {name: _changed(value, change) for name, value in call["function"].items()}}


def _changed(value: Any, change: _Change) -> Any:
    """Return a value with its texts changed, including names of members."""
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
