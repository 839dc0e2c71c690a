"""Invented tools that are asked for in whole sentences, in which any word of the schema may select the tool.

The name, the description and the arguments each hold some of the words; a request holds others, and says by
prepositions which value is which argument.
"""

from __future__ import annotations

from dataclasses import replace

from embedded_model.data import words as w
from embedded_model.data.corpus import read_blocks, read_lists
from embedded_model.data.invented import DONE, NOUN_OF, THINGS, VERBS, undeclared
from embedded_model.data.source import Source
from embedded_model.data.toolspec import Parameter, ToolSpec
from embedded_model.data.values import Kind, choice_kind, kind_of

_ROLES = [
    (key, kind, phrases) for names, phrases in read_lists(read_blocks("keys")[1]) for key, kind in [names.split()]
]
"""Key, kind, and how a request says it."""
_WORDED = ("{} {{}}", "on {} {{}}", "in {} {{}}", "from {} {{}}", "at {} {{}}", "of {} {{}}", "with {} {{}}",
           "for {} {{}}", "the {} is {{}}")  # fmt: skip
"""How a request says an argument by its own name."""
_SUBJECTS = ("code", "id", "random", "title", "word", "big", "product", "small", "user")
_SURROUNDINGS = (
    "in the {}",
    "of the {}",
    "for the {}",
    "from the {}",
    "at the {}",
    "near the {}",
    "on the {}",
    "of a {}",
)
_OPPOSITES = ("with {}|without {}", "over {}|over {other}", "by {}|by {other}", "as {}|as {other}", "in {}|in {other}",
              "for {}|not for {}", "{}|no {}")  # fmt: skip


def invent_sentence_tool(source: Source) -> ToolSpec:
    """A tool for a thing in its surroundings. The name respects the split, and is no declared tool's."""
    name = undeclared(lambda: _name(source), source)
    verb, _, thing = name.partition("_")
    return _Sentences(verb, thing, source).tool()


def _name(source: Source) -> str:
    thing = (
        source.pick(source.pick((THINGS, w.NOUNS, w.THINGS_OF_LIFE))) if source.chance(0.85) else w.syllables(source)
    )
    return f"{source.pick(list(VERBS))}_{thing}"


