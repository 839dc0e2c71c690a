"""Services by the kind of their models."""

from __future__ import annotations

from gateway.config import Config
from gateway.core.model import ServedModel
from gateway.service.encoder_service import EncoderService, described, served_of
from gateway.service.model.description import Description
from gateway.service.model.encoder_folder import EncoderFolder, is_encoder
from gateway.service.model.engines import PLAIN_START, EngineStart
from gateway.service.model.loaded import Progress, description_of
from gateway.service.model_service import ModelService
from gateway.service.service import Service
from gateway.service.shared import Shared


def load_service(
    config: Config, progress: Progress, start: EngineStart = PLAIN_START, shared: Shared | None = None
) -> ModelService:
    """Return the service of the model that the settings name, loaded; see `Service.load`."""
    kind = EncoderService if is_encoder(config.model) else Service
    return kind.load(config, progress, start, shared)


def describe(config: Config) -> tuple[ServedModel, Description]:
    """Return names and description of the configured model without loading it.

    Raises:
        ModelLoadError: Its files cannot be read; says why.
    """
    if not is_encoder(config.model):
        return description_of(config)
    folder = EncoderFolder.open(config.model)
    return served_of(config, folder), described(folder)
