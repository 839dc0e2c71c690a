"""The loaded model: tokenizer, templates, compiler and running engine."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Literal, NamedTuple

from tokenizers import Tokenizer

from gateway.config import Config
from gateway.core.model import ServedModel
from gateway.core.request import SamplingDefaults
from gateway.engine import EngineConfig, RunningEngine
from gateway.engine.images.reader import ImageReader, why_no_images
from gateway.errors import ContextLengthError, ModelLoadError
from gateway.gguf.file import SUFFIX
from gateway.service.model.adapters import configured_adapters, load_configured_adapters
from gateway.service.model.description import Description
from gateway.service.model.engines import PLAIN_START, EngineStart, engine_settings, started
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
"""Functions that call all kernels, to load them: those of masks, and the engine's."""

MAX_KEPT_BYTES = 16 << 20
"""Most bytes of compiled constraints that are cached beside those in use."""

_WORDS = ("Elm", "Oak", "Ash")
"""Contents of messages that are rendered, to see the text around them."""

Progress = Callable[[str], None]
"""Called with a short description of each step of loading."""


class PlacedToken(NamedTuple):
    """Token of a text, with its place.

    Attributes:
        piece: The token as spelled in the vocabulary.
        span: Begin and end, in characters of the text; empty for a token that the tokenizer adds.
    """

    token_id: int
    piece: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel:
    """Model whose engine runs.

    Attributes:
        engine: Running; the owner of the model closes it.
        template: Chat template; None without one: then only completions are served.
        tools_template: Template for requests with tools, where it is a separate one.
        tool_format: Format of tool calls; the fallback, described in the prompt, where the template's is unknown; None
            without a template.
        description: Description for lists of models.
        reasoning: Format of the reasoning before an answer; None where the model does not reason.
        max_prompt_characters: A longer text always has more tokens than the context; None where the tokenizer may
            shorten a text first.
        markers: Special tokens of the template that are plain text in a client's input; None: they are tokens there.
        sampling: Sampling defaults for requests.
        images: Reader of images; None: the model reads none.
        stamp: Text that differs where another version, other files or other settings may answer otherwise.
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
    images: ImageReader | None = None
    stamp: str = ""

    @classmethod
    def load(cls, config: Config, progress: Progress, start: EngineStart = PLAIN_START) -> LoadedModel:
        """Return the configured model, loaded.

        Args:
            start: How its engine is started.

        Raises:
            ModelLoadError: The model cannot be served; says why.
        """
        chosen = engine_settings(config)
        files = _Files.read(config, progress)
        name, folder, template, tools_template, formats, _ = files
        tool_format, reasoning = formats.tool_format, formats.reasoning
        if formats.best is None and formats.others:
            # A model that almost matches a known format may need that format to be configured.
            logger.warning(
                "%s writes calls in no known format, but some evidence matches %s; tools are described in the prompt",
                *(name, ", ".join(each.format.name for each in formats.others)),
            )
        if reason := why_no_images(folder.path):
            logger.warning("%s is served for text alone: %s", name, reason)
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
        engine = started(config, chosen, folder, len(vocabulary), start)
        served, description = _served(config, name, engine.max_model_len, chosen), files.description()
        try:
            load_configured_adapters(engine, served.adapters)
        except BaseException:
            engine.close()
            raise
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
            description=description,
            reasoning=reasoning,
            sampling=folder.sampling if config.model.use_generation_config else SamplingDefaults(),
            markers=_markers(config, folder, formats, template),
            max_prompt_characters=_max_characters(folder.tokenizer, vocabulary, engine.max_model_len),
            images=files.images,
            stamp=_stamp(config, chosen, name, description),
        )

    @property
    def weighs_tools(self) -> bool:
        """True if the tool is chosen by the likelihood of the user's text; see `tool_weights`."""
        return self._helps(self.config.model.tool_weighing)

    @property
    def describes_schemas(self) -> bool:
        """True if schemas that the chat template does not show are described in the prompt; see `tools_in_prompt`."""
        return self._helps(self.config.model.schema_telling)

    def _helps(self, wished: Literal["auto", "on", "off"]) -> bool:
        is_small = self.tool_format is not None and self.tool_format.is_small
        return wished == "on" or (wished == "auto" and is_small)

    def template_for(self, has_tools: bool) -> ChatTemplate | None:
        """Return the chat template of requests with tools, or without."""
        return self.tools_template if has_tools and self.tools_template is not None else self.template

    def encode(self, text: str, add_special_tokens: bool, breaks: Sequence[int] = ()) -> tuple[int, ...]:
        """Return the token ids of a text. The GIL is released meanwhile.

        Args:
            breaks: Positions that no token crosses; see `special_token_text`.
        """
        if breaks:
            return tuple(token.token_id for token in self.placed(text, add_special_tokens, breaks))
        (encoding,) = self.tokenizer.encode_batch_fast([text], add_special_tokens=add_special_tokens)
        return tuple(encoding.ids)

    def encode_prompt(self, text: str, add_special_tokens: bool, param: str) -> tuple[int, ...]:
        """Return the token ids of a prompt.

        Args:
            param: The request's field that has the prompt.

        Raises:
            ContextLengthError: The prompt is too long for the context; it was not encoded.
        """
        self.check_fits(text, param)
        return self.encode(text, add_special_tokens)

    def check_fits(self, text: str, param: str) -> None:
        """Raise if a prompt has more characters than the context can hold.

        Raises:
            ContextLengthError: The prompt is too long.
        """
        most = self.max_prompt_characters
        if most is not None and len(text) > most:
            raise ContextLengthError(
                f"the prompt has {len(text)} characters; the model's context of {self.served.max_context} tokens holds "
                f"at most {most}",
                param=param,
            )

    def marks_in(self, texts: Iterable[str]) -> dict[int, str]:
        """Return the names, by id, of the special tokens that occur in any of the texts."""
        every = "\0".join(texts)
        return {token_id: name for name, token_id in self.vocabulary.special_tokens if name in every}

    def decode(self, ids: Sequence[int], *, with_special: bool = False) -> str:
        """Return the text of token ids; special tokens have none, or, `with_special`, their names."""
        named = self.special_name if with_special else _unnamed
        pieces = (self.vocabulary.tokens[token] or named(token).encode() for token in ids)
        return b"".join(pieces).decode("utf-8", "replace")

    def special_name(self, token_id: int) -> str:
        """Return the name of a special token; empty if unknown."""
        return self.tokenizer.id_to_token(token_id) or ""

    def placed(self, text: str, add_special_tokens: bool, breaks: Sequence[int] = ()) -> list[PlacedToken]:
        """Return the tokens of a text with their places; `breaks` as in `encode`."""
        if breaks:
            assert self.markers is not None
            text = self.markers.split_at(text, breaks)
        (encoding,) = self.tokenizer.encode_batch([text], add_special_tokens=add_special_tokens)
        if breaks and self.markers is not None:
            return [PlacedToken(*place) for place in self.markers.kept(encoding, breaks)]
        return [PlacedToken(*place) for place in zip(encoding.ids, encoding.tokens, encoding.offsets, strict=True)]


