"""Twins: states that agree for so long that the mask of one nearly is that of the other.

In a text with bounds ("at most 300 characters, at most 30 words") each character leads to another state, and all of
them allow much the same tokens. Of those a state has one as its *twin*: whether a text can go on, and whether it may
end, is the same from both for every text within the *slack*. Slack has three parts:

- `chars`: every text of so many characters;
- `far` and `breaks`: every text of `far` characters and so many breaks, see `vocabulary.breaks`.

So a bound on words, which few characters use up and most tokens hardly touch, is measured in breaks. For a REPEAT the
twin is the state itself after the fewest calls, and the slack is what each further call takes at least.
"""

from __future__ import annotations

from grammars.kernels.options import entry, kernel

MOST = 254
"""The most that each part says. Where a token may be longer, the trie says 255, see `vocabulary.tables`."""

ALWAYS = MOST | MOST << 8 | MOST << 16


@entry
def packed(chars, far, breaks):
    """A slack as one number."""
    return min(chars, MOST) | min(far, MOST) << 8 | min(breaks, MOST) << 16


@kernel
def unpacked(slack):
    """Its parts: `chars`, `far` and `breaks`."""
    return slack & 255, (slack >> 8) & 255, slack >> 16
