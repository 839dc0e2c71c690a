"""Free text and calls under what is forbidden, in the spellings of families: the same texts but for those."""

import asyncio
from types import SimpleNamespace

import pytest
from pushing import Pusher

from gateway.guards.policy import read_policies
from gateway.service.constraints.forbidding import Forbidding
from grammars import Compiler
from tools.choice import ToolChoice
from tools.formats.registry import get_format
from tools.reasoning import get_reasoning
from tools.toolset import ToolSet

FORMATS = (
    "hermes", "llama3_json", "mistral", "xlam", "functionary_v32", "harmony", "glm45", "pythonic",
    "generic", "qwen3_coder", "inkling", "kimi_k3",
)  # fmt: skip
TERM = "quokka"
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}, "r": {}}, "required": ["q"]}
TOOLS = ToolSet.from_openai([{"type": "function", "function": {"name": "find", "parameters": SCHEMA}}])


@pytest.fixture(scope="module")
def policy(tmp_path_factory):
    file = tmp_path_factory.mktemp("policy") / "policies.toml"
    file.write_text(
        f'default = "p"\n[policies.p]\noutput = [{{ guard = "terms", terms = ["{TERM}"], action = "forbid" }}]'
    )
    return read_policies(file).named["p"]


@pytest.fixture(scope="module")
def compiler(tiny_live):
    return Compiler(tiny_live.service._loaded.vocabulary)


def pushed(live, compiled, wishes, seed):
    """The tokens of a text, without its end, as the model wishes it."""
    tokens = []
    sampling = SimpleNamespace(max_tokens=compiled.min_tokens + 90, logprobs=None)
    request = SimpleNamespace(request_id="", constraint=compiled.matcher(), sampling=sampling)
    pusher = Pusher(live, wishes, seed)

    async def push():
        async for (event,) in pusher.batches(request):
            tokens.extend(event.token_ids)

    asyncio.run(push())
    return tokens, pusher.written[0].decode("utf-8", "replace").lower()


def accepted(compiled, tokens):
    matcher = compiled.matcher()
    return all(map(matcher.accept, tokens))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("mode", ["auto", "required"])
def test_only_what_is_forbidden_is_missing(tiny_live, policy, compiler, name, mode):
    spec = get_format(name).constraint(TOOLS, ToolChoice(mode))
    plain = compiler.compile(spec)
    clean = compiler.compile(Forbidding(policy, may_end=False).without_forbidden(spec))
    calls = compiler.compile(get_format(name).constraint(TOOLS, ToolChoice("required")))
    encode = tiny_live.service._loaded.tokenizer.encode
    num_written = num_with_calls = 0
    for seed in range(6):
        tokens, text = pushed(tiny_live, clean, [TERM, TERM.upper(), "find"], seed)
        assert TERM not in text
        assert accepted(plain, tokens)
        # What the model does not try to spoil is as it was, behind prose, too.
        call, text = pushed(tiny_live, calls, ["quok ka"], seed)
        for begin in ("", "Well, quok", "Well. "):
            harmless = [*encode(begin, add_special_tokens=False).ids, *call]
            assert accepted(clean, harmless) == accepted(plain, harmless)
            num_with_calls += accepted(plain, harmless)
        spoilt, text = pushed(tiny_live, plain, [TERM], seed)
        num_written += TERM in text
        assert TERM not in text or not accepted(clean, spoilt)
    assert num_written
    assert num_with_calls


@pytest.mark.parametrize("opening", ["open", "undecided"])
@pytest.mark.parametrize("name", ["think", "harmony", "granite", "inkling"])
def test_thoughts_are_texts_too(tiny_live, policy, compiler, name, opening):
    family = get_reasoning(name)
    spec = family.constraint(family.wrapped(get_format("hermes").constraint(TOOLS, ToolChoice("auto"))), opening, "any")
    plain = compiler.compile(spec)
    clean = compiler.compile(Forbidding(policy, may_end=False).without_forbidden(spec))
    for seed in range(6):
        tokens, text = pushed(tiny_live, clean, [TERM, family.end], seed)
        assert TERM not in text
        assert accepted(plain, tokens)
        harmless, text = pushed(tiny_live, plain, ["quok ka", family.end], seed)
        assert TERM in text or accepted(clean, harmless)
