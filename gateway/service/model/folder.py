"""Model folder or GGUF file: tokenizer, chat template, end tokens and context. The engine reads the weights."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from gateway.core.request import SamplingDefaults
from gateway.engine.errors import UnsupportedModelError
from gateway.engine.json_files import read_json
from gateway.errors import ModelLoadError
from gateway.gguf.architectures import config_of
from gateway.gguf.blocks import check_installed
from gateway.gguf.file import SUFFIX, GgufFile, model_in, part_names
from gateway.gguf.generation import chat_templates_of, ends_of, sampling_of, special_tokens_of
from gateway.gguf.tokenizer import tokenizer_of
from gateway.service.model.installed import installed_model, installed_names
from gateway.service.model.sampling_defaults import defaults_of

DEFAULT_CONTEXT = 2048
WANTED = (
    "a model is a .gguf file, a folder with one or with config.json, *.safetensors and tokenizer.json, the name of one "
    "that a package offers, or a name on the hub: owner/name, or owner/name:FILE.gguf"
)

HUB_PATTERNS = ("*.json", "*.jinja", "additional_chat_templates/*.jinja", "*.safetensors", "*.model", "*.txt")
"""Files of a repository that a model needs; pickles are none of them."""

_ON_HUB = re.compile(r"(?P<repo>[\w.-]+/[\w.-]+):(?P<file>[\w./-]+\.gguf)")

_DEFAULT, _WITH_TOOLS = "default", "tool_use"
"""Names in `transformers` of the templates for requests without tools and with them."""

_SPECIAL = "_token"
"""Suffix of the settings that are special tokens, which chat templates may name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFolder:
    """The gateway's part of a model's files.

    Attributes:
        path: The folder or file.
        tokenizer: Text to token ids.
        chat_template: Jinja source; None when the model has none and serves completions only.
        tools_template: Template for requests with tools, where the model has a separate one.
        special_tokens: `bos_token` and similar, for templates.
        eos_token_ids: Tokens that end an answer, from all files that name any.
        max_context: Tokens of prompt and answer together.
        model_type: From `config.json`; empty where it has none.
        sampling: Defaults from `generation_config.json`; neutral where it has none.
    """

    path: Path
    tokenizer: Tokenizer
    chat_template: str | None
    tools_template: str | None
    special_tokens: dict[str, str]
    eos_token_ids: tuple[int, ...]
    max_context: int
    model_type: str = ""
    sampling: SamplingDefaults = field(default_factory=SamplingDefaults)

    @property
    def every_template(self) -> str | None:
        """The text of all chat templates; None without any."""
        found = dict.fromkeys(each for each in (self.chat_template, self.tools_template) if each is not None)
        return "\n".join(found) or None

    @classmethod
    def open(cls, path: Path) -> ModelFolder:
        """Return the folder or file, with everything but the weights read.

        Raises:
            ModelLoadError: A file is missing or malformed; says which.
        """
        if path.suffix == SUFFIX:
            return cls._of_file(path)
        source = path / "tokenizer.json"
        if not source.is_file():
            raise ModelLoadError(f"{path} has no tokenizer.json; {WANTED}")
        tokenizer = read_tokenizer(source)
        settings = read_object(path / "tokenizer_config.json")
        model = read_object(path / "config.json")
        special = _special_tokens(settings)
        templates = _chat_templates(path, settings)
        generation = read_object(path / "generation_config.json")
        return cls(
            path=path,
            tokenizer=tokenizer,
            chat_template=templates.get(_DEFAULT, templates.get(_WITH_TOOLS)),
            tools_template=templates.get(_WITH_TOOLS),
            special_tokens=special,
            eos_token_ids=_eos_token_ids(tokenizer, special, model, generation),
            sampling=defaults_of(generation, str(path / "generation_config.json")),
            max_context=_max_context(model),
            model_type=str(model.get("model_type", "")),
        )

    @classmethod
    def _of_file(cls, path: Path) -> ModelFolder:
        file = GgufFile.open(path)
        model, ends, templates = config_of(file), ends_of(file), chat_templates_of(file)
        return cls(
            path=path,
            tokenizer=tokenizer_of(file, ends),
            chat_template=templates.get(_DEFAULT, templates.get(_WITH_TOOLS)),
            tools_template=templates.get(_WITH_TOOLS),
            special_tokens=special_tokens_of(file),
            eos_token_ids=ends,
            sampling=defaults_of(sampling_of(file), str(path)),
            max_context=model["max_position_embeddings"],
            model_type=model["model_type"],
        )


