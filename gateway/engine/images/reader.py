"""Image files to pixels, by Pillow and by the image processor of a model's folder.

It runs in a process that may be killed: an image that crashes a decoder, or makes it hang, ends that process alone.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

from gateway.engine.images.families import FAMILIES
from gateway.engine.images.families.base import ImageFamily
from gateway.engine.images.pixels import ImagePixels
from gateway.engine.json_files import read_json
from gateway.errors import InvalidImageError

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")


class ImageReader:
    """Reader of image files for one model.

    Attributes:
        family: Its family.
    """

    def __init__(self, folder: Path) -> None:
        """Args: folder: Folder of the model, with the settings of its image processor."""
        self._folder = folder
        self.family: ImageFamily = FAMILIES[_type_of(folder)]
        self._loaded: tuple[Any, Any] | None = None

    @classmethod
    def of(cls, folder: Path) -> ImageReader | None:
        """Return the reader for a model's folder; None where its model reads no images here."""
        return cls(folder) if _type_of(folder) in FAMILIES and not why_no_images(folder) else None

    def load(self) -> tuple[Any, Any]:
        """Return the model's image processor and its configuration, read once."""
        from gateway.engine.models.files import LOCAL, config_of

        if self._loaded is None:
            self._loaded = image_processor(self._folder), config_of(str(self._folder), LOCAL)
        return self._loaded

    def read(self, data: bytes, max_pixels: int, max_tokens: int) -> ImagePixels:
        """Return the image, of an animation the first frame. Its header is read, and judged, before its pixels.

        Args:
            max_tokens: An image is made smaller to have no more, where the model's files leave its size open.

        Raises:
            InvalidImageError: It cannot be read; says why.
        """
        from PIL import Image, ImageOps, UnidentifiedImageError

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                    if image.width * image.height > max_pixels:
                        raise InvalidImageError(
                            f"it has {image.width} x {image.height} pixels; at most {max_pixels} are read "
                            "(images.max_pixels)"
                        )
                    upright = ImageOps.exif_transpose(image).convert("RGB")
            return self.family.cut(*self.load(), upright, max_tokens)
        except (InvalidImageError, MemoryError):
            raise
        except UnidentifiedImageError:
            raise InvalidImageError(f"it is no image in {', '.join(FORMATS)}") from None
        except Exception as error:  # decoders and processors raise whatever they like
            raise InvalidImageError(f"it cannot be read: {type(error).__name__}: {str(error)[:200]}") from error


def image_processor(folder: Path) -> Any:
    """Return transformers' image processor of a folder, which needs Pillow and no torchvision."""
    from transformers import AutoImageProcessor

    return AutoImageProcessor.from_pretrained(  # type: ignore[no-untyped-call]
        str(folder), backend="pil", local_files_only=True, trust_remote_code=False
    )


def why_no_images(folder: Path) -> str:
    """Return the reason that a vision model in a folder is served for text alone; empty for any other model."""
    config = read_json(folder / "config.json")
    kind = config.get("model_type")
    if kind in FAMILIES:
        files = ("preprocessor_config.json", "processor_config.json")
        return "" if any((folder / name).is_file() for name in files) else f"it has none of {' and '.join(files)}"
    if "vision_config" not in config:
        return ""
    return f"images of {kind} are not read; those of {', '.join(sorted(FAMILIES))} are"


def _type_of(folder: Path) -> Any:
    return read_json(folder / "config.json").get("model_type")
