"""Pre-tokenizer patterns, by `tokenizer.ggml.pre`.

Which name stands for which patterns is decided by llama.cpp, whose converter writes the names.
"""

from __future__ import annotations

from dataclasses import dataclass

_CONTRACTIONS = r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
_BLANKS = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"

_DIGIT = r"\p{N}"
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def _words(digits: str) -> str:
    return rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_BLANKS}"


def _cased(digits: str, contractions: str) -> str:
    """Words, cut where small letters are followed by capitals."""
    first = rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{contractions}"
    second = rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{contractions}"
    return rf"{first}|{second}|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_BLANKS}"


@dataclass(frozen=True, slots=True)
class Splits:
    """Steps that a text passes before pairs are merged.

    Attributes:
        patterns: Each cuts what those before it left.
        takes_whole: A part that is a token is taken as that, whatever merges say.
        adds_bos: A text begins with the begin token, where the file says nothing of it.
    """

    patterns: tuple[str, ...]
    takes_whole: bool = False
    adds_bos: bool = False


_BY_NAMES = {
    "gpt-2 phi-2 jina-es jina-de jina-v2-es jina-v2-de gigachat a.x-4.0 mellum exaone4 mpt olmo jais trillion "
    "granite-docling": Splits((_GPT2,)),
    "smollm starcoder refact command-r codeshell exaone minerva-7b mellum2": Splits((_DIGIT, _GPT2)),
    "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2": Splits(
        (_words(r"\p{N}{1,3}"),), takes_whole=True, adds_bos=True
    ),
    "dbrx smaug-bpe": Splits((_words(r"\p{N}{1,3}"),)),
    "qwen2 deepseek-r1-qwen kormo f2llmv2 megrez stablelm2 hunyuan solar-open": Splits((_words(_DIGIT),)),
    "tekken": Splits((_cased(_DIGIT, ""),), takes_whole=True, adds_bos=True),
    "gpt-4o llama4 kanana2 talkie": Splits((_cased(r"\p{N}{1,3}", f"{_CONTRACTIONS}?"),)),
    "seed-coder": Splits(
        (rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{_DIGIT}| ?[^\s\p{{L}}\p{{N}}\r\n]+|{_BLANKS}",)
    ),
    "deepseek-coder": Splits(
        ("[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+", _DIGIT)
    ),
}

SPLITS = {name: splits for names, splits in _BY_NAMES.items() for name in names.split()}
