"""A client that openapi-python-client generates from our OpenAPI document: it has every endpoint, and gets answers."""

import importlib
import importlib.util
import os
import subprocess
import sys

import httpx
import pytest
from tasks import WEATHER, Weather, check

GENERATOR = os.environ.get("OPENAPI_PYTHON_CLIENT")
"""The generator in an environment of its own: it may want other versions than the server."""

if GENERATOR is None and importlib.util.find_spec("openapi_python_client") is None:
    pytest.skip("no openapi-python-client here, nor in $OPENAPI_PYTHON_CLIENT", allow_module_level=True)


@pytest.fixture(scope="module")
def generated(server, tmp_path_factory):
    """The package, imported, and what its generator said."""
    folder = tmp_path_factory.mktemp("generated")
    command = [GENERATOR] if GENERATOR is not None else [sys.executable, "-m", "openapi_python_client"]
    command += ["generate", "--url", f"{server.url}/schema/openapi.json", "--meta", "none"]
    command += ["--output-path", str(folder / "portcullis_client")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    sys.path.insert(0, str(folder))
    yield importlib.import_module("portcullis_client"), done.stdout + done.stderr
    sys.path.remove(str(folder))


def test_the_generator_leaves_nothing_out(generated, server):
    package, said = generated
    # Of what it lints its own output with it may miss something.
    assert "parsing" not in said, said
    document = httpx.get(f"{server.url}/schema/openapi.json").json()
    operations = [each for path in document["paths"].values() for each in path.values()]
    assert operations
    for each in operations:
        folder = each["tags"][0].replace("OpenAI", "open_ai").lower()
        importlib.import_module(f"{package.__name__}.api.{folder}.{snake(each['operationId'])}")


def snake(name):
    """`V1ModelsListModels` as the generator calls its module."""
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name).lstrip("_")


def test_a_generated_client_gets_an_answer_in_its_shape(generated, server):
    package, _ = generated
    client = package.Client(server.url, timeout=httpx.Timeout(60), raise_on_unexpected_status=True)
    models = importlib.import_module(f"{package.__name__}.models")
    create = importlib.import_module(f"{package.__name__}.api.open_ai.v1_chat_completions_create_chat_completion")
    shape = {"type": "json_schema", "json_schema": {"name": "weather", "schema": Weather.model_json_schema()}}
    fields = {"messages": [{"role": "user", "content": WEATHER}], "temperature": 0, "max_tokens": 80}
    with client:
        plain = create.sync(client=client, body=models.ChatCompletionRequest.from_dict(fields | {"max_tokens": 3}))
        assert plain.choices[0].message.content
        assert plain.usage.completion_tokens <= 3
        reply = create.sync(
            client=client, body=models.ChatCompletionRequest.from_dict(fields | {"response_format": shape})
        )
        check(Weather.model_validate_json(reply.choices[0].message.content))
        refused = create.sync_detailed(client=client, body=models.ChatCompletionRequest.from_dict(fields | {"n": 0}))
    assert refused.status_code == 400
    assert refused.parsed.error.param == "n"
