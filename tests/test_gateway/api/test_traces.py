"""A span for each request, with what was checked of its answers; never what they say, nor whose they are."""

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest
from guarded_dialects import DIALECTS
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from scripted import policies, scripted
from served_process import served
from serving import config_for, serving

from gateway.api.operation.observation import Reply
from gateway.api.operation.traces import measure_with
from gateway.audit.request_record import RequestRecord
from gateway.config import AuditConfig, ServerConfig
from gateway.core.answer import Usage
from gateway.errors import ConfigError
from gateway.hosting.tracing import tracing

KEY = "sesame"
BOOLEAN = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "boolean"}}}
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Traced:
    """A server and the spans of what it is asked."""

    def __init__(self, live, exporter):
        self.live = live
        self._exporter = exporter

    def span(self, path, method="POST", headers=(), **kwargs):
        """The one span of a request, and its reply."""
        self.clear()
        headers = {"authorization": f"Bearer {KEY}", **dict(headers)}
        reply = self.live.http.request(method, path, headers=headers, **kwargs)
        return self.last(), reply

    def clear(self):
        self._exporter.clear()

    def last(self):
        """The one that there is, once there is."""
        end = time.monotonic() + 10
        while not (spans := [each for each in self.finished() if each.kind is SpanKind.SERVER]):
            assert time.monotonic() < end, "there is no span"
            time.sleep(0.005)
        (span,) = spans
        return span

    def finished(self):
        return self._exporter.get_finished_spans()

    def chat(self, *, headers=(), **fields):
        body = {"model": "test-model", "messages": [{"role": "user", "content": "Say something."}], **fields}
        return self.span("/v1/chat/completions", headers=headers, json=body)


@pytest.fixture(scope="module", params=["alone", "audited"])
def traced(request, tiny_model, tmp_path_factory):
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    audit = AuditConfig(url=str(tmp_path_factory.mktemp("audit") / "a.db") if request.param == "audited" else None)
    config = config_for(tiny_model, server=ServerConfig(port=0, api_keys=(KEY,)), audit=audit)
    with serving(config, provider.get_tracer("test")) as live:
        yield Traced(live, exporter)


def checks_of(span):
    assert {event.name for event in span.events} <= {"gen_ai.evaluation.result"}
    return [
        {name.removeprefix("gen_ai.evaluation."): value for name, value in e.attributes.items()} for e in span.events
    ]


@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "stream"])
def test_a_chat_is_a_span_with_its_usage_and_its_checks(traced, is_streamed):
    span, reply = traced.chat(response_format=BOOLEAN, n=2, max_tokens=20, stream=is_streamed)
    assert reply.status_code == 200
    assert (span.name, span.kind, span.parent) == ("chat test-model", SpanKind.SERVER, None)
    assert span.status.status_code is StatusCode.UNSET
    assert span.end_time > span.start_time
    told = dict(span.attributes)
    tokens = [told.pop(f"gen_ai.usage.{name}_tokens") for name in ("input", "output")]
    if not is_streamed:
        assert tokens == [reply.json()["usage"][f"{name}_tokens"] for name in ("prompt", "completion")]
    assert min(tokens) > 0
    assert told == {
        "http.request.method": "POST",
        "http.route": "/v1/chat/completions",
        "http.response.status_code": 200,
        "http.response.header.x-request-id": (reply.headers["x-request-id"],),
        "url.scheme": "http",
        "url.path": "/v1/chat/completions",
        "gen_ai.provider.name": "portcullis",
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "test-model",
        "gen_ai.response.finish_reasons": ("stop", "stop"),
        "gen_ai.usage.cache_read.input_tokens": told["gen_ai.usage.cache_read.input_tokens"],
        "gen_ai.usage.reasoning.output_tokens": 0,
    }
    passed = {"name": "schema", "score.label": "passed", "score.value": 1.0}
    assert checks_of(span) == [{**passed, "explanation": "the answer, by jsonschema-rs"}] * 2


def test_stages_of_a_request_are_its_spans_children_within_its_time(traced):
    form = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"enum": ["one", "two"]}}}
    span, _ = traced.chat(response_format=form, max_tokens=30)
    children = [each for each in traced.finished() if each.kind is not SpanKind.SERVER]
    assert all(each.parent.span_id == span.context.span_id for each in children)
    assert all(each.context.trace_id == span.context.trace_id for each in children)
    times = {each.name.removeprefix("portcullis."): (each.start_time, each.end_time) for each in children}
    assert set(times) == {"prepare", "compile", "queue", "prefill", "decode", "verify"}
    assert all(span.start_time <= begin <= end <= span.end_time for begin, end in times.values())
    prepare, compiling, queue, prefill, decode, verify = (
        times[name] for name in ("prepare", "compile", "queue", "prefill", "decode", "verify")
    )
    assert prepare[0] <= compiling[0] <= compiling[1] <= prepare[1] <= queue[0]
    assert queue[1] == prefill[0]
    assert prefill[1] == decode[0]
    assert decode[1] <= verify[1]


