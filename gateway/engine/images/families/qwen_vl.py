"""Qwen2-VL and Qwen2.5-VL: an image keeps its form, and has as many tokens as it has squares of merged patches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gateway.engine.images.families.base import ImageFamily, pixels_of
from gateway.engine.images.pixels import ImagePixels
from gateway.errors import InvalidImageError

if TYPE_CHECKING:  # the service reads images without torch
    from torch import Tensor


class QwenVl(ImageFamily):
    """See `ImageFamily`. Pixels are one tile: the patches one below the other, in the order of the vision part.

    The grid is that of the merged patches.
    """

    model_types = ("qwen2_vl", "qwen2_5_vl")
    mark = row_mark = "<|image_pad|>"
    is_turned_by_grid = True

    def cut(self, processor: Any, config: Any, image: Any, max_tokens: int) -> ImagePixels:
        most = min(processor.size.longest_edge, max_tokens * (processor.patch_size * processor.merge_size) ** 2)
        size = {"shortest_edge": min(processor.size.shortest_edge, most), "longest_edge": most}  # in pixels of the area
        cut = processor(images=[image], size=size, do_rescale=False, do_normalize=False, return_tensors="np")
        _, rows, columns = cut["image_grid_thw"][0].tolist()
        channels, frames, size = config.vision_config.in_channels, processor.temporal_patch_size, processor.patch_size
        # A picture is a film of equal frames.
        patches = cut["pixel_values"].reshape(-1, channels, frames, size, size)[:, :, 0]
        numbers = patches.astype(np.uint8)
        if not np.array_equal(numbers, patches):
            raise InvalidImageError("the model's image processor gives no whole numbers, which is not served")
        tile = numbers.transpose(1, 0, 2, 3).reshape(1, channels, -1, size)
        merged = processor.merge_size
        grid = rows // merged, columns // merged
        return pixels_of(processor, tile, grid[0] * grid[1], grid)

    def num_tokens(self, config: Any, image: ImagePixels) -> int:
        return image.grid[0] * image.grid[1]

    def text(self, image: ImagePixels) -> str:
        return self.row_mark * image.num_tile_tokens

    def vision_part(self, model: Any) -> Any:
        return model.model.visual

    def rows(self, model: Any, pixels: Tensor, image: ImagePixels) -> Tensor:
        config = model.config.vision_config
        channels, _, size = pixels.shape
        patches = pixels.view(channels, -1, size, size).transpose(0, 1)
        films = patches[:, :, None].expand(-1, -1, config.temporal_patch_size, -1, -1).reshape(len(patches), -1)
        grid = [[1, *(side * config.spatial_merge_size for side in image.grid)]]
        counts = films.new_tensor(grid).long()
        (rows,) = model.get_image_features(pixel_values=films, image_grid_thw=counts).pooler_output
        found: Tensor = rows
        return found
