"""Model that ships with the package: weights small enough for a laptop, and a draft model beside them."""

from pathlib import Path

from gateway.embedded.errors import EmbeddedModelError, MissingWeightsError

WEIGHTS = Path(__file__).parent / "weights"


def target_path() -> Path:
    """Return the folder of the embedded model, which `transformers` can load as it is.

    Raises:
        MissingWeightsError: when the weights are not there.
    """
    return _folder("target")


def draft_path() -> Path:
    """Return the folder of the draft model, which has the target's tokenizer.

    Raises:
        MissingWeightsError: when the weights are not there.
    """
    return _folder("draft")


def _folder(model: str) -> Path:
    folder = WEIGHTS / model
    if not (folder / "model.safetensors").is_file():
        raise MissingWeightsError(model, folder)
    return folder


__all__ = ["EmbeddedModelError", "MissingWeightsError", "draft_path", "target_path"]
