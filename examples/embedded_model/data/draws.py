"""Draws of strings: names, titles, codes, messages, half of them real and half invented."""

from __future__ import annotations

from collections.abc import Callable

from embedded_model.data import words as w
from embedded_model.data.source import Source


def city(s: Source) -> str:
    """A city, real or invented."""
    return s.pick(w.CITIES) if s.chance(0.4) else w.syllables(s).capitalize()


def first_name(s: Source) -> str:
    """A first name."""
    return s.pick(w.FIRST_NAMES) if s.chance(0.4) else w.syllables(s, 2, 2).capitalize()


def last_name(s: Source) -> str:
    """A last name."""
    return s.pick(w.LAST_NAMES) if s.chance(0.4) else w.syllables(s, 2, 3).capitalize()


def email(s: Source) -> str:
    """An email address."""
    host = f"{s.pick([w.syllables(s), w.letters(s, 3, 6), s.pick(w.NOUNS)])}.{s.pick(w.DOMAINS)}"
    user = s.pick([first_name(s).lower(), w.syllables(s), w.letters(s, 3, 7)])
    tail = s.pick(["", "", f".{last_name(s).lower()}", f"_{w.letters(s, 2, 4)}", w.digits(s, 1, 3)])
    return f"{user}{tail}@{host}"


def title(s: Source) -> str:
    """A title of some thing: a few words, in lower case or with capitals."""
    if s.chance(0.2):
        return s.pick(w.WORKS) if s.chance(0.5) else s.pick(w.EVENTS)
    if s.chance(0.25):
        text = w.phrase(s)
        return text if s.chance(0.5) else text[0].upper() + text[1:]
    words = [s.pick(w.ADJECTIVES), s.pick(w.NOUNS)] if s.chance(0.6) else [s.pick(w.NOUNS), w.syllables(s)]
    if s.chance(0.3):
        words.insert(0, w.syllables(s, 2, 2))
    return " ".join(words) if s.chance(0.5) else " ".join(word.capitalize() for word in words)


def code(s: Source) -> str:
    """A number of an invoice, an article, a flight or the like."""
    head = w.letters(s, 1, 3).upper()
    return s.pick(
        [
            f"{head}-{w.digits(s, 2, 5)}",
            f"{head}{w.digits(s, 2, 5)}",
            f"{w.letters(s, 2, 4)}-{w.digits(s, 2, 4)}",
            f"{head}-{s.randint(2000, 2030)}-{w.digits(s, 1, 4)}",
            w.digits(s, 3, 6),
        ]
    )


def date(s: Source) -> str:
    """A date as ISO 8601 writes it."""
    return f"{s.randint(1980, 2035)}-{s.randint(1, 12):02d}-{s.randint(1, 28):02d}"


def clock_time(s: Source) -> str:
    """A time with seconds."""
    return f"{s.randint(0, 23):02}:{s.randint(0, 59):02}:{s.randint(0, 59):02}"


def message(s: Source) -> str:
    """A short message."""
    if s.chance(0.3):
        return w.phrase(s)
    if s.chance(0.4):
        return s.pick(_SAYINGS).format(first_name(s))
    opening = s.pick(["meet me at", "report on", "call", "bring the", "remember", "see you at", "ask about"])
    return f"{opening} {title(s).lower()}" if s.chance(0.7) else f"{opening} {first_name(s)}"


_SAYINGS = (
    "see you tomorrow", "I am running late", "the meeting is moved to Friday", "please pay until Monday",
    "call me back",
    "thank you {}", "good morning", "happy birthday {}", "where are you", "I love this song", "the report is attached",
    "lunch at noon?", "we need to talk", "can you send me the file", "your order has shipped", "dinner is ready",
    "how are you", "good night {}", "the door code has changed", "welcome to the team {}", "I will be home at six",
)  # fmt: skip


TROUBLES = (
    "disk full", "connection to {} lost", "cannot open {}", "timeout while reading {}", "slow response",
    "out of memory",
    "user {} logged in", "started {}", "{} not found", "retrying {}", "job {} done", "invalid token for {}",
)  # fmt: skip


def street(s: Source) -> str:
    """A house number and a street."""
    name = s.pick(w.STREETS) if s.chance(0.5) else w.syllables(s).capitalize()
    return f"{s.randint(1, 240)} {name} {s.pick(w.STREET_KINDS)}"


def company(s: Source) -> str:
    """A company, with or without the form that ends its name."""
    word = last_name(s) if s.chance(0.3) else w.syllables(s).capitalize()
    if s.chance(0.2):
        return word
    if s.chance(0.15):
        return f"{s.pick((w.syllables(s).capitalize(), s.pick(w.ADJECTIVES).capitalize()))} {word}"
    return f"{word} {s.pick(w.COMPANY_TAILS)}"


