"""Rows of images: what a model's vision part makes of their pixels takes the places of their tokens in the prompt.

    prompt    | text | image image image image | text |        ids: the image's token, repeated
    rows             |  r0    r1    r2    r3   |               in place of the embeddings of those ids

A prompt waits until its rows are known. Each step computes one tile, so answers go on between the tiles; prompts that
wait take turns, an image each.
"""

from __future__ import annotations

from collections import OrderedDict, deque

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gateway.engine.errors import InvalidSamplingError
from gateway.engine.images.grid import GridPositions
from gateway.engine.images.pixels import ImagePixels, PromptImages
from gateway.engine.models.base import Decoder
from gateway.engine.output_collector import OutputCollector
from gateway.engine.sequence import Sequence

MAX_KEPT_BYTES = 64 << 20
"""Rows of images that are kept for later prompts with the same image."""


class ImageRows:
    """Computes the rows of prompts with images.

    Attributes:
        are_whole: Each image is read in one step, see `whole`.
    """

    def __init__(self, decoder: Decoder) -> None:
        self._decoder, self.are_whole = decoder, decoder.sees_whole_images
        self._kept: OrderedDict[bytes, Tensor] = OrderedDict()
        self._tiles: list[Tensor] = []
        self._waiting: deque[Sequence] = deque()

    @property
    def can_read(self) -> bool:
        """True if the decoder reads images."""
        return self._decoder.image_token_id is not None

    def assign(self, sequence: Sequence) -> None:
        """Give a new text its images, and a salt that shares no block with other images.

        Raises:
            InvalidSamplingError: The decoder reads no images, or the prompt does not have their tokens.
        """
        token, images = self._decoder.image_token_id, sequence.request.images
        if not images:
            return
        if token is None:
            raise InvalidSamplingError("images", "are not served: this model's decoder reads none")
        counts = [self._decoder.num_image_tokens(image) for image in images]
        needed = sum(counts)
        places = np.flatnonzero(np.array(sequence.token_ids) == token)[:needed]
        if len(places) < needed or not needed or places[-1] == len(sequence.token_ids) - 1:
            raise InvalidSamplingError(
                "images", f"have {needed} tokens, before others; the prompt has {len(places)} of token {token}"
            )
        turned = self._decoder.is_turned_by_grid
        pieces = _in_one_piece(places, counts) if self.are_whole or turned else ()
        positions = GridPositions(pieces, (image.grid for image in images)) if turned else None
        sequence.images = found = PromptImages(images, places, pieces if self.are_whole else (), positions)
        self._waiting.append(sequence)
        sequence.salt = f"\0images {' '.join(digest.hex() for digest in found.digests)}\0{sequence.salt}"

    def compute_next(self, outputs: OutputCollector) -> None:
        """Compute one tile for the first prompt that waits, or take an image's rows from those kept. A failure ends
        this prompt alone."""
        if not self._waiting:
            return
        sequence = self._waiting[0]
        found, leader = sequence.images, sequence.ensemble[0]
        is_served = outputs.sequences.get(leader.request_id) is leader
        if found is None or not is_served:  # it ended, or was refused
            self._waiting.popleft()
            self._tiles.clear()
            return
        number = len(found.computed)
        digest, image = found.digests[number], found.images[number]
        rows = self._kept.get(digest)
        try:
            if rows is None:
                self._tiles.append(self._decoder.embed_tile(_scaled(image, len(self._tiles)), image))
                if len(self._tiles) < image.shape[0]:
                    return
                rows = torch.cat(self._tiles)
                if len(rows) != self._decoder.num_image_tokens(image):
                    raise ValueError(f"the vision part gives {len(rows)} rows of an image of form {image.shape}")
        except Exception as error:
            outputs.fail_step([leader], error)
            self._tiles.clear()
            return
        self._tiles.clear()
        self._keep(digest, rows)
        found.computed.append(rows)
        self._waiting.popleft()
        if len(found.computed) == len(found.images):
            found.rows, found.images = torch.cat(found.computed), ()
        else:
            self._waiting.append(sequence)

    def _keep(self, digest: bytes, rows: Tensor) -> None:
        self._kept[digest] = rows
        self._kept.move_to_end(digest)
        while len(self._kept) > 1 and sum(map(_num_bytes, self._kept.values())) > MAX_KEPT_BYTES:
            self._kept.popitem(last=False)


def _in_one_piece(places: NDArray[np.int64], counts: list[int]) -> tuple[tuple[int, int], ...]:
    """Return the first position, and the one after the last, of each image.

    Raises:
        InvalidSamplingError: An image's tokens have others between them.
    """
    pieces = [(int(own[0]), int(own[-1]) + 1) for own in np.split(places, np.cumsum(counts)[:-1])]
    if any(stop - first != count for (first, stop), count in zip(pieces, counts, strict=True)):
        raise InvalidSamplingError("images", "have other tokens between those of one image")
    return tuple(pieces)


def _num_bytes(rows: Tensor) -> int:
    return rows.numel() * rows.element_size()


def _scaled(image: ImagePixels, tile: int) -> Tensor:
    """Return a tile as the model takes it. Shapes: [channels, height, width]."""
    _, *shape = image.shape
    size = int(np.prod(shape))
    numbers = np.frombuffer(image.data, np.uint8, size, tile * size).reshape(shape).astype(np.float32)
    mean, deviation = (np.array(each, np.float32)[:, None, None] for each in (image.mean, image.deviation))
    return torch.from_numpy((numbers * np.float32(image.scale) - mean) / deviation)
