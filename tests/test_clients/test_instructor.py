"""instructor: objects by tools and by JSON schema, whole and in parts."""

import openai
import pytest
from tasks import WEATHER, Weather, check

instructor = pytest.importorskip("instructor")


@pytest.fixture(params=["TOOLS", "TOOLS_STRICT", "JSON_SCHEMA", "RESPONSES_TOOLS"])
def client(request, server):
    made = openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0)
    return instructor.from_openai(made, mode=getattr(instructor.Mode, request.param))


def ask(server):
    return {"model": server.model, "temperature": 0, "messages": [{"role": "user", "content": WEATHER}]}


def test_an_object(client, server):
    check(client.create(**ask(server), response_model=Weather, max_retries=0))


def test_an_object_in_parts(client, server):
    if client.mode is instructor.Mode.RESPONSES_TOOLS:
        pytest.skip("the client cannot stream this mode")
    *_, last = client.create_partial(**ask(server), response_model=Weather)
    check(last)
