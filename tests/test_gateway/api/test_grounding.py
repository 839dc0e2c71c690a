"""Documents in requests, and answers that cite them."""

import random
from contextlib import ExitStack

import numpy as np
import pytest
from guarded_dialects import data_of, policy_of
from scripted import policies, scripted
from test_anthropic_messages import events_of

from gateway.core.answer import CitationDelta, Finish, TextDelta
from gateway.core.documents import Document
from gateway.core.request import ChatRequest
from gateway.service.answers.citations import CitationReader
from gateway.service.constraints.jobs import CODEC, JobContext, Verify
from gateway.service.constraints.specs import spec_of
from gateway.service.request.documents import citing
from gateway.verify import Verifier
from gateway.verify.quotes import place_of_quote
from grammars import Compiler, Vocabulary

GRASS, SKY = "The grass is green. The grass is wet.", "The sky is blue today."
QUESTION = [{"role": "user", "content": "What colour is the grass?"}]
CHAT = {
    "messages": QUESTION,
    "documents": [{"id": "g", "title": "Grass", "text": GRASS}, SKY],
    "citations": {"enabled": True},
    "max_tokens": 200,
}
WRITTEN = (
    'It is green <cite doc="1">grass is green</cite>. Above it is blue<cite doc="2">The sky is blue</cite> '
    '<cite doc="1">wet.</cite>'
)
SHOWN = "It is green. Above it is blue"


def block(text=GRASS, enabled=True, **fields):
    source = {"type": "text", "media_type": "text/plain", "data": text}
    return {"type": "document", "source": source, "citations": {"enabled": enabled}, **fields}


def message_body(*blocks, **fields):
    content = [*blocks, {"type": "text", "text": "What colour is the grass?"}]
    return {"model": "test-model", "messages": [{"role": "user", "content": content}], "max_tokens": 200, **fields}


def annotations():
    first = {
        "file_id": "g",
        "filename": "Grass",
        "index": 0,
        "quote": "grass is green",
        "start_index": 4,
        "end_index": 18,
    }
    second = {"file_id": "document-2", "filename": "document-2", "index": 1, "quote": "The sky is blue"}
    claim = {"type": "file_citation", "text": "Above it is blue", "start_index": 13, "end_index": 29}
    third = first | {"quote": "wet.", "start_index": 33, "end_index": 37}
    return [
        {"type": "file_citation", "text": "It is green", "start_index": 0, "end_index": 11, "file_citation": first},
        {**claim, "file_citation": second | {"start_index": 0, "end_index": 15}},
        {**claim, "file_citation": third},
    ]


def test_a_chat_tells_citations_as_annotations(live):
    with scripted(live, WRITTEN):
        choice = live.post("/v1/chat/completions", json=CHAT).json()["choices"][0]
    assert choice["message"]["content"] == SHOWN
    assert choice["message"]["annotations"] == annotations()
    assert choice["verified_by"] == "pieces"
    with scripted(live, WRITTEN):
        chunks, _ = data_of(live.post("/v1/chat/completions", json=CHAT | {"stream": True}))
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
    assert "".join(delta.get("content") or "" for delta in deltas) == SHOWN
    assert [each for delta in deltas for each in delta.get("annotations", ())] == annotations()


def test_openais_client_reads_annotations(live):
    asked = {name: CHAT[name] for name in ("messages", "max_tokens")} | {"model": "test-model"}
    extra = {name: CHAT[name] for name in ("documents", "citations")}
    with scripted(live, WRITTEN):
        message = live.client.chat.completions.create(**asked, extra_body=extra).choices[0].message
    assert [each.type for each in message.annotations] == ["file_citation"] * 3
    assert [each.file_citation for each in message.annotations] == [each["file_citation"] for each in annotations()]
    with scripted(live, WRITTEN):
        deltas = [
            each.choices[0].delta
            for each in live.client.chat.completions.create(**asked, extra_body=extra, stream=True)
        ]
    found = [each for delta in deltas for each in getattr(delta, "annotations", None) or ()]
    assert found == annotations()


