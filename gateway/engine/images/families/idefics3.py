"""Idefics3 and SmolVLM: an image is cut into tiles, with the whole image as the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gateway.engine.images.families.base import ImageFamily, pixels_of
from gateway.engine.images.pixels import ImagePixels
from gateway.errors import InvalidImageError

if TYPE_CHECKING:  # the service reads images without torch
    from torch import Tensor

_AROUND, _WHOLE = "<fake_token_around_image>", "<global-img>"


class Idefics3(ImageFamily):
    """See `ImageFamily`."""

    model_types = ("idefics3", "smolvlm")
    mark = row_mark = "<image>"

    def cut(self, processor: Any, config: Any, image: Any, max_tokens: int) -> ImagePixels:
        cut = processor(
            images=[[image]], do_rescale=False, do_normalize=False, return_row_col_info=True, return_tensors="np"
        )
        tiles = cut["pixel_values"][0]
        if tiles.dtype != np.uint8 or not np.all(cut["pixel_attention_mask"]):
            raise InvalidImageError("the model's image processor pads its tiles, which is not served")
        return pixels_of(processor, tiles, _num_tile_tokens(config), (cut["rows"][0][0], cut["cols"][0][0]))

    def num_tokens(self, config: Any, image: ImagePixels) -> int:
        return image.shape[0] * _num_tile_tokens(config)

    def text(self, image: ImagePixels) -> str:
        rows, columns = image.grid
        tile = self.row_mark * image.num_tile_tokens
        tiles = [
            "".join(f"{_AROUND}<row_{row}_col_{column}>{tile}" for column in range(1, columns + 1)) + "\n"
            for row in range(1, rows + 1)
        ]
        return "".join((*tiles, "\n" if tiles else "", f"{_AROUND}{_WHOLE}{tile}{_AROUND}"))

    def vision_part(self, model: Any) -> Any:
        return model.model.vision_model

    def rows(self, model: Any, pixels: Tensor, image: ImagePixels) -> Tensor:
        (rows,) = model.get_image_features(pixel_values=pixels[None, None]).pooler_output
        found: Tensor = rows
        return found


def _num_tile_tokens(config: Any) -> int:
    side = config.vision_config.image_size // config.vision_config.patch_size
    return int(side**2 // config.scale_factor**2)
