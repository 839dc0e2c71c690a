"""Families of vision models: how each cuts an image, writes it in a prompt, and makes rows of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.engine.images.families.base import ImageFamily
from gateway.engine.images.families.gemma3 import Gemma3
from gateway.engine.images.families.idefics3 import Idefics3
from gateway.engine.images.families.qwen_vl import QwenVl

FAMILIES: Mapping[str, ImageFamily] = {
    kind: family for family in (Idefics3(), Gemma3(), QwenVl()) for kind in family.model_types
}
"""By the model type of a configuration."""


def family_of(config: Any) -> ImageFamily | None:
    """Return the family of a model with this configuration of transformers; None: it reads no images here."""
    return FAMILIES.get(config.model_type)
