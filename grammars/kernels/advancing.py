"""A configuration after the bytes of a token, or after a text."""

from __future__ import annotations

from grammars.kernels.arena import BYTE_PART, DEAD, MASK_PART
from grammars.kernels.options import i64, kernel
from grammars.kernels.relative import glide
from grammars.kernels.stacks import add_steps
from grammars.kernels.successor import step_once, successor


@kernel
def is_new(a, config):
    """Whether the configuration is left by a token for the first time; the next time it is not."""
    if a.config_row[config] != 0 or a.config_seen[config] != 0:
        return False
    a.config_seen[config] = 1
    return True


@kernel
def advance(a, config, token):
    """The configuration after all bytes of `token`; DEAD where it is not allowed, FULL without room."""
    v = a.trie
    if v.has_bytes[token] == 0:
        return i64(DEAD)
    add_steps(a, i64(MASK_PART))
    i, last = i64(v.token_start[token]), i64(v.token_start[token + 1])
    while i < last:
        if is_new(a, config):
            taken = i64(0)
            if i > v.token_start[token]:
                config, taken = glide(a, config, i, last)
            i += taken
            if taken == 0 and config > 0:
                config = step_once(a, config, i64(v.token_bytes[i]))
                i += 1
        else:
            config = successor(a, config, i64(v.token_bytes[i]))
            i += 1
        if config <= 0:
            return i64(config)
    return i64(config)


@kernel
def advance_bytes(a, config, data):
    """The configuration after `data`, and how many bytes were taken before it died (or before FULL)."""
    for i in range(len(data)):
        add_steps(a, i64(BYTE_PART))
        following = step_once(a, config, i64(data[i])) if is_new(a, config) else successor(a, config, i64(data[i]))
        if following <= 0:
            return i64(following), i
        config = following
    return i64(config), len(data)
