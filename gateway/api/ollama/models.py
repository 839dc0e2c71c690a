"""The served model in Ollama's lists."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from gateway.api.ollama.options import LATEST, served_name
from gateway.api.ollama.responses import Details, ListedModel, ModelSheet, ModelTags, RunningModel, RunningModels
from gateway.service import Service

API_VERSION = "0.12.11"
"""The version of Ollama whose API this is: the first with log-probabilities."""

NEVER = "9999-12-31T23:59:59Z"
"""Time at which the model is unloaded."""


def model_tags(service: Service, names: Sequence[str]) -> ModelTags:
    """Return the model under each of these names."""
    description = service.description
    return ModelTags(
        models=[
            ListedModel(
                name=_tagged(name),
                model=_tagged(name),
                modified_at=_modified_at(service),
                size=description.num_bytes,
                digest=description.digest,
                details=_details(service),
            )
            for name in names
        ]
    )


def running_models(service: Service) -> RunningModels:
    """Return the served model."""
    name, description = _tagged(service.model.name), service.description
    only = RunningModel(
        name=name,
        model=name,
        size=description.num_bytes,
        digest=description.digest,
        details=_details(service),
        expires_at=NEVER,
        context_length=service.model.max_context,
    )
    return RunningModels(models=[only])


def model_sheet(service: Service, name: str) -> ModelSheet:
    """Return the description of a model.

    Raises:
        ModelNotFoundError: No model has this name.
    """
    name = served_name(service.model, name)
    description = service.description
    abilities = {"completion": True, "tools": description.can_call, "thinking": description.can_think}
    template = description.template or ""
    return ModelSheet(
        modelfile=f'FROM {name}\nTEMPLATE """{template}"""\n',
        template=template,
        details=_details(service),
        model_info={
            "general.architecture": description.family,
            "general.parameter_count": description.num_parameters,
            f"{description.family}.context_length": service.model.max_context,
        },
        capabilities=[ability for ability, can in abilities.items() if can],
        modified_at=_modified_at(service),
    )


def _tagged(name: str) -> str:
    return name if ":" in name else name + LATEST


def _modified_at(service: Service) -> str:
    return datetime.fromtimestamp(service.model.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _details(service: Service) -> Details:
    description = service.description
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
