"""Markers of a chat template that stand in what a client sends: they are text there, and no special tokens.

Each is broken behind its first character by a random text before the template sees it. In the rendered prompt a special
token takes the place of that text while the prompt is tokenized, and is taken out again: so no token reaches across the
break, and all around it is tokenized as ever.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tokenizers import Tokenizer

from gateway.core.request import ChatRequest
from tools.toolset import ToolSet

_OWN = frozenset(("<", ">", "[", "]", "|", "{", "}"))
"""Of an added token that is not special, what tells a marker from words and blanks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """The texts that a tokenizer reads as tokens of their own, where they are a template's.

    Attributes:
        anywhere: Finds them.
        in_answers: Finds those that an assistant's turn does not hold by right, as its thoughts and calls are marked.
        split: The text of a special token that takes nothing beside it.
    """

    anywhere: re.Pattern[str]
    in_answers: re.Pattern[str]
    split: str

    @classmethod
    def of(cls, tokenizer: Tokenizer, template: str, own: Collection[str]) -> Markers | None:
        """Those of a tokenizer; None where it has none.

        Args:
            template: The text of the chat template: it tells which of the tokens that are not special are markers.
            own: Texts with which the model marks its thoughts and calls.
        """
        added = list(tokenizer.get_added_tokens_decoder().values())
        texts = {
            token.content
            for token in added
            if token.content and (token.special or (_OWN & set(token.content) and token.content in template))
        }
        splitting = [token.content for token in added if token.special and not (token.lstrip or token.rstrip)]
        texts = {text for text in texts if len(text) > 1}
        if not texts or not splitting:
            return None
        in_answers = {text for text in texts if not any(text in each for each in own)}
        return cls(anywhere=_any_of(texts), in_answers=_any_of(in_answers), split=splitting[0])

    def broken(self, request: ChatRequest) -> tuple[ChatRequest, str]:
        """Return the request with each marker in it broken, and by what: an empty text where it has none. What an
        assistant said keeps the marks of thoughts and calls."""
        if not any(map(self._stands_in, (request.messages, request.template_kwargs, _declared(request.tools)))):
            return request, ""
        by = secrets.token_hex(12)
        messages = tuple(self._message(message, by) for message in request.messages)
        tools = request.tools and ToolSet(
            tuple(
                replace(
                    tool,
                    description=_replaced(tool.description, self.anywhere, by),
                    parameters=_replaced(tool.parameters, self.anywhere, by),
                )
                for tool in request.tools
            )
        )
        kwargs = _replaced(request.template_kwargs, self.anywhere, by)
        return replace(request, messages=messages, tools=tools, template_kwargs=kwargs), by

    def encoded(self, tokenizer: Tokenizer, text: str, by: str) -> tuple[int, ...]:
        """The tokens of a rendered prompt in which markers are broken. Other threads run meanwhile."""
        places, at, parts = set(), 0, text.split(by)
        for part in parts[:-1]:
            at += len(part)
            places.add((at, at + len(self.split)))
            at += len(self.split)
        (encoding,) = tokenizer.encode_batch([self.split.join(parts)], add_special_tokens=False)
        return tuple(id for id, span in zip(encoding.ids, encoding.offsets, strict=True) if span not in places)

    def _message(self, message: Mapping[str, Any], by: str) -> dict[str, Any]:
        is_answer = message.get("role") == "assistant"
        return {
            name: _replaced(value, self.in_answers if is_answer and name != "tool_calls" else self.anywhere, by)
            for name, value in message.items()
        }

    def _stands_in(self, value: Any) -> bool:
        rest = [value]
        while rest:
            each = rest.pop()
            if isinstance(each, str):
                if self.anywhere.search(each):
                    return True
            elif isinstance(each, Mapping):
                rest += (*each.keys(), *each.values())
            elif isinstance(each, list | tuple):
                rest += each
        return False


def _declared(tools: Iterable[Any] | None) -> list[Any]:
    return [each for tool in tools or () for each in (tool.description, tool.parameters)]


def _any_of(texts: Collection[str]) -> re.Pattern[str]:
    """Finds one of the texts, the longest first; none of no texts. Its first group is the first character."""
    firsts = "".join(sorted({re.escape(text[0]) for text in texts}))
    rests = "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))
    return re.compile(rf"(?=[{firsts}])(?={rests})(.)" if texts else r"(?!)()", re.DOTALL)


def _replaced(value: Any, pattern: re.Pattern[str], by: str) -> Any:
    """A value with the markers in its texts broken, names of members included."""
    if isinstance(value, str):
        return pattern.sub(rf"\g<1>{by}", value)
    if isinstance(value, Mapping):
        return {_replaced(name, pattern, by): _replaced(member, pattern, by) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(item, pattern, by) for item in value]
    return value