def test_metrics_of_requests_have_the_conventions_names():
    reader = InMemoryMetricReader()
    measure = measure_with(MeterProvider([reader]).get_meter("test"))
    reply = Reply(None)
    reply.is_whole, reply.begin = True, reply.begin - 1.0
    first = reply.begin + 0.25
    record = RequestRecord(operation="chat", model="m", first_output_at=first, usage=lambda: Usage(completion_tokens=5))
    measure({}, record, reply)
    measure({}, RequestRecord(), reply)  # no generation
    metrics = reader.get_metrics_data().resource_metrics[0].scope_metrics[0].metrics
    points = {each.name: each.data.data_points[0] for each in metrics}
    assert {name.removeprefix("gen_ai.server."): point.count for name, point in points.items()} == {
        "request.duration": 1,
        "time_to_first_token": 1,
        "time_per_output_token": 1,
    }
    assert points["gen_ai.server.time_to_first_token"].sum == pytest.approx(0.25)
    assert dict(points["gen_ai.server.request.duration"].attributes) == {
        "gen_ai.provider.name": "portcullis",
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
    }
    assert all(metric.unit == "s" for metric in metrics)


POLICY = """default = "p"
[policies.p]
input = [{ guard = "terms", terms = ["Say"], action = "pass" }]
output = [
  { guard = "terms", terms = ["blue"], action = "redact" },
  { guard = "length", max_characters = 40, action = "block" },
]
"""


def test_what_guards_came_to_is_told_without_what_they_found(traced, tmp_path):
    with policies(traced.live, tmp_path, POLICY), scripted(traced.live, "so blue, " * 3):
        span, reply = traced.chat()
    assert "blue" not in reply.text
    assert checks_of(span) == [
        {"name": "terms", "score.label": "passed", "score.value": 1.0, "explanation": "the prompt, by p"},
        {"name": "terms", "score.label": "redacted", "score.value": 0.0, "explanation": "the answer, by p"},
        {"name": "length", "score.label": "passed", "score.value": 1.0, "explanation": "the answer, by p"},
    ]
    with policies(traced.live, tmp_path, POLICY), scripted(traced.live, '"so blue, so very blue, so very very blue"'):
        span, reply = traced.chat(response_format={"type": "json_object"})
    assert span.attributes["gen_ai.response.finish_reasons"] == ("content_filter",)
    first, *_, last = checks_of(span)
    assert first == {"name": "schema", "score.label": "skipped", "explanation": "the answer, by jsonschema-rs"}
    assert (last["name"], last["score.label"], last["score.value"]) == ("length", "blocked", 0.0)


def test_an_answer_that_is_withheld_has_the_check_that_it_failed(traced):
    with scripted(traced.live, "not a boolean"):
        span, reply = traced.chat(response_format=BOOLEAN)
    assert reply.status_code == 500
    assert span.attributes["error.type"] == reply.json()["error"]["code"]
    assert span.status.status_code is StatusCode.ERROR
    (check,) = checks_of(span)
    assert (check["name"], check["score.label"], check["score.value"]) == ("schema", "failed", 0.0)


def test_a_stream_that_fails_is_an_error_whatever_its_status(traced):
    with scripted(traced.live, "not a boolean"):
        span, _ = traced.chat(response_format=BOOLEAN, stream=True)
    assert span.attributes["http.response.status_code"] == 200
    assert span.attributes["error.type"] == "verification_failed"
    assert span.status.status_code is StatusCode.ERROR


@pytest.mark.parametrize(("path", "method", "body", "name", "error"), [
    ("/v1/nowhere/4711", "GET", None, "GET", "route_not_found"),
    ("/v1/chat/completions", "POST", b"{", "POST /v1/chat/completions", "malformed_json"),
    ("/v1/completions", "POST", b'{"model": "x", "prompt": "a"}', "text_completion x", "model_not_found"),
])  # fmt: skip
def test_what_is_refused_is_no_error_of_the_server(traced, path, method, body, name, error):
    span, reply = traced.span(path, method, content=body, headers={"content-type": "application/json"})
    assert (span.name, span.attributes["error.type"]) == (name, error)
    assert span.attributes["http.response.status_code"] == reply.status_code
    assert span.status.status_code is StatusCode.UNSET
    assert span.events == ()


def test_a_span_of_an_address_with_parts_is_named_by_its_pattern(traced):
    span, _ = traced.span("/v1/models/test-model", "GET")
    assert span.name.startswith("GET /v1/models/{")
    assert span.attributes["url.path"] == "/v1/models/test-model"


