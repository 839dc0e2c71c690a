"""Function calling: calls one by one, together and one after the other, results and answers, and no call at all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from embedded_model.data.conversation import (
    STATEMENTS,
    Conversation,
    Message,
    call_message,
    dump_json,
    say,
    sentence,
    system_message,
)
from embedded_model.data.declared import HELDOUT_TOOLS, TRAIN_TOOLS
from embedded_model.data.invented import invent_tool, sibling
from embedded_model.data.invented_sentences import invent_sentence_tool
from embedded_model.data.languages import HELDOUT_LANGUAGES, TRAIN_LANGUAGES, Language
from embedded_model.data.rewording import reword
from embedded_model.data.source import Source, side_of
from embedded_model.data.styles import name_parts, style
from embedded_model.data.toolspec import Parameter, Request, ToolSpec, ask, fill
from embedded_model.data.values import KINDS, Kind, list_kind, say_list
from embedded_model.data.words import words

_JOINTS = (" and also ", " and ", ", then ", ". Also ", " and then ", "; ", ", and ")
REFUSAL = (
    "I have no tool for that.", "None of my tools can do that.", "Sorry, I have no tool for that.",
    "I cannot do that with the tools I have.",
)  # fmt: skip
DESCRIBED = 0.3
"""Share of the tools whose parameters have descriptions."""
CLOSED = 0.3
"""Share of the tools that allow no further arguments."""
_FAILURES = ("not found", "timeout", "permission denied", "service unavailable", "invalid input")
_SIZES = (1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6)
"""How many tools a prompt declares, mostly; now and then it is up to twenty."""
RELATED = 0.35
"""Share of the tools that stand beside one for the same thing, or of the same trade."""
NEIGHBOURS = 12
"""So many tools before and behind one in its list are of the same trade, for the most part."""
SENTENCES = 0.45
"""Share of the invented tools that are asked for in whole sentences, in training."""
REWORDED = 0.4
"""Share of the tools that go by another name in training, or without a description."""
MANY = 0.08
"""Share of the prompts that declare more tools than that."""
UNFITTING = 0.12
"""Share of the requests among others that no tool fits."""


def combination_key(names: list[str]) -> str:
    """Return the text whose checksum puts a set of tools on one side of the split."""
    return "+".join(sorted(names))


def _declared(source: Source) -> ToolSpec:
    if source.split == "heldout" and source.chance(0.3):
        return source.pick(HELDOUT_TOOLS)
    return source.pick(TRAIN_TOOLS)


def _invented(source: Source) -> ToolSpec:
    asks_in_sentences = source.split == "train" and source.chance(SENTENCES)
    return invent_sentence_tool(source) if asks_in_sentences else invent_tool(source)


def _relative(spec: ToolSpec, source: Source) -> ToolSpec:
    """A tool for the same thing, so that the verb decides; or one of the same trade."""
    places = [place for place, tool in enumerate(TRAIN_TOOLS) if tool.name == spec.name]
    if places and source.chance(0.5):
        return source.pick(TRAIN_TOOLS[max(0, places[0] - NEIGHBOURS) : places[0] + NEIGHBOURS])
    known = [tool for tool in TRAIN_TOOLS if tool.name != spec.name and similar(tool.name, spec.name)]
    return source.pick(known) if known else sibling(spec, source)


def draw_tools(source: Source, count: int, invented: float) -> list[ToolSpec]:
    """`count` tools with different names, in random order; the combination lies on the source's side."""
    while True:
        specs: dict[str, ToolSpec] = {}
        while len(specs) < count:
            spec = _invented(source) if source.chance(invented) else _declared(source)
            specs.setdefault(spec.name, spec)
            if len(specs) < count and source.chance(RELATED):
                other = _relative(spec, source)
                specs.setdefault(other.name, other)
        names = list(specs)
        if count == 1 or side_of(combination_key(names)) == source.split:
            break
    described = [specs[name].described(source) if source.chance(DESCRIBED) else specs[name] for name in names]
    if source.chance(0.4):
        return described
    # The evaluation declares tools in their own words.
    share = REWORDED if source.split == "train" else 0.0
    reworded = [reword(spec, source) if source.chance(share) else spec for spec in described]
    styled = {spec.name: spec for spec in (style(spec, source) for spec in reworded)}
    return list(styled.values()) if len(styled) == count else described


def declare(specs: list[ToolSpec], source: Source) -> list[dict[str, Any]]:
    """The OpenAI `tools` list of these tools."""
    tools = [spec.to_openai() for spec in specs]
    closed = source.chance(CLOSED)
    for tool in tools:
        if closed:
            tool["function"]["parameters"]["additionalProperties"] = False
        if source.chance(0.05):
            tool["function"]["strict"] = True
    return tools


