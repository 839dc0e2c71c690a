"""A model that is loaded, with all that requests need of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from tokenizers import Tokenizer

from gateway.config import Config
from gateway.core.model import ServedModel
from gateway.core.request import SamplingDefaults
from gateway.engine import RunningEngine
from gateway.engine.process import Forkserver
from gateway.errors import ContextLengthError, ModelLoadError
from gateway.gguf.file import SUFFIX
from gateway.service.model.description import Description
from gateway.service.model.engines import engine_settings, started
from gateway.service.model.folder import ModelFolder, check_weights, locate
from gateway.service.model.recognition import Recognized, check_names, recognized
from gateway.service.model.special_token_text import Markers
from gateway.text import ChatTemplate
from grammars import Compiler, GrammarError, Limits, Vocabulary
from grammars.jit.aot import make_ready
from tools.formats import Format
from tools.reasoning import Reasoning

logger = logging.getLogger(__name__)

KERNELS = ("grammars.warmup:warm_up", "gateway.engine.cpu_kernels.signatures:signatures")
"""What calls all kernels: those of masks, of which this process is made ready, and the engine's."""

MAX_KEPT_BYTES = 16 << 20
"""Of compiled constraints for those who ask again, beside those in use."""

_WORDS = ("Elm", "Oak", "Ash")
"""Said to a template, to see what it writes around them."""

Progress = Callable[[str], None]
"""Told, in a few words, what is being done while loading."""


