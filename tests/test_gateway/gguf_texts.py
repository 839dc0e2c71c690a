"""Odd texts, and llama.cpp's tokens of them, which are kept beside this file.

`python gguf_texts.py NAME=FILE.gguf ...` writes them anew, where `llama-cpp-python` is installed.
"""

import json
import random
import sys
from itertools import product
from pathlib import Path

TOKENS = Path(__file__).with_name("gguf_tokens.json")

BLANKS = (
    " ",
    "  ",
    "    ",
    "\n",
    "\n\n",
    "\n\n\n\n\n",
    "\t",
    "\t\t",
    "\r\n",
    "\r\n\r\n",
    " \n",
    "\n ",
    "\t \n",
    "\u00a0",
    "\u3000",
)
AFTER = ("8", "x", "", "!", "\u6587", "-1")
BETWEEN = [f"a{blank}{after}" for blank, after in product(BLANKS, AFTER)]  # 90

WORDS = (
    "Hello, world!",
    " leading and trailing ",
    "I'm you're they've we'll he'd it's don't",
    "I'M YOU'RE THEY'VE WE'LL HE'D IT'S DON'T 'Tis o'clock 'til",
    "don\u2019t can\u2019t \u2018quoted\u2019 \u201cdouble\u201d \u2026",
    "iPhone XMLHttpRequest camelCase snake_case kebab-case SCREAMING_CASE",
    "a.b.c/d\\e:f;g,h|i&j*k(l)m[n]o{p}q<r>s",
    "... !!! ??? --- ___ *** ### @@@ $$$ %%% ^^^ &&& ((( )))",
    "http://example.com/path?query=1&other=%20#fragment",
    "name@example.com +49 (0)30 1234567",
    "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "a" * 100,
    "ab" * 60,
    "=" * 80,
    "\n" * 40,
    " " * 70,
    "\t" * 33,
    "x" + " " * 33 + "y",
    "x" + "\n" * 33 + "y",
    "x" + "\t" * 5 + " " * 5 + "\n" * 5 + "y",
)
NUMBERS = (
    "0 1 12 123 1234 12345 123456 1234567",
    "3.14159 -2.5e-10 1,234,567.89 0x1F 1_000",
    "2024-02-29T23:59:59.999Z",
    "1st 2nd 3rd 4th 10x x10 v1.2.3",
    "\u0661\u0662\u0663 \u0967\u0968\u0969 \uff11\uff12\uff13 \u2160\u2161\u2162 \u00bd \u00b2 \u2460",
    "if x:\n    9",
    "\n1\n2\n3",
    "$100 \u20ac50 \u00a3 20 50% #1",
)
SCRIPTS = (
    "Gr\u00fc\u00dfe aus M\u00fcnchen, \u00c5ngstr\u00f6m, na\u00efve caf\u00e9",
    "cafe\u0301 A\u030a o\u0308\u0304 Z\u0351\u036b\u0343\u036a\u0302\u036b",
    "\u4f60\u597d\uff0c\u4e16\u754c\uff01\u4eca\u5929\u5929\u6c14\u5f88\u597d\u3002",
    "\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u3001\u30ab\u30bf\u30ab\u30ca\u3068\u3072\u3089\u304c\u306a\u3002",
    "\uc548\ub155\ud558\uc138\uc694 \uc138\uacc4 \u1112\u1161\u11ab",
    "مرحبا بالعالم، السلامُ",
    "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd \u05e2\u05d5\u05dc\u05dd",
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440! \u042d\u0442\u043e \u0442\u0435\u0441\u0442.",
    "\u0393\u03b5\u03b9\u03ac \u03c3\u03bf\u03c5 \u039a\u03cc\u03c3\u03bc\u03b5",
    "नमस्ते दुनिया क्षत्रिय",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35\u0e0a\u0e32\u0e27\u0e42\u0e25\u0e01",
    "Ti\u1ebfng Vi\u1ec7t c\u00f3 d\u1ea5u",
    "\u12a0\u121b\u122d\u129b \u10e5\u10d0\u10e0\u10d7\u10e3\u10da\u10d8 \u0540\u0561\u0575\u0565\u0580\u0565\u0576",
    "😀🚀 👨‍👩‍👧 🇩🇪 👍🏽 ❤️",
    "a\U0001f600b1\U0001f680\n2\U0001f44d",
    "\U0001d54f\U0001d552 \U00020000\U0002a6d6 \ufb01 \u1e9e \u01c5",
    "\u2190\u2191\u2192 \u2200x\u2208\u211d: \u221a2 \u2248 1.414 \u00d7 \u00f7 \u00b1 \u221e",
    "\u2500\u2502\u250c\u2510 \u2588\u2591 \u25a0\u25cf\u2605",
)
HIDDEN = (
    "\x00",
    "a\x00b",
    "\x01\x02\x03\x1b[31mred\x1b[0m",
    "\x7f\x80\x9f",
    "\x1c\x1d\x1e\x1f",
    "a\x0bb\x0cc\x85d",
    "zero\u200bwidth\u200cnon\u200djoiner\ufeff",
    "\u202eright\u202c to left",
    "soft\u00adhyphen",
    "a\u2028b\u2029c",
    "\u2003em\u2009thin\u202fnarrow",
    "\ue000\uf8ff private",
    "\ufffd\ufffe\uffff",
    "\u180e\u1680\u205f",
    "\u2581under\u2581 \u2581",
)
CODE = (
    "def f(x: int) -> int:\n    return x ** 2  # squared\n\n\nclass A:\n\tpass\n",
    '{"name": "find", "arguments": {"limit": 10, "items": ["a", "b"], "deep": true, "none": null}}',
    '<html>\n  <body class="a">&nbsp;&lt;b&gt;</body>\n</html>',
    "SELECT * FROM t WHERE a >= 10 AND b != 'it''s' ORDER BY c DESC;",
    '#include <stdio.h>\nint main(void) { printf("%d\\n", 42); return 0; }',
    "for (let i = 0; i < n; ++i) { a[i] += b[i] << 2; }",
    "```python\nprint('hi')\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    '$ sudo rm -rf / --no-preserve-root && echo "done" > /dev/null 2>&1',
    "\\begin{equation} e^{i\\pi} + 1 = 0 \\end{equation}",
    "key: value\nlist:\n  - one\n  - two: 2\n",
    "+-*/=<>!&|^~%?:;,.@#$`'\"()[]{}\\",
    "diff --git a/x b/x\n@@ -1,3 +1,4 @@\n-old\n+new\n",
)
MARKERS = (
    "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
    "<|endoftext|>",
    "a<|im_end|>b",
    "<|im_end|><|im_end|>",
    " <|im_end|> ",
    "\n<|im_end|>\n\n8",
    "<|im_end|",
    "|im_end|>",
    "<bos>text<eos>",
    "<start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\n",
    "<unk><pad><mask>",
    "<unused5>a<unused99>",
    "<0x0A>",
    "<0x41>b",
    "</s><s>[INST] x [/INST]",
    "<start_of_image>",
    "[multimodal]",
    "<tool_call>\n{}\n</tool_call>",
    "<repo_name>x<file_sep>y<filename>z",
    "<|im_start|>  two blanks",
    "<bos> one blank",
    "<bos>\n\n\n<eos>\t\t",
    "[EMPTY_0]",
)

_DRAW = random.Random(44)
_PIECES = [
    piece
    for text in (*WORDS, *NUMBERS, *SCRIPTS, *HIDDEN, *CODE, *MARKERS)
    for piece in (text[:3], text[-2:], *text[::9])
]
MIXED = ["".join(_DRAW.choices((*_PIECES, *BLANKS), k=24)) for _ in range(54)]

TEXTS = [*BETWEEN, *WORDS, *NUMBERS, *SCRIPTS, *HIDDEN, *CODE, *MARKERS, *MIXED]
MODES = ("special", "text")
"""Markers as the tokens they name, and as the text they are."""


def write(models: dict[str, str]) -> None:
    """Write llama.cpp's tokens of all texts, by model and mode."""
    from llama_cpp import Llama

    found = {}
    for name, path in models.items():
        model = Llama(path, vocab_only=True, verbose=False)
        found[name] = {
            mode: [model.tokenize(text.encode(), add_bos=False, special=mode == "special") for text in TEXTS]
            for mode in MODES
        }
    TOKENS.write_text(json.dumps(found, separators=(",", ":")).replace("]],", "]],\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(dict(argument.split("=", 1) for argument in sys.argv[1:]))