def _size(source: Source) -> int:
    return source.randint(7, 20) if source.chance(MANY) else source.pick(_SIZES)


def _call(request: Request) -> dict[str, Any]:
    return {"name": request.spec.name, "arguments": request.arguments}


def _one_by_one(spec: ToolSpec, source: Source) -> tuple[str, list[Request]] | None:
    """A request for two or three names of the only argument that is needed: a call for each of them."""
    required = [p for p in spec.parameters if p.required]
    if len(required) != 1 or required[0].kind.schema != {"type": "string"}:
        return None
    key, kind = required[0].key, required[0].kind
    place = "{" + key + "}"
    fitting = [
        phrase
        for phrase in spec.phrases
        if phrase.count("{") == phrase.count(place) == 1 and phrase[0] != "{" and '"' not in phrase
    ]
    values = list_kind(kind, 2, 3).draw(source)
    if not fitting or len(values) < 2 or any(str(value).count(" ") > 1 for value in values) or key in _WHOLE:
        return None
    phrase = source.pick(fitting)
    spoken = [kind.say(value, source) for value in values]
    before = phrase.split(place)[0].split()
    joint = f" and {before[-1]} " if before and before[-1] in ("in", "for", "of", "to") else " and "
    joined = joint.join(spoken) if source.chance(0.3) else say_list(spoken)
    return phrase.replace(place, joined), [Request(spec, "", {key: value}) for value in values]


_WHOLE = frozenset(("query", "text", "message", "title", "topic", "note", "body", "expression"))
"""Arguments that hold an "and" as it is."""


def _requests(specs: list[ToolSpec], source: Source) -> tuple[str, list[Request]]:
    several = _one_by_one(source.pick(specs), source) if source.chance(0.15) else None
    if several is not None:
        return sentence(several[0], source), several[1]
    count = source.pick((1, 1, 1, 1, 1, 1, 1, 2, 2, 3))
    first = source.pick(specs)
    requests = [ask(first, source)]
    while len(requests) < count:
        requests.append(ask(first if source.chance(0.3) else source.pick(specs), source))
    text = requests[0].text
    for request in requests[1:]:
        text += source.pick(_JOINTS) + request.text
    return sentence(text, source, begins_with_value=requests[0].begins_with_value), requests


def _result(request: Request, source: Source) -> tuple[dict[str, Any] | str, str]:
    """Return the result of the tool, and the assistant's sentence about it."""
    if source.chance(0.1):
        failure = source.pick(_FAILURES)
        return {"error": failure}, source.pick([f"That failed: {failure}.", f"Sorry, there was an error: {failure}."])
    spec = request.spec
    values = {key: kind.draw(source) for key, kind in spec.result}
    spoken = {key: kind.spell(values[key])[0] for key, kind in spec.result}
    spoken |= {p.key: p.kind.spell(request.arguments[p.key])[0] for p in spec.parameters if p.key in request.arguments}
    if values:
        return values, fill(spec.answer, spoken)
    if source.chance(0.4):
        return _free_result(source)
    if source.chance(0.5):
        return {"status": "ok"}, fill(spec.answer, spoken) if spec.answer else "Done."
    code = KINDS["code"].draw(source)
    return {"status": "ok", "id": code}, fill(spec.answer, spoken) if spec.answer else f"Done. The id is {code}."


def _free_result(source: Source) -> tuple[dict[str, Any] | str, str]:
    """Return a result of any shape and its members as text, or a sentence for both."""
    if source.chance(0.3):
        text = f"{source.pick(('The', 'Your', 'This'))} {KINDS['title'].draw(source)} is {KINDS['random'].draw(source)}"
        return text, f"{text}."
    keys = ("weather", "price", "status", "total", "owner", "place", "number", "time", "state", "count", "message")
    kinds = ("title", "random", "count", "measure", "city", "person", "time", "word", "code")
    result = {source.pick(keys): KINDS[source.pick(kinds)].draw(source) for _ in range(source.randint(1, 3))}
    told = [f"{key} is {value}" for key, value in result.items()]
    return result, "The " + " and the ".join(told) + "."


def _follow_up(requests: list[Request], source: Source) -> list[Message]:
    results, answers = zip(*(_result(request, source) for request in requests), strict=True)
    messages = [say("tool", result if isinstance(result, str) else dump_json(result)) for result in results]
    return [*messages, say("assistant", " ".join(answers))]


