"""Flags that are settings, made from the dataclasses of the settings."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, get_args

from gateway.config import Config, load_config
from gateway.config.documentation import documentation_of, summary
from gateway.config.flags import FLAGS
from gateway.config.loading import SECTIONS, setting_types
from gateway.errors import ConfigError
from gateway.setting_types import without_none

MODEL = tuple(key for key in FLAGS if key == "model.path" or key.startswith("engine."))
"""Settings of the model and of the place where it runs."""
SERVER = tuple(key for key in FLAGS if key not in MODEL and not key.startswith("audit."))
AUDIT = tuple(key for key in FLAGS if key.startswith("audit."))


def add_setting_arguments(parser: ArgumentParser, settings: Iterable[str]) -> None:
    """Declare the flags of settings, and `--config`."""
    parser.add_argument("--config", metavar="FILE", help="TOML file of settings; default: $PORTCULLIS_CONFIG")
    types = setting_types()
    for key in settings:
        section, _, name = key.partition(".")
        flag, hint = FLAGS[key], without_none(types[key])
        options: dict[str, Any] = {"help": _help(SECTIONS[section], name)}
        if hint is bool:
            options |= {"action": "store_const", "const": True}
        else:
            options["metavar"] = flag.metavar or "|".join(get_args(hint))
            if flag.may_repeat or key == "model.path":
                options["action"] = "append"
                options["help"] += "; may be repeated" if flag.may_repeat else "; NAME=PATH, repeated: several models"
        parser.add_argument(flag.name, **options)


def _help(section: type[Any], name: str) -> str:
    (field,) = (each for each in fields(section) if each.name == name)
    default = None if field.default is MISSING else field.default
    text = summary(documentation_of(section).get(name, "")).replace("None: ", "Default: ")
    if default not in (None, (), False):
        text += f"; default: {default}"
    return text.replace("%", "%%")


def config_of(arguments: Namespace) -> Config:
    """Return the settings of this run: file, environment, and these flags over both.

    Raises:
        ConfigError: One of them is unknown or has a value that is not allowed.
    """
    flags = {key: getattr(arguments, flag.argument, None) for key, flag in FLAGS.items()}
    models, paths = {}, []
    for given in flags.pop("model.path") or ():
        name, sign, path = given.partition("=")
        if sign and name and "/" not in name and not Path(given).exists():
            models[name] = path
        else:
            paths.append(given)
    if len(paths) > 1:
        raise ConfigError(f"--model is given twice ({', '.join(paths)}); several models have names: --model NAME=PATH")
    config = load_config(arguments.config, flags=flags | {"model.path": next(iter(paths), None)}, models=models)
    for each in config.every_model:
        tool_format, reasoning_format = each.model.tool_format, each.model.reasoning_format
        if tool_format is not None or reasoning_format not in ("auto", "none"):
            from gateway.service.model.recognition import check_names

            check_names(tool_format, reasoning_format)
    return config
