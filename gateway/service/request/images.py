"""Images of a chat: read before anything else is done with it, and their tokens in its prompt."""

from __future__ import annotations

import asyncio
import re
from base64 import b64decode
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import accumulate, zip_longest

from gateway.core.ignored_fields import placeholder
from gateway.core.images import IMAGE_MARK, ImageInput
from gateway.core.parts import Parted, in_parts
from gateway.core.request import ChatRequest
from gateway.engine.images.pixels import ImagePixels
from gateway.errors import InvalidImageError, InvalidRequestError, NotReadyError
from gateway.service.constraints.backends import JobTooHeavyError
from gateway.service.constraints.compilations import Compilations
from gateway.service.constraints.jobs import ReadImage
from gateway.service.constraints.pool import WorkerDiedError
from gateway.service.model.loaded import LoadedModel

MAX_SENT_BYTES = 64 << 20
"""Most bytes of pixels that all answers to a request send to the engine at a time: each answer sends those of its
prompt, and each beam in each step."""


class ImageInputs:
    """Reader of the images of chats."""

    def __init__(self, loaded: LoadedModel, compilations: Compilations) -> None:
        self._is_served = loaded.images is not None
        self._bounds, self._limits = loaded.config.images, loaded.config.limits
        self._compilations = compilations
        if self._bounds.allowed_hosts:
            # Imported here: servers that fetch no images need no HTTP client.
            from gateway.service.request.image_fetch import fetched

            self._fetched = fetched

    async def read(self, request: ChatRequest, tenant: str) -> tuple[ChatRequest, tuple[ImagePixels, ...]]:
        """Return the chat, each image of it with its digest in place of its source, and the images.

        If the model reads none, the chat has placeholders in their places.

        Raises:
            InvalidImageError: An image cannot be read, or not within the bounds; names its field.
            UnsupportedParameterError: Images are not served.
        """
        if not self._is_served:
            return _without_images(request), ()
        first, most = request.images[0], self._bounds.max_images
        if len(request.images) > most:
            raise InvalidImageError(
                f"{first.place} is one of {len(request.images)} images; at most {most} are read (images.max_images)",
                param=first.place,
            )
        num_answers = request.options.num_beginnings
        images, pixels, size = list[ImageInput](), list[ImagePixels](), 0
        for image in request.images:
            data = await self._data(image)
            pixels.append(await self._pixels(image, data, tenant))
            digest = await asyncio.to_thread(sha256, data)
            images.append(replace(image, source="", digest=digest.hexdigest()))
            size += len(pixels[-1].data)
            if size * num_answers > MAX_SENT_BYTES:
                raise InvalidImageError(
                    f"{image.place}: {num_answers} answers to a prompt with so many or so large "
                    f"images take more than {MAX_SENT_BYTES >> 20} MB; ask for fewer answers or send smaller images",
                    param=image.place,
                )
        return replace(request, images=tuple(images)), tuple(pixels)

    async def _data(self, image: ImageInput) -> bytes:
        """Return the file of an image."""
        place, source, most = image.place, image.source, self._bounds.max_bytes
        if not source:
            raise InvalidImageError(f"the field {place} is missing", param=place)
        header, _, text = source.partition(",")
        if source[:5].lower() != "data:" and self._bounds.allowed_hosts:
            return await self._fetched(source, place, self._bounds)
        if source[:5].lower() != "data:" or not header.endswith(";base64"):
            raise InvalidImageError(
                f"{place} must be a data URL in base64 (data:image/png;base64,...); images are fetched from hosts of "
                "images.allowed_hosts alone",
                param=place,
            )
        if len(text) * 3 // 4 > most + 2:
            raise InvalidImageError(f"{place} has more than {most} bytes (images.max_bytes)", param=place)
        try:
            return await asyncio.to_thread(b64decode, text, validate=True)
        except ValueError as error:
            raise InvalidImageError(f"{place} is no base64: {error}", param=place) from None

    async def _pixels(self, image: ImageInput, data: bytes, tenant: str) -> ImagePixels:
        job = ReadImage(data, self._bounds.max_pixels, self._bounds.max_tokens)
        try:
            return await self._compilations.attempt(job, tenant)
        except InvalidImageError as error:
            raise InvalidImageError(f"{image.place}: {error.message}", param=image.place) from error
        except JobTooHeavyError as error:
            raise InvalidImageError(
                f"{image.place}: reading it takes longer than {self._limits.compile_timeout_s:g} s, or more than "
                f"{self._limits.max_compilation_bytes >> 20} MB",
                param=image.place,
            ) from error
        except NotReadyError as error:
            if not isinstance(error.__cause__, WorkerDiedError):
                raise
            raise InvalidImageError(
                f"{image.place} cannot be decoded: the process that decodes it ended twice", param=image.place
            ) from error


def _without_images(request: ChatRequest) -> ChatRequest:
    """Return the chat with placeholders in place of images, which are noted as ignored."""
    rest = iter(request.images)

    def left_out(mark: re.Match[str]) -> str:
        image = next(rest, None)
        return mark[0] if image is None else placeholder(image.kind, image.part)

    def without(content: str) -> str:
        parts = content.parts if isinstance(content, Parted) else (content,)
        return in_parts([re.sub(IMAGE_MARK, left_out, part) for part in parts])

    messages = tuple({**message, "content": without(message["content"])} for message in request.messages)
    return replace(request, messages=messages, images=())


def encode_with_images(
    loaded: LoadedModel, text: str, breaks: Sequence[int], images: Sequence[ImagePixels]
) -> tuple[int, ...]:
    """Return the tokens of a prompt, in which each image has as many as it has rows, and those around them.

    Args:
        text: The prompt as the chat template writes it, with a mark for each image.
        breaks: See `special_token_text`. A mark with a break inside is a client's text.

    Raises:
        InvalidRequestError: The prompt has more or fewer images.
    """
    assert loaded.images is not None, "else no image was read"
    family = loaded.images.family
    found = [match.span() for match in re.finditer(re.escape(family.mark), text)]
    places = [(start, stop) for start, stop in found if bisect_right(breaks, start) == bisect_left(breaks, stop)]
    if len(places) != len(images):
        raise InvalidRequestError(
            f"the prompt has places for {len(places)} images, and {len(images)} are sent: the chat template does not "
            f"show each of them, or a text has {family.mark} or U+FDD0",
            param="messages",
        )
    own = [family.text(image) for image in images]
    starts, stops = [start for start, _ in places], [stop for _, stop in places]
    between = [text[first:last] for first, last in zip((0, *stops), (*starts, len(text)), strict=True)]
    whole = "".join(map("".join, zip_longest(between, own, fillvalue="")))
    shifts = list(accumulate((len(each) - len(family.mark) for each in own), initial=0))
    ids = loaded.encode(whole, False, tuple(each + shifts[bisect_right(stops, each)] for each in breaks))
    token = loaded.tokenizer.token_to_id(family.row_mark)
    if ids.count(token) != sum(image.shape[0] * image.num_tile_tokens for image in images):
        raise InvalidRequestError(f"a text has {family.row_mark}, the token of images", param="messages")
    return ids
