"""`secrets`: keys and tokens, by the shapes that their issuers give them, and whatever random text is called one."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from gateway.guards.kinds.base import Guard, chosen
from gateway.guards.rule import Rule, Shape
from gateway.guards.shapes import shape_of, word_characters

_BLANK = r"(?:\s|\\n|\\r)"
_PATTERNS = {
    "aws": r"(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[A-Z0-9]{16}",
    "github": r"gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
    "slack": r"xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-[0-9]-[A-Za-z0-9-]{10,250}",
    "stripe": r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,247}|whsec_[A-Za-z0-9+/=]{32,64}",
    "google": r"AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}",
    "jwt": r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    # The body is covered as it comes, so that a key whose end never comes does not leave.
    "private_key": (
        rf"-----BEGIN (?:[A-Z0-9]{{1,20}} ){{0,3}}PRIVATE KEY(?: BLOCK)?-----"
        rf"(?:{_BLANK}*[A-Za-z0-9+/=]{{20,}})*(?:{_BLANK}+[A-Za-z0-9+/=]+)?"
        rf"(?:{_BLANK}*-----END (?:[A-Z0-9]{{1,20}} ){{0,3}}PRIVATE KEY(?: BLOCK)?-----)?"
    ),
    "assignment": (
        r"(?i:passw(?:or)?d|pwd|secret|token|api[_-]?key|access[_-]?key|credentials?)"
        r"""[A-Za-z_-]{0,20}["']? ?(?::=|=>|=|:) ?["']?[A-Za-z0-9+/_.~=-]{16,100}"""
    ),
}
KINDS = tuple(_PATTERNS)
MIN_ENTROPY = 3.5
"""Bits a character: of random base64 4.5 and more from 24 characters on; of English words written as one 3 to 3.4."""

_VALUE = re.compile(r"[A-Za-z0-9+/_.~=-]{16,}$")


def rules(options: Mapping[str, Any]) -> list[Rule]:
    """One rule a kind."""
    return [Rule(guard="secrets", kind=kind, what=_shape(kind)) for kind in chosen(options, KINDS, KINDS)]


def _shape(kind: str) -> Shape:
    word = word_characters()
    if kind == "assignment":
        return shape_of(_PATTERNS[kind], check=is_random_assignment)
    return shape_of(_PATTERNS[kind], before=() if kind == "private_key" else word)


def is_random_assignment(text: str) -> bool:
    """Whether the value that is assigned has digits and letters, and looks random."""
    found = _VALUE.search(text)
    value = "" if found is None else found[0]
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and entropy(value) >= MIN_ENTROPY


def entropy(text: str) -> float:
    """Bits a character, by how often each stands in the text."""
    return -sum(count / len(text) * math.log2(count / len(text)) for count in Counter(text).values())


_UNMASKED = "a key is one by its length or by its entropy, so that a mask would let all but its last character pass"
GUARD = Guard(name="secrets", options={"kinds": list}, unmasked=_UNMASKED, rules=rules)
