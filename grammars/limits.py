"""Every bound on work and memory, in one place."""

from __future__ import annotations

from dataclasses import dataclass, replace

# Bytes of all that functions remember between constraints: languages of patterns, parts of networks, classes of
# characters.
REMEMBERED_BYTES = 16 << 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Limits:
    """Bounds that hold for each constraint; reaching one is a `TooComplexError` with the field's name.

    Compared by identity, since limits are part of the keys of caches that are asked very often.

    Attributes:
        max_schema_bytes: size of a constraint's text (JSON text of a schema, a pattern, the sum of choices).
        max_grammar_bytes: size of the text of a Lark or GBNF grammar, or of a structural tag's triggers.
        max_grammar_rules: rules of a grammar, one for each use of a template with other arguments.
        max_subschemas: subschemas of a schema that are met, of which each is looked at on its own.
        max_depth: nesting of a schema, of a pattern's groups, of references followed without consuming text.
        max_enum_values: values in one enum, choices in one `Choice`; schemas may be asked about half as many again.
        max_pattern_length: characters of one regular expression.
        max_pattern_states: states of one determinized pattern.
        max_states: states of one network.
        max_configuration_pairs: (state, stack) pairs alive at once in one match.
        max_configurations: configurations kept by one compiled constraint; beyond it they are dropped and built anew.
        max_stack_nodes: stack nodes kept by one compiled constraint, likewise. Where one text alone needs more, there
            is room for up to 16 times as many of these three.
        max_mask_rows: mask rows cached by one compiled constraint (16 kB each for 128k tokens).
        max_match_steps: alternatives that the masks of one compiled constraint may look at at once (25 to 400 ns each);
            each mask gives back a 75th of them. Where they run out, a mask holds all tokens of one byte and as many
            longer ones as it comes to; texts of more than 4,096 bytes that are matched at once are refused.
        max_validation_steps: members, items and keywords looked at while one value that is given (in an enum, say) is
            checked against a schema; what a text comes to takes as many as it takes.
        max_compiled: compiled constraints kept by one compiler.
        max_compiled_bytes: memory of the constraints kept by one compiler: networks, and what was met in matching.
        max_held_bytes: the same of all its constraints that somebody holds, kept by the compiler or not; beyond it
            there are no new ones until others go. None: they are not counted.
    """

    max_schema_bytes: int = 4_000_000
    max_grammar_bytes: int = 60_000
    max_grammar_rules: int = 20_000
    max_subschemas: int = 10_000
    max_depth: int = 200
    max_enum_values: int = 100_000
    max_pattern_length: int = 20_000
    max_pattern_states: int = 20_000
    max_states: int = 400_000
    max_configuration_pairs: int = 100_000
    max_configurations: int = 50_000
    max_stack_nodes: int = 200_000
    max_mask_rows: int = 2_000
    max_match_steps: int = 2_000_000
    max_validation_steps: int = 2_000_000
    max_compiled: int = 256
    max_compiled_bytes: int = 64 << 20
    max_held_bytes: int | None = None


def more_room(limits: Limits, times: int) -> Limits:
    """Return limits with `times` as much room for what matching builds."""
    return replace(
        limits,
        max_configuration_pairs=times * limits.max_configuration_pairs,
        max_configurations=times * limits.max_configurations,
        max_stack_nodes=times * limits.max_stack_nodes,
    )


DEFAULT_LIMITS = Limits()
"""Limits where none are given; the same object each time, so that caches find what they keep."""