def calling(
    source: Source, *, max_tools: int = 20, max_turns: int = 8, invented: float = 0.5, results: float = 0.2
) -> Conversation:
    """Draw a conversation of one to `max_turns` requests; now and then no tool can answer one.

    Most of a prompt is its tools, so several requests to them teach more for what it costs to read them.
    """
    specs = draw_tools(source, min(max_tools, _size(source)), invented)
    messages = system_message(source)
    calls: list[dict[str, Any]] = []
    for _ in range(source.randint(1, max_turns) if source.chance(0.5) else min(max_turns, 2)):
        if calls and source.chance(UNFITTING):
            messages += _refuse(_unfitting(specs, source), source)
            continue
        text, requests = _requests(specs, source)
        messages += [say("user", text), call_message([_call(request) for request in requests])]
        calls += [_call(request) for request in requests]
        if source.chance(results):
            messages += _follow_up(requests, source)
    return Conversation(messages=messages, tools=declare(specs, source), calls=calls)


def foreign_calling(source: Source) -> Conversation:
    """Draw a request in another language than English, for a tool declared in English or for a missing one."""
    language = source.pick(HELDOUT_LANGUAGES if source.split == "heldout" else TRAIN_LANGUAGES)
    named = source.pick([tool for tool in TRAIN_TOOLS if tool.name in language.phrases])
    chosen = replace(named, phrases=language.asked(named.name))
    specs = draw_tools(source, source.randint(1, 4), 0.4)
    parts = name_parts(named.name)
    specs = [spec for spec in specs if not similar(spec.own_name, named.name) and not parts <= name_parts(spec.name)]
    refuses = bool(specs) and source.chance(0.1)
    if source.split == "train" and source.chance(0.6):  # the evaluation declares it as it is written
        chosen = style(chosen.described(source) if source.chance(DESCRIBED) else chosen, source)
    required = tuple(_spoken_in(language, p) for p in chosen.parameters if p.required)
    request = ask(replace(chosen, parameters=required), source)
    if not refuses:
        specs.insert(source.randint(0, len(specs)), chosen)
    ending, opening = source.pick(language.endings), source.pick(language.openings)
    if request.text.endswith("?"):
        thanks = ending.lstrip(" .!?")
        ending = f" {thanks}" if thanks else ""
    user = say("user", f"{opening}{request.text}{ending}")
    tools = declare(specs, source)
    if refuses:
        return Conversation(messages=[user, say("assistant", source.pick(language.refusals))], tools=tools)
    calls = [_call(request)]
    return Conversation(messages=[user, call_message(calls)], tools=tools, calls=calls)


_NOUNS = tuple(KINDS[name] for name in ("food", "product", "topic", "title"))


def _spoken_in(language: Language, parameter: Parameter) -> Parameter:
    """The parameter, now and then with the language's own words as its values; a list ends in its "and"."""
    kind, conjunction = parameter.kind, f" {language.conjunction} "
    if kind.schema["type"] == "array":
        items = list_kind(_noun(language, KINDS["food"])) if kind.schema["items"] == KINDS["food"].schema else kind
        spelled = replace(items, spell=lambda v: [text.replace(" and ", conjunction) for text in items.spell(v)])
        return replace(parameter, kind=spelled)
    return replace(parameter, kind=_noun(language, kind)) if kind in _NOUNS else parameter


def _noun(language: Language, kind: Kind) -> Kind:
    if not language.nouns:
        return kind

    def draw(source: Source) -> str:
        return source.fresh(lambda: source.pick(language.nouns)) if source.chance(0.3) else str(kind.draw(source))

    return replace(kind, draw=draw)


def asking_back(source: Source) -> Conversation:
    """A request that leaves required arguments out; a question for them; the answer, and the call."""
    specs = draw_tools(source, source.randint(1, 5), 0.5)
    spec = source.pick(specs)
    required = [p for p in spec.parameters if p.required and not p.kind.is_boolean]
    if not required:
        return calling(source)
    missing, text, known = _incomplete(spec, required, source)
    names = [p.key.replace("_", " ") for p in missing]
    listed = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
    messages = [*system_message(source), say("user", sentence(text, source))]
    messages.append(say("assistant", f"Please tell me the {listed}."))
    if source.chance(0.4):
        return Conversation(messages=messages, tools=declare(specs, source))
    values = {p.key: p.kind.draw(source) for p in missing}
    said = {p.key: p.kind.say(values[p.key], source) for p in missing}
    if len(missing) == 1:
        reply = source.pick(("{}", "it is {}", "{} please", "{}.")).format(said[missing[0].key])
    else:
        reply = ", ".join(f"{p.key.replace('_', ' ')} {said[p.key]}" for p in missing)
    given = known | values
    call = {"name": spec.name, "arguments": {p.key: given[p.key] for p in spec.parameters if p.key in given}}
    messages += [say("user", reply), call_message([call])]
    return Conversation(messages=messages, tools=declare(specs, source), calls=[call])