def locate(name: str) -> Path:
    """Return the folder or GGUF file of a model.

    In this order: `name` as a path (of a folder without other weights, its only GGUF file); the model of that name in
    an installed package; a download from the hub, of a repository or of one of its files.

    Raises:
        ModelLoadError: There is no such model.
    """
    path = Path(name).expanduser()
    folder = path if path.is_dir() else None if path.exists() else installed_model(name)
    if folder is not None:
        # Absolute: a relative name whose folder was deleted could name a hub repository when the engine restarts.
        folder = folder.resolve()
        return folder if any(folder.glob("*.safetensors")) else model_in(folder) or folder
    if path.is_file() and path.suffix == SUFFIX:
        return path.absolute()  # links are kept: the name of a link's target may be meaningless
    if path.exists():
        raise ModelLoadError(f"{name} is a file; {WANTED}")
    on_hub = _ON_HUB.fullmatch(name)
    if on_hub is not None:
        return _file_on_hub(on_hub["repo"], on_hub["file"])
    if path.is_absolute() or name.startswith(".") or name.count("/") > 1 or path.suffix == SUFFIX:
        raise ModelLoadError(f"there is no {'file' if path.suffix == SUFFIX else 'folder'} {name}; {WANTED}")
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, allow_patterns=list(HUB_PATTERNS)))
    except Exception as error:  # all failures, from no network to no such name, are reported alike
        installed = f"no model of an installed package ({', '.join(installed_names())})"
        raise ModelLoadError(
            f"{name} is no folder and {installed}, and the hub does not give it ({error}); {WANTED}"
        ) from error


def _file_on_hub(repo: str, file: str) -> Path:
    """Download a file from the hub, with the other parts of a split model; return its path."""
    from huggingface_hub import hf_hub_download

    try:
        first, *_ = [Path(hf_hub_download(repo, each)) for each in part_names(file)]
        return first
    except Exception as error:
        raise ModelLoadError(f"the hub does not give {file} of {repo} ({error}); {WANTED}") from error


def check_weights(path: Path) -> None:
    """Raise unless the engine can read the weights: their files exist, and their types are supported.

    Raises:
        ModelLoadError: Names the missing files, or the package that reads the types.
    """
    if path.suffix == SUFFIX:
        check_installed(tensor.kind.name for tensor in GgufFile.open(path).tensors.values())
        return
    known = {"config.json": (path / "config.json").is_file(), "*.safetensors": any(path.glob("*.safetensors"))}
    missing = [name for name, is_there in known.items() if not is_there]
    if missing:
        pickles = sorted(each.name for suffix in ("bin", "pt", "pth") for each in path.glob(f"*.{suffix}"))
        unread = f" ({', '.join(pickles[:3])}: pickles, which run code where they are read, are not)" if pickles else ""
        raise ModelLoadError(f"{path} has no {' and no '.join(missing)}{unread}; {WANTED}")


def read_tokenizer(path: Path) -> Tokenizer:
    """Return the tokenizer of a file.

    Raises:
        ModelLoadError: It is malformed.
    """
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises no narrower class
        raise ModelLoadError(f"{path} cannot be read: {error}") from error


def read_object(path: Path) -> dict[str, Any]:
    """Return the object of a JSON file; empty where there is none.

    Raises:
        ModelLoadError: It is malformed.
    """
    try:
        document: dict[str, Any] = read_json(path)
    except UnsupportedModelError as error:
        raise ModelLoadError(str(error)) from error
    return document


def _special_tokens(settings: dict[str, Any]) -> dict[str, str]:
    found = {}
    for name, value in settings.items():
        if not name.endswith(_SPECIAL):
            continue
        value = value.get("content") if isinstance(value, dict) else value
        if isinstance(value, str):
            found[name] = value
    return found


def _chat_templates(path: Path, settings: dict[str, Any]) -> dict[str, str]:
    """Return the chat templates by name. Template files override the settings of the tokenizer."""
    found: dict[str, str] = {}
    template = settings.get("chat_template")
    if isinstance(template, str):
        found[_DEFAULT] = template
    elif isinstance(template, list):
        found |= {entry["name"]: entry["template"] for entry in template}
    elif isinstance(template, dict):
        found |= template
    own_file = path / "chat_template.json"
    if not found and isinstance(text := read_object(own_file).get("chat_template"), str):
        found[_DEFAULT] = text
    own_file = path / "chat_template.jinja"
    if own_file.is_file():
        found[_DEFAULT] = own_file.read_text(encoding="utf-8")
    for further in sorted((path / "additional_chat_templates").glob("*.jinja")):
        found[further.stem] = further.read_text(encoding="utf-8")
    return found


def _eos_token_ids(
    tokenizer: Tokenizer, special: dict[str, str], model: dict[str, Any], generation: dict[str, Any]
) -> tuple[int, ...]:
    found: set[int] = set()
    for document in (generation, model):
        value = document.get("eos_token_id")
        found.update(value if isinstance(value, list) else [value] if isinstance(value, int) else [])
    token = tokenizer.token_to_id(special["eos_token"]) if "eos_token" in special else None
    if token is not None:
        found.add(token)
    if not found:
        raise ModelLoadError("neither the model nor its tokenizer names an end-of-sequence token")
    return tuple(sorted(found))


def _max_context(model: dict[str, Any]) -> int:
    inner = model.get("text_config", model)
    value = inner.get("max_position_embeddings") if isinstance(inner, dict) else None
    return value if isinstance(value, int) and value > 0 else DEFAULT_CONTEXT
