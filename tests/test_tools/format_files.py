"""The formats that tools/README.md describes in TOML."""

import re
from pathlib import Path

from tools.format_file import parse_format, parse_reasoning

README = Path(__file__).resolve().parents[2] / "tools" / "README.md"
*TEXTS, THOUGHTS = re.findall(r"```toml\n(name = .*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
FOUND = [parse_format(text) for text in TEXTS]
DESCRIBED = [each.format for each in FOUND]
REASONING = parse_reasoning(THOUGHTS)
