"""Tiny random encoders in folders as sentence-transformers and transformers write them."""

import json
from pathlib import Path

from classifier_model import write_tokenizer

LETTERS = [chr(number) for number in range(ord("a"), ord("p") + 1)]
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *LETTERS, "query", "document", ":", "the"]
LONGEST = 48
MODULES = ("sentence_transformers.models.Transformer", "sentence_transformers.models.Pooling")


def write_encoder(folder: Path, pooling: str = "mean_tokens", *, normalizes: bool = True, dense: int = 0) -> Path:
    """A BERT with its modules; `dense`: outputs of a linear layer after the pooling."""
    import torch
    from safetensors.torch import save_file
    from transformers import BertModel

    folder.mkdir(parents=True, exist_ok=True)
    write_pair_tokenizer(folder)
    with torch.random.fork_rng():
        torch.manual_seed(3)
        BertModel(bert_config()).save_pretrained(folder)
        kinds = [*MODULES, *(["x.Dense"] if dense else []), *(["x.Normalize"] if normalizes else [])]
        paths = ["", *(f"{number}_{kind.rsplit('.', 1)[-1]}" for number, kind in enumerate(kinds) if number)]
        for path in paths[1:]:
            (folder / path).mkdir(exist_ok=True)
        if dense:
            layer = {"linear.weight": torch.randn(dense, 16), "linear.bias": torch.randn(dense)}
            save_file(layer, folder / paths[2] / "model.safetensors")
            write_json(folder / paths[2] / "config.json", {"activation_function": "torch.nn.modules.activation.Tanh"})
    listed = [{"idx": n, "path": path, "type": kind} for n, (path, kind) in enumerate(zip(paths, kinds, strict=True))]
    write_json(folder / "modules.json", listed)
    modes = {
        f"pooling_mode_{name}": name == pooling for name in ("cls_token", "mean_tokens", "max_tokens", "lasttoken")
    }
    write_json(folder / paths[1] / "config.json", {"word_embedding_dimension": 16, **modes})
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": LONGEST, "do_lower_case": False})
    prompts = {"query": "query : ", "document": "document : "}
    write_json(folder / "config_sentence_transformers.json", {"prompts": prompts, "default_prompt_name": None})
    return folder


def write_cross_encoder(folder: Path, **settings: object) -> Path:
    """A BERT with one label."""
    import torch
    from transformers import BertForSequenceClassification

    write_pair_tokenizer(folder)
    with torch.random.fork_rng():
        torch.manual_seed(4)
        model = BertForSequenceClassification(bert_config(num_labels=1, **settings))
        model.classifier.weight.data *= 20
        model.save_pretrained(folder)
    return folder


def bert_config(**settings: object) -> object:
    from transformers import BertConfig

    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    return BertConfig(vocab_size=len(WORDS), **shape, max_position_embeddings=64, initializer_range=0.5, **settings)


def write_pair_tokenizer(folder: Path) -> None:
    """A tokenizer of words; its file asks for padding and truncation, as those of real encoders do."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder, WORDS, LONGEST)
    settings = json.loads((folder / "tokenizer.json").read_text())
    settings["truncation"] = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
    padding = {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": None}
    settings["padding"] = {**padding, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}
    write_json(folder / "tokenizer.json", settings)


def write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value))
