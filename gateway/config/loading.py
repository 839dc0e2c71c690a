"""Settings from TOML < environment < command line.

A file is TOML with one table per section (`[server]`, `[limits]`, ...). The environment spells a field
`PORTCULLIS_<SECTION>_<FIELD>` (`PORTCULLIS_SERVER_PORT=9000`); lists are separated by commas. An unknown name or a
malformed value is a `ConfigError` that says which one and where it came from. Nothing is read at import.
"""

from __future__ import annotations

import dataclasses
import os
import re
import tomllib
import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gateway.config.bounds import check_together, check_value
from gateway.config.sections import (
    AuditConfig,
    Config,
    EngineConfig,
    LimitsConfig,
    ModelConfig,
    ProcessConfig,
    ServerConfig,
    either,
)
from gateway.errors import ConfigError

ENVIRONMENT_PREFIX = "PORTCULLIS_"
CONFIG_FILE_VARIABLE = "PORTCULLIS_CONFIG"
_NOT_SETTINGS = (CONFIG_FILE_VARIABLE, "PORTCULLIS_CACHE")
"""Variables with the prefix that others read: the second is where `grammars` keeps the tries of vocabularies."""


SECTIONS: dict[str, type[Any]] = {
    "server": ServerConfig,
    "model": ModelConfig,
    "engine": EngineConfig,
    "process": ProcessConfig,
    "limits": LimitsConfig,
    "audit": AuditConfig,
}


def environment_name(key: str) -> str:
    """Return the environment variable of a setting, `section.field`."""
    return ENVIRONMENT_PREFIX + key.replace(".", "_").upper()


def load_config(
    path: str | os.PathLike[str] | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Config:
    """The settings of this run.

    Args:
        path: TOML file; None looks at `PORTCULLIS_CONFIG` and does without a file when that is unset.
        environment: Variables; None reads the process's own.
        flags: Values from the command line by `section.field`; None values are skipped.

    Raises:
        ConfigError: A name is unknown, a value malformed, or the file unreadable.
    """
    variables = os.environ if environment is None else environment
    path = path or variables.get(CONFIG_FILE_VARIABLE)
    values: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
    if path is not None:
        _take_file(Path(path), values)
    for name, text in sorted(variables.items()):
        if name.startswith(ENVIRONMENT_PREFIX) and name not in _NOT_SETTINGS:
            _take_variable(name, text, values)
    for key, value in (flags or {}).items():
        if value is not None:
            section, _, name = key.partition(".")
            _take(section, name, value, "command line", values)
    _add_keys_of_file(values["server"])
    check_together(values["engine"])
    return Config(**{section: kind(**values[section]) for section, kind in SECTIONS.items()})


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
    """The keys, none of which is empty or cannot be sent: whoever gives a key wants nobody else let in."""
    if not keys or not all(key.strip() for key in keys):
        raise ConfigError(f"{source} holds no API key, or an empty one; to let everyone in, leave the setting out")
    if not all(key.isprintable() and " " not in key for key in keys):
        raise ConfigError(f"{source} holds an API key with blanks or signs that no header can carry")
    return tuple(keys)


def _take_file(path: Path, values: dict[str, dict[str, Any]]) -> None:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the configuration file {path}: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    for section, table in document.items():
        if not isinstance(table, dict):
            raise ConfigError(f"{path}: '{section}' stands outside a section; sections are {', '.join(SECTIONS)}")
        for name, value in table.items():
            _take(section, name, value, str(path), values)


def _take_variable(name: str, text: str, values: dict[str, dict[str, Any]]) -> None:
    section, _, setting = name.removeprefix(ENVIRONMENT_PREFIX).lower().partition("_")
    _take(section, setting, text, f"environment ({name})", values)


def _take(section: str, name: str, value: Any, source: str, values: dict[str, dict[str, Any]]) -> None:
    if section not in SECTIONS:
        raise ConfigError(f"{source}: unknown section '{section}'; sections are {', '.join(SECTIONS)}")
    hints = typing.get_type_hints(SECTIONS[section])
    if name not in hints:
        raise ConfigError(f"{source}: unknown setting '{section}.{name}'; known are {', '.join(hints)}")
    key = f"{section}.{name}"
    converted = _convert(value, hints[name], f"{source}: '{key}'")
    if key == "server.api_keys":  # which no message tells
        converted = _checked_keys(converted, source)
    else:
        check_value(key, converted, source)
    values[section][name] = converted


def _convert(value: Any, kind: Any, what: str) -> Any:
    """`value` as `kind`; text (from the environment or a flag) is read, anything else must fit already."""
    if isinstance(kind, types.UnionType):
        inner = next(member for member in kind.__args__ if member is not types.NoneType)
        return _convert(value, inner, what)
    if typing.get_origin(kind) is tuple:
        return tuple(_convert(item, kind.__args__[0], what) for item in _items(value, what))
    if typing.get_origin(kind) is typing.Literal:
        if value not in kind.__args__:
            raise ConfigError(f"{what} must be {either(kind.__args__)}, not {value!r}")
        return value
    if isinstance(value, str) and kind is not str:
        return _read(value, kind, what)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise ConfigError(f"{what} must be {_NAMES[kind]}, not {value!r}")
    return value


def _items(value: Any, what: str) -> Sequence[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return value
    raise ConfigError(f"{what} must be a list of strings")


def _read(text: str, kind: Any, what: str) -> Any:
    try:
        return _BOOLS[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        raise ConfigError(f"{what} must be {_NAMES[kind]}, not {text!r}") from None


_PASSWORD = re.compile(r"(://[^:@/]*:)[^@]*@")
_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "a string"}
_BOOLS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def describe(config: Config) -> dict[str, dict[str, Any]]:
    """The settings as plain data, keys counted instead of shown, and a database's password not at all."""
    plain = dataclasses.asdict(config)
    plain["server"]["api_keys"] = len(config.server.api_keys)
    if config.audit.url is not None:
        plain["audit"]["url"] = _PASSWORD.sub(r"\1***@", config.audit.url)
    return plain
