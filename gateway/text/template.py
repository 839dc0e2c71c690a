"""Chat templates, rendered as by `transformers`, in a sandbox and within bounds."""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, NoReturn

from jinja2 import TemplateError, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.meta import find_undeclared_variables
from jinja2.parser import Parser
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from gateway.errors import ContextLengthError, InvalidRequestError, ModelLoadError
from gateway.text.message_text import REASONING_FIELDS, plain_messages, plain_tools
from gateway.text.template_requirements import TemplateRequirements, known_words

MAX_CHARACTERS = 4_000_000
"""Longest prompt a template may render, in characters."""
MAX_STEPS = 1_000_000
"""Passes of loops and calls of macros in one prompt: less than a second of them."""

_RESERVED = frozenset({"messages", "tools", "documents", "add_generation_prompt"})
_OTHER_FIELDS = ("thinking", "tool_plan", "thought")
"""Further names of thoughts in templates: of gpt-oss and LFM 2.5, of Command, of MiniCPM and Apriel."""


class _RefusedError(TemplateError):
    """The template called `raise_exception`."""


class _EndlessError(TemplateError):
    """The template takes more steps than any conversation needs."""


class _Steps(threading.local):
    """Steps left for the rendering of this thread."""

    left = MAX_STEPS

    def take(self) -> None:
        """Count one."""
        self.left -= 1
        if self.left < 0:
            raise _EndlessError(f"it takes more than {MAX_STEPS} steps")


class _Counted:
    """Items of a loop, each pass counted as a step."""

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Any]:
        for item in self._items:
            _STEPS.take()
            yield item

    def __len__(self) -> int:
        return len(self._items)  # type: ignore[arg-type]  # where there is none, Jinja counts itself


_STEPS = _Steps()


@pass_context  # so that it is called while rendering, and not once while compiling
def _count(context: Context, items: Iterable[Any]) -> _Counted:
    return _Counted(items)


@pass_context
def _step(context: Context, nothing: None) -> None:
    _STEPS.take()


def _counted(source: nodes.Template) -> nodes.Template:
    """Return the template with every loop pass and macro call counted as a step."""
    again: list[nodes.Macro | nodes.For] = [
        *source.find_all(nodes.Macro),
        *(loop for loop in source.find_all(nodes.For) if loop.recursive),
    ]
    for loop in source.find_all(nodes.For):
        loop.iter = nodes.Filter(loop.iter, _count.__name__, [], [], None, None, lineno=loop.lineno)
    for each in again:
        step = nodes.Filter(nodes.Const(None), _step.__name__, [], [], None, None, lineno=each.lineno)
        each.body.insert(0, nodes.ExprStmt(step, lineno=each.lineno))
    return source


class _Environment(ImmutableSandboxedEnvironment):
    """In which no product is longer than a prompt may be."""

    intercepted_binops = frozenset(("*", "**"))

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Return the product or power, bounded in size."""
        size = len(left) * right if hasattr(left, "__len__") else len(right) * left if hasattr(right, "__len__") else 0
        if size > MAX_CHARACTERS or (operator == "**" and abs(right) > _MAX_POWER):
            raise _EndlessError(f"it makes something of more than {MAX_CHARACTERS} characters")
        return super().call_binop(context, operator, left, right)


_MAX_POWER = 64


class _GenerationTag(Extension):
    """`{% generation %}...{% endgeneration %}` marks generated text; it has no effect on prompts."""

    tags = {"generation"}  # noqa: RUF012  # the base class declares it so

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_render"), [], [], body).set_lineno(line)

    def _render(self, caller: Macro) -> str:
        return str(caller())


class _PlainNamespace(Namespace):
    """A namespace without underscored names, which could reach Python's internals."""

    def __setitem__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            raise SecurityError(f"a template may not set {name!r}")
        super().__setitem__(name, value)


def _namespace(*args: Any, **attributes: Any) -> Namespace:
    made = _PlainNamespace()
    for name, value in dict(*args, **attributes).items():
        made[name] = value
    return made


def _dict(*args: Any, **members: Any) -> dict[str, Any]:
    return dict(*args, **members)


