"""Models in Ollama's lists, and the time for which they stay loaded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from gateway.api.ollama.options import LATEST
from gateway.api.ollama.responses import Details, ListedModel, ModelSheet, ModelTags, RunningModel, RunningModels
from gateway.errors import InvalidRequestError
from gateway.service.model_pool import Entry

API_VERSION = "0.12.11"
"""The version of Ollama whose API this is: the first with log-probabilities."""

NEVER = "9999-12-31T23:59:59Z"
"""Time at which a model is unloaded that stays."""

_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?)(ns|us|µs|ms|s|m|h)?")
_DURATION = re.compile(rf"(?P<sign>-?)(?P<parts>(?:{_PART.pattern}){{1,7}})")


def model_tags(models: Mapping[str, Entry]) -> ModelTags:
    """Return each model under its name."""
    return ModelTags(
        models=[
            ListedModel(
                name=_tagged(name),
                model=_tagged(name),
                modified_at=_modified_at(entry),
                size=entry.description.num_bytes,
                digest=entry.description.digest,
                details=_details(entry),
            )
            for name, entry in models.items()
        ]
    )


def running_models(entries: Iterable[Entry]) -> RunningModels:
    """Return the loaded ones of these models."""
    return RunningModels(
        models=[
            RunningModel(
                name=(name := _tagged(entry.served.name)),
                model=name,
                size=entry.description.num_bytes,
                digest=entry.description.digest,
                details=_details(entry),
                expires_at=NEVER if entry.expires is None else _time(entry.expires),
                context_length=entry.served.max_context,
            )
            for entry in entries
            if entry.service is not None
        ]
    )


def model_sheet(entry: Entry, name: str) -> ModelSheet:
    """Return the description of a model, under one of its names."""
    description = entry.description
    abilities = {
        "completion": not description.is_encoder,
        "embedding": description.is_encoder,
        "tools": description.can_call,
        "thinking": description.can_think,
        "vision": description.can_see,
    }
    template = description.template or ""
    return ModelSheet(
        modelfile=f'FROM {name}\nTEMPLATE """{template}"""\n',
        template=template,
        details=_details(entry),
        model_info={
            "general.architecture": description.family,
            "general.parameter_count": description.num_parameters,
            f"{description.family}.context_length": entry.served.max_context,
        },
        capabilities=[ability for ability, can in abilities.items() if can],
        modified_at=_modified_at(entry),
    )


def idle_time(keep_alive: float | str) -> float | None:
    """Return the idle seconds after which `keep_alive` has a model unloaded; None: never.

    Raises:
        InvalidRequestError: It is no number of seconds, and no duration such as `5m` or `1h30m`.
    """
    if isinstance(keep_alive, str):
        match = _DURATION.fullmatch(keep_alive.strip())
        if match is None:
            raise InvalidRequestError(
                'keep_alive must be a number of seconds, or a duration such as "5m"', param="keep_alive"
            )
        seconds = sum(float(number) * _UNITS[unit or "s"] for number, unit in _PART.findall(match["parts"]))
        keep_alive = -seconds if match["sign"] else seconds
    return None if keep_alive < 0 else keep_alive


def _tagged(name: str) -> str:
    return name if ":" in name else name + LATEST


def _modified_at(entry: Entry) -> str:
    return _time(entry.served.created)


def _time(seconds: float) -> str:
    """Return a time; one beyond the year 9999 is `NEVER`."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError):
        return NEVER


def _details(entry: Entry) -> Details:
    description = entry.description
    return Details(
        family=description.family,
        families=[description.family],
        parameter_size=_in_short(description.num_parameters),
        quantization_level=description.dtype,
    )


def _in_short(count: int) -> str:
    """Return a number of parameters in short form."""
    if count >= 1e9:
        return f"{count / 1e9:.1f}B"
    return f"{count / 1e6:.2f}M" if count >= 1e6 else f"{count / 1e3:.2f}K"
