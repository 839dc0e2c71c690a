"""Image as the vision part of a model takes it, before its numbers are scaled."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from gateway.engine.images.grid import GridPositions


@dataclass(frozen=True, slots=True)
class ImagePixels:
    """Image that was resized, and cut into tiles, as the model's files say.

    A number of a tile goes into the model as `(number * scale - mean) / deviation`, by channel.

    Attributes:
        data: Numbers from 0 to 255, a byte each, of all tiles.
        shape: Tiles, channels, height and width.
        num_tile_tokens: Tokens of a tile in the prompt.
        grid: Rows and columns of the tiles before the last one, which is the whole image; (0, 0): it is the only one.
        digest: Of everything that its rows depend on; computed where the image is read, not in the engine.
    """

    data: bytes
    shape: tuple[int, int, int, int]
    num_tile_tokens: int
    grid: tuple[int, int]
    scale: float
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    digest: bytes = b""

    def __post_init__(self) -> None:
        if not self.digest:
            parts = repr((self.shape, self.grid, self.scale, self.mean, self.deviation)).encode()
            object.__setattr__(self, "digest", blake2b(parts + self.data, digest_size=32).digest())


class PromptImages:
    """Images of one prompt.

    Attributes:
        places: Positions of their tokens in the prompt, in order. Shapes: [places].
        stop: Position after the last of them.
        whole: First position, and the one after the last, of each image whose tokens see one another.
        positions: By which tokens are rotated; None: by their places in the text.
        rows: Their rows; None until all are computed. Shapes: [places, size].
        computed: Rows of the first images.
    """

    def __init__(
        self,
        images: tuple[ImagePixels, ...],
        places: Any,
        whole: tuple[tuple[int, int], ...] = (),
        positions: GridPositions | None = None,
    ) -> None:
        self.places, self.images, self.whole, self.positions = places, images, whole, positions
        self.stop = int(places[-1]) + 1
        self.rows: Any = None
        self.digests = [image.digest for image in images]
        self.computed: list[Any] = []
