"""Short stories in several versions with questions about them, from the corpus.

A story is a block of rows: `place:kind` words, versions, and `- question / question = answer`.
"""

from __future__ import annotations

from dataclasses import dataclass

from embedded_model.data.corpus import read_blocks, split_rows


@dataclass(frozen=True, slots=True)
class Story:
    """Versions of a story, questions with their answers, and the kind of value in each place."""

    texts: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    kinds: dict[str, str]


def _story(kinds: str, *rows: str) -> Story:
    texts, answered = split_rows(rows)
    pairs = (row.partition(" = ") for row in answered)
    asked = tuple((question, answer) for questions, _, answer in pairs for question in questions.split(" / "))
    return Story(tuple(texts), asked, dict(pair.split(":") for pair in kinds.split()))


STORIES = tuple(_story(*block) for block in read_blocks("stories"))
