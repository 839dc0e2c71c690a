"""What the reader of images, the service and the decoder ask of a family of vision models."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gateway.engine.images.pixels import ImagePixels

if TYPE_CHECKING:  # the service reads images without torch
    from torch import Tensor


class ImageFamily(ABC):
    """Vision models whose images are cut, written in prompts and computed alike.

    Attributes:
        model_types: Their types in configurations.
        mark: Text that chat templates write for an image.
        row_mark: Text of the token that a prompt has for each row of an image.
        sees_whole: Tokens of an image see one another, not only those before them.
        is_turned_by_grid: Tokens of an image are rotated by their rows and columns in it (M-RoPE), see `grid`.
    """

    model_types: ClassVar[tuple[str, ...]]
    mark: ClassVar[str]
    row_mark: ClassVar[str]
    sees_whole: ClassVar[bool] = False
    is_turned_by_grid: ClassVar[bool] = False

    @abstractmethod
    def cut(self, processor: Any, config: Any, image: Any, max_tokens: int) -> ImagePixels:
        """Return an image of Pillow's, cut by the model's image processor; see `ImageReader.read`."""

    @abstractmethod
    def num_tokens(self, config: Any, image: ImagePixels) -> int:
        """Return the tokens of an image in the prompt of a model with this configuration."""

    @abstractmethod
    def text(self, image: ImagePixels) -> str:
        """Return the text of an image in a prompt, in place of `mark`."""

    @abstractmethod
    def vision_part(self, model: Any) -> Any:
        """Return the module that reads pixels."""

    @abstractmethod
    def rows(self, model: Any, pixels: Tensor, image: ImagePixels) -> Tensor:
        """Return the rows of a tile of an image. Shapes: pixels [channels, height, width]; returns [rows, size]."""


def pixels_of(processor: Any, tiles: NDArray[Any], num_tile_tokens: int, grid: tuple[int, int] = (0, 0)) -> ImagePixels:
    """Return the pixels of tiles that a processor has cut and not scaled."""
    channels, is_scaled = tiles.shape[1], processor.do_normalize
    return ImagePixels(
        data=np.ascontiguousarray(tiles).tobytes(),
        shape=(tiles.shape[0], channels, tiles.shape[2], tiles.shape[3]),
        num_tile_tokens=num_tile_tokens,
        grid=grid,
        scale=float(processor.rescale_factor) if processor.do_rescale else 1.0,
        mean=tuple(map(float, processor.image_mean)) if is_scaled else (0.0,) * channels,
        deviation=tuple(map(float, processor.image_std)) if is_scaled else (1.0,) * channels,
    )
