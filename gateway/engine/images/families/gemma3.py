"""Gemma 3: an image is one square tile, whose tokens see one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gateway.engine.images.families.base import ImageFamily, pixels_of
from gateway.engine.images.pixels import ImagePixels
from gateway.errors import InvalidImageError

if TYPE_CHECKING:  # the service reads images without torch
    from torch import Tensor


class Gemma3(ImageFamily):
    """See `ImageFamily`. Further tiles of long images ("pan and scan") are not cut, as in the processor's defaults."""

    model_types = ("gemma3",)
    mark, row_mark = "<start_of_image>", "<image_soft_token>"
    sees_whole = True

    def cut(self, processor: Any, config: Any, image: Any, max_tokens: int) -> ImagePixels:
        cut = processor(
            images=[image], do_rescale=False, do_normalize=False, do_pan_and_scan=False, return_tensors="np"
        )
        tiles = cut["pixel_values"]
        if tiles.dtype != np.uint8:
            raise InvalidImageError("the model's image processor does not resize its images, which is not served")
        return pixels_of(processor, tiles, config.mm_tokens_per_image)

    def num_tokens(self, config: Any, image: ImagePixels) -> int:
        return image.shape[0] * int(config.mm_tokens_per_image)

    def text(self, image: ImagePixels) -> str:
        return f"\n\n{self.mark}{self.row_mark * image.num_tile_tokens}<end_of_image>\n\n"

    def vision_part(self, model: Any) -> Any:
        return model.model.vision_tower

    def rows(self, model: Any, pixels: Tensor, image: ImagePixels) -> Tensor:
        rows: Tensor = model.get_image_features(pixel_values=pixels[None]).pooler_output[0]
        return rows