def test_a_client_that_goes_away_leaves_a_span(traced):
    traced.clear()
    body = {"model": "test-model", "prompt": "a", "max_tokens": 900, "ignore_eos": True, "stream": True}
    headers = {"authorization": f"Bearer {KEY}"}
    with traced.live.http.stream("POST", "/v1/completions", json=body, headers=headers) as reply:
        next(reply.iter_lines())
    span = traced.last()
    assert (span.name, span.attributes["error.type"]) == ("text_completion test-model", "cancelled")
    assert span.status.status_code is StatusCode.UNSET


def test_who_asks_may_be_the_parent(traced):
    span, _ = traced.chat(max_tokens=1, headers={"traceparent": PARENT})
    assert (f"{span.context.trace_id:032x}", f"{span.parent.span_id:016x}") == tuple(PARENT.split("-")[1:3])
    span, _ = traced.chat(max_tokens=1, headers={"traceparent": "00-nonsense"})
    assert span.parent is None


def test_who_asks_not_to_be_sampled_leaves_no_span(traced):
    traced.clear()
    for headers in ({"traceparent": PARENT[:-1] + "0"}, {}):
        headers["authorization"] = f"Bearer {KEY}"
        assert traced.live.get("/v1/models", headers=headers).status_code == 200
    assert traced.last().parent is None


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.__name__)
def test_nothing_of_contents_or_keys_is_told(traced, dialect, monkeypatch):
    traced.clear()
    monkeypatch.setitem(traced.live.http.headers, "authorization", f"Bearer {KEY}")
    with scripted(traced.live, "Rosebud a bc"):
        dialect(traced.live, False)
    span = traced.last()
    told = json.dumps([dict(span.attributes), checks_of(span), span.name])
    assert "chat" in told or "text_completion" in told
    assert [each for each in ("Rosebud", "something", KEY, "Bearer", "authorization") if each in told] == []


def test_who_watches_leaves_no_span(traced):
    traced.clear()
    for path in ("/health", "/ready", "/ping", "/v1/models"):
        assert traced.live.get(path, headers={"authorization": f"Bearer {KEY}"}).status_code == 200
    assert traced.last().name == "GET /v1/models"


class Collector(HTTPServer):
    """Takes what is exported."""

    def __init__(self):
        self.taken = []
        super().__init__(("127.0.0.1", 0), Taker)

    def of(self, path):
        """What came to a path."""
        return [taken for at, _, taken in self.taken if at == path]


class Taker(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        kind = ExportTraceServiceRequest if self.path == "/v1/traces" else ExportMetricsServiceRequest
        self.server.taken.append((self.path, self.headers["x-tenant"], kind.FromString(body)))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        """Nobody reads it."""


def test_spans_are_sent_where_the_environment_says_before_the_end(monkeypatch):
    with Collector() as collector:
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=t")
        monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=lab")
        with tracing(True) as tracer:
            tracer.start_span("one").end()
        monkeypatch.setenv("OTEL_SERVICE_NAME", "ours")
        with tracing(True) as tracer:
            tracer.start_span("two").end()
        collector.shutdown()
    assert [(path, tenant) for path, tenant, _ in collector.taken] == [("/v1/traces", "t")] * 2
    sent = [taken.resource_spans[0] for *_, taken in collector.taken]
    resources = [{each.key: each.value.string_value for each in spans.resource.attributes} for spans in sent]
    assert [resource["service.name"] for resource in resources] == ["portcullis", "ours"]
    assert {resource["deployment.environment.name"] for resource in resources} == {"lab"}
    assert [spans.scope_spans[0].spans[0].name for spans in sent] == ["one", "two"]


def test_the_command_sends_its_spans_before_it_ends(tiny_model, monkeypatch):
    with Collector() as collector:
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
        with served(tiny_model, SERVER_TRACES="true") as command:
            body = {"prompt": "a", "max_tokens": 2, "ignore_eos": True}
            assert httpx.post(f"{command.url}/v1/completions", json=body).status_code == 200
            command.process.terminate()
            assert command.process.wait(30) == 0
        collector.shutdown()
    spans = collector.of("/v1/traces")[0].resource_spans[0].scope_spans[0].spans
    assert spans[-1].name.startswith("text_completion ")
    assert "portcullis.prepare" in {span.name for span in spans}
    metrics = collector.of("/v1/metrics")[-1].resource_metrics[0].scope_metrics[0].metrics
    assert {metric.name for metric in metrics} >= {
        "gen_ai.server.request.duration",
        "gen_ai.server.time_to_first_token",
    }


def test_nothing_is_traced_unasked_or_where_the_environment_forbids_it(monkeypatch):
    with tracing(False) as tracer:
        assert tracer is None
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    with tracing(True) as tracer:
        assert not tracer.start_span("one").is_recording()


def test_tracing_without_the_extra_is_an_error_that_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(ConfigError, match=r"portcullis\[otel\]"), tracing(True):
        pass