def random_text(s: Source) -> str:
    """Random letters."""
    return s.pick(
        [w.letters(s), w.letters(s, 2, 5).upper(), w.syllables(s), f"{w.letters(s, 2, 5)} {w.letters(s, 2, 5)}"]
    )


def one_of(options: tuple[str, ...], invented: float = 0.25) -> Callable[[Source], str]:
    """A draw of one of `options`, or of an invented word."""
    return lambda s: s.pick(options) if not s.chance(invented) else w.syllables(s)


def person(s: Source) -> str:
    """A person's name: mostly first and last, at times one alone, with a letter or with two last names."""
    shape = s.random()
    if shape < 0.74:
        return f"{first_name(s)} {last_name(s)}"
    if shape < 0.88:
        return first_name(s)
    between = f"{s.pick('ABCDEFGHJKLMNPRSTW')}." if shape < 0.94 else s.pick((first_name(s), last_name(s), "de", "van"))
    return f"{first_name(s)} {between} {last_name(s)}"


def nickname(s: Source) -> str:
    """A name among friends, or on a screen."""
    return s.pick((w.syllables(s, 1, 2).capitalize(), s.pick(w.NOUNS).capitalize(), s.pick(w.FIRST_NAMES)[:3],
                   f"{s.pick(w.ADJECTIVES).capitalize()} {first_name(s)}", w.letters(s, 2, 3).upper(),
                   f"{w.syllables(s, 1, 2)}{w.digits(s, 1, 2)}", f"The {s.pick(w.NOUNS).capitalize()}"))  # fmt: skip


def dish(s: Source) -> str:
    """Food or a drink with a recipe or a place on a menu."""
    name = f"{s.pick(w.FOODS)} {s.pick(w.DISHES)}" if s.chance(0.6) else f"{s.pick(w.ADJECTIVES)} {s.pick(w.DISHES)}"
    name = name if s.chance(0.8) else f"{w.syllables(s)} {s.pick(w.DISHES)}"
    return name if s.chance(0.7) else name.capitalize()


def team(s: Source) -> str:
    """A sports club."""
    tails = ("United", "City", "Tigers", "Rovers", "Eagles", "Wolves", "FC", "Bears", "Stars")
    return city(s) if s.chance(0.4) else s.pick((f"{city(s)} {s.pick(tails)}", f"FC {city(s)}"))


def car(s: Source) -> str:
    """A make and a model."""
    make = s.pick(w.CARS) if s.chance(0.5) else w.syllables(s).capitalize()
    model = s.pick(
        (w.syllables(s).capitalize(), f"{w.letters(s, 1, 1).upper()}{s.randint(1, 9)}", str(s.randint(2, 900)))
    )
    return f"{make} {model}"


def when(s: Source) -> str:
    """A day or a part of one, as people say it."""
    day, part = s.pick(w.WEEKDAYS), s.pick(_PARTS)
    return s.pick(
        (day, day, "tomorrow", f"next {day}", f"{day} {part}", f"tomorrow {part}", f"{day} the {s.randint(4, 20)}th")
    )


_PARTS = ("morning", "afternoon", "evening", "night")


def hotel(s: Source) -> str:
    """A hotel or a restaurant."""
    word = s.pick((w.syllables(s).capitalize(), s.pick(w.NOUNS).capitalize(), last_name(s), city(s)))
    return s.pick((f"Hotel {word}", f"Grand {word}", f"{word} Inn", f"Casa {word}", f"The {word}", f"{word} House",
                   word, f"Chez {word}", f"{word} Resort", f"Café {word}", f"{word} Palace"))  # fmt: skip


def flight(s: Source) -> str:
    """The number of a flight."""
    return f"{w.letters(s, 2, 2).upper()}{s.pick(('', '', ' '))}{w.digits(s, 2, 4)}"


def ailment(s: Source) -> str:
    """An illness or a complaint."""
    name = s.pick(w.AILMENTS)
    return name if name.startswith(("a ", "an ")) else f"{s.pick(('', '', 'mild ', 'severe ', 'chronic '))}{name}"


def version(s: Source) -> str:
    """The version of a program."""
    return f"{s.randint(0, 20)}.{s.randint(0, 30)}" + (f".{s.randint(0, 30)}" if s.chance(0.6) else "")


def named_like(options: tuple[str, ...]) -> Callable[[Source], str]:
    """An option, at times an invented word in the style of the options."""
    invent = str.capitalize if options[0][0].isupper() else str.lower
    return lambda s: s.pick(options) if s.chance(0.8) else invent(w.syllables(s))