class PlacedToken(NamedTuple):
    """A token of a text.

    Attributes:
        piece: As the vocabulary spells it.
        span: From which character of the text to before which; empty of one that is not in the text.
    """

    token_id: int
    piece: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel:
    """One model, ready, its engine running.

    Attributes:
        engine: Running; whoever holds the model closes it.
        tool_format: How it writes tool calls, as it is told to where its template is of no known family; None without
            a template.
        description: What is told about it to those who list models.
        reasoning: How it marks what it thinks before it answers; None where it does not.
        max_prompt_characters: Longer texts are more tokens than the context has, whichever they are; None where a text
            may become shorter before it becomes tokens.
        sampling: How it is sampled where a request does not say.
        template: None when it has none; then only completions are served.
        tools_template: The one for requests with tools, where that is another.
        markers: Of the template, where they are to be text in what clients send; None: nowhere.
    """

    config: Config
    served: ServedModel
    tokenizer: Tokenizer
    vocabulary: Vocabulary
    compiler: Compiler
    engine: RunningEngine
    template: ChatTemplate | None
    tools_template: ChatTemplate | None
    tool_format: Format | None
    description: Description
    reasoning: Reasoning | None = None
    max_prompt_characters: int | None = None
    markers: Markers | None = None
    sampling: SamplingDefaults = field(default_factory=SamplingDefaults)

    @classmethod
    def load(
        cls,
        config: Config,
        progress: Progress,
        first: Forkserver | None = None,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> LoadedModel:
        """The model that the settings name.

        Args:
            first, meanwhile: See `engines.started`.

        Raises:
            ModelLoadError: It cannot be served; says why.
        """
        wished = config.model
        check_names(wished.tool_format, wished.reasoning_format)
        chosen = engine_settings(config)
        path, name = _which(config)
        progress(f"reading the tokenizer of {name}")
        folder = ModelFolder.open(path)
        template, tools_template = (_template(text, folder) for text in (folder.chat_template, folder.tools_template))
        told = recognized(folder, tools_template or template, wished.tool_format, wished.reasoning_format)
        tool_format, reasoning = told.tool_format, told.reasoning
        if told.best is None and told.others:
            # Whoever has a model of a family that is known otherwise wants to know.
            logger.warning(
                "%s writes calls as no known format does, though something speaks for %s; it is told of tools in words",
                *(name, ", ".join(each.format.name for each in told.others)),
            )
        progress("loading the kernels")
        make_ready(KERNELS, progress)
        progress("indexing the vocabulary")
        try:
            vocabulary = Vocabulary.from_tokenizer(folder.tokenizer, folder.eos_token_ids)
        except GrammarError as error:
            raise ModelLoadError(f"the tokenizer of {name} cannot be used: {error}") from error
        most = config.limits.max_constraint_bytes
        compiler = Compiler(vocabulary, Limits(max_compiled_bytes=min(MAX_KEPT_BYTES, most), max_held_bytes=most))
        progress("loading the weights")
        engine = started(config, chosen, folder, len(vocabulary), first, meanwhile)
        served = ServedModel(
            name=name,
            aliases=config.model.aliases,
            max_context=engine.max_model_len,
            created=int(time.time()),
            has_any_name=config.model.any_name,
        )
        return cls(
            config=config,
            served=served,
            tokenizer=folder.tokenizer,
            vocabulary=vocabulary,
            compiler=compiler,
            engine=engine,
            template=template,
            tools_template=tools_template,
            tool_format=tool_format,
            description=Description.of(
                folder.path,
                folder.chat_template,
                can_call=tool_format is not None,
                can_think=reasoning is not None and reasoning.thinks,
            ),
            reasoning=reasoning,
            sampling=folder.sampling if config.model.use_generation_config else SamplingDefaults(),
            markers=_markers(config, folder, told, template),
            max_prompt_characters=_max_characters(folder.tokenizer, vocabulary, engine.max_model_len),
        )

    @property
    def weighs_tools(self) -> bool:
        """Whether tools are weighed by the user's words, see `weighing`."""
        return self._helps(self.config.model.tool_weighing)

    @property
    def tells_schemas(self) -> bool:
        """Whether schemas are told in words where the chat template does not tell them, see `telling`."""
        return self._helps(self.config.model.schema_telling)

    def _helps(self, wished: Literal["auto", "on", "off"]) -> bool:
        is_small = self.tool_format is not None and self.tool_format.is_small
        return wished == "on" or (wished == "auto" and is_small)

    def template_for(self, has_tools: bool) -> ChatTemplate | None:
        """The chat template of requests with tools, or without."""
        return self.tools_template if has_tools and self.tools_template is not None else self.template

    def encode(self, text: str, add_special_tokens: bool, breaks: Sequence[int] = ()) -> tuple[int, ...]:
        """The text as token ids. Other threads run meanwhile.

        Args:
            breaks: Places that no token reaches across, see `spelled`.
        """
        if breaks:
            return tuple(token.token_id for token in self.placed(text, add_special_tokens, breaks))
        (encoding,) = self.tokenizer.encode_batch_fast([text], add_special_tokens=add_special_tokens)
        return tuple(encoding.ids)

    def encode_prompt(self, text: str, add_special_tokens: bool, param: str) -> tuple[int, ...]:
        """The same, of a text that is to fit into the context.

        Args:
            param: The field that it comes from.

        Raises:
            ContextLengthError: It is so long that it cannot; nothing was encoded.
        """
        self.check_fits(text, param)
        return self.encode(text, add_special_tokens)

    def check_fits(self, text: str, param: str) -> None:
        """Refuse a prompt that is so long that no context holds it.

        Raises:
            ContextLengthError: It is.
        """
        most = self.max_prompt_characters
        if most is not None and len(text) > most:
            raise ContextLengthError(
                f"the prompt has {len(text)} characters; the model's context of {self.served.max_context} tokens holds "
                f"at most {most}",
                param=param,
            )

    def marks_in(self, texts: Iterable[str]) -> dict[int, str]:
        """The special tokens whose names stand in any of the texts, by id."""
        every = "\0".join(texts)
        return {token_id: name for name, token_id in self.vocabulary.special_tokens if name in every}

    def decode(self, ids: Sequence[int], *, with_special: bool = False) -> str:
        """Token ids as text; special tokens have none, unless they are to be named."""
        named = self.special_name if with_special else _unnamed
        pieces = (self.vocabulary.tokens[token] or named(token).encode() for token in ids)
        return b"".join(pieces).decode("utf-8", "replace")

    def special_name(self, token_id: int) -> str:
        """What a special token is called; empty of one that nothing is known of."""
        return self.tokenizer.id_to_token(token_id) or ""

    def placed(self, text: str, add_special_tokens: bool, breaks: Sequence[int] = ()) -> list[PlacedToken]:
        """The text's tokens with their places; `breaks` as those of `encode`."""
        if breaks:
            assert self.markers is not None
            text = self.markers.split_at(text, breaks)
        (encoding,) = self.tokenizer.encode_batch([text], add_special_tokens=add_special_tokens)
        if breaks and self.markers is not None:
            return [PlacedToken(*place) for place in self.markers.kept(encoding, breaks)]
        return [PlacedToken(*place) for place in zip(encoding.ids, encoding.tokens, encoding.offsets, strict=True)]


def _unnamed(token_id: int) -> str:
    return ""


def _markers(config: Config, folder: ModelFolder, told: Recognized, chat: ChatTemplate | None) -> Markers | None:
    """The markers that are text in what clients send, but for where they may stand by right."""
    template = "".join(filter(None, (folder.chat_template, folder.tools_template)))
    if config.server.special_tokens_in_text == "special" or not template:
        return None
    own = (
        *(told.tool_format.texts if told.tool_format is not None else ()),
        *(told.reasoning.marks if told.reasoning is not None else ()),
    )
    return Markers.of(folder.tokenizer, template, own, turns_of(chat))


def turns_of(template: ChatTemplate | None) -> str:
    """What a template writes between an answer and the end of the turn after it: what marks turns."""
    said = [{"role": role, "content": word} for role, word in zip(("user", "assistant", "user"), _WORDS, strict=True)]
    prompt = template.told(said, []) if template is not None else None
    return (prompt or "").partition(_WORDS[1])[2]


def _max_characters(tokenizer: Tokenizer, vocabulary: Vocabulary, max_tokens: int) -> int | None:
    if tokenizer.normalizer is not None:
        return None
    longest = max(len(token or b"") for token in vocabulary.tokens)
    return max_tokens * max(longest, *(len(name) for name, _ in vocabulary.special_tokens), 1)


def _which(config: Config) -> tuple[Path, str]:
    """Folder or file, and first name of the model."""
    if config.model.path is not None:
        path = locate(config.model.path)
        check_weights(path)
        is_file = config.model.path.endswith(SUFFIX)
        told = path.stem if is_file else config.model.path.rstrip("/").rsplit("/", 1)[-1]
        return path, config.model.name or told
    from gateway.embedded import EmbeddedModelError, target_path

    try:
        return target_path(), config.model.name or "portcullis"
    except EmbeddedModelError as error:
        raise ModelLoadError(str(error)) from error


def _template(source: str | None, folder: ModelFolder) -> ChatTemplate | None:
    return None if source is None else ChatTemplate(source, folder.special_tokens)
