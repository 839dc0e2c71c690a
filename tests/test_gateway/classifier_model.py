"""A sequence classifier whose decision is known: texts that hold the word `evil` are injections, no others are."""

from pathlib import Path

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "evil", "good"]


def write_tokenizer(folder: Path, known: list[str], longest: int) -> dict[str, int]:
    """A tokenizer of whole words, whatever their case; the first four are special. The ids of the words."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = {word: index for index, word in enumerate(known)}
    tokenizer = Tokenizer(models.WordLevel(words, "[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=longest, **names).save_pretrained(folder)
    return words


def write_bert(folder: Path, kind: str, known: list[str], longest: int, labels: tuple[str, str], **options):
    """A model of one layer without weights, its tokenizer in the folder; and the ids of the words."""
    import torch
    import transformers

    words = write_tokenizer(folder, known, longest)
    config = transformers.BertConfig(
        **{"vocab_size": len(words), **options},
        hidden_size=4,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=4,
        max_position_embeddings=longest,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    model = getattr(transformers, kind)(config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "LayerNorm.weight" not in name:
                weight.zero_()
    return model, words


def write_classifier(folder: Path, problem_type: str | None = None) -> Path:
    """A folder as transformers writes it: one layer in which all tokens are attended to alike."""
    import torch

    labels = ("BENIGN", "INJECTION")
    model, words = write_bert(folder, "BertForSequenceClassification", WORDS, 32, labels, problem_type=problem_type)
    with torch.no_grad():
        bert = model.bert
        bert.embeddings.word_embeddings.weight[words["evil"]] = torch.tensor([1.0, -1.0, 0.0, 0.0])
        attention = bert.encoder.layer[0].attention
        for dense in (attention.self.value, attention.output.dense, bert.pooler.dense):
            dense.weight.copy_(torch.eye(4))
        model.classifier.weight[1] = torch.tensor([10.0, -10.0, 0.0, 0.0])
        model.classifier.bias[1] = -5.0
    model.save_pretrained(folder)
    return folder
