"""Vocabularies: tries, spellings of real tokenizer kinds, the disk cache."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from grammars import Choice, Compiler, InvalidGrammarError, Vocabulary
from grammars.jit.options import entry
from grammars.vocabulary.spelling import spell_tokens
from grammars.vocabulary.tables import VocabularyTables, child_of, stored_tables

TEXTS = ['{"name": "Zoë", "tags": ["a", "b"]}', "the quick brown fox", "日本語のテキスト", "\t\n  12.5e-3"]


@pytest.fixture(scope="module")
def byte_level() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=["<|end|>"]
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.add_tokens([AddedToken("<tool_call>", special=False)])
    return tokenizer


@pytest.fixture(scope="module")
def sentencepiece() -> Tokenizer:
    pieces = ["<unk>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁the", "▁", "the", "a", "日本"]
    tokenizer = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)}, [], byte_fallback=True))
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.add_special_tokens(["<unk>", "</s>"])
    return tokenizer


def test_spell_tokens_of_a_byte_level_tokenizer_spells_every_text(byte_level):
    spelled = spell_tokens(byte_level)
    for text in TEXTS:
        assert b"".join(spelled[i] for i in byte_level.encode(text).ids) == text.encode()
    assert spelled[byte_level.token_to_id("<|end|>")] is None
    assert spelled[byte_level.token_to_id("<tool_call>")] == b"<tool_call>"


def test_spell_tokens_of_a_sentencepiece_tokenizer_knows_bytes_and_spaces(sentencepiece):
    spelled = spell_tokens(sentencepiece)
    assert spelled[sentencepiece.token_to_id("<0x0A>")] == b"\n"
    assert spelled[sentencepiece.token_to_id("▁the")] == b" the"
    assert spelled[sentencepiece.token_to_id("日本")] == "日本".encode()
    assert spelled[sentencepiece.token_to_id("</s>")] is None


def test_spell_tokens_refuses_a_decoder_it_does_not_know():
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))
    tokenizer.decoder = decoders.WordPiece()
    with pytest.raises(InvalidGrammarError, match="WordPiece"):
        spell_tokens(tokenizer)


def test_from_pretrained_reads_a_tekken_file(tmp_path):
    plain = [*(bytes([i]) for i in range(256)), b"ab", "日本".encode(), b"cut off"]
    content = {
        "config": {"default_vocab_size": 3 + 258, "default_num_special_tokens": 3},
        "vocab": [{"rank": i, "token_bytes": base64.b64encode(data).decode()} for i, data in enumerate(plain)],
        "special_tokens": [{"rank": 1, "token_str": "</s>"}],
    }
    (tmp_path / "tekken.json").write_text(json.dumps(content))
    vocabulary = Vocabulary.from_pretrained(tmp_path)
    assert vocabulary.tokens[:3] == [None] * 3
    assert vocabulary.tokens[3 + 257] == "日本".encode()
    assert len(vocabulary) == 261
    assert vocabulary.eos_token_ids == (1,)
    (tmp_path / "tekken.json").write_text("{}")
    with pytest.raises(InvalidGrammarError, match="tekken"):
        Vocabulary.from_pretrained(tmp_path)


def test_from_tokenizer_wants_an_end_token(byte_level):
    with pytest.raises(InvalidGrammarError, match="end token"):
        Vocabulary.from_tokenizer(byte_level)


def test_encode_is_the_tokenizers_own_tokenization(byte_level):
    vocabulary = Vocabulary.from_tokenizer(byte_level, [0])
    for text in TEXTS:
        assert vocabulary.encode(text.encode()) == byte_level.encode(text).ids
    half = "日".encode()[:2]
    assert b"".join(vocabulary.tokens[i] for i in vocabulary.encode(half)) == half


tokens_strategy = st.lists(st.one_of(st.none(), st.binary(max_size=4)), min_size=1, max_size=60)


@entry
def _child_of(tables, node, byte):
    return child_of(tables, node, byte)


@given(tokens_strategy)
def test_trie_holds_exactly_the_tokens(tokens):
    tables = VocabularyTables.build(tokens, [])
    arrays = tables.arrays
    for token_id, data in enumerate(tokens):
        if not data:
            assert token_id not in arrays["node_token"]
            continue
        node = arrays["root_child"][data[0]]
        for byte in data[1:]:
            node = _child_of(tables.kernel, node, byte)
        same = []
        token = arrays["node_token"][node]
        while token >= 0:
            same.append(token)
            token = arrays["next_same"][token]
        assert set(same) == {i for i, other in enumerate(tokens) if other == data}
        assert arrays["node_depth"][node] == len(data)


@given(tokens_strategy, st.binary(min_size=1, max_size=6))
def test_longest_prefix_is_the_longest_token(tokens, data):
    token, length = VocabularyTables.build(tokens, []).longest_prefix(data)
    lengths = [len(t) for t in tokens if t and data.startswith(t)]
    assert length == max(lengths, default=0)
    assert (tokens[token] == data[:length]) if lengths else token == -1


def test_fingerprint_tells_vocabularies_apart():
    prints = {
        Vocabulary.from_tokens(tokens, eos).fingerprint
        for tokens, eos in (([b"a", b"b"], [0]), ([b"a", b"b"], [1]), ([b"ab", b""], [0]), ([b"ab", None], [0]))
    }
    assert len(prints) == 4


def test_large_tries_are_kept_on_disk_and_damaged_files_are_built_again(tmp_path, monkeypatch):
    monkeypatch.setenv("PORTCULLIS_CACHE", str(tmp_path))
    tokens = [i.to_bytes(2, "big") for i in range(16_000)]
    first = Vocabulary.from_tokens([*tokens, None], [16_000])
    (stored,) = tmp_path.iterdir()
    kept = stored_tables(first.fingerprint)
    assert kept is not None
    assert all(np.array_equal(kept.arrays[name], first.tables.arrays[name]) for name in kept.arrays)
    stored.write_bytes(b"PK\x03\x04 not a block of arrays")
    again = Vocabulary.from_tokens([*tokens, None], [16_000])
    assert np.array_equal(again.tables.arrays["node_end"], first.tables.arrays["node_end"])


def test_a_token_that_spells_the_same_text_is_allowed_as_well():
    vocabulary = Vocabulary.from_tokens([b"a", b"a", b"b", None], [3])
    matcher = Compiler(vocabulary).compile(Choice(["a"])).matcher()
    row = np.zeros(1, dtype=np.uint32)
    matcher.fill_mask(row)
    assert row[0] == 0b0011