class _Files(NamedTuple):
    """Files of a model without its weights, and what they say."""

    name: str
    folder: ModelFolder
    template: ChatTemplate | None
    tools_template: ChatTemplate | None
    formats: Recognized
    images: ImageReader | None

    @classmethod
    def read(cls, config: Config, progress: Progress) -> _Files:
        wished = config.model
        check_names(wished.tool_format, wished.reasoning_format)
        path, name = _model_path(config)
        progress(f"reading the tokenizer of {name}")
        folder = ModelFolder.open(path)
        template, tools_template = (_template(text, folder) for text in (folder.chat_template, folder.tools_template))
        formats = recognized(folder, tools_template or template, wished.tool_format, wished.reasoning_format)
        return cls(name, folder, template, tools_template, formats, ImageReader.of(path))

    def description(self) -> Description:
        reasoning = self.formats.reasoning
        return Description.of(
            self.folder.path,
            self.folder.chat_template,
            can_call=self.formats.tool_format is not None,
            can_think=reasoning is not None and reasoning.thinks,
            can_see=self.images is not None,
        )


def description_of(config: Config) -> tuple[ServedModel, Description]:
    """Return names and description of the configured model without loading it.

    Raises:
        ModelLoadError: Its files cannot be read; says why.
    """
    files = _Files.read(config, lambda stage: None)
    max_context = min(files.folder.max_context, config.engine.max_model_len or files.folder.max_context)
    return _served(config, files.name, max_context), files.description()