def test_a_message_with_a_citation_is_not_continued(live):
    for begun, status in (("It is", 200), ('It is <cite doc="1">', 400), ("It is <ci", 400)):
        messages = [*message_body(block())["messages"], {"role": "assistant", "content": begun}]
        with scripted(live, ' wet <cite doc="1">wet</cite>'):
            assert live.post("/v1/messages", json=message_body(messages=messages)).status_code == status


def test_a_message_tells_citations_in_blocks_of_text(live):
    content = {
        "type": "content",
        "content": [{"type": "text", "text": "The sky"}, {"type": "text", "text": "is blue."}],
    }
    body = message_body(block(title="Grass"), block(source=content))
    script = 'Green<cite doc="1">green</cite>. Blue <cite doc="2">sky\nis</cite><cite doc="2">blue.</cite>'
    characters = {"document_index": 0, "document_title": "Grass", "file_id": None, "type": "char_location"}
    of_blocks = {"document_index": 1, "document_title": None, "file_id": None, "type": "content_block_location"}
    first = {"cited_text": "green", "start_char_index": 13, "end_char_index": 18, **characters}
    second = {"cited_text": "sky\nis", "start_block_index": 0, "end_block_index": 2, **of_blocks}
    third = {"cited_text": "blue.", "start_block_index": 1, "end_block_index": 2, **of_blocks}
    expected = [
        {"type": "text", "text": "Green", "citations": [first]},
        {"type": "text", "text": ". Blue", "citations": [second, third]},
    ]
    with scripted(live, script):
        assert live.post("/v1/messages", json=body).json()["content"] == expected
    with scripted(live, script):
        events = events_of(live.post("/v1/messages", json=body | {"stream": True}).text)
    found = []
    for event in events:
        if event["type"] == "content_block_start":
            found.append(event["content_block"] | {"citations": []})
        elif event["type"] == "content_block_delta" and event["delta"]["type"] == "text_delta":
            found[event["index"]]["text"] += event["delta"]["text"]
        elif event["type"] == "content_block_delta":
            assert event["delta"]["type"] == "citations_delta"
            found[event["index"]]["citations"].append(event["delta"]["citation"])
    assert found == expected


@pytest.mark.parametrize(
    "written",
    [
        'Green <cite doc="1">grass is red</cite>',
        'Green <cite doc="3">grass</cite>',
        'Green <cite doc="1">gra</cite>',
        'Green <cite doc="1"> grass</cite>',
        'Green <cite doc="1"></cite>',
        "Green <cite>grass</cite>",
        'Green <cite doc="1">grass',
    ],
)
def test_a_citation_that_does_not_hold_never_leaves(live, written):
    with scripted(live, written):
        reply = live.post("/v1/chat/completions", json=CHAT)
    assert reply.status_code == 500
    assert reply.json()["error"]["code"] == "verification_failed"
    with scripted(live, written):
        told = live.post("/v1/chat/completions", json=CHAT | {"stream": True}).text
    assert "verification_failed" in told
    assert "file_citation" not in told


def read(*texts, documents=(GRASS, SKY)):
    given = [Document(parts=(text,), place="") for text in documents]
    reader = CitationReader(0, given)
    deltas = reader.feed([TextDelta(0, text) for text in texts] + [Finish(0, "stop")])
    text = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    return text, [delta.citation for delta in deltas if isinstance(delta, CitationDelta)]


TEXTS = {
    "plain <b>text</b> <ci": ("plain <b>text</b> <ci", []),
    'a <cite doc="1">green</cite> b': ("a b", ["a"]),
    'a <cite doc="1">green</cite>b': ("a b", ["a"]),
    'a<cite doc="1">green</cite>b': ("ab", ["a"]),
    'a.<cite doc="1">green</cite>\n\nb': ("a.\n\nb", ["a."]),
    'a <cite doc="1">green</cite>.': ("a.", ["a"]),
    '<cite doc="1">The grass</cite> is': ("The grass is", ["The grass"]),
    '<cite doc="1">wet</cite> <cite doc="2">blue</cite>.': ("wet blue.", ["wet", "blue"]),
    '<cite doc="1">wet</cite><cite doc="2">blue</cite>': ("wet blue", ["wet", "blue"]),
    'a. <cite doc="1">wet</cite>. b <cite doc="2">sky</cite> \n': ("a.. b", ["a.", "b"]),
    "a \n": ("a \n", []),
}


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_read_without_its_citations_however_it_comes(text):
    expected, claims = TEXTS[text]
    for pieces in ([text], list(text), [text[:7], text[7:]]):
        shown, cited = read(*pieces)
        assert shown == expected
        assert [each.claim for each in cited] == claims
        assert all(shown[each.claim_start :].startswith(each.claim) for each in cited)


