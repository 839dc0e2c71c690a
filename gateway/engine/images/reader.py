"""Image files to pixels, by Pillow and by the image processor of a model's folder.

It runs in a process that may be killed: an image that crashes a decoder, or makes it hang, ends that process alone.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from gateway.engine.images.pixels import ImagePixels
from gateway.engine.json_files import read_json
from gateway.errors import InvalidImageError

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
MODEL_TYPES = frozenset({"smolvlm", "idefics3"})
"""Architectures whose image tokens are causal like those of text, and have one position each."""


class ImageReader:
    """Reader of image files for one model."""

    def __init__(self, folder: Path) -> None:
        """Args: folder: Folder of the model, with the settings of its image processor."""
        self._folder = folder
        self._loaded: tuple[Any, int] | None = None

    @classmethod
    def of(cls, folder: Path) -> ImageReader | None:
        """Return the reader for a model's folder; None where its model reads no images here."""
        is_read = read_json(folder / "config.json").get("model_type") in MODEL_TYPES and not why_no_images(folder)
        return cls(folder) if is_read else None

    def load(self) -> tuple[Any, int]:
        """Return the model's image processor and the number of tokens of a tile, read once."""
        from gateway.engine.models.files import LOCAL, config_of

        if self._loaded is None:
            self._loaded = image_processor(self._folder), num_tile_tokens(config_of(str(self._folder), LOCAL))
        return self._loaded

    def read(self, data: bytes, max_pixels: int) -> ImagePixels:
        """Return the image, of an animation the first frame. Its header is read, and judged, before its pixels.

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
            return self._cut(upright)
        except (InvalidImageError, MemoryError):
            raise
        except UnidentifiedImageError:
            raise InvalidImageError(f"it is no image in {', '.join(FORMATS)}") from None
        except Exception as error:  # decoders and processors raise whatever they like
            raise InvalidImageError(f"it cannot be read: {type(error).__name__}: {str(error)[:200]}") from error

    def _cut(self, image: Any) -> ImagePixels:
        processor, num_tokens = self.load()
        cut = processor(
            images=[[image]], do_rescale=False, do_normalize=False, return_row_col_info=True, return_tensors="np"
        )
        tiles = np.ascontiguousarray(cut["pixel_values"][0])
        if tiles.dtype != np.uint8 or not np.all(cut["pixel_attention_mask"]):
            raise InvalidImageError("the model's image processor pads its tiles, which is not served")
        channels = tiles.shape[1]
        is_scaled = processor.do_normalize
        return ImagePixels(
            data=tiles.tobytes(),
            shape=tiles.shape,
            num_tile_tokens=num_tokens,
            grid=(cut["rows"][0][0], cut["cols"][0][0]),
            scale=float(processor.rescale_factor) if processor.do_rescale else 1.0,
            mean=tuple(map(float, processor.image_mean)) if is_scaled else (0.0,) * channels,
            deviation=tuple(map(float, processor.image_std)) if is_scaled else (1.0,) * channels,
        )


def image_processor(folder: Path) -> Any:
    """Return transformers' image processor of a folder, which needs Pillow and no torchvision."""
    from transformers import AutoImageProcessor

    return AutoImageProcessor.from_pretrained(  # type: ignore[no-untyped-call]
        str(folder), backend="pil", local_files_only=True, trust_remote_code=False
    )


def num_tile_tokens(config: Any) -> int:
    """Return the tokens of a tile in the prompt of a model with this configuration."""
    side = config.vision_config.image_size // config.vision_config.patch_size
    return int(side**2 // config.scale_factor**2)


def why_no_images(folder: Path) -> str:
    """Return the reason that a vision model in a folder is served for text alone; empty for any other model."""
    config = read_json(folder / "config.json")
    kind = config.get("model_type")
    if kind in MODEL_TYPES:
        files = ("preprocessor_config.json", "processor_config.json")
        return "" if any((folder / name).is_file() for name in files) else f"it has none of {' and '.join(files)}"
    if "vision_config" not in config:
        return ""
    known = " and ".join(sorted(MODEL_TYPES))
    return f"image tokens of {kind} need an attention or positions of their own; {known} read images"
