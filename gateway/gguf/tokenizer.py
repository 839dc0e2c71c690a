"""Tokenizer of a GGUF file: vocabulary, merges, and pre-tokenizer patterns."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from gateway.errors import ModelLoadError
from gateway.gguf.file import GgufFile

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


_SPACE = "▁"

MAX_TOKEN_CHARACTERS = 1 << 10
MAX_CHARACTERS = 1 << 23
"""Most characters of all tokens, four times those of the largest vocabularies: each is a place to split at."""

_NORMAL, _UNKNOWN, _CONTROL, _USER_DEFINED, _BYTE = 1, 2, 3, 4, 6
"""What `tokenizer.ggml.token_type` says of a token."""


def tokenizer_of(file: GgufFile, ends: Collection[int] = ()) -> Tokenizer:
    """Return the tokenizer that the metadata describe; its special tokens are recognised in texts.

    Args:
        ends: Tokens that end an answer: special, whatever the file says of them.

    Raises:
        ModelLoadError: The kind or pre-tokenizer is not supported, or the metadata are inconsistent.
    """
    model = file.get("tokenizer.ggml.model", str)
    make = {"gpt2": _byte_level, "llama": _sentencepiece}.get(model)
    if make is None:
        raise ModelLoadError(f"{file.path}: a tokenizer of the kind {model!r} is not read; 'gpt2' and 'llama' are")
    tokens = tokens_of(file)
    kinds = _numbers(file, "token_type", len(tokens))
    try:
        tokenizer = make(file, tokens, kinds)
    except ModelLoadError:
        raise
    except Exception as error:  # the library raises nothing narrower
        raise ModelLoadError(f"{file.path}: the tokenizer cannot be built: {error}") from error
    is_special = np.isin(kinds, (_UNKNOWN, _CONTROL))
    is_special[list(ends)] = True
    found = np.flatnonzero(is_special | (kinds == _USER_DEFINED))
    tokenizer.add_tokens([AddedToken(tokens[at], special=bool(is_special[at]), normalized=False) for at in found])
    return tokenizer


def tokens_of(file: GgufFile) -> list[str]:
    """Return the texts of the tokens by id, all different.

    Raises:
        ModelLoadError: The tokens are malformed, or longer than in any vocabulary.
    """
    tokens = file.metadata.get("tokenizer.ggml.tokens")
    if not isinstance(tokens, list) or not tokens:
        raise ModelLoadError(f"{file.path} has no tokens ('tokenizer.ggml.tokens')")
    tokens = [token or f"[EMPTY_{at}]" for at, token in enumerate(tokens)]
    if len(set(tokens)) < len(tokens):
        raise ModelLoadError(f"{file.path}: a token is there twice")
    if max(map(len, tokens)) > MAX_TOKEN_CHARACTERS or sum(map(len, tokens)) > MAX_CHARACTERS:
        raise ModelLoadError(
            f"{file.path}: its tokens are longer than {MAX_TOKEN_CHARACTERS} characters, or {MAX_CHARACTERS} together"
        )
    return tokens


def _byte_level(file: GgufFile, tokens: list[str], kinds: NDArray[np.generic]) -> Tokenizer:
    """Byte pairs by the merges of the file."""
    splits = _splits_of(file)
    merges = file.metadata.get("tokenizer.ggml.merges")
    if not isinstance(merges, list):
        raise ModelLoadError(f"{file.path} has no merges ('tokenizer.ggml.merges')")
    pairs = [(merge[:at], merge[at + 1 :]) for merge in merges if (at := merge.find(" ", 1)) > 0]
    if len(pairs) < len(merges):
        raise ModelLoadError(f"{file.path}: a merge is of other than two tokens")
    vocabulary = {token: at for at, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=pairs, ignore_merges=splits.takes_whole))
    cuts: list[Any] = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in splits.patterns]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [*cuts, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    _add_ends(file, tokenizer, tokens, adds_bos=splits.adds_bos)
    return tokenizer


def _splits_of(file: GgufFile) -> Splits:
    name = file.get("tokenizer.ggml.pre", str, "")
    if name not in SPLITS:
        raise ModelLoadError(
            f"{file.path}: how its tokenizer cuts texts (tokenizer.ggml.pre is {name!r}) is not known; known are "
            f"{', '.join(sorted(SPLITS))}"
        )
    return SPLITS[name]


def _sentencepiece(file: GgufFile, tokens: list[str], kinds: NDArray[np.generic]) -> Tokenizer:
    """Pairs of characters, those first whose token has the higher score; bytes where a character is no token."""
    scores = _numbers(file, "scores", len(tokens))
    has_prefix = file.get("tokenizer.ggml.add_space_prefix", bool, True)
    unknown = file.get("tokenizer.ggml.unknown_token_id", int, 0)
    vocabulary = {token: at for at, token in enumerate(tokens)}
    can_grow = np.isin(kinds, (_UNKNOWN, _CONTROL, _BYTE), invert=True)
    tokenizer = Tokenizer(
        models.BPE(
            vocab=vocabulary,
            merges=list(_merges(tokens, vocabulary, np.argsort(-scores.astype(np.float32), kind="stable"), can_grow)),
            unk_token=tokens[unknown] if unknown < len(tokens) else None,
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    space = normalizers.Replace(" ", _SPACE)
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend(_SPACE), space]) if has_prefix else space
    steps: list[Any] = [decoders.Replace(_SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    tokenizer.decoder = decoders.Sequence([*steps, decoders.Strip(" ", 1, 0)] if has_prefix else steps)
    _add_ends(file, tokenizer, tokens, adds_bos=True)
    return tokenizer


def _merges(
    tokens: list[str], vocabulary: dict[str, int], order: NDArray[np.intp], can_grow: NDArray[np.bool_]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of tokens that form a token, best first.

    No text becomes a special token by merges: it is one only where it is looked for as one.
    """
    parts = {token for token, at in vocabulary.items() if can_grow[at]}
    for at in order[can_grow[order]].tolist():
        token = tokens[at]
        for cut in range(1, len(token)):
            if (left := token[:cut]) in parts and (right := token[cut:]) in parts:
                yield left, right


def _numbers(file: GgufFile, name: str, count: int) -> NDArray[np.generic]:
    """Return one number per token."""
    numbers = file.metadata.get(f"tokenizer.ggml.{name}")
    if not isinstance(numbers, np.ndarray) or len(numbers) != count:
        raise ModelLoadError(f"{file.path} has no numbers 'tokenizer.ggml.{name}', one for each of {count} tokens")
    return numbers


def _add_ends(file: GgufFile, tokenizer: Tokenizer, tokens: list[str], *, adds_bos: bool) -> None:
    """Have the tokenizer put the begin and end tokens around texts, where the file wants them."""
    told = {
        "bos": file.get("tokenizer.ggml.add_bos_token", bool, adds_bos),
        "eos": file.get("tokenizer.ggml.add_eos_token", bool, False),
    }
    ids = {name: file.get(f"tokenizer.ggml.{name}_token_id", int) for name, is_added in told.items() if is_added}
    if not ids:
        return
    wrong = [f"{name}_token_id" for name, token_id in ids.items() if not 0 <= token_id < len(tokens)]
    if wrong:
        raise ModelLoadError(f"{file.path}: {wrong[0]} is none of its {len(tokens)} tokens")
    parts = [*(["bos"] if "bos" in ids else []), "$A", *(["eos"] if "eos" in ids else [])]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=[f"{part}:0" if part in ids else part for part in parts],
        special_tokens=[
            {"id": name, "ids": [token_id], "tokens": [tokens[token_id]]} for name, token_id in ids.items()
        ],
    )
