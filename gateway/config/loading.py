"""Settings from TOML < environment < command line.

A file is TOML with one table per section (`[server]`, `[limits]`, ...), and one per further model: `[models.NAME]` has
the settings of `[model]`, and in `[models.NAME.engine]` those of `[engine]` that differ. The environment spells a field
`PORTCULLIS_<SECTION>_<FIELD>` (`PORTCULLIS_SERVER_PORT=9000`); lists are separated by commas. An unknown name or a
value that is not allowed is a `ConfigError` that names the source, the setting and what is allowed. Importing this
reads nothing.
"""

from __future__ import annotations

import logging
import os
import tomllib
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from gateway.config.flags import FLAGS
from gateway.config.sections import (
    ENGINE_INTERNALS,
    AuditConfig,
    BatchesConfig,
    CacheConfig,
    Config,
    ImagesConfig,
    LimitsConfig,
    ModelConfig,
    ProcessConfig,
    ServerConfig,
)
from gateway.config.tls import tls_context
from gateway.engine.config import EngineConfig
from gateway.engine.errors import InvalidEngineConfigError
from gateway.errors import ConfigError
from gateway.setting_types import must_be, without_none

logger = logging.getLogger(__name__)

ENVIRONMENT_PREFIX = "PORTCULLIS_"
CONFIG_FILE_VARIABLE = "PORTCULLIS_CONFIG"
_NOT_SETTINGS = (CONFIG_FILE_VARIABLE, "PORTCULLIS_CACHE")
"""Variables with the prefix that are no settings: the second is the folder where `grammars` caches vocabularies."""

SECTIONS: dict[str, type[Any]] = {
    "server": ServerConfig,
    "model": ModelConfig,
    "engine": EngineConfig,
    "process": ProcessConfig,
    "limits": LimitsConfig,
    "audit": AuditConfig,
    "batches": BatchesConfig,
    "cache": CacheConfig,
    "images": ImagesConfig,
}

RENAMED = {
    "limits.max_repeated_tokens": "limits.loop_stop_tokens",
    "limits.max_kept_grammars": "limits.max_stored_grammars",
}
"""Old names that this version still reads, with a warning."""


def environment_name(key: str) -> str:
    """Return the environment variable of a setting, `section.field`."""
    return ENVIRONMENT_PREFIX + key.replace(".", "_").upper()


def setting_types() -> dict[str, Any]:
    """Return the annotation of every setting, by `section.field`."""
    return {
        f"{section}.{name}": hint
        for section, kind in SECTIONS.items()
        for name, hint in typing.get_type_hints(kind, include_extras=True).items()
        if not (section == "engine" and name in ENGINE_INTERNALS)
    }


def load_config(
    path: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
    models: Mapping[str, str] | None = None,
) -> Config:
    """Return the settings of this run.

    Args:
        path: TOML file; None: the one that `PORTCULLIS_CONFIG` names, if any.
        environment: Variables; None: those of the process.
        flags: Values from the command line by `section.field`; None values are skipped.
        models: Further models from the command line: paths by name.

    Raises:
        ConfigError: A name is unknown, a value is not allowed, or a file cannot be read.
    """
    variables = os.environ if environment is None else environment
    path = path or variables.get(CONFIG_FILE_VARIABLE)
    types, values = setting_types(), {section: dict[str, Any]() for section in SECTIONS}
    document = {} if path is None else _read_file(Path(path))
    tables = _tables_of_models(str(path), document.pop("models", {}), models or {})
    file = _in_sections(str(path), document)
    for source, key, value in chain(file, _read_variables(variables, types), _read_flags(flags or {})):
        if key in RENAMED:
            logger.warning("%s: '%s' is now '%s'; the old name is read in this version only", source, key, RENAMED[key])
            key = RENAMED[key]
        if key not in types:
            raise ConfigError(f"{source}: {_unknown(key, types)}")
        section, _, name = key.partition(".")
        values[section][name] = _convert(key, value, types[key], source)
    further = {
        name: {
            section: {key: _convert_in_model(source, section, key, value, types) for key, value in table.items()}
            for section, table in sections.items()
        }
        for name, (source, sections) in tables.items()
    }
    _add_keys_of_file(values["server"])
    try:
        config = Config(**{section: kind(**values[section]) for section, kind in SECTIONS.items()})
        each = tuple(
            replace(
                config,
                model=ModelConfig(**{"name": name, **given["model"]}),
                engine=EngineConfig(**(values["engine"] | given["engine"])),
            )
            for name, given in further.items()
        )
        config = replace(config, models=each)
    except InvalidEngineConfigError as error:  # two values that do not fit each other
        raise ConfigError(f"settings of 'engine': {error}") from None
    tls_context(config.server)
    return config


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the configuration file {path}: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error


