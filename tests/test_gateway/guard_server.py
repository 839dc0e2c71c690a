"""A server of a guard model, on a real socket: it replies what a test tells it to, and keeps what it was asked."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class GuardServer:
    """Attributes:
    asked: Path, headers and body of each request.
    reply: Makes of a request's messages what the model says.
    raw: Writes what is sent instead, where it is there.
    """

    def __init__(self, reply: Callable[[list[dict[str, str]]], str]) -> None:
        self.reply = reply
        self.raw: Callable[[BaseHTTPRequestHandler], None] | None = None
        self.asked: list[tuple[str, dict[str, str], dict[str, object]]] = []
        self.url = ""


def says_unsafe(messages: list[dict[str, str]]) -> str:
    """Llama Guard, to which everything with `evil` at its end is unsafe."""
    return "unsafe\nS1,S10" if "evil" in messages[-1]["content"].lower() else "safe"


@contextmanager
def guard_server(reply: Callable[[list[dict[str, str]]], str] = says_unsafe) -> Iterator[GuardServer]:
    state = GuardServer(reply)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            state.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            if state.raw is not None:
                self.close_connection = True
                try:
                    state.raw(self)
                except OSError:
                    return  # whoever asked has gone
                return
            said = state.reply(body["messages"])
            choice = said if isinstance(said, dict) else {"message": {"role": "assistant", "content": said}}
            data = json.dumps({"choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *told: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
