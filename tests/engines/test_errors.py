"""What goes wrong with each adapter, over real HTTP: its kind, whether and when a retry can help, no key in sight."""

import json
import re
import socket
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from werkzeug import Response

from tests.engines.bodies import BODY, raw
from tests.engines.conftest import KEY, ONE_OF_EACH, ask
from visibility.engines.protocol import EngineError
from visibility.engines.registry import build

ANY = re.compile(".*")
each = pytest.mark.parametrize("preset", ONE_OF_EACH)


@pytest.fixture
def failure(engine, serve):
    """The error that a response ends in."""

    def fail(preset, body=b"", status=200, headers=None, content_type="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        serve(data, status=status, headers=headers, content_type=content_type)
        with pytest.raises(EngineError) as raised:
            ask(engine(preset))
        return raised.value

    return fail


@pytest.fixture
def cut_off():
    """A server that sends these bytes to whoever asks, and hangs up."""
    listeners = []

    def start(data):
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)

        def speak():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65536)
                    connection.sendall(data)

        threading.Thread(target=speak, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield start
    for listener in listeners:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def error_body(message="It is so.", code="", kind=""):
    return {"error": {"message": message, "code": code, "type": kind, "status": code}}


@each
@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [
        (400, "invalid_request", False),
        (401, "auth", False),
        (402, "quota_exhausted", False),
        (403, "auth", False),
        (404, "model_not_found", False),
        (408, "timeout", True),
        (413, "context_length", False),
        (422, "invalid_request", False),
        (429, "rate_limited", True),
        (500, "server_error", True),
        (503, "server_error", True),
        (504, "timeout", True),
        (529, "server_error", True),
    ],
)
def test_a_status_alone_tells_the_kind(preset, status, code, retryable, failure):
    error = failure(preset, error_body(), status)
    assert (error.code, error.retryable) == (code, retryable)


@each
@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (400, "Incorrect API key provided", "auth"),
        (400, "API key not valid. Please pass a valid API key.", "auth"),
        (400, "Your credit balance is too low to access the API.", "quota_exhausted"),
        (400, "This model's maximum context length is 8 tokens.", "context_length"),
        (400, "prompt is too long: 300000 tokens > 200000 maximum", "context_length"),
        (400, "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000", "context_length"),
        (
            400,
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
            "context_length",
        ),
        (400, "the request exceeds the available context size. try increasing the context size", "context_length"),
        (400, "The input token count (1200000) exceeds the maximum number of tokens allowed.", "context_length"),
        (400, "Input is too long for requested model.", "context_length"),
        (400, "max_tokens: 100000 > 8192, the maximum allowed number of output tokens", "invalid_request"),
        (404, "The model `gpt-0` does not exist or you do not have access to it.", "model_not_found"),
        (429, "You have used all credits or reached your monthly spending limit.", "quota_exhausted"),
        (429, "Slow down: tokens of the context window per minute are used up.", "rate_limited"),
        (403, "Your input was flagged by moderation.", "content_filter"),
    ],
)
def test_words_tell_apart_what_a_status_mixes(preset, status, message, code, failure):
    assert failure(preset, error_body(message), status).code == code


@each
@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "0", "retry-after": "1"}, 1),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({}, None),
    ],
)
def test_a_rate_limit_says_when(preset, headers, seconds, failure):
    assert failure(preset, error_body(), 429, headers).retry_after == seconds


@each
def test_a_date_is_a_delay_too(preset, failure):
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 20 < failure(preset, error_body(), 429, {"retry-after": soon}).retry_after <= 30


@each
def test_a_daily_quota_of_gemini_is_exhausted_and_one_of_a_minute_is_not(preset, failure):
    def details(quota):
        violation = {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota}]}
        delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "12.5s"}
        return {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [violation, delay]}}

    daily = failure(preset, details("GenerateRequestsPerDayPerProjectPerModel"), 429)
    minute = failure(preset, details("GenerateRequestsPerMinutePerProjectPerModel"), 429)
    assert (daily.code, daily.retryable) == ("quota_exhausted", False)
    assert (minute.code, minute.retryable, minute.retry_after) == ("rate_limited", True, 12.5)