def _incomplete(
    spec: ToolSpec, required: list[Parameter], source: Source
) -> tuple[list[Parameter], str, dict[str, Any]]:
    """Return the missing argument, the request without it, and the arguments that the request holds."""
    bare = [phrase for phrase in spec.phrases if "{" not in phrase]
    if bare and len(required) > 1 and source.chance(0.7):
        left_out = source.pick(required)
        kept = replace(spec, parameters=tuple(p for p in spec.parameters if p is not left_out), phrases=tuple(bare))
        request = ask(kept, source)
        return [left_out], request.text, request.arguments
    begun = [_beginning(phrase) for phrase in spec.phrases if not phrase.startswith(STATEMENTS)]
    named = name_parts(spec.own_name) - _VERBS
    begun = [phrase for phrase in begun if phrase.count(" ") >= 1 and named & set(phrase.lower().split())]
    begun = begun or [spec.description.rstrip(".").lower() or spec.own_name.replace("_", " ")]
    text = source.pick(begun)
    with_boolean = [p for p in spec.parameters if p.required and p.kind.is_boolean]
    return required, text, {p.key: False for p in with_boolean}


def _beginning(phrase: str) -> str:
    """Return the beginning of a phrase, up to its first value and without the words that introduce it."""
    said = phrase.split("{")[0].strip(" \"'`#:,(").split()
    while said and said[-1] in _DANGLING:
        said.pop()
    return " ".join(said)


_DANGLING = frozenset(
    words("in from for to the on of at a is with called titled by an and as if it my that this into between under")
)


def chained(source: Source) -> Conversation:
    """Two calls of which the second takes a value that the first one's result holds."""
    specs = draw_tools(source, source.randint(2, 5), 0.6)
    first, second = specs[0], specs[1]
    string = [p for p in second.parameters if p.clause and p.kind.schema == {"type": "string"} and '"' not in p.clause]
    if not string:
        return calling(source)
    taken = source.pick(string)
    key = source.pick(("id", "name", "code", "result", "key", "value", "number", taken.key))
    one, two = ask(first, source), ask(second, source)
    value = taken.kind.draw(source)
    rest = replace(second, parameters=tuple(p for p in second.parameters if p is not taken))
    two = ask(rest, source)
    thing = taken.clause.replace(
        "{" + taken.key + "}", source.pick((f"the {key} you get", f"its {key}", f"that {key}"))
    )
    arguments = {p.key: value if p is taken else two.arguments[p.key] for p in second.parameters
                 if p is taken or p.key in two.arguments}  # fmt: skip
    calls = [_call(one), {"name": second.name, "arguments": arguments}]
    source.shuffle(specs)
    asked = f"{one.text}, then {two.text} {thing}"
    messages = [
        *system_message(source),
        say("user", sentence(asked, source, begins_with_value=one.begins_with_value)),
        call_message(calls[:1]),
        say("tool", dump_json({key: value} | ({"status": "ok"} if source.chance(0.5) else {}))),
        call_message(calls[1:]),
    ]
    if source.chance(0.5):
        messages += [say("tool", '{"status": "ok"}'), say("assistant", "Done.")]
    return Conversation(messages=messages, tools=declare(specs, source), calls=calls)


def refusing(source: Source) -> Conversation:
    """A request for a tool that is not in the prompt; a plain answer."""
    specs = draw_tools(source, source.pick((1, 1, 2, 3, 4, 6, 9)), 0.4)
    asked = _unfitting(specs, source)
    messages = [*system_message(source), *_refuse(asked, source)]
    return Conversation(messages=messages, tools=declare(specs, source))


def _unfitting(specs: list[ToolSpec], source: Source) -> Request:
    """Draw a request that no tool in the prompt answers."""
    other = _declared(source) if source.chance(0.7) else invent_tool(source)
    while any(similar(other.name, spec.own_name) for spec in specs):
        other = _declared(source)
    return ask(other, source)


def _refuse(asked: Request, source: Source) -> list[Message]:
    text = sentence(asked.text, source, begins_with_value=asked.begins_with_value)
    return [say("user", text), say("assistant", source.pick(REFUSAL))]


def similar(one: str, other: str) -> bool:
    """True if two tool names share a word, so that either might answer the same request."""
    return bool(name_parts(one) & name_parts(other) - _VERBS)


_VERBS = frozenset(("get", "set", "create", "add", "find", "list", "send", "book", "search", "current"))
