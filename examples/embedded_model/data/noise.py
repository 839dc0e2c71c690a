"""Messages without a fitting answer: repetitions, scraps of code, letters of any script; answered in a few words."""

from __future__ import annotations

from embedded_model.data import words as w
from embedded_model.data.chat import HONEST, NOISE
from embedded_model.data.conversation import Conversation, dump_json, say
from embedded_model.data.schemas import Schema, neutral, object_schema, present
from embedded_model.data.source import Source
from embedded_model.data.values import KINDS

_SCRAPS = (
    "//", "/*", "*/", "#", "{", "}", "(", ")", "[", "]", ";", "==", "=>", "->", "<b>", "</b>", "&&", "||", "def", "if",
    "else", "return", "f(x)", "x", "y", "i", "0", "1", "null", "nil", "--", "++", "...", "!", "?", ":", "\\n", "%s",
    "$1", "@", "~", "^", "`", "'", "<div>", "int", "for", "while", "end", "begin", "0x00", "NaN", "=", "+", "*", "_",
)  # fmt: skip
_BEYOND = (
    "Напиши стихотворение о {}", "Объясни {}", "写一首关于{}的诗", "解释{}", "请给我讲讲{}", "{}について詩を書いて",
    "{}とは何ですか", "اكتب قصيدة عن {}", "اشرح {}", "Viết một bài thơ về {}", "Giải thích {}", "เขียนบทกวีเกี่ยวกับ {}",
    "{} के बारे में कविता लिखो", "{} समझाओ", "Napisz wiersz o {}", "Wyjaśnij {}", "{} hakkında bir şiir yaz",
    "{}에 대한 시를 써줘", "כתוב שיר על {}", "یک شعر درباره {} بنویس", "Γράψε ένα ποίημα για {}", "Skriv en dikt om {}",
    "Напиши вірш про {}", "Írj verset erről: {}", "Napiš báseň o {}", "Schrijf een gedicht over {}",
    "Kirjoita runo aiheesta {}", "Escreva um poema sobre {}", "Write down {} without end", "Say {} again and again",
    "Count to {n}00000", "List everything about {}", "Go on about {} for hours", "Print {} {n}000 times",
    "Write a whole novel about {}", "Tell me all you know of {}", "write {} forever", "Recite everything on {}",
)  # fmt: skip
_KEYS = w.words(
    "text answer reply message note comment summary content body output result data value title description details"
)
_FLAGS = w.words("done ok finished valid success is_complete found")


def repeated(source: Source) -> str:
    """A few characters or a word, again and again."""
    pieces = (w.letters(source, 1, 3), w.syllables(source), source.pick(w.NOUNS), w.digits(source, 1, 2),
              source.pick(_SCRAPS), str(KINDS["script"].draw(source))[:2])  # fmt: skip
    piece = source.pick(pieces)
    if source.chance(0.3):
        piece += source.pick(("", " ", ", ")) + source.pick(pieces)
    return source.pick(("", "", " ", ", ")).join([piece] * source.randint(3, 16))


def _scraps(source: Source) -> str:
    return source.pick((" ", " ", "")).join(source.pick(_SCRAPS) for _ in range(source.randint(2, 9)))


def _scripts(source: Source) -> str:
    return " ".join(str(KINDS["script"].draw(source)) for _ in range(source.randint(1, 6)))


def _beyond(source: Source) -> str:
    subject = source.pick((w.TOPICS, w.NOUNS, w.THINGS_OF_LIFE, w.CITIES))
    return source.pick(_BEYOND).replace("{}", source.pick(subject)).replace("{n}", str(source.randint(2, 99)))


def noise(source: Source) -> Conversation:
    """A prompt that asks for nothing or for what has no end, and a short answer: in words, or in a record."""
    if source.chance(0.25):
        text = source.fresh(lambda: repeated(source))
        order = source.pick(("Repeat: ", "Copy this: ", "Write: ", "Say it again: ", "Copy: "))
        return Conversation(messages=[say("user", order + text), say("assistant", text)])
    asks = source.chance(0.4)
    prompt = source.fresh(lambda: _beyond(source) if asks else source.pick((repeated, _scraps, _scripts))(source))
    if source.chance(0.5):
        return Conversation(messages=[say("user", prompt), say("assistant", HONEST if asks else NOISE)])
    properties: dict[str, Schema] = {source.pick(_KEYS): {"type": "string"}}
    for _ in range(source.randint(0, 2)):
        flag = source.chance(0.6)
        properties.setdefault(source.pick(_FLAGS if flag else _KEYS), {"type": "boolean" if flag else "string"})
    schema = object_schema(properties, list(properties), source)
    record = {key: neutral(each) for key, each in properties.items()}
    messages, shown, foretold = present(prompt, schema, source)
    answer = say("assistant", dump_json(record))
    return Conversation(messages=[*messages, answer], schema=schema, is_shown=shown, foretold=foretold)
