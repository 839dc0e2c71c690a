"""Models of names whose decisions are known: a list of spaCy's, and a token classifier of transformers'."""

import subprocess
import sys
from pathlib import Path

from classifier_model import write_tokenizer

PATTERNS = [
    ("PERSON", "Ann Smith"), ("PERSON", "Bob"), ("GPE", "Paris"), ("ORG", "Acme Corp"), ("NORP", "French"),
    ("DATE", "Monday"),
]  # fmt: skip
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "bob", "boom"]


def write_spacy(folder: Path, labels: tuple[str, ...] = ("PERSON", "GPE", "ORG", "NORP", "DATE")) -> Path:
    """A folder as spaCy writes it. It is written by another process: this one need not import it."""
    patterns = [{"label": label, "pattern": text} for label, text in PATTERNS if label in labels]
    source = (
        "import sys, spacy; nlp = spacy.blank('en'); ruler = nlp.add_pipe('entity_ruler');"
        f"ruler.add_patterns({patterns!r}); nlp.to_disk(sys.argv[1])"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", source, str(folder)], check=True)
    return folder


def write_transformers(folder: Path) -> Path:
    """A folder as transformers writes it: `bob` is a person, by what its embedding
    says."""
    import torch
    from transformers import BertConfig, BertForTokenClassification

    words = write_tokenizer(folder, WORDS, 128)
    config = BertConfig(
        vocab_size=len(words) - 1,  # it fails on the last one
        hidden_size=4,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=4,
        max_position_embeddings=128,
        id2label={0: "O", 1: "B-PER"},
        label2id={"O": 0, "B-PER": 1},
    )
    model = BertForTokenClassification(config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "LayerNorm.weight" not in name:
                weight.zero_()
        model.bert.embeddings.word_embeddings.weight[words["bob"]] = torch.tensor([1.0, -1.0, 0.0, 0.0])
        model.classifier.weight[1] = torch.tensor([10.0, -10.0, 0.0, 0.0])
        model.classifier.bias[1] = -5.0
    model.save_pretrained(folder)
    return folder