class _Sentences:
    """Builder of a tool: its verb, its thing, its place, and its arguments."""

    def __init__(self, verb: str, thing: str, source: Source) -> None:
        self._verb, self._thing, self._source = verb, thing, source
        self._parameters: dict[str, Parameter] = {}
        self._context = ""
        if source.chance(0.6):
            self._context = source.pick(_SURROUNDINGS).format(source.pick(source.pick((w.NOUNS, w.THINGS_OF_LIFE))))
        self._hides = source.chance(0.35)
        self._subjects = self._subject()
        self._roles()

    def tool(self) -> ToolSpec:
        """Return the tool, with its required arguments in its phrases or as clauses after them."""
        roles = [p for p in self._parameters.values() if p.clause and p.required and not p.kind.is_boolean]
        inline = roles if self._source.chance(0.4) else []
        phrases = tuple(dict.fromkeys(self._phrase([p.clause for p in inline]) for _ in range(6)))
        parameters = tuple(replace(p, clause="") if p in inline else p for p in self._parameters.values())
        name = f"{self._verb}_{self._thing}"
        return ToolSpec(name=name, description=self._description(), parameters=parameters, phrases=phrases)

    def _take(self, key: str, kind: Kind, clause: str = "", *, required: bool = True) -> str:
        """Declares an argument; its place."""
        clause = clause.replace("{}", f"{{{key}}}")
        self._parameters[key] = Parameter(key=key, kind=kind, required=required, clause=clause)
        return f"{{{key}}}"

    def _subject(self) -> list[str]:
        """Return several wordings of the subject, each with the places of its arguments."""
        source, thing = self._source, self._thing
        roll = source.random()
        if roll < 0.45:
            key = source.pick((thing, f"{thing}_id", f"{thing}_name", "id", "name", "number", f"{thing}_number"))
            place = self._take(key, kind_of(source.pick(_SUBJECTS)))
            if self._hides and self._context:
                return [place]
            return [f"{thing} {place}", f"the {thing} {place}", f"the {thing} called {place}", f"{place}, a {thing}"]
        if roll < 0.65:
            nouns = source.pick((w.NOUNS, w.THINGS_OF_LIFE, THINGS))
            labels = tuple(dict.fromkeys(source.pick(nouns) for _ in range(source.randint(2, 4))))
            key = source.pick(("type", "kind", "category", "model", f"{thing}_type"))
            place = self._take(key, choice_kind(labels))
            named = ""
            if source.chance(0.5):
                key = source.pick(("name", "title", "label"))
                named = f" {source.pick(('called', 'named'))} {self._take(key, kind_of(source.pick(_SUBJECTS)))}"
            said = [f"a {place}", f"the {place}", place]
            if not self._hides:
                said = [f"a {place} {thing}", f"the {thing} of type {place}", f"a {thing}, a {place}"]
            return [each + named for each in said]
        if roll < 0.8:
            quantity = self._take(source.pick(("quantity", "count", "number")), kind_of("handful"))
            item = self._take(
                source.pick(("item", "product", "article")), kind_of(source.pick(("food", "thing", "word")))
            )
            said = [f"{quantity} {item}", f"{quantity} pieces of {item}"]
            return said if self._hides and self._context else [f"{each} of the {thing}" for each in said]
        self._hides = False
        return [f"the {thing}", f"a {thing}", f"my {thing}", thing, f"{thing}s"]

    def _roles(self) -> None:
        source, kinds = self._source, set[str]()
        for _ in range(source.pick((0, 0, 1, 1, 1, 2, 2, 3))):
            required = source.chance(0.6)
            roll = source.random()
            if roll < 0.6:
                key, kind, forms = source.pick(_ROLES)
                if kind not in kinds and key not in self._parameters:
                    self._take(key, kind_of(kind), source.pick(forms), required=required)
                    kinds.add(kind)
                continue
            key, other = (source.pick(source.pick((w.NOUNS, w.THINGS_OF_LIFE, THINGS))) for _ in range(2))
            if key in self._parameters or key == other:
                continue
            if roll < 0.8:
                kind = source.pick(("small", "word", "code", "big"))
                self._take(key, kind_of(kind), source.pick(_WORDED).format(key), required=required)
            else:
                clause = source.pick(_OPPOSITES).replace("{other}", other).replace("{}", key)
                self._take(key, kind_of("boolean"), clause, required=required)

    def _phrase(self, roles: list[str]) -> str:
        source = self._source
        subject = source.pick(self._subjects)
        if self._context and (self._hides or source.chance(0.5)):
            subject += f" {self._context}"
        said = source.pick((self._verb, source.pick(VERBS[self._verb])))
        frames = [f"{said} {subject}", f"please {said} {subject}", f"{subject}: {self._verb}"]
        if self._verb in DONE:
            done = DONE[self._verb]
            frames += [f"I want to {said} {subject}", f"{subject} must be {done}", f"I'd like to have {subject} {done}",
                       f"could somebody {said} {subject}", f"see that {subject} gets {done}"]  # fmt: skip
        if self._verb in NOUN_OF:
            frames += [f"{NOUN_OF[self._verb]} of {subject}, please", f"I need a {NOUN_OF[self._verb]}, {subject}"]
        phrase = source.pick(frames)
        source.shuffle(roles)
        if roles and source.chance(0.3):
            return " ".join([roles[0] + ",", phrase, *roles[1:]])
        return " ".join([phrase, *roles])

    def _description(self) -> str:
        source, thing, verb = self._source, self._thing, self._verb
        other = source.pick((verb, verb, source.pick(VERBS[verb])))
        wordings = [f"{other} a {thing}", f"{other} a {thing}", f"{other} {thing}s", f"{thing}: {other}",
                    f"lets you {other} a {thing}"]  # fmt: skip
        if verb in NOUN_OF:
            wordings += [f"{NOUN_OF[verb]} of {thing}s", f"{thing} {NOUN_OF[verb]}"]
        text = f"{source.pick(wordings)} {self._context}".rstrip()
        return text[0].upper() + text[1:] + source.pick(("", "", "."))