def _served(config: Config, name: str, max_context: int, chosen: EngineConfig | None = None) -> ServedModel:
    return ServedModel(
        name=name,
        aliases=config.model.aliases,
        max_context=max_context,
        created=int(time.time()),
        has_any_name=config.model.any_name,
        adapters=configured_adapters(config),
        term_models=() if chosen is None else tuple(chosen.named_models),
        term_classifiers=() if chosen is None else tuple(chosen.named_classifiers),
    )


def _stamp(config: Config, chosen: EngineConfig, name: str, description: Description) -> str:
    settings = (config.model, config.engine, config.limits, config.server.special_tokens_in_text)
    paths = (*chosen.named_models.values(), *(folder for folder, _ in chosen.named_classifiers.values()))
    others = [Description.of(Path(path), None, can_call=False, can_think=False) for path in paths]
    files = [(each.digest, each.modified_ns) for each in (description, *others)]
    return repr((version("portcullis"), name, files, settings))


def _unnamed(token_id: int) -> str:
    return ""


def _markers(config: Config, folder: ModelFolder, formats: Recognized, chat: ChatTemplate | None) -> Markers | None:
    """Return the special tokens that are plain text in a client's input; None where they are tokens there."""
    template = "".join(filter(None, (folder.chat_template, folder.tools_template)))
    if config.server.special_tokens_in_text == "special" or not template:
        return None
    own = (
        *(formats.tool_format.texts if formats.tool_format is not None else ()),
        *(formats.reasoning.marks if formats.reasoning is not None else ()),
    )
    return Markers.of(folder.tokenizer, template, own, turns_of(chat))


def turns_of(template: ChatTemplate | None) -> str:
    """Return the text that a template renders after an answer, up to the end of the next turn: the marks of turns."""
    said = [{"role": role, "content": word} for role, word in zip(("user", "assistant", "user"), _WORDS, strict=True)]
    prompt = template.told(said, []) if template is not None else None
    return (prompt or "").partition(_WORDS[1])[2]


def _max_characters(tokenizer: Tokenizer, vocabulary: Vocabulary, max_tokens: int) -> int | None:
    if tokenizer.normalizer is not None:
        return None
    longest = max(len(token or b"") for token in vocabulary.tokens)
    return max_tokens * max(longest, *(len(name) for name, _ in vocabulary.special_tokens), 1)


def _model_path(config: Config) -> tuple[Path, str]:
    """Return the folder or file of the model, and its main name."""
    if config.model.path is not None:
        path = locate(config.model.path)
        check_weights(path)
        is_file = config.model.path.endswith(SUFFIX)
        default = path.stem if is_file else config.model.path.rstrip("/").rsplit("/", 1)[-1]
        return path, config.model.name or default
    from gateway.embedded import EmbeddedModelError, target_path

    try:
        return target_path(), config.model.name or "portcullis"
    except EmbeddedModelError as error:
        raise ModelLoadError(str(error)) from error


def _template(source: str | None, folder: ModelFolder) -> ChatTemplate | None:
    return None if source is None else ChatTemplate(source, folder.special_tokens)
