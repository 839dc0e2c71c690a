"""Images of a request, before they are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageInput:
    """An image of a message, whose content has `IMAGE_MARK` at its place.

    Attributes:
        kind: Type of the content part.
        part: Path of the part in the body.
        place: The field that the image comes from, for messages.
        source: Data URL, or URL; empty if the field is missing, and once the image was read.
        digest: SHA-256 of the file, in hexadecimal; empty until it was read.
    """

    kind: str
    part: str
    place: str
    source: str = ""
    digest: str = ""

    @classmethod
    def of(cls, kind: str, part: str, field: str, source: Any) -> ImageInput:
        """Return the image of a part; `field` is the path of its source in the part."""
        return cls(kind=kind, part=part, place=f"{part}{field}", source=source if isinstance(source, str) else "")


IMAGE_MARK = "\ufdd0"
"""Text in a message's content that an image takes the place of: a character that Unicode keeps for uses like this."""
