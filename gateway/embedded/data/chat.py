"""Short plain chat, and echo tasks that teach copying."""

from __future__ import annotations

from gateway.embedded.data.calling import declare, draw_tools
from gateway.embedded.data.conversation import Conversation, dump_json, say, system_message
from gateway.embedded.data.source import Source
from gateway.embedded.data.values import KINDS
from gateway.embedded.data.words import words

_PAIRS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        ("Hello", "Hi", "Hello!", "Hi there", "Good morning", "Hey"),
        ("Hello! How can I help you?", "Hi! What can I do for you?"),
    ),
    (("How are you?", "How do you do?", "Are you well?"), ("I am fine, thank you. How can I help you?",)),
    (("Who are you?", "What are you?", "What is your name?"), ("I am the small model that Portcullis brings along.",)),
    (
        ("What can you do?", "How can you help me?", "What are you good at?"),
        ("I can call tools, extract data as JSON and classify short texts.",),
    ),
    (("Thank you", "Thanks!", "Thank you very much", "Thanks a lot"), ("You are welcome!", "Glad to help.")),
    (("Bye", "Goodbye", "See you", "Good night"), ("Goodbye!", "See you soon!")),
    (
        ("Tell me a joke", "Make me laugh", "Do you know a joke?"),
        ("Why did the gate stay shut? Nobody had the right key.",),
    ),
    (("Are you a human?", "Are you real?"), ("No, I am a small language model.",)),
    (("Is the sky blue?", "What color is the sky?"), ("The sky is blue on a clear day.",)),
    (
        ("What is JSON?", "Explain JSON"),
        ("JSON is a text format for data: objects, arrays, strings, numbers, true, false and null.",),
    ),
    (("What is a tool call?", "Explain tool calls"), ("A tool call names a function and its arguments as JSON.",)),
)
_CAPITALS = dict(
    zip(
        words("France Germany Japan Spain Italy Norway Austria Portugal Ireland Greece Poland Egypt Kenya China Peru"),
        words("Paris Berlin Tokyo Madrid Rome Oslo Vienna Lisbon Dublin Athens Warsaw Cairo Nairobi Beijing Lima"),
        strict=True,
    )
)
_ECHO_KINDS = (
    "random",
    "person",
    "title",
    "code",
    "email",
    "date",
    "city",
    "big",
    "measure",
    "word",
    "phone",
    "url",
    "user",
    "file",
)


def chat(source: Source) -> Conversation:
    """One or two short exchanges; the tools in some of the prompts are not called."""
    messages = system_message(source)
    for _ in range(source.randint(1, 2)):
        if source.chance(0.25):
            country = source.pick(list(_CAPITALS))
            ask = source.pick(["What is the capital of {}?", "capital of {}", "Name the capital of {}."]).format(
                country
            )
            messages += [say("user", ask), say("assistant", f"The capital of {country} is {_CAPITALS[country]}.")]
        else:
            questions, answers = source.pick(_PAIRS)
            messages += [say("user", source.pick(questions)), say("assistant", source.pick(answers))]
    specs = draw_tools(source, source.randint(1, 3), 0.3) if source.chance(0.4) else []
    return Conversation(messages=messages, tools=declare(specs, source))


def echo(source: Source, *, turns: int = 2) -> Conversation:
    """Values to repeat, as they are or as a JSON object: the shortest lesson in copying there is."""
    messages = []
    for _ in range(source.randint(1, turns)):
        values = [KINDS[source.pick(_ECHO_KINDS)].draw(source) for _ in range(source.randint(1, 4))]
        said = [str(value) for value in values]
        if source.chance(0.4):
            text, answer = source.pick(["Repeat: ", "Say ", "Repeat after me: "]) + ", ".join(said), ", ".join(said)
        elif source.chance(0.4):
            text, answer = "As a JSON list: " + ", ".join(said), dump_json(values)
        else:
            keys = list(dict.fromkeys(KINDS["word"].draw(source) for _ in values))
            record = dict(zip(keys, values, strict=False))
            text = "As JSON: " + source.pick((", ", " and ", ". ")).join(
                f"{key} {value}" for key, value in record.items()
            )
            answer = dump_json(record)
        messages += [say("user", text), say("assistant", answer)]
    return Conversation(messages=messages)
