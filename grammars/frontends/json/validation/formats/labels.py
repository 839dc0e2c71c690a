"""Labels of internationalized host names.

What each character may be is derived from its Unicode properties as RFC 5892 (section 3) says, so it follows the
interpreter's Unicode version.

See: RFC 5890 to 5893.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

_PVALID_EXCEPTIONS = frozenset("\u00df\u03c2\u06fd\u06fe\u0f0b\u3007")
_DISALLOWED_EXCEPTIONS = frozenset("\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b")
_LETTERS_DIGITS = frozenset(("Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"))
_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff"
    "\u20d0-\u20ff\U0001d100-\U0001d1ff\U0001d200-\U0001d24f]"
)
_OLD_HANGUL = re.compile("[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7c6\ud7cb-\ud7fb]")
_JOINERS = "\u200c\u200d"
_ARABIC_DIGITS, _EXTENDED_DIGITS = re.compile("[\u0660-\u0669]"), re.compile("[\u06f0-\u06f9]")
_VIRAMA = 9
_LEFT = frozenset(("L", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"))
_RIGHT = frozenset(("R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"))


def is_a_label(label: str) -> bool:
    """Whether an ASCII label that starts with ``xn--`` stands for a correct label, in the one way there is."""
    try:
        decoded = label[4:].lower().encode("ascii").decode("punycode")
        return (
            not decoded.isascii() and is_u_label(decoded) and decoded.encode("punycode") == label[4:].lower().encode()
        )
    except (UnicodeError, OverflowError, ValueError):
        return False


def is_u_label(label: str) -> bool:
    """Whether a label that is not ASCII is correct. See: RFC 5891, section 4.2."""
    if label[2:4] == "--" or label.startswith("-") or label.endswith("-"):
        return False
    if unicodedata.category(label[0]).startswith("M") or unicodedata.normalize("NFC", label) != label:
        return False
    return all(_is_allowed(label, index) for index in range(len(label))) and (not is_bidi(label) or is_readable(label))


def _is_allowed(label: str, index: int) -> bool:
    character = label[index]
    rule = _CONTEXT.get(character)
    if rule is not None:
        return rule(label, index)
    if _ARABIC_DIGITS.match(character):
        return not _EXTENDED_DIGITS.search(label)
    if _EXTENDED_DIGITS.match(character):
        return not _ARABIC_DIGITS.search(label)
    return _is_valid_anywhere(character)


@lru_cache(maxsize=4096)
def _is_valid_anywhere(character: str) -> bool:
    """Whether the character is PVALID."""
    if character in _PVALID_EXCEPTIONS or character in _DISALLOWED_EXCEPTIONS:
        return character in _PVALID_EXCEPTIONS
    category = unicodedata.category(character)
    if category in ("Cn", "Cs"):
        return False
    if character.isascii():
        return character == "-" or character.isdigit() or character.islower()
    if _OLD_HANGUL.match(character) or _IGNORABLE.match(character):
        return False
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold())
    return folded == character and category in _LETTERS_DIGITS


def _between_l(label: str, index: int) -> bool:
    return label[index - 1 : index] == "l" and label[index + 1 : index + 2] == "l"


def _before_greek(label: str, index: int) -> bool:
    return index + 1 < len(label) and unicodedata.name(label[index + 1], "").startswith("GREEK ")


def _after_hebrew(label: str, index: int) -> bool:
    return index > 0 and unicodedata.name(label[index - 1], "").startswith("HEBREW ")


def _among_japanese(label: str, index: int) -> bool:
    starts = (
        "HIRAGANA ",
        "KATAKANA LETTER ",
        "KATAKANA ITERATION ",
        "KATAKANA VOICED ITERATION ",
        "CJK ",
        "IDEOGRAPHIC ",
    )
    return any(unicodedata.name(character, "").startswith(starts) for character in label)


def _after_virama(label: str, index: int) -> bool:
    return index > 0 and unicodedata.combining(label[index - 1]) == _VIRAMA


def _between_joining(label: str, index: int) -> bool:
    """After a virama, or between letters that would join. See: RFC 5892, appendix A.1."""
    if _after_virama(label, index):
        return True
    before = next((c for c in reversed(label[:index]) if not _is_transparent(c)), "")
    after = next((c for c in label[index + 1 :] if not _is_transparent(c)), "")
    joining_after, joining_before = _joining()
    return before in joining_after and after in joining_before


def _is_transparent(character: str) -> bool:
    return character not in _JOINERS and unicodedata.category(character) in ("Mn", "Me", "Cf")


@cache
def _joining() -> tuple[frozenset[str], frozenset[str]]:
    """Letters that join with the next one and with the one before, as their presentation forms show."""
    forms: dict[str, set[str]] = {}
    for code in (*range(0xFB50, 0xFE00), *range(0xFE70, 0xFF00)):
        kind, *letters = unicodedata.decomposition(chr(code)).split() or [""]
        if len(letters) == 1:
            forms.setdefault(kind, set()).add(chr(int(letters[0], 16)))
    initial = forms.get("<initial>", set()) | forms.get("<medial>", set())
    return frozenset(initial), frozenset(initial | forms.get("<final>", set()))


def is_bidi(label: str) -> bool:
    """Whether the label has characters of scripts written from right to left."""
    return any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in label)


def is_readable(label: str) -> bool:
    """The rule for the labels of a name in which any label `is_bidi`. See: RFC 5893, section 2."""
    kinds = [unicodedata.bidirectional(character) for character in label]
    significant = next((kind for kind in reversed(kinds) if kind != "NSM"), "")
    if kinds[0] in ("R", "AL"):
        mixed = "EN" in kinds and "AN" in kinds
        return _RIGHT.issuperset(kinds) and significant in ("R", "AL", "EN", "AN") and not mixed
    return kinds[0] == "L" and _LEFT.issuperset(kinds) and significant in ("L", "EN")


_CONTEXT = {
    "\u00b7": _between_l,
    "\u0375": _before_greek,
    "\u05f3": _after_hebrew,
    "\u05f4": _after_hebrew,
    "\u30fb": _among_japanese,
    "\u200c": _between_joining,
    "\u200d": _after_virama,
}
