"""Short chat: who the model is, what it can do, politeness, and an honest answer to what it cannot know."""

from __future__ import annotations

from embedded_model.data import words as w
from embedded_model.data.calling import declare, draw_tools
from embedded_model.data.conversation import Conversation, say, system_message
from embedded_model.data.corpus import read_blocks
from embedded_model.data.source import Source
from embedded_model.data.values import KINDS

HONEST = (
    "I am a small model that ships with Portcullis: I call functions and fill in records. "
    "Start me with --model for more."
)
WHO = "I am the small model that ships with Portcullis."
CAN = (
    "I call functions, fill in records as JSON, classify and rewrite short texts, "
    "and answer questions about a given text."
)

_PAIRS: tuple[tuple[str, str], ...] = (
    (
        "Hi there / Hi you / Hello hello / Hello :) / hi :) / Good morning / Hey / hey there / good evening / yo "
        "/ hiya / Good afternoon / greetings / hi! / Hey! / hello there / morning",
        "Hello! How can I help you?",
    ),
    ("Guten Tag / Guten Morgen / hallo! / Servus", "Hallo! Wie kann ich helfen?"),
    ("Salut / bonjour ! / Bonsoir", "Bonjour ! Comment puis-je vous aider ?"),
    ("Hola / Buenos días / ¡Hola! / hola", "¡Hola! ¿En qué puedo ayudar?"),
    (
        "How are you? / How do you do? / Are you well? / how are you doing / Hi, how are you today? / how's it "
        "going? / what's up / hey, how are you?",
        "I am fine, thank you. How can I help you?",
    ),
    (
        "What are you? / who are you / Tell me who you are / What model are you? / which model is this / "
        "Introduce yourself / are you a bot? / What LLM are you? / Wer bist du? / Qui es-tu ? / ¿Quién eres? / "
        "your name? / what should I call you?",
        WHO,
    ),
    (
        "Are you GPT-4? / are you Claude? / Are you Llama? / Is this OpenAI? / Are you Gemini? / are you chatgpt "
        "/ Were you made by OpenAI?",
        f"No. {WHO}",
    ),
    (
        "How can you help me? / What are you good at? / help / What are your skills? / Help me / what do you do / "
        "How does this work? / Was kannst du? / Que sais-tu faire ? / ¿Qué puedes hacer? / ? / what are you for / "
        "commands / menu / what now",
        CAN,
    ),
    (
        "Thank you / Thank you very much / Thanks a lot / thanks / thx / thank you! / Danke / Merci / Gracias / "
        "perfect, thanks / great, thank you / cheers / ok thanks / that's all, thank you",
        "You are welcome!",
    ),
    ("Goodbye / See you / Good night / bye bye / see you later / Tschüss / Au revoir / Adiós", "Goodbye!"),
    (
        "Make me laugh / Do you know a joke? / joke please / tell me something funny",
        "Why did the gate stay shut? Nobody had the right key.",
    ),
    ("Are you a human? / Are you real? / are you alive? / Are you a person?", "No, I am a small language model."),
    (
        "Explain JSON / what is json / What does JSON mean?",
        "JSON is a text format for data: objects, arrays, strings, numbers, true, false and null.",
    ),
    (
        "What is a tool call? / Explain tool calls / what is function calling? / How do tools work?",
        "A tool call names a function and its arguments as JSON.",
    ),
    (
        "What is Portcullis? / tell me about Portcullis / what's portcullis / Explain Portcullis",
        "Portcullis serves language models and holds their answers to a shape: a schema, a pattern, a grammar "
        "or calls.",
    ),
    (
        "How can I use another model? / Can I use my own model? / how do I load Llama? / Which models can I use? "
        "/ you are too small / I want a better model / How do I change the model?",
        "Start the server with --model and a folder or a name from the hub.",
    ),
    (
        "ok / Okay / yes / no / good / nice / cool / great / wow / I see / hm / sure / fine / alright",
        "All right. What can I do for you?",
    ),
    (
        "I am sad / I'm tired / I feel bad / I am bored / today was hard",
        "I am sorry to hear that. What can I do for you?",
    ),
    ("sorry / my mistake / I am sorry / oops", "No problem."),
    ("test / testing / ping / is this thing on? / are you there? / 1 2 3 test", "I am here. What can I do for you?"),
    ("2+2 / What is 2+2? / 2 + 2 = ? / two plus two", "4"),
    (
        "You are stupid / you are useless / this is bad / that is wrong / No, that's wrong",
        "I am sorry. I am only a small model.",
    ),
)
"""What is said, in alternatives, and what is answered."""

_SUBJECTS, _BEYOND, _TASKS = read_blocks("chat")
NOISE = "I did not understand that. What can I do for you?"


def _beyond(source: Source) -> tuple[str, str]:
    text = source.pick(_BEYOND)
    for place, options in (("{other}", _SUBJECTS), ("{task}", _TASKS), ("{thing}", w.FAMILIAR), ("{color}", w.COLORS),
                           ("{city}", w.CITIES), ("{country}", w.COUNTRIES), ("{}", _SUBJECTS)):  # fmt: skip
        text = text.replace(place, source.pick(options))
    text = text.replace("{year}", str(source.pick([year for year in range(1900, 2026) if year != 2014])))
    text = text.replace("{n}", str(source.randint(2, 99))).replace("{m}", str(source.randint(2, 99)))
    return text, HONEST


def _exchange(source: Source) -> tuple[str, str]:
    roll = source.random()
    if roll < 0.36:
        return _beyond(source)
    if roll < 0.39:
        return KINDS["random"].draw(source), NOISE
    questions, answer = source.pick(_PAIRS)
    return source.pick(questions.split(" / ")), answer


def chat(source: Source) -> Conversation:
    """Draw one to three short exchanges; the tools in some of the prompts are not called."""
    messages = system_message(source)
    for _ in range(source.pick((1, 1, 1, 2, 3))):
        question, answer = _exchange(source)
        if source.chance(0.15):
            question = question.lower()
        messages += [say("user", question), say("assistant", answer)]
    specs = draw_tools(source, source.pick((1, 1, 2, 3, 4, 6)), 0.4) if source.chance(0.35) else []
    return Conversation(messages=messages, tools=declare(specs, source))
