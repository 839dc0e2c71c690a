"""Models of GGUF files say what those of transformers say from which they were made."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from engine_models import CONFIGS, SHAPE
from gguf_export import export, export_folder, in_pairs, tensors_of
from gguf_files import F16, MXFP4, Q8_0, write_gguf
from serving import config_for, serving
from transformers import AutoModelForCausalLM, GemmaConfig, LlamaConfig, Phi3Config, Qwen2Config

from gateway.engine import Engine, EngineConfig
from gateway.engine.errors import InvalidEngineConfigError, UnsupportedModelError
from gateway.engine.models.fast_llama import FastLlamaDecoder
from gateway.engine.models.files import read_model
from gateway.engine.models.linear import choose_kind
from gateway.engine.models.standalone_llama import StandaloneLlama
from gateway.errors import ModelLoadError
from gateway.gguf.architectures import config_of
from gateway.gguf.file import GgufFile
from gateway.gguf.weights import weights_of
from gateway.service.model.folder import ModelFolder, check_weights, locate

LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 10_000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
YARN = {"rope_type": "yarn", "rope_theta": 10_000.0, "factor": 4.0, "original_max_position_embeddings": 64}
LINEAR = {"rope_type": "linear", "rope_theta": 10_000.0, "factor": 4.0}
LONG = {
    "rope_type": "longrope",
    "rope_theta": 10_000.0,
    "long_factor": [4.0, 5.0, 6.0, 7.0],
    "short_factor": [1.0, 1.1, 1.2, 1.3],
    "original_max_position_embeddings": 8,
    "attention_factor": 1.19,
    "partial_rotary_factor": 1.0,
}
MODELS: dict[str, Any] = {
    **{name: CONFIGS[name] for name in ("llama", "mistral", "qwen3")},
    "llama, tied, biased": lambda: LlamaConfig(**SHAPE, tie_word_embeddings=True, attention_bias=True, mlp_bias=True),
    "llama 3": lambda: LlamaConfig(**SHAPE | {"head_dim": 64}, rope_parameters=LLAMA3),
    "llama, yarn": lambda: LlamaConfig(**SHAPE, rope_parameters=YARN),
    "llama, linear": lambda: LlamaConfig(**SHAPE, rope_parameters=LINEAR),
    "qwen2": lambda: Qwen2Config(**SHAPE),
    "gemma": lambda: GemmaConfig(**SHAPE),
    "gemma2": CONFIGS["gemma2"],
    "gemma3": lambda: CONFIGS["gemma3"]().__class__(
        **SHAPE | {"num_hidden_layers": 7, "sliding_window": 12, "query_pre_attn_scalar": 8}
    ),
    "gemma3, linear": lambda: CONFIGS["gemma3"]().__class__(
        **SHAPE | {"num_hidden_layers": 7, "sliding_window": 12, "query_pre_attn_scalar": 8},
        rope_parameters={"full_attention": LINEAR, "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}},
    ),
    "phi3": CONFIGS["phi3"],
    "phi3, long": lambda: Phi3Config(**SHAPE, original_max_position_embeddings=8, rope_parameters=LONG),
}
FURTHER: dict[str, dict[str, Any]] = {
    "gemma2": {"attention__sliding_window_pattern": 2},
    "phi3": {"rope__scaling__original_context_length": 256},
    "phi3, long": {"rope__scaling__original_context_length": 8, "rope__scaling__attn_factor": 1.19},
}
TENSORS = {
    "llama 3": {
        "rope_freqs.weight": lambda model: 1e4 ** -(np.arange(32) / 32) / model.model.rotary_emb.inv_freq.numpy()
    },
    "phi3, long": {
        "rope_factors_long.weight": lambda model: np.array(LONG["long_factor"]),
        "rope_factors_short.weight": lambda model: np.array(LONG["short_factor"]),
    },
}


def made(name: str) -> Any:
    torch.manual_seed(5)
    model = AutoModelForCausalLM.from_config(MODELS[name](), dtype=torch.float32).eval()
    with torch.no_grad():
        for key, weight in model.named_parameters():
            if key.endswith(("norm.weight", "bias")):
                weight += torch.randn_like(weight) * 0.3
    return model


def written(name: str, folder: Path, model: Any) -> Path:
    more = {key: make(model) for key, make in TENSORS.get(name, {}).items()}
    return export(model, folder / "model.gguf", more=more, **FURTHER.get(name, {}))


@torch.inference_mode()
@pytest.mark.parametrize("name", MODELS)
def test_logits_are_those_of_the_model(name: str, tmp_path: Path) -> None:
    model = made(name)
    path = written(name, tmp_path, model)
    for decoder in ("auto", "transformers"):
        read = read_model(path, "auto", decoder)
        assert read.dtype == torch.float32
        for length in (7, 40):
            ids = torch.randint(2, SHAPE["vocab_size"], (1, length), generator=torch.Generator().manual_seed(length))
            torch.testing.assert_close(read(input_ids=ids).logits, model(input_ids=ids).logits, atol=2e-5, rtol=1e-4)


def test_plain_models_are_read_without_the_class_of_transformers(tmp_path: Path) -> None:
    assert isinstance(read_model(written("llama", tmp_path, made("llama")), "auto", "auto"), StandaloneLlama)


def test_weights_are_taken_out_of_a_plain_model_as_they_are_packed(tmp_path: Path) -> None:
    model = read_model(written("llama", tmp_path, made("llama")), "auto", "auto")
    kind = choose_kind(model.device, model.dtype)
    weights = dict(model.weights)
    taken = FastLlamaDecoder(model, 64, kind)
    assert set(model.weights) == {name for name in weights if ".layers." not in name}
    rows, names = torch.randn(3, 32), [f"self_attn.{part}_proj.weight" for part in "qkv"]
    for number, layer in enumerate(taken.layers):
        expected = torch.cat([rows @ weights[f"model.layers.{number}.{name}"].t() for name in names], dim=1)
        torch.testing.assert_close(layer.qkv(rows), expected)


def test_weights_are_of_the_type_that_is_asked_for(tmp_path: Path) -> None:
    path = written("llama", tmp_path, made("llama"))
    assert read_model(path, torch.bfloat16, "auto").dtype == torch.bfloat16
    assert config_of(GgufFile.open(path))["dtype"] == "float32"


def test_zero_of_what_there_is_not_says_nothing(tmp_path: Path) -> None:
    told = {"llama.expert_count": 0, "llama.attention.sliding_window": 0, "llama.rope.scaling.finetuned": False}
    path = changed(written("llama", tmp_path, made("llama")), told)
    assert config_of(GgufFile.open(path))["model_type"] == "llama"
    path = changed(written("phi3", tmp_path, made("phi3")), {"phi3.attention.sliding_window": 0})
    assert config_of(GgufFile.open(path))["sliding_window"] is None


def test_model_in_parts_is_read_whole(tmp_path: Path) -> None:
    model = made("llama")
    whole = GgufFile.open(written("llama", tmp_path, model))
    numbers = tensors_of(model, "llama")
    names, metadata = sorted(numbers), {**whole.metadata, "split.count": 2}
    for number in (0, 1):
        told = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in metadata.items()}
        tensors = {name: numbers[name] for name in names[number::2]}
        write_gguf(tmp_path / f"part-{number + 1:05}-of-00002.gguf", told | {"split.no": number}, tensors)
    ids = torch.arange(9)[None]
    with torch.inference_mode():
        read = read_model(tmp_path / "part-00001-of-00002.gguf", "auto", "auto")
        torch.testing.assert_close(read(input_ids=ids).logits, model(input_ids=ids).logits, atol=2e-5, rtol=1e-4)


def test_rows_are_in_pairs_in_the_file_and_in_halves_in_the_model() -> None:
    rows = np.arange(8)[:, None]
    assert in_pairs(rows, 2)[:, 0].tolist() == [0, 2, 1, 3, 4, 6, 5, 7]


def test_weights_keep_their_blocks(tmp_path: Path) -> None:
    model = made("llama")
    path = export(model, tmp_path / "model.gguf", kinds={"blk.0.attn_q.weight": Q8_0})
    file = GgufFile.open(path)
    weight = next(each for each in weights_of(file, config_of(file)) if each.tensor.kind.name == "Q8_0")
    assert weight.name == "model.layers.0.self_attn.q_proj.weight"
    blocks = weight.tensor.data.reshape(-1, 34)
    scales = np.ascontiguousarray(blocks[:, :2]).view(np.float16).astype(np.float32)
    found = (scales * blocks[:, 2:].view(np.int8)).reshape(weight.tensor.shape)
    expected = model.model.layers[0].self_attn.q_proj.weight.detach().numpy()
    assert np.abs(found - expected).max() < np.abs(expected).max() / 100


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "architecture": ({"general.architecture": "mamba"}, "architecture 'mamba', which is not read; gemma, gemma2"),
    "unknown setting": ({"llama.expert_count": 8}, "'llama.expert_count' is 8, which is not known how to compute"),
    "layers": ({"llama.block_count": 1 << 30}, f"has 2 layers, and says that it has {1 << 30}"),
    "fewer layers": ({"llama.block_count": 1}, r"tensor 'blk\.1\..*' is of no known part"),
    "no heads": ({"llama.attention.head_count": 0}, "'llama.attention.head_count' is 0; 1 to"),
    "context": ({"llama.context_length": (1 << 31) - 1}, "'llama.context_length' is 2147483647; 1 to 4194304 expected"),
    "size": ({"llama.embedding_length": 1 << 30}, "has shape .*; .*1073741824.* expected"),
    "size of a head": ({"llama.attention.key_length": 7}, "heads of 7 numbers"),
    "values": ({"llama.attention.value_length": 4}, "heads of 8 numbers; an even number, of values as well, expected"),
    "epsilon": ({"llama.attention.layer_norm_rms_epsilon": float("nan")}, "is nan; a positive number expected"),
    "no size": ({"llama.feed_forward_length": None}, "says nothing of 'llama.feed_forward_length'"),
    "words": ({"llama.feed_forward_length": "many"}, "'many'; a value of type int expected"),
    "part of a head": ({"llama.rope.dimension_count": 4}, "turns 4 of 8 numbers of a head"),
    "rope": ({"llama.rope.scaling.type": "su"}, "RoPE of the type 'su' is not read"),
    "end token": (
        {"tokenizer.ggml.eos_token_id": 160},
        "'tokenizer.ggml.eos_token_id' is 160, and there are 160 tokens",
    ),
    "no end token": ({"tokenizer.ggml.eos_token_id": None}, "names no end-of-sequence token"),
}


def changed(path: Path, metadata: dict[str, Any], without: str = "", more: dict[str, Any] | None = None) -> Path:
    """The file with other metadata; None: without this one."""
    file = GgufFile.open(path)
    old = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in file.metadata.items()}
    new = {name: value for name, value in (old | metadata).items() if value is not None}
    tensors = {
        name: tensor.data.view(np.float32).reshape(tensor.shape).copy()
        for name, tensor in file.tensors.items()
        if name != without
    }
    return write_gguf(path, new, tensors | (more or {}))


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_not_computed_is_refused(name: str, tmp_path: Path) -> None:
    metadata, says = BROKEN[name]
    path = changed(written("llama", tmp_path, made("llama")), metadata)
    with pytest.raises(UnsupportedModelError, match=says) as caught:
        read_model(path, "auto", "auto")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("decoder", ["auto", "transformers"])
@pytest.mark.parametrize(
    ("without", "more", "says"),
    [
        ("blk.1.ffn_down.weight", {}, r"layers\.1\.mlp\.down_proj\.weight"),
        ("token_embd.weight", {}, r"has no embedding"),
        ("", {"blk.0.ffn_gate_exps.weight": np.zeros((4, 4))}, "'blk.0.ffn_gate_exps.weight' is of no known part"),
        ("", {"rope_freqs.weight": np.array([1.0, 2.0, 3.0, 9.0])}, "'rope_freqs.weight' is not what Llama 3 turns by"),
    ],
    ids=["missing", "no embedding", "unknown", "factors"],
)
def test_weights_are_all_there_and_all_known(
    decoder: str, without: str, more: dict[str, Any], says: str, tmp_path: Path
) -> None:
    path = changed(written("llama", tmp_path, made("llama")), {}, without, more)
    with pytest.raises(UnsupportedModelError, match=says) as caught:
        read_model(path, "auto", decoder)
    assert "\n" not in str(caught.value)


def test_package_that_is_missing_is_named_with_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = export(made("llama"), tmp_path / "model.gguf", kinds={"blk.0.attn_q.weight": MXFP4})
    monkeypatch.setattr("gateway.gguf.blocks.find_spec", lambda _: None)
    says = r"of the type MXFP4 takes the package 'gguf': pip install 'portcullis\[gguf\]'"
    with pytest.raises(ModelLoadError, match=says):
        check_weights(path)
    with pytest.raises(UnsupportedModelError, match=says):
        read_model(path, "auto", "auto")
    for kind in (F16, Q8_0):
        export(made("llama"), path, kinds={"blk.0.attn_q.weight": kind})
        check_weights(path)


@pytest.mark.parametrize("kind", ["F32", "F16"])
def test_file_is_served_as_the_folder_is(kind: str, tiny_model: Path, tmp_path: Path) -> None:
    path = export_folder(tiny_model, tmp_path / "tiny.Q.gguf", {"F32": 0, "F16": 1}[kind])
    asked = {
        "model": "test-model",
        "messages": [{"role": "user", "content": "Hello"}],
        "max_tokens": 24,
        "temperature": 0,
        "seed": 1,
    }
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    constrained = asked | {"response_format": {"type": "json_schema", "json_schema": {"name": "a", "schema": schema}}}
    answers = []
    for model in (tiny_model, path):
        with serving(config_for(model)) as live:
            bodies = [live.post("/v1/chat/completions", json=body).json() for body in (asked, constrained)]
            answers.append([body["choices"][0]["message"]["content"] for body in bodies])
            told = live.get("/api/tags").json()["models"][0]
    assert isinstance(json.loads(answers[1][1])["a"], int)
    if kind == "F32":
        assert answers[0] == answers[1]
    assert told["details"]["family"] == "llama"
    assert told["details"]["quantization_level"] == kind
    assert told["size"] == path.stat().st_size


def test_folder_of_one_file_is_that_file(tiny_model: Path, tmp_path: Path) -> None:
    path = export_folder(tiny_model, tmp_path / "tiny.gguf")
    assert locate(str(tmp_path)) == locate(str(path)) == path
    (tmp_path / "blobs").mkdir()
    link = tmp_path / "blobs" / "link.gguf"
    link.symlink_to(path.rename(tmp_path / "0123abcd"))
    assert locate(str(link)) == link
    assert ModelFolder.open(link).model_type == "llama"
    path = (tmp_path / "0123abcd").rename(path)
    told = ModelFolder.open(path), ModelFolder.open(tiny_model)
    for name in ("chat_template", "max_context", "model_type"):
        assert getattr(told[0], name) == getattr(told[1], name)
    assert (told[0].eos_token_ids, told[1].eos_token_ids) == ((0, 2), (2,))
    (tmp_path / "tiny.Q8_0.gguf").touch()
    with pytest.raises(
        ModelLoadError, match=r"holds 2 GGUF models: tiny\.Q8_0\.gguf, tiny\.gguf; name the file of one"
    ):
        locate(str(tmp_path))


def test_served_name_is_the_files_without_its_ending(tiny_model: Path, tmp_path: Path) -> None:
    path = export_folder(tiny_model, tmp_path / "tiny.Q4_1.gguf")
    config = config_for(path)
    unnamed = replace(config, model=replace(config.model, name=None))
    with serving(unnamed) as live:
        assert live.get("/v1/models").json()["data"][0]["id"] == "tiny.Q4_1"


def test_draft_model_of_other_tokens_is_refused_in_either_form(tiny_model: Path, tmp_path: Path) -> None:
    path, other = export_folder(tiny_model, tmp_path / "tiny.gguf"), tmp_path / "other.gguf"
    other.write_bytes(path.read_bytes())
    tokens = list(GgufFile.open(path).metadata["tokenizer.ggml.tokens"])
    changed(other, {"tokenizer.ggml.tokens": [*tokens[:3], *tokens[4:], "another"], "tokenizer.ggml.merges": []})
    settings = EngineConfig(device="cpu", num_blocks=16, block_size=4, speculation=("model",))
    for model, draft in ((path, tiny_model), (tiny_model, path)):
        assert Engine(model, replace(settings, draft_model=str(draft))).vocab_size == len(tokens)
    for model in (path, tiny_model):
        with pytest.raises(InvalidEngineConfigError, match="has another vocabulary than the model in"):
            Engine(model, replace(settings, draft_model=str(other)))


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("theirs/tiny-GGUF:tiny.gguf", ["tiny.gguf"]),
        ("theirs/tiny-GGUF:q8/t-00001-of-00002.gguf", ["q8/t-00001-of-00002.gguf", "q8/t-00002-of-00002.gguf"]),
    ],
)
def test_files_of_the_hub_are_named_behind_a_colon(
    name: str, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    got: list[tuple[str, str]] = []

    def download(repo: str, file: str) -> str:
        got.append((repo, file))
        return str(tmp_path / file)

    monkeypatch.setattr("huggingface_hub.hf_hub_download", download)
    assert locate(name) == tmp_path / asked[0]
    assert got == [("theirs/tiny-GGUF", each) for each in asked]
    monkeypatch.setattr("huggingface_hub.hf_hub_download", lambda *_: (_ for _ in ()).throw(OSError("no such file")))
    with pytest.raises(ModelLoadError, match=r"the hub does not give .*gguf of theirs/tiny-GGUF \(no such file\)"):
        locate(name)


def test_settings_of_sampling_and_templates_are_the_files(tmp_path: Path) -> None:
    told = {
        "general.sampling.temp": 0.25,
        "general.sampling.top_k": 7,
        "general.sampling.penalty_repeat": 1.5,
        "tokenizer.chat_template": "plain",
        "tokenizer.chat_template.tool_use": "with tools",
        "tokenizer.ggml.bos_token_id": 0,
    }
    folder = ModelFolder.open(changed(written("llama", tmp_path, made("llama")), told))
    assert (folder.sampling.temperature, folder.sampling.top_k, folder.sampling.repetition_penalty) == (0.25, 7, 1.5)
    assert (folder.chat_template, folder.tools_template) == ("plain", "with tools")
    assert folder.special_tokens == {"bos_token": "Ā", "eos_token": "ā"}
    with pytest.raises(ModelLoadError, match="repetition_penalty"):
        ModelFolder.open(changed(folder.path, {"general.sampling.penalty_repeat": -1.0}))


def test_tokens_with_the_names_of_ends_are_ends(tmp_path: Path) -> None:
    path = written("llama", tmp_path, made("llama"))
    tokens = list(GgufFile.open(path).metadata["tokenizer.ggml.tokens"])
    tokens[5:8] = ["<|eot_id|>", "<|endoftext|>", "<|im_end|>"]
    kinds = [3, 3, 1, 1, 1, 3, 1, 4, *[1] * 152]
    told = {"tokenizer.ggml.tokens": tokens, "tokenizer.ggml.token_type": kinds, "tokenizer.ggml.eom_token_id": 9}
    folder = ModelFolder.open(changed(path, told))
    assert folder.eos_token_ids == (1, 5, 7, 9)
    special = folder.tokenizer.get_added_tokens_decoder()
    assert all(special[token_id].special for token_id in folder.eos_token_ids)


def test_tensors_of_every_part_are_exported() -> None:
    names = {name.split(".")[2] for name in tensors_of(made("gemma3"), "gemma3") if name.startswith("blk.")}
    assert {"attn_q_norm", "post_ffw_norm", "post_attention_norm", "ffn_norm", "attn_norm"} <= names
