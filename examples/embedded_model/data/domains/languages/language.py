"""A language in which tools that are declared in English are asked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What people say in it. Its phrases hold the places of all the arguments that their tool requires."""

    phrases: dict[str, tuple[str, ...]]
    """By tool. What is not a name begins in lower case, and a question has its mark: `asked` varies both."""
    openings: tuple[str, ...]
    endings: tuple[str, ...]
    refusals: tuple[str, ...]
    conjunction: str
    """Its "and", between the last two items of a list."""
    nouns: tuple[str, ...] = ()
    """Things to buy, to eat, to look up and to do."""

    def asked(self, tool: str) -> tuple[str, ...]:
        """The phrases for a tool, each as one types it in haste and as one writes it."""
        return tuple(form for phrase in self.phrases[tool] for form in (phrase.strip("¿? "), _written(phrase)))


def _written(phrase: str) -> str:
    mark = "¿" if phrase.startswith("¿") else ""
    rest = phrase.removeprefix("¿")
    return f"{mark}{rest[0].upper()}{rest[1:]}"


def read_nouns(text: str) -> tuple[str, ...]:
    """Nouns from a list with commas."""
    return tuple(noun.strip() for noun in text.split(","))


def read_phrases(text: str) -> dict[str, tuple[str, ...]]:
    """Phrases by tool, from lines `tool: phrase / phrase`; an indented line has more phrases for the tool above it."""
    phrases: dict[str, tuple[str, ...]] = {}
    tool = ""
    for line in text.strip().splitlines():
        if not line.startswith(" "):
            tool, _, line = line.partition(": ")
        phrases[tool] = phrases.get(tool, ()) + tuple(line.strip().split(" / "))
    return phrases
