"""`/api/pull` from a hub on this machine, with the hub's own library."""

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import pytest
from serving import config_for, serving
from tiny_model import write_tiny_model

from gateway.config import ServerConfig
from gateway.errors import InvalidRequestError, ModelLoadError
from gateway.service.model.hub import download, repository_of

COMMIT = "a" * 40


class Hub(ThreadingHTTPServer):
    """Serves one repository, `acme/tiny`, as the hub does."""

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.asked = folder, []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        self.server.asked.append(path)
        files = {each.name: each for each in self.server.folder.iterdir()}
        if path.startswith("/api/models/acme/tiny/tree/"):
            found = [{"type": "file", "path": name, "size": 1, "oid": COMMIT} for name in files]
            return self._send(json.dumps(found).encode())
        if path.startswith("/api/models/acme/tiny"):
            siblings = [{"rfilename": name, "size": each.stat().st_size} for name, each in files.items()]
            return self._send(json.dumps({"id": "acme/tiny", "sha": COMMIT, "siblings": siblings}).encode())
        name = path.rpartition("/")[2]
        if path.startswith("/acme/tiny/resolve/") and name in files:
            data = files[name].read_bytes()
            headers = {"ETag": f'"{hashlib.sha256(data).hexdigest()}"', "X-Repo-Commit": COMMIT}
            return self._send(data, headers)
        self.send_response(404)
        self.send_header("X-Error-Code", "RepoNotFound")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, data, headers=None):
        self.send_response(200)
        for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    folder = write_tiny_model(tmp_path_factory.mktemp("hub"), seed=9)
    (folder / "pytorch_model.bin").write_bytes(b"a pickle")
    server = Hub(folder)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with pytest.MonkeyPatch.context() as patch:
        from huggingface_hub import constants

        patch.setattr(constants, "ENDPOINT", server.url)
        patch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", server.url + "/{repo_id}/resolve/{revision}/{filename}")
        patch.setattr(constants, "HF_HUB_OFFLINE", False)
        patch.setattr(constants, "HF_HUB_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def pulling_live(hub, tiny_model):
    with serving(config_for(tiny_model, server=ServerConfig(port=0, pull=True))) as live:
        yield live


def test_a_pulled_model_is_served(hub, pulling_live):
    with pulling_live.http.stream("POST", "/api/pull", json={"model": "acme/tiny"}) as reply:
        assert reply.status_code == 200
        steps = [json.loads(line) for line in reply.iter_lines()]
    assert (steps[0], steps[-1]) == ({"status": "pulling manifest"}, {"status": "success"})
    weights = [step for step in steps if step["status"] == "pulling model.safetensors"]
    assert [weights[0]["completed"], weights[-1]["completed"]] == [0, weights[0]["total"]]
    assert not any(path.endswith(".bin") for path in hub.asked)
    assert "acme/tiny" in [model["id"] for model in pulling_live.get("/v1/models").json()["data"]]
    body = {"model": "acme/tiny", "messages": [{"role": "user", "content": "hi"}], "guided_choice": ["yes", "no"]}
    reply = pulling_live.post("/v1/chat/completions", json=body)
    assert reply.json()["choices"][0]["message"]["content"] in ("yes", "no")
    again = pulling_live.post("/api/pull", json={"model": "acme/tiny:latest", "stream": False})
    assert again.json() == {"status": "success"}


def test_an_unknown_repository_is_an_error_of_the_pull_alone(hub, pulling_live):
    whole = pulling_live.post("/api/pull", json={"model": "acme/none", "stream": False})
    assert whole.status_code >= 400
    assert "the hub does not give acme/none" in whole.json()["error"]
    lines = pulling_live.post("/api/pull", json={"model": "acme/none"}).text.splitlines()
    assert set(json.loads(lines[-1])) == {"error"}


def test_pulling_is_off_unless_it_is_allowed(tiny_live):
    reply = tiny_live.post("/api/pull", json={"model": "acme/tiny"})
    assert reply.status_code == 400
    assert "server.pull" in reply.json()["error"]


@pytest.mark.parametrize(
    "name", ["tiny", "../../etc/passwd", "a/b/c", "https://x/y", "acme/tiny:../x", "", "a/" + "b" * 200]
)
def test_names_that_are_none_of_the_hub_are_refused(name):
    with pytest.raises(InvalidRequestError):
        repository_of(name)


def test_a_gguf_file_is_found_by_its_quantization(hub, tmp_path):
    for name in ("tiny-Q4_0.gguf", "tiny-Q8_0.gguf"):
        (hub.folder / name).write_bytes(b"GGUF")
    steps = []
    assert repository_of("hf.co/acme/tiny:q4_0") == ("acme/tiny", "q4_0")
    assert download("acme/tiny", "q4_0", steps.append) == "acme/tiny:tiny-Q4_0.gguf"
    assert {step.file for step in steps} == {"tiny-Q4_0.gguf"}
    with pytest.raises(ModelLoadError, match="0 GGUF files have q5 in their name"):
        download("acme/tiny", "q5", steps.append)
    with pytest.raises(ModelLoadError, match="2 GGUF files"):
        download("acme/tiny", "tiny", steps.append)