def _raise_exception(message: str) -> NoReturn:
    raise _RefusedError(message)


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    # Jinja's own filter escapes what HTML would misread, which no model was trained on.
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _as_it_is(value: Any) -> Any:
    # Jinja's own filter makes text that escapes whatever is joined to it, and no prompt is HTML.
    return value


def _environment(now: Callable[[], datetime]) -> ImmutableSandboxedEnvironment:
    environment = _Environment(trim_blocks=True, lstrip_blocks=True, extensions=[_GenerationTag, loopcontrols])
    environment.filters["tojson"] = _tojson
    environment.filters["safe"] = _as_it_is
    environment.filters |= {_count.__name__: _count, _step.__name__: _step}
    environment.globals["raise_exception"] = _raise_exception
    environment.globals["strftime_now"] = lambda format: now().strftime(format)
    environment.globals["dict"] = _dict
    environment.globals["namespace"] = _namespace
    return environment


class ChatTemplate:
    """A compiled chat template. Thread-safe.

    Attributes:
        source: The Jinja text.
        variables: Names that it reads.

    The sandbox keeps a template from reaching Python; bounds on its output and on its steps keep prompt and time
    small. A step may still be made slow on purpose, so templates are the operator's, never a request's.

    Args:
        source: The Jinja text.
        special_tokens: Variables such as `bos_token` and `eos_token`.
        max_characters: Longest text that is rendered.
        now: Clock of `strftime_now`.

    Raises:
        ModelLoadError: the template is not valid Jinja.
    """

    def __init__(
        self,
        source: str,
        special_tokens: Mapping[str, str] | None = None,
        *,
        max_characters: int = MAX_CHARACTERS,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        environment = _environment(now)
        try:
            self._template = environment.from_string(_counted(environment.parse(source)))
            # Rendering copies the globals, and copying Jinja's chain of mappings takes as long as all the rest.
            self._template.globals = dict(self._template.globals)
            self.variables = frozenset(find_undeclared_variables(environment.parse(source)))
        except (TemplateError, RecursionError) as error:
            line = getattr(error, "lineno", None)
            place = f" in line {line}" if line else ""
            raise ModelLoadError(f"the chat template is not valid{place}: {error}") from error
        self.source = source
        self._special_tokens = dict(special_tokens or {})
        self._max_characters = max_characters
        self._now = now
        self._known_words: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}

    @cached_property
    def requirements(self) -> TemplateRequirements:
        """Return the template's requirements, found on first use."""
        return TemplateRequirements.of(lambda messages, tools: self._as_given(messages, tools=tools))

    @cached_property
    def _no_tools(self) -> list[Any] | None:
        """Return the value for no tools: None as in `transformers`, or an empty list if the template fails on it."""
        context = {**self._special_tokens, "messages": [{"role": "user", "content": "Elm"}]}
        choices: tuple[list[Any] | None, ...] = (None, [])
        for none in choices:
            try:
                self._bounded({**context, "tools": none, "documents": None, "add_generation_prompt": True})
            except Exception as error:  # a template can raise whatever Python can
                if isinstance(error, _RefusedError):
                    break
                _check_ends(error)
            else:
                return none
        return None

    def known_words(self, variable: str, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of some words that the template knows as what a variable says; found out once."""
        if (known := self._known_words.get((variable, words))) is None:
            said = [{"role": "user", "content": "Elm"}]
            known = known_words(words, self.source, lambda word: self._as_given(said, {variable: word}))
            self._known_words[variable, words] = known
        return known

    def _as_given(
        self,
        messages: Sequence[Mapping[str, Any]],
        variables: Mapping[str, Any] | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
    ) -> str | None:
        try:
            return self.render(messages, tools, variables={**self._words(tools), **(variables or {})})
        except (InvalidRequestError, ContextLengthError) as error:
            _check_ends(error.__cause__)
            return None

    def told(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> str | None:
        """Return the `prompt` of a conversation without the head of an answer, or None if it fails."""
        try:
            return self.prompt(messages, tools, add_generation_prompt=False)
        except (InvalidRequestError, ContextLengthError) as error:
            _check_ends(error.__cause__)
            return None

    def prompt(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        *,
        add_generation_prompt: bool = True,
        variables: Mapping[str, Any] | None = None,
        documents: Sequence[Mapping[str, Any]] | None = None,
    ) -> str:
        """Return the prompt for a conversation as clients send it: `render`, of what the template takes.

        Content and calls may be absent or None, and what `TemplateRequirements` names is adapted.
        """
        declared = plain_tools(tools or (), self.requirements)
        given = {**self._words(declared), **(variables or {})}
        plain = plain_messages(messages, self.requirements)
        return self.render(
            plain, declared, add_generation_prompt=add_generation_prompt, variables=given, documents=documents
        )

    def _words(self, tools: Sequence[Mapping[str, Any]] | None) -> dict[str, str]:
        """Variables that templates without `tools` read instead: the declarations as text, and the time."""
        if "functions" not in self.variables or "tools" in self.variables:
            return {}
        functions = json.dumps([tool.get("function", tool) for tool in tools or ()], ensure_ascii=False, indent=4)
        return {"functions": functions, "datetime": self._now().strftime("%Y-%m-%d, %H:%M:%S")}

    def render(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        *,
        add_generation_prompt: bool = True,
        variables: Mapping[str, Any] | None = None,
        documents: Sequence[Mapping[str, Any]] | None = None,
    ) -> str:
        """Return the prompt for a conversation, unadapted, as `transformers` renders it.

        Args:
            messages: Plain JSON data, as are `tools`, `variables` and `documents`.
            tools: Declarations in OpenAI's form; an empty list counts as none.
            add_generation_prompt: End with the head of the assistant's answer.
            variables: Template variables of the client (`enable_thinking`). They may replace special tokens.

        Raises:
            InvalidRequestError: the template refuses the conversation, or fails on it.
            ContextLengthError: the prompt is longer than `max_characters`.
        """
        given = dict(variables or {})
        if clash := sorted(_RESERVED & given.keys()):
            raise InvalidRequestError(
                f"a template variable may not be named {clash[0]!r}", param="chat_template_kwargs"
            )
        context = {
            **self._special_tokens,
            **given,
            "messages": [_with_reasoning(message) for message in messages],
            "tools": list(tools) if tools else self._no_tools,
            "documents": documents,
            "add_generation_prompt": add_generation_prompt,
        }
        try:
            return self._bounded(context)
        except (ContextLengthError, ModelLoadError):
            raise
        except _RefusedError as error:
            raise InvalidRequestError(f"the chat template refuses: {error}", param="messages") from error
        except Exception as error:  # a template can raise whatever Python can
            reason = f"{type(error).__name__}: {error}"
            raise InvalidRequestError(f"the chat template failed: {reason}", param="messages") from error

    def _bounded(self, context: dict[str, Any]) -> str:
        pieces: list[str] = []
        _STEPS.left, room = MAX_STEPS, self._max_characters
        for piece in self._template.generate(context):
            room -= len(piece)
            if room < 0:
                raise ContextLengthError(
                    f"the prompt is longer than {self._max_characters} characters", param="messages"
                )
            pieces.append(piece)
        return "".join(pieces)


def _check_ends(error: BaseException | None) -> None:
    """Raise if a conversation of a few words was too much for a template.

    Raises:
        ModelLoadError: The template exceeded its bounds.
    """
    if isinstance(error, _EndlessError):
        raise ModelLoadError(f"the chat template cannot be used: {error}") from error


def _with_reasoning(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the message with its reasoning under the names that templates read."""
    reasoning = next((message[name] for name in REASONING_FIELDS if message.get(name) is not None), None)
    if reasoning is None:
        return dict(message)
    return {**dict.fromkeys(_OTHER_FIELDS, reasoning), **message, "reasoning_content": reasoning}


@lru_cache(maxsize=32)
def _cached(source: str, special_tokens: tuple[tuple[str, str], ...]) -> ChatTemplate:
    return ChatTemplate(source, dict(special_tokens))


def chat_template(source: str, special_tokens: Mapping[str, str] | None = None) -> ChatTemplate:
    """Return the compiled template, the same one each time.

    Raises:
        ModelLoadError: the template is not valid Jinja.
    """
    return _cached(source, tuple(sorted((special_tokens or {}).items())))
