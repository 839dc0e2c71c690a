"""Errors of the embedded model."""

from pathlib import Path


class EmbeddedModelError(Exception):
    """Base of this package's errors."""

    code = "embedded_model_error"
    retryable = False
    hint = ""


class MissingWeightsError(EmbeddedModelError):
    """The package holds no weights for this model."""

    code = "embedded_weights_missing"
    hint = "`python -m gateway.embedded.train target --checkpoint FOLDER --tokens 150e6`, then copy FOLDER/model here"

    def __init__(self, model: str, folder: Path) -> None:
        super().__init__(f"no weights of the embedded {model} model in {folder}; {self.hint}")
        self.model = model
        self.folder = folder
