"""Tokenizers of GGUF files: the same tokens as llama.cpp's, or refused by name."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from gguf_files import write_gguf
from gguf_texts import MODES, TEXTS, TOKENS
from real_models import real_file
from tokenizers import Regex, Tokenizer, pre_tokenizers

from gateway.errors import ModelLoadError
from gateway.gguf.file import GgufFile
from gateway.gguf.tokenizer import SPLITS, tokenizer_of

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, BYTE = 1, 2, 3, 4, 6

ALPHABET = sorted(pre_tokenizers.ByteLevel.alphabet())
PAIRS = ["h e", "l l", "he ll", "hell o", "Ġ hello", "Ċ Ċ", "1 2"]
BYTE_LEVEL = {
    "model": "gpt2",
    "pre": "smollm",
    "tokens": ["<|im_end|>", "<tool>", "<s>", *ALPHABET, *(pair.replace(" ", "") for pair in PAIRS)],
    "token_type": [CONTROL, USER_DEFINED, CONTROL, *[NORMAL] * (len(ALPHABET) + len(PAIRS))],
    "merges": PAIRS,
    "eos_token_id": 0,
    "bos_token_id": 2,
}
PIECES = ["▁", "a", "b", "c", "ab", "bc", "▁ab", "abc", "/s", ">", "<", "s", "/", "s>"]
SENTENCEPIECE = {
    "model": "llama",
    "tokens": ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *PIECES, "\n\n"],
    "token_type": [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, *[NORMAL] * len(PIECES), USER_DEFINED],
    "scores": [0.0] * 259 + [-float(at) for at in range(len(PIECES))] + [0.0],
    "bos_token_id": 1,
    "eos_token_id": 2,
    "unknown_token_id": 0,
}


def opened(folder: Path, settings: dict[str, Any], **changed: Any) -> GgufFile:
    values = {name: value for name, value in (settings | changed).items() if value is not None}
    metadata = {f"tokenizer.ggml.{name}": value for name, value in values.items()}
    return GgufFile.open(write_gguf(folder / "model.gguf", metadata, {}))


def tokens(tokenizer: Tokenizer, text: str) -> list[str]:
    return list(tokenizer.encode(text).tokens)


def test_byte_level_pairs_are_merged_after_the_cuts(tmp_path: Path) -> None:
    tokenizer = tokenizer_of(opened(tmp_path, BYTE_LEVEL))
    assert tokens(tokenizer, "hello hello\n\n12") == ["hello", "Ġhello", "ĊĊ", "1", "2"]
    assert tokens(tokenizer, "hello<|im_end|>hello<tool>") == ["hello", "<|im_end|>", "hello", "<tool>"]
    text = "hello é\x00 日本"
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


def test_how_a_text_is_cut_is_the_files_to_say(tmp_path: Path) -> None:
    cut = {
        pre: tokens(tokenizer_of(opened(tmp_path, BYTE_LEVEL, pre=pre, add_bos_token=False)), "12\n\n1")
        for pre in ("smollm", "gpt-2", "qwen2", "llama-bpe")
    }
    assert cut == {
        "smollm": ["1", "2", "ĊĊ", "1"],
        "gpt-2": ["12", "Ċ", "Ċ", "1"],
        "qwen2": ["1", "2", "ĊĊ", "1"],
        "llama-bpe": ["12", "ĊĊ", "1"],
    }


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, ["h"]),
        ({"add_bos_token": True}, ["<s>", "h"]),
        ({"add_eos_token": True}, ["h", "<|im_end|>"]),
        ({"add_bos_token": True, "add_eos_token": True}, ["<s>", "h", "<|im_end|>"]),
        ({"pre": "llama-bpe"}, ["<s>", "h"]),
        ({"pre": "llama-bpe", "add_bos_token": False}, ["h"]),
    ],
    ids=str,
)
def test_begin_and_end_are_added_where_the_file_wants_them(
    settings: dict[str, Any], expected: list[str], tmp_path: Path
) -> None:
    tokenizer = tokenizer_of(opened(tmp_path, BYTE_LEVEL, **settings))
    assert tokens(tokenizer, "h") == expected
    assert tokenizer.encode("h", add_special_tokens=False).tokens == ["h"]


def test_parts_that_are_tokens_are_whole_where_the_cuts_say_so(tmp_path: Path) -> None:
    last = {"tokens": [*BYTE_LEVEL["tokens"], "xyz"], "token_type": [*BYTE_LEVEL["token_type"], NORMAL]}
    found = {
        pre: tokens(tokenizer_of(opened(tmp_path, BYTE_LEVEL | last, pre=pre, add_bos_token=False)), "xyz")
        for pre in ("llama-bpe", "dbrx")
    }
    assert found == {"llama-bpe": ["xyz"], "dbrx": ["x", "y", "z"]}


def test_pieces_are_merged_by_their_scores(tmp_path: Path) -> None:
    tokenizer = tokenizer_of(opened(tmp_path, SENTENCEPIECE))
    assert tokens(tokenizer, "abc") == ["<s>", "▁ab", "c"]
    assert tokens(tokenizer, "bc") == ["<s>", "▁", "bc"]
    assert tokens(tokenizer, "a\n\nc") == ["<s>", "▁", "a", "\n\n", "▁", "c"]
    assert tokens(tokenizer, "aé") == ["<s>", "▁", "a", "<0xC3>", "<0xA9>"]
    assert tokens(tokenizer, "a</s>") == ["<s>", "▁", "a", "</s>"]
    plain = tokenizer_of(opened(tmp_path, SENTENCEPIECE, add_space_prefix=False, add_bos_token=False))
    assert tokens(plain, "abc b") == ["abc", "▁", "b"]
    for text in ("abc é\x00 日本", " a"):
        assert plain.decode(plain.encode(text).ids) == text
        assert tokenizer.decode(tokenizer.encode(text).ids) == text


def test_no_text_becomes_a_special_token_or_a_byte_by_merges(tmp_path: Path) -> None:
    bytes_parts = ["<0x0", "A>"]
    more = {
        "tokens": [*SENTENCEPIECE["tokens"], *bytes_parts, "</", "0", "x", "A", "<0", "<0x"],
        "token_type": [*SENTENCEPIECE["token_type"], *[NORMAL] * 8],
        "scores": [*SENTENCEPIECE["scores"], *[-9.0] * 8],
    }
    tokenizer = tokenizer_of(opened(tmp_path, SENTENCEPIECE | more, add_space_prefix=False, add_bos_token=False))
    tokenizer.encode_special_tokens = True
    assert "</s>" not in tokens(tokenizer, "</s>")
    assert "<0x0A>" not in tokens(tokenizer, "<0x0A>")


def test_end_tokens_are_special_whatever_their_type(tmp_path: Path) -> None:
    file = opened(tmp_path, BYTE_LEVEL, token_type=[NORMAL, *BYTE_LEVEL["token_type"][1:]])
    assert "<|im_end|>" not in tokens(tokenizer_of(file), "h<|im_end|>")
    tokenizer = tokenizer_of(file, [0])
    assert tokens(tokenizer, "h<|im_end|>") == ["h", "<|im_end|>"]
    special = {token.content for token in tokenizer.get_added_tokens_decoder().values() if token.special}
    assert special == {"<|im_end|>", "<s>"}


REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (BYTE_LEVEL, {"pre": "morse"}, r"tokenizer\.ggml\.pre is 'morse'\) is not known; known are .*smollm"),
    (BYTE_LEVEL, {"pre": None}, r"tokenizer\.ggml\.pre is ''\) is not known"),
    (BYTE_LEVEL, {"pre": "default"}, r"tokenizer\.ggml\.pre is 'default'\) is not known"),
    (BYTE_LEVEL, {"model": "bert"}, "of the kind 'bert' is not read; 'gpt2' and 'llama' are"),
    (BYTE_LEVEL, {"model": None}, "says nothing of 'tokenizer.ggml.model'"),
    (BYTE_LEVEL, {"tokens": None}, "has no tokens"),
    (BYTE_LEVEL, {"tokens": [1, 2]}, "has no tokens"),
    (BYTE_LEVEL, {"tokens": ["a", "b", "a"]}, "a token is there twice"),
    (SENTENCEPIECE, {"tokens": ["a", "b" * 100_000]}, "its tokens are longer than 1024 characters"),
    (SENTENCEPIECE, {"tokens": [f"{at:0>999}" for at in range(8400)]}, "or 8388608 together"),
    (BYTE_LEVEL, {"token_type": [1, 2]}, r"numbers 'tokenizer\.ggml\.token_type', one for each of 266 tokens"),
    (BYTE_LEVEL, {"merges": None}, "has no merges"),
    (BYTE_LEVEL, {"merges": ["ab"]}, "a merge is of other than two tokens"),
    (BYTE_LEVEL, {"merges": ["a zz"]}, "the tokenizer cannot be built: .*zz"),
    (BYTE_LEVEL, {"add_bos_token": True, "bos_token_id": 99999}, "bos_token_id is none of its 266 tokens"),
    (BYTE_LEVEL, {"add_bos_token": True, "bos_token_id": None}, "says nothing of 'tokenizer.ggml.bos_token_id'"),
    (SENTENCEPIECE, {"scores": None}, r"numbers 'tokenizer\.ggml\.scores'"),
]


@pytest.mark.parametrize(("settings", "changed", "says"), REFUSED, ids=[says for *_, says in REFUSED])
def test_what_does_not_fit_together_is_refused(
    settings: dict[str, Any], changed: dict[str, Any], says: str, tmp_path: Path
) -> None:
    with pytest.raises(ModelLoadError, match=says):
        tokenizer_of(opened(tmp_path, settings, **changed))


CUT = "I'M here,  it's 1234½\n\n x.\r\n\tHTTPServer éa camelCase"
PARTS = {
    "gpt-2": "I·'·M· here·,· · it·'s· 1234½·\n\n· x·.·\r\n·\t·HTTPServer· éa· camelCase",
    "smollm": "I·'·M· here·,· · it·'s· ·1·2·3·4·½·\n\n· x·.·\r\n·\t·HTTPServer· éa· camelCase",
    "llama-bpe": "I·'M· here·,· · it·'s· ·123·4½·\n\n· x·.\r\n·\tHTTPServer· éa· camelCase",
    "qwen2": "I·'M· here·,· · it·'s· ·1·2·3·4·½·\n\n· x·.\r\n·\tHTTPServer· éa· camelCase",
    "tekken": "I·'M· here·,· · it·'s· ·1·2·3·4·½·\n\n· x·.\r\n·\tHTTPServer· éa· camel·Case",
    "gpt-4o": "I'M· here·,· · it's· ·123·4½·\n\n· x·.\r\n·\tHTTPServer· éa· camel·Case",
    "seed-coder": "I·'M· here·,· · it·'s· ·1·2·3·4·½·\n\n· x·.·\r\n·\tHTTPServer· éa· camelCase",
    "deepseek-coder": "I·'·M· here·,· · it·'·s· ·1·2·3·4·½·\n·\n· x·.·\r·\n·\tHTTPServer· éa· camelCase",
}
"""Each part ends at a dot."""


def parts_of(patterns: Sequence[str], text: str) -> list[str]:
    cut = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in patterns])
    return [part for part, _ in cut.pre_tokenize_str(text)]


@pytest.mark.parametrize("name", PARTS)
def test_splits_cut_as_their_family_does(name: str) -> None:
    assert parts_of(SPLITS[name].patterns, CUT) == PARTS[name].split("·")


def test_every_way_to_cut_is_tested() -> None:
    tested = {SPLITS[name].patterns for name in PARTS}
    assert {splits.patterns for splits in SPLITS.values()} == tested


OTHERWISE = {("gemma3", "text", "</s><s>[INST] x [/INST]")}
"""llama.cpp takes `</s>` for a control token in all vocabularies; in this one it is a tag of HTML, as its file says."""


@pytest.mark.real
@pytest.mark.parametrize("name", ["smollm2", "gemma3"])
def test_tokens_of_odd_texts_are_those_of_llama_cpp(name: str) -> None:
    expected = json.loads(TOKENS.read_text(encoding="utf-8"))[name]
    tokenizer = tokenizer_of(GgufFile.open(real_file(name)))
    assert len(TEXTS) >= 200
    for mode in MODES:
        tokenizer.encode_special_tokens = mode == "text"
        found = [encoding.ids for encoding in tokenizer.encode_batch(TEXTS, add_special_tokens=False)]
        assert {
            (name, mode, text) for text, ids, own in zip(TEXTS, found, expected[mode], strict=True) if ids != own
        } <= OTHERWISE
