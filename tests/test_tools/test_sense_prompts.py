import pytest

from tests.bench.sense_prompts import PLACEHOLDERS, call_prompts, record_prompts, same
from tools.toolset import ToolSet


def test_call_prompts_have_one_to_five_tools_of_which_none_fits_a_third() -> None:
    prompts = call_prompts()
    assert len(prompts) == len({prompt.text for prompt in prompts}) == 150
    assert {len(prompt.tools) for prompt in prompts} == {1, 2, 3, 4, 5}
    assert sum(not prompt.name for prompt in prompts) == 50
    for prompt in prompts:
        assert not prompt.name or prompt.name in ToolSet.from_openai(list(prompt.tools)).names


def test_prompts_say_the_values_that_are_right_and_no_placeholder() -> None:
    for values in (*(prompt.arguments for prompt in call_prompts()), *(each.values for each in record_prompts())):
        assert not [value for value in values.values() if isinstance(value, str) and value.casefold() in PLACEHOLDERS]
    for prompt in call_prompts():
        said = prompt.text.casefold()
        assert all(value.casefold() in said for value in prompt.arguments.values() if isinstance(value, str))


@pytest.mark.parametrize(("name", "count"), [("extraction", 150), ("held_out", 60)])
def test_record_prompts_are_right_with_their_own_values_alone(name: str, count: int) -> None:
    prompts = record_prompts(name)
    assert len(prompts) == count
    for prompt in prompts:
        assert prompt.num_right(dict(prompt.values)) == len(prompt.schema["required"])
        assert prompt.num_right(dict.fromkeys(prompt.values)) == 0


@pytest.mark.parametrize(
    ("calls", "is_right"),
    [
        ([], False),
        ([("get_weather", {"city": "Lima"})], True),
        ([("get_weather", {"city": " lima"})], True),
        ([("get_weather", {"city": "Quito"})], False),
        ([("get_time", {"city": "Lima"})], False),
        ([("get_weather", {"city": "Lima"})] * 2, False),
        ([("get_weather", None)], False),
    ],
    ids=["none", "right", "spelling", "argument", "tool", "twice", "no object"],
)
def test_call_prompt_is_right_for_the_one_call_that_is_meant(calls: list[tuple[str, object]], is_right: bool) -> None:
    asked = next(prompt for prompt in call_prompts() if prompt.text == "What is the weather in Lima right now?")
    assert asked.is_right(calls) is is_right
    refused = next(prompt for prompt in call_prompts() if not prompt.name)
    assert refused.is_right(calls) is (not calls)


@pytest.mark.parametrize(
    ("given", "wanted", "is_same"),
    [
        (1, 1.0, True),
        (True, 1, False),
        ("1", 1, False),
        (["A"], ["a"], True),
        (["a", "b"], ["a"], False),
        (0, False, False),
    ],
)
def test_same_compares_what_values_say(given: object, wanted: object, is_same: bool) -> None:
    assert same(given, wanted) is is_same