def _in_sections(source: str, document: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for section, table in document.items():
        if not isinstance(table, dict):
            raise ConfigError(f"{source}: '{section}' must be in a section; sections are {_ALL_SECTIONS}")
        if section not in SECTIONS:
            raise ConfigError(f"{source}: unknown section '{section}'; sections are {_ALL_SECTIONS}")
        yield from ((source, f"{section}.{name}", value) for name, value in table.items())


def _tables_of_models(
    source: str, tables: Any, paths: Mapping[str, str]
) -> dict[str, tuple[str, dict[str, dict[str, Any]]]]:
    """Return the settings of further models, by name: their source, and the sections `model` and `engine`."""
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise ConfigError(f"{source}: 'models' must hold one table per model: [models.NAME]")
    found = {}
    for name, table in tables.items():
        engine = table.get("engine", {})
        if not isinstance(engine, dict):
            raise ConfigError(f"{source}: 'models.{name}.engine' must be a table of settings of [engine]")
        own = {key: value for key, value in table.items() if key != "engine"}
        found[name] = (f"{source}, [models.{name}]", {"model": own, "engine": engine})
    for name, path in paths.items():
        _, sections = found.get(name, ("", {"model": {}, "engine": {}}))
        found[name] = ("command line (--model)", sections | {"model": sections["model"] | {"path": path}})
    return found


def _convert_in_model(source: str, section: str, name: str, value: Any, types: Mapping[str, Any]) -> Any:
    key = f"{section}.{name}"
    if key not in types:
        raise ConfigError(f"{source}: {_unknown(key, types)}")
    return _convert(key, value, types[key], source)


def _read_variables(variables: Mapping[str, str], types: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    keys = {environment_name(key): key for key in (*types, *RENAMED)}
    for name, text in sorted(variables.items()):
        if name.startswith(ENVIRONMENT_PREFIX) and name not in _NOT_SETTINGS:
            if name not in keys:
                raise ConfigError(f"environment variable {name} is no setting{_suggestion(name, keys)}")
            yield f"environment variable {name}", keys[name], text


def _read_flags(flags: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for key, value in flags.items():
        if value is not None:
            yield f"command line ({FLAGS[key].name})" if key in FLAGS else "command line", key, value


def _unknown(key: str, types: Mapping[str, Any]) -> str:
    section = key.partition(".")[0]
    known = ", ".join(other.partition(".")[2] for other in types if other.startswith(f"{section}."))
    near = _suggestion(key, types)
    return f"unknown setting '{key}'{near or f'; known are {known}'}"


def _suggestion(name: str, known: Mapping[str, Any]) -> str:
    near = get_close_matches(name, known, n=1, cutoff=0.75)
    return f"; did you mean {near[0]}?" if near else ""


def _convert(key: str, value: Any, hint: Any, source: str) -> Any:
    """Return a value as the setting's type; text is parsed, any other value must fit already."""
    hint, given = without_none(hint), value
    if isinstance(value, str):
        if typing.get_origin(hint) is tuple:
            value = [part.strip() for part in value.split(",") if part.strip()]
        elif hint is bool:
            value = _BOOLS.get(value.lower(), value)
    try:
        converted = msgspec.convert(value, hint, strict=not isinstance(value, str))
    except msgspec.ValidationError:
        shown = None if key in _SECRETS else given
        if key not in _SECRETS or not isinstance(value, list | tuple):
            raise ConfigError(f"{source}: '{key}' {must_be(hint, shown)}") from None
        converted = value
    match key:
        case "server.api_keys":
            return _checked_keys(converted, source)
        case "server.drain_key" | "server.metrics_key":
            return _checked_keys([converted], source)[0]
    return converted


def _add_keys_of_file(server: dict[str, Any]) -> None:
    path = server.get("api_key_file")
    if path is None:
        return
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the keys in server.api_key_file: {error}") from error
    keys = _checked_keys([line.strip() for line in lines if line.strip()], f"the file {path}")
    server["api_keys"] = (*server.get("api_keys", ()), *keys)


def _checked_keys(keys: Sequence[str], source: str) -> tuple[str, ...]:
    """Return the keys, at least one, each of which a header can carry. An empty key must not open the server."""
    if not keys or not all(isinstance(key, str) and key.strip() for key in keys):
        raise ConfigError(f"{source} holds no API key, or an empty one; to let everyone in, leave the setting out")
    if not all(key.isprintable() and " " not in key for key in keys):
        raise ConfigError(f"{source} holds an API key with blanks or characters that no header can carry")
    return tuple(keys)


_ALL_SECTIONS = ", ".join([*SECTIONS, "models.NAME"])
_SECRETS = frozenset({"server.api_keys", "server.drain_key", "server.metrics_key"})
"""Settings whose values no message shows."""
_BOOLS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