@each
def test_a_provider_that_says_not_to_retry_is_believed(preset, failure):
    assert not failure(preset, error_body(), 500, {"x-should-retry": "false"}).retryable


@each
@pytest.mark.parametrize(
    ("body", "code", "retryable"),
    [
        (error_body("Quota.", "insufficient_quota"), "quota_exhausted", False),
        (error_body("Slow.", "rate_limit_exceeded"), "rate_limited", True),
        ({"error": {"code": 502, "message": "Bad gateway upstream"}}, "server_error", True),
        ({"error": "it broke"}, "server_error", True),
    ],
)
def test_an_error_inside_a_200_is_an_error(preset, body, code, retryable, failure):
    error = failure(preset, body)
    assert (error.code, error.retryable) == (code, retryable)


@each
@pytest.mark.parametrize(
    "body", [b"", b"<html>502</html>", b'{"cut', b"[]", b"null", b"{}", b"[" * 100_000, b'"text"', b'{"output": 3}']
)
def test_what_is_no_answer_is_a_bad_body(preset, body, failure):
    error = failure(preset, body)
    assert (error.code, error.retryable) == ("bad_body", True)


@each
def test_an_html_error_page_is_told_by_its_status(preset, failure):
    error = failure(preset, b"<html>Bad gateway</html>", 502, content_type="text/html")
    assert (error.code, error.retryable) == ("server_error", True)
    assert "<" not in error.message


@each
def test_an_error_that_is_no_json_though_it_says_so(preset, failure):
    error = failure(preset, b"{oops", 500)
    assert (error.code, error.retryable) == ("server_error", True)


@each
def test_an_answer_without_words_is_told_as_such(preset, failure):
    assert failure(preset, raw(preset, "")).code == "empty_answer"


@each
def test_a_silent_provider_times_out(preset, engine, httpserver):
    release = threading.Event()

    def hang(request):
        release.wait(10)
        return Response(b"{}")

    httpserver.expect_request(ANY).respond_with_handler(hang)
    try:
        with pytest.raises(EngineError) as raised:
            ask(engine(preset, timeout=0.3))
    finally:
        release.set()
    assert (raised.value.code, raised.value.retryable) == ("timeout", True)


@each
def test_nobody_there_is_told(preset, spec):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(EngineError) as raised:
        ask(build(replace(spec(preset), base_url=address)))
    assert (raised.value.code, raised.value.retryable) == ("unreachable", True)


@each
def test_a_body_that_breaks_off_is_told(preset, spec, cut_off):
    whole = raw(preset)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(whole)
    with pytest.raises(EngineError) as raised:
        ask(build(replace(spec(preset), base_url=cut_off(head + whole[:-20]))))
    assert (raised.value.code, raised.value.retryable) == ("bad_body", True)


@each
def test_a_connection_that_closes_at_once_is_told(preset, spec, cut_off):
    with pytest.raises(EngineError) as raised:
        ask(build(replace(spec(preset), base_url=cut_off(b""))))
    assert (raised.value.code, raised.value.retryable) == ("unreachable", True)


@each
def test_no_redirect_is_followed_with_the_key(preset, engine, httpserver):
    httpserver.expect_request("/stolen").respond_with_json({})
    httpserver.expect_request(ANY).respond_with_data(
        b"", status=307, headers={"location": httpserver.url_for("/stolen")}
    )
    with pytest.raises(EngineError) as raised:
        ask(engine(preset))
    assert (raised.value.code, raised.value.retryable) == ("invalid_request", False)
    assert not [request for request, _ in httpserver.log if request.path == "/stolen"]


@each
@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 429, 500])
def test_a_key_that_the_provider_repeats_is_not_passed_on(preset, status, failure):
    error = failure(preset, error_body(f"Bad key {KEY}, wrong {KEY}"), status)
    assert KEY not in f"{error!r} {error} {error.message} {error.args} {error.__cause__!r}"


@each
def test_nor_in_an_answer(preset, engine, serve):
    serve(raw(preset, f"Your key is {KEY}."))
    answer = ask(engine(preset))
    assert answer.text == "Your key is [key]."
    assert KEY.encode() not in answer.raw
    assert KEY not in repr(engine(preset)) + repr(answer)


def test_there_is_a_body_for_each_adapter():
    assert set(BODY) == set(ONE_OF_EACH)
