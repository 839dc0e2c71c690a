"""Languages other than English in which tools are asked for, from the corpus.

The first block of a file has the fields of `Language` as JSON, the second a row for each tool: `tool: phrase / phrase`.
"""

from __future__ import annotations

from dataclasses import dataclass

from embedded_model.data.corpus import read_blocks, read_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Phrases of a language, and the words around them."""

    phrases: dict[str, tuple[str, ...]]
    """By tool, with the places of all the arguments that the tool requires. Words other than names begin in lower case,
    and a question has its mark: `asked` varies both."""
    openings: tuple[str, ...]
    endings: tuple[str, ...]
    refusals: tuple[str, ...]
    conjunction: str
    """Its "and", between the last two items of a list."""
    nouns: tuple[str, ...] = ()
    """Things to buy, to eat, to look up and to do."""

    def asked(self, tool: str) -> tuple[str, ...]:
        """Return the phrases for a tool, each as typed in haste and as written with care."""
        return tuple(form for phrase in self.phrases[tool] for form in (phrase.strip("¿? "), _written(phrase)))


def _written(phrase: str) -> str:
    mark = "¿" if phrase.startswith("¿") else ""
    rest = phrase.removeprefix("¿")
    return f"{mark}{rest[0].upper()}{rest[1:]}"


def read_language(name: str) -> Language:
    """Return the language of `corpus/languages/<name>.txt`."""
    settings, phrases = read_blocks(f"languages/{name}")
    by_tool = (row.split(": ", 1) for row in phrases)
    return Language(phrases={tool: tuple(text.split(" / ")) for tool, text in by_tool}, **read_fields(settings))


_LARGE = tuple(map(read_language, ("german", "french", "spanish")))
_SMALL = tuple(
    map(
        read_language,
        ("portuguese", "catalan", "romanian", "dutch", "swedish", "danish", "polish", "czech", "turkish", "indonesian"),
    )
)
TRAIN_LANGUAGES = _LARGE * 3 + _SMALL
"""The first three have phrases for many more tools, so they come three times as often."""
HELDOUT_LANGUAGES = (read_language("italian"),)
