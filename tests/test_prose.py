"""Docstrings name the thing and say what holds after the call; see "English" in gateway/docs/contributing.md."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = sorted(
    str(path.relative_to(ROOT))
    for package in ("gateway", "grammars", "tools")
    for path in [ROOT / package, *(ROOT / package).iterdir()]
    if path.is_dir() and any(path.glob("*.py"))
)

QUESTION = re.compile(r"(What|Who|Whose|Whether|Where|How|Which|Of|That|When)\b")
VERSE = re.compile(
    r"\b(told|tells|lately|anew|whoever|nobody|somebody|so many|is let go|let go of|what comes|as far as|none of)\b",
    re.I,
)
MOST_QUESTIONS = 0.06
MOST_VERSES = 0.02


def docstrings(folder: Path) -> Iterator[str]:
    """Yield the summaries of all docstrings in a folder; of a package those of its own files."""
    is_package = folder.parent == ROOT
    for path in sorted(folder.glob("*.py") if is_package else folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found = ast.get_docstring(node)
                if found:
                    yield found.split("\n\n")[0]


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_name_the_thing_in_plain_words(folder):
    found = list(docstrings(ROOT / folder))
    questions = [each for each in found if QUESTION.match(each)]
    verses = [each for each in found if VERSE.search(each)]
    assert len(questions) <= max(MOST_QUESTIONS * len(found), 1), questions
    assert len(verses) <= max(MOST_VERSES * len(found), 1), verses
