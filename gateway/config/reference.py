"""Reference of all settings as Markdown, written from their dataclasses.

python -m gateway.config.reference > settings.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from typing import Any

from gateway.config.documentation import documentation_of, title_of
from gateway.config.flags import FLAGS
from gateway.config.loading import SECTIONS, environment_name, setting_types
from gateway.setting_types import describe_type

_UNITS = {"_s": "seconds", "_bytes": "bytes", "_tokens": "tokens", "_characters": "characters"}
_HEAD = ("setting", "allowed", "default", "unit", "flag", "environment variable", "meaning")


def render_settings() -> str:
    """Return one table a section, one row a setting."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    types = setting_types()
    yield "# Settings"
    yield ""
    yield "Sources, later ones win: a TOML file (`--config FILE` or `PORTCULLIS_CONFIG`), environment variables, flags."
    yield "The file has one table a section: `[server]`, then `port = 9000`. Variables separate list items by commas."
    yield "A setting that is unknown or has a value that is not allowed is refused at start, before the model is read."
    for section, kind in SECTIONS.items():
        documentation = documentation_of(kind)
        yield from ("", f"## [{section}]", "", title_of(kind), "", _row(_HEAD), _row(("---",) * len(_HEAD)))
        for field in fields(kind):
            key = f"{section}.{field.name}"
            if key not in types:
                continue
            yield _row(
                (
                    f"`{key}`",
                    describe_type(types[key]),
                    _default(field),
                    next((unit for suffix, unit in _UNITS.items() if field.name.endswith(suffix)), ""),
                    f"`{FLAGS[key].name}`" if key in FLAGS else "",
                    f"`{environment_name(key)}`",
                    documentation.get(field.name, ""),
                )
            )


def _default(field: Field[Any]) -> str:
    value = field.default if field.default_factory is MISSING else field.default_factory()
    if value is None or value == ():
        return "not set" if value is None else "empty"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, float):
        return f"`{value:g}`"
    return f"`{', '.join(value) if isinstance(value, tuple) else value}`"


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    sys.stdout.write(render_settings())