def test_random_answers_under_the_constraint_cite_right():
    rng = random.Random(7)
    pieces = [
        "<",
        "cite",
        '<cite doc="',
        '1">',
        '2">',
        "</cite>",
        "The ",
        "The",
        " grass",
        " is",
        "green",
        ".",
        "sky ",
        "he",
    ]
    tokens = [*(bytes([byte]) for byte in range(256)), *(piece.encode() for piece in pieces), None]
    vocabulary = Vocabulary.from_tokens(tokens, [len(tokens) - 1])
    documents = tuple(Document(parts=(text,), place="") for text in (GRASS, "a </cite> b é\n\0 <cite c", SKY))
    constraint = citing(ChatRequest(messages=(), documents=documents, cites=True)).options.constraint
    compiler, verifier = Compiler(vocabulary), Verifier()
    compiled, context = compiler.compile(spec_of(constraint)), JobContext(compiler, verifier)
    row, num_cited = np.zeros(-(-len(tokens) // 32), np.uint32), 0
    for _ in range(500):
        matcher, written = compiled.matcher(), []
        for left in range(rng.randrange(4, 60), 0, -1):
            matcher.fill_mask(row, tokens_left=left)
            allowed = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist()
            likely = [token for token in allowed if 256 <= token < len(tokens) - 1]
            token = rng.choice(likely if likely and rng.random() < 0.9 else allowed)
            if token == len(tokens) - 1:
                break
            assert matcher.accept(token)
            written.append(tokens[token])
        text = b"".join(written).decode(errors="replace")
        if "�" in text:
            continue  # free text was cut within a character
        assert Verify(constraint, text).do(context), text
        _, cited = read(text, documents=[document.text for document in documents])
        assert len(cited) == text.count("<cite doc")
        for each in cited:
            assert documents[each.document].text[each.start : each.end] == each.quote
            assert place_of_quote(documents[each.document].text, each.quote) == each.start
        num_cited += len(cited)
    assert num_cited > 500
    assert CODEC.unpack(CODEC.pack(constraint)) == constraint


def test_documents_are_in_the_prompt_and_their_markers_are_text(live):
    def rendered(**fields):
        return live.post("/apply-template", json={"messages": QUESTION, **fields}).json()["prompt"]

    def ids(**fields):
        return live.post("/tokenize", json={"messages": QUESTION, **fields}).json()["tokens"]

    loaded = live.service._loaded
    special = {token for token, data in enumerate(loaded.vocabulary.tokens) if data is None}
    names = [loaded.special_name(token) for token in special]
    hostile = " ".join(name for name in names if name) * 2
    assert GRASS in rendered(documents=[GRASS])
    assert "cite" not in rendered(documents=[GRASS])
    assert '<cite doc="1">' in rendered(documents=[GRASS], citations={"enabled": True})
    count = sum(token in special for token in ids())
    told = ids(documents=[{"text": hostile, "title": hostile}], citations={"enabled": True})
    assert sum(token in special for token in told) == count
    assert hostile in live.post("/detokenize", json={"tokens": told}).json()["prompt"]


def test_a_template_that_takes_documents_gets_them(tiny_model):
    from gateway.service.request.documents import template_documents, with_documents
    from gateway.text import ChatTemplate

    shows = ChatTemplate(
        "{% for d in documents or [] %}[{{ d.doc_id }}:{{ d.title }}:{{ d.text }}]{% endfor %}"
        "{{ messages[-1].content }}"
    )
    request = ChatRequest(
        messages=({"role": "user", "content": "Q"},), documents=(Document(parts=("T",), title="N", place=""),)
    )
    assert with_documents(request, shows) is request
    assert shows.prompt(request.messages, documents=template_documents(request)) == "[1:N:T]Q"
    plain = with_documents(request, ChatTemplate("{{ messages[-1].content }}"))
    assert plain.messages[-1]["content"] == '<document index="1">\n<title>N</title>\nT\n</document>\n\nQ'


def test_tokens_of_documents_are_counted(live):
    def count(*blocks):
        return live.post("/v1/messages/count_tokens", json=message_body(*blocks)).json()["input_tokens"]

    assert count(block(enabled=False)) > count() + 5
    assert count(block()) > count(block(enabled=False)) + 5
    assert count(block(context="Of a garden in spring.")) > count(block()) + 3


def test_a_policy_screens_documents(live, tmp_path):
    text = "Call A-12 now."
    for action, status in (("block", 400), ("redact", 200)):
        with ExitStack() as stack:
            stack.enter_context(
                policies(live, tmp_path, policy_of("pattern", 'pattern = "A-[0-9]{2}"', action, "input"))
            )
            stack.enter_context(scripted(live, 'So <cite doc="1">PATTERN</cite>'))
            for body, path in (
                (CHAT | {"documents": [text]}, "/v1/chat/completions"),
                (message_body(block(text)), "/v1/messages"),
            ):
                reply = live.post(path, json=body)
                assert reply.status_code == status, reply.text
                if action == "redact":
                    assert "PATTERN" in reply.text


@pytest.mark.parametrize("name", ["documents", "citations", "retrieval"])
@pytest.mark.parametrize(("path", "body"), [("completions", {"prompt": "a"}), ("responses", {"input": "a"})])
def test_what_is_served_in_chats_alone_is_refused_by_name_elsewhere(live, path, body, name):
    error = live.post(f"/v1/{path}", json=body | {name: {"enabled": True}}).json()["error"]
    assert (error["code"], error["param"]) == ("unsupported_parameter", name)
    assert live.post(f"/v1/{path}", json=body | {name: []}).status_code == 200


def test_citations_leave_room_for_nothing_else_but_tools(live):
    schema = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}
    reply = live.post("/v1/chat/completions", json=CHAT | {"response_format": schema})
    assert reply.status_code == 400
    assert "response_format" in reply.json()["error"]["param"]
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
    with scripted(live, 'Wet <cite doc="1">wet</cite>'):
        reply = live.post("/v1/chat/completions", json=CHAT | {"tools": [tool]})
    assert [each["text"] for each in reply.json()["choices"][0]["message"]["annotations"]] == ["Wet"]


@pytest.mark.parametrize("thought", ["Wet grass.", '<cite doc="9">no</cite>'])
def test_reasoning_comes_before_an_answer_with_citations(thinker, thought):
    with scripted(thinker, f'<think>{thought}</think>\n\nWet <cite doc="1">wet</cite>.'):
        message = thinker.post("/v1/chat/completions", json=CHAT).json()["choices"][0]["message"]
    assert message["reasoning"] == thought
    assert message["content"] == "Wet."
    assert [each["text"] for each in message["annotations"]] == ["Wet"]


def test_the_model_answers_within_its_budget(live):
    body = CHAT | {"max_tokens": 24, "n": 3, "temperature": 1, "answer_prefix": 'It is <cite doc="1">'}
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    for choice in reply.json()["choices"]:
        cited = choice["message"]["annotations"][0]["file_citation"]
        assert GRASS[cited["start_index"] : cited["end_index"]] == cited["quote"]


@pytest.mark.parametrize("fields", [{"num_beams": 3, "temperature": 0}, {"seed": 5, "temperature": 1, "stream": True}])
def test_beams_and_streams_cite_what_is_there(live, fields):
    body = CHAT | {"max_tokens": 40, "answer_prefix": 'It is <cite doc="1">'} | fields
    reply = live.post("/v1/chat/completions", json=body)
    assert reply.status_code == 200, reply.text
    if "stream" in fields:
        found = [each for chunk in data_of(reply)[0] for each in chunk["choices"][0]["delta"].get("annotations", ())]
    else:
        found = reply.json()["choices"][0]["message"]["annotations"]
    assert found
    for each in found:
        cited = each["file_citation"]
        text = (GRASS, SKY)[cited["index"]]
        assert text[cited["start_index"] : cited["end_index"]] == cited["quote"]


VALUES = [
    1,
    1.5,
    True,
    "text",
    "",
    [],
    {},
    [[]],
    [{}],
    [None],
    {"a": 1},
    [1],
    [True],
    [["x"]],
    [{"text": 1}],
    [{"text": None}],
]
VALUES += [
    [{"text": ["x"]}],
    [{"text": "x", "title": 1}],
    [{"text": "x", "id": 7}],
    [{"text": "x", "url": "u"}],
    [{"title": "x"}],
]
VALUES += [
    [{"text": "x"}] * 1_001,
    [{"text": "x"}] * 10_001,
    ["x" * 100_001],
    ["x" * 60_000] * 2,
    [""],
    [" \n\t"],
    ["x", " "],
]


def hostile_chats():
    for value in VALUES:
        is_fine = value in ([],) or value is None
        yield {"documents": value}, "citations" if is_fine else "documents"
    for value in (
        1,
        "yes",
        [],
        True,
        {},
        {"enabled": None},
        {"enabled": 1},
        {"enabled": "true"},
        {"on": True},
        {"enabled": True, "a": 1},
    ):
        yield {"citations": value}, "citations"
    for number in range(62):
        rng = random.Random(number)
        wrong = rng.choice([value for value in VALUES[:3] + VALUES[7:21] if value != []])
        given = [{"text": "x"}] * rng.randrange(5) + (wrong if isinstance(wrong, list) else [wrong])
        yield {"documents": given}, "documents"


LONG, FIRST = {"type": "text", "data": "x" * 100_001}, "messages[0].content[0].source"


def hostile_blocks():
    sources = [
        None,
        1,
        "x",
        [],
        {},
        {"type": 1},
        {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="},
    ]
    sources += [{"type": "url", "url": "http://127.0.0.1/"}, {"type": "file", "file_id": "f"}, {"type": "text"}]
    sources += [
        {"type": "text", "data": 1},
        {"type": "text", "media_type": "text/html", "data": "x"},
        {"type": "content"},
    ]
    sources += [{"type": "content", "content": 1}, {"type": "content", "content": [1]}, {"type": "text", "data": " "}]
    sources += [{"type": "content", "content": [{"type": "image"}]}, {"type": "content", "content": [{"type": "text"}]}]
    sources += [{"type": "content", "content": []}, LONG, {"type": "x" * 500}]
    for number in range(5 * len(sources)):
        before = [block()] * (number // len(sources))
        place = f"messages[0].content[{len(before)}].source"
        is_sum = number % len(sources) == sources.index(LONG)
        yield [*before, block(source=sources[number % len(sources)])], FIRST if is_sum else place
    for value in (1, "x", [], True, [1], {"enabled": 1}, {"enabled": "x"}, {"enabled": None}):
        yield [block(citations=value)], "messages[0].content[0].citations"
    for name in ("title", "context"):
        for value in (1, [], {}, True):
            yield [block(**{name: value})], f"messages[0].content[0].{name}"


def test_hostile_bodies_are_refused_by_the_field(live):
    chats, blocks = list(hostile_chats()), list(hostile_blocks())
    assert len(chats) >= 100 <= len(blocks)
    for fields, param in chats:
        reply = live.post("/v1/chat/completions", json=CHAT | fields)
        assert reply.status_code == 400, (str(fields)[:200], reply.text)
        assert reply.json()["error"]["param"].startswith(param), (str(fields)[:200], reply.text)
    for given, place in blocks:
        reply = live.post("/v1/messages", json=message_body(*given))
        assert reply.status_code == 400, (str(given)[:200], reply.text)
        assert place in reply.json()["error"]["message"], (str(given)[:200], reply.text)
    mixed = live.post("/v1/messages", json=message_body(block(), block(enabled=False)))
    assert "messages[0].content[1].citations" in mixed.json()["error"]["message"]
    assert live.post("/v1/messages", json=message_body(block("</cite>"), max_tokens=4)).status_code == 200
