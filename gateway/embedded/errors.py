"""Errors of the embedded model."""

from pathlib import Path


class EmbeddedModelError(Exception):
    """Base of this package's errors."""

    code = "embedded_model_error"
    retryable = False
    hint = ""


class MissingWeightsError(EmbeddedModelError):
    """The package holds no weights of this model."""

    code = "embedded_weights_missing"
    hint = "install the package again, or train the model as examples/embedded_model/README.md says and copy it there"

    def __init__(self, model: str, folder: Path) -> None:
        super().__init__(f"no weights of the embedded {model} model in {folder}; {self.hint}")
        self.model = model
        self.folder = folder
