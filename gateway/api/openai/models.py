"""The served model as OpenAI's list of models tells it."""

from __future__ import annotations

from gateway.api.openai.bodies import ModelList, ModelOut
from gateway.core.model import ServedModel


def model_list(model: ServedModel) -> ModelList:
    """Every name that `model` may take."""
    return ModelList(data=[model_out(model, name) for name in model.names])


def model_out(model: ServedModel, name: str) -> ModelOut:
    """The model behind a name."""
    return ModelOut(
        id=name, created=model.created, owned_by="portcullis", root=model.name, max_model_len=model.max_context
    )
