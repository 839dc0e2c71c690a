"""The model that ships with the package: real weights, small enough for a laptop, and a draft beside it.

Importing this package is cheap: torch and transformers are imported by the training and evaluation modules only.
"""

from pathlib import Path

from gateway.embedded.errors import EmbeddedModelError, MissingWeightsError

WEIGHTS = Path(__file__).parent / "weights"


def target_path() -> Path:
    """The folder of the embedded model; stock `transformers` loads it.

    Raises:
        MissingWeightsError: when the weights are not there.
    """
    return _folder("target")


def draft_path() -> Path:
    """The folder of the draft model, which shares the target's tokenizer.

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
