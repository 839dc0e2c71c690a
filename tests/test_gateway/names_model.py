"""Models of names whose decisions are known: a list of spaCy's, and a token classifier of transformers'."""

import subprocess
import sys
from pathlib import Path

from classifier_model import write_bert

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

    size = len(WORDS) - 1  # it fails on the last one
    model, words = write_bert(folder, "BertForTokenClassification", WORDS, 128, ("O", "B-PER"), vocab_size=size)
    with torch.no_grad():
        model.bert.embeddings.word_embeddings.weight[words["bob"]] = torch.tensor([1.0, -1.0, 0.0, 0.0])
        model.classifier.weight[1] = torch.tensor([10.0, -10.0, 0.0, 0.0])
        model.classifier.bias[1] = -5.0
    model.save_pretrained(folder)
    return folder
