"""What goes wrong, over real HTTP: its code, whether and when asking again helps, what it costs, no key in sight."""

import asyncio
import gzip
import json
import logging
import socket
import traceback
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from aiohttp import web

from tests.engines.bodies import BODIES, raw
from tests.engines.serving import KEY, Said, ask, ask_once, settings
from visibility.engines import Bill, EngineError, Reply
from visibility.engines.asking import DIALECTS
from visibility.engines.protocols.chat import Chat

UNKNOWN = Bill()


def outcome(body=b"", status=200, headers=None, preset="openai", **changes):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return ask_once(preset, Said(content, status, headers or {}).handle, **changes)


def error_body(message="It is so.", code="", kind=""):
    return {"error": {"message": message, "code": code, "type": kind, "status": code}}


@pytest.mark.parametrize("preset", BODIES)
def test_a_status_alone_has_its_code(preset):
    expected = {
        400: ("invalid_request", False),
        401: ("auth", False),
        402: ("quota", False),
        403: ("auth", False),
        404: ("unknown_model", False),
        408: ("timeout", True),
        413: ("invalid_request", False),
        422: ("invalid_request", False),
        429: ("rate_limited", True),
        500: ("server_error", True),
        503: ("server_error", True),
        504: ("timeout", True),
        529: ("server_error", True),
    }
    for status, wanted in expected.items():
        for body in (error_body(), b"<html>Bad gateway</html>", b""):
            error = outcome(body, status, preset=preset)
            assert ((error.code, error.can_retry), error.bill) == (wanted, None), status
            assert error.message and "<" not in error.message


class Faulty(Chat):
    """A protocol with errors in a form of its own."""

    def error_of(self, body):
        fault = body.get("fault")
        codes = {"rate": "rate_limit", "quota": "insufficient_quota"}
        error = fault and {"code": codes[fault["why"]], "message": fault["say"], "retry_after": fault.get("in")}
        return {"error": error} if fault else body


def test_a_protocol_may_have_errors_of_its_own_form(monkeypatch):
    monkeypatch.setitem(DIALECTS, "chat", Faulty)
    expected = [
        ("rate", 7, "rate_limited", 7.0),
        ("rate", "soon", "rate_limited", None),
        ("quota", None, "quota", None),
    ]
    for why, wait, code, seconds in expected:
        for status in (429, 200):
            error = outcome({"fault": {"why": why, "say": "It is so.", "in": wait}}, status, preset="openai-chat")
            assert (error.code, error.message, error.retry_after) == (code, "It is so.", seconds), (why, status)


def test_words_decide_where_a_status_means_several_things():
    expected = [
        (400, "Incorrect API key provided", "auth"),
        (400, "API key not valid. Please pass a valid API key.", "auth"),
        (400, "Your credit balance is too low to access the API.", "quota"),
        (400, "prompt is too long: 300000 tokens > 200000 maximum", "invalid_request"),
        (404, "The model `gpt-0` does not exist or you do not have access to it.", "unknown_model"),
        (400, "gpt-0 is not a valid model ID: model gpt-0 not found", "unknown_model"),
        (429, "You have used all credits or reached your monthly spending limit.", "quota"),
        (429, "Slow down: tokens of the context window per minute are used up.", "rate_limited"),
        (403, "Your input was flagged by moderation.", "invalid_request"),
    ]
    for status, message, code in expected:
        assert outcome(error_body(message), status).code == code, message


def test_an_error_inside_a_200_is_an_error_with_its_bill_where_it_says_one():
    expected = [
        (error_body("Quota.", "insufficient_quota"), "quota", False),
        (error_body("Slow.", "rate_limit_exceeded"), "rate_limited", True),
        (error_body("No.", "", "invalid_request_error"), "invalid_request", False),
        ({"error": {"code": 502, "message": "Bad gateway upstream"}}, "server_error", True),
        ({"error": "it broke"}, "server_error", True),
        ({"status": "failed", "output": []}, "server_error", True),
    ]
    for body, code, can_retry in expected:
        error = outcome(body)
        assert (error.code, error.can_retry, error.bill) == (code, can_retry, None), body
        billed = outcome({**body, "model": "gpt-5", "usage": {"input_tokens": 1_000_000, "output_tokens": 0}})
        assert billed.bill.cost == 1.25 and billed.bill.cost_source == "computed"


def test_the_wait_that_a_provider_asks_for_is_read_and_bounded():
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    expected = [
        ({"retry-after": "7"}, 7),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "0", "retry-after": "1"}, 1),
        ({"retry-after": "86400"}, 120),
        ({"retry-after": "1e999"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({}, None),
    ]
    for headers, seconds in expected:
        assert outcome(error_body(), 429, headers).retry_after == seconds, headers
    assert 20 < outcome(error_body(), 429, {"retry-after": soon}).retry_after <= 30
    assert not outcome(error_body(), 500, {"x-should-retry": "false"}).can_retry


def test_gemini_says_in_its_details_how_long_and_whether_the_day_is_over():
    def details(quota):
        violation = {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota}]}
        delay = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "12.5s"}
        return {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [violation, delay]}}

    daily = outcome(details("GenerateRequestsPerDayPerProjectPerModel"), 429, preset="gemini")
    minute = outcome(details("GenerateRequestsPerMinutePerProjectPerModel"), 429, preset="gemini")
    assert (daily.code, daily.can_retry) == ("quota", False)
    assert (minute.code, minute.can_retry, minute.retry_after) == ("rate_limited", True, 12.5)


@pytest.mark.parametrize("preset", BODIES)
def test_a_success_that_is_no_answer_is_charged(preset):
    for body in (b"", b'{"cut', b"[]", b"null", b"[" * 100_000, b'"text"'):
        error = outcome(body, preset=preset)
        assert (error.code, error.can_retry, error.bill) == ("bad_body", True, UNKNOWN), body[:20]
    lacking = outcome(b'{"output": 3}', preset=preset)
    assert (lacking.code, lacking.bill.cost) == ("bad_body", None)
    wordless = outcome(raw(preset, ""), preset=preset)
    assert (wordless.code, wordless.can_retry) == ("empty_answer", True)
    assert wordless.bill.usage["output_tokens"] == 5


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"<!doctype html><html><title>Login</title></html>", "an HTML page"),
        (b"\xef\xbb\xbf\n <HTML>502</HTML>", "an HTML page"),
        (b'data: {"choices": []}\n\ndata: [DONE]\n', "an event stream"),
        (b': PROCESSING\n\nevent: message\ndata: {"a": 1}\n', "an event stream"),
        (b'{"message": {"content": "Ac"}}\n{"message": {"content": "me"}}\n', "an event stream"),
    ],
)
@pytest.mark.parametrize("preset", BODIES)
def test_a_page_or_a_stream_with_200_is_neither_charged_nor_asked_for_again(preset, body, what):
    error = outcome(body, preset=preset)
    assert (error.code, error.can_retry, error.bill) == ("invalid_request", False, None)
    assert what in error.message and "base URL" in error.message


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ({"code": "1113", "msg": "Insufficient balance, please recharge"}, "quota", "Insufficient balance"),
        ({"code": 404, "message": "gpt-0 does not exist", "object": "error"}, "unknown_model", "gpt-0 does not"),
        ({"object": "error", "message": "Model m not found", "code": "404"}, "unknown_model", "Model m not found"),
        ({"detail": "Not Found"}, "unknown_model", "Not Found"),
        ({"detail": [{"loc": ["body"], "msg": "invalid_argument: model"}]}, "invalid_request", "invalid_argument"),
        ({"errors": ["Too many requests"]}, "rate_limited", "Too many requests"),
        ({"error": [{"message": "Overloaded."}]}, "server_error", "Overloaded."),
        ({"error": {"error": {"message": "Insufficient credits"}}}, "quota", "Insufficient credits"),
        ({"error": "insufficient_quota", "error_description": "Pay first."}, "quota", "Pay first."),
        ([{"error": {"code": 429, "message": "Slow down."}}], "rate_limited", "Slow down."),
        ({"error_code": 17, "error_msg": "Requests per day are used up"}, "quota", "Requests per day"),
    ],
)
@pytest.mark.parametrize("preset", BODIES)
def test_an_error_of_any_form_with_200_says_its_own_words_and_costs_nothing(preset, body, code, words):
    error = outcome(json.dumps(body).encode(), preset=preset)
    assert (error.code, error.bill) == (code, None)
    assert error.message.startswith(words)


REGION = "Country, region, or territory not supported"


@pytest.mark.parametrize(
    ("status", "body", "code", "words"),
    [
        (403, error_body(REGION, "unsupported_country_region_territory"), "auth", REGION),
        (400, error_body("User location is not supported for the API use."), "auth", "User location is not"),
        (401, error_body("You must be a member of an organization", "no_organization"), "auth", "You must be"),
        (403, error_body("Your project has been denied access."), "auth", "Your project has been denied access."),
        (401, error_body("Incorrect API key provided: sk-ab***yz"), "auth", "The provider refused the key."),
        (401, error_body("It is so.", "invalid_api_key"), "auth", "The provider refused the key."),
        (403, {"detail": "Invalid authentication credentials"}, "auth", "The provider refused the key."),
        (401, b"", "auth", "The provider answered with status 401 and nothing else. Check the engine's key."),
        (402, b"Add credits first.", "quota", "Add credits first."),
        (400, b'"insufficient balance"', "quota", "insufficient balance"),
        (400, [{"message": "The context window is full"}, {"message": "x"}], "invalid_request", "The context window"),
        (429, error_body("Rate limit exceeded: free-models-per-day", 429), "quota", "Rate limit exceeded: free"),
        (429, error_body("Limit of requests per day", "rate_limit_exceeded"), "quota", "Limit of requests per day"),
        (429, error_body("Rate limit exceeded: free-models-per-min", 429), "rate_limited", "Rate limit exceeded"),
    ],
)
def test_a_failure_speaks_of_the_key_only_where_the_words_of_the_provider_do(status, body, code, words):
    error = outcome(body, status)
    assert error.code == code
    assert error.message.startswith(words)


def test_an_answer_that_reasoning_used_up_is_not_asked_for_again():
    body = BODIES["openai"]("", status="incomplete", incomplete_details={"reason": "max_output_tokens"})
    error = outcome(body)
    assert (error.code, error.can_retry) == ("empty_answer", False)
    assert "Raise the engine's limit" in error.message


def test_a_refusal_is_an_answer_without_text():
    part = {"type": "refusal", "refusal": "I cannot help with that."}
    refusals = {
        "openai": {"output": [{"type": "message", "content": [part]}]},
        "openai-chat": {"choices": [{"finish_reason": "content_filter", "message": {"content": ""}}]},
        "anthropic": {"content": [], "stop_reason": "refusal"},
        "gemini": {"promptFeedback": {"blockReason": "SAFETY"}, "candidates": []},
    }
    for preset, body in refusals.items():
        reply = outcome({**BODIES[preset](), **body}, preset=preset)
        assert isinstance(reply, Reply) and reply.refused, (preset, reply)


def test_a_body_beyond_the_bound_is_not_read_compressed_or_not():
    large = b'{"output": "' + b"x" * 10_000_000 + b'"}'
    for body, headers in ((large, {}), (gzip.compress(large), {"content-encoding": "gzip"})):
        error = outcome(body, 200, headers)
        assert (error.code, error.can_retry, error.bill) == ("too_large", False, UNKNOWN)
    small = gzip.compress(raw("openai"))
    assert outcome(small, 200, {"content-encoding": "gzip"}).text == "Acme makes good shoes."
    broken = outcome(small[:-20], 200, {"content-encoding": "gzip"})
    assert (broken.code, broken.bill) == ("bad_body", UNKNOWN)


def test_a_silent_provider_is_left_and_may_have_charged():
    async def hang(request):
        await asyncio.sleep(3)
        return web.Response()

    error = ask_once("openai", hang, timeout=0.2)
    assert (error.code, error.can_retry, error.bill) == ("timeout", True, UNKNOWN)


def test_who_sends_a_byte_now_and_then_is_left_too():
    async def drip(request):
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(50):
            await response.write(b" ")
            await asyncio.sleep(0.1)
        return response

    error = ask_once("openai", drip, timeout=0.2)
    assert (error.code, error.bill) == ("timeout", UNKNOWN)


def test_a_cut_answer_is_charged_and_a_connection_that_never_was_is_not():
    async def cut(request):
        response = web.StreamResponse(headers={"content-length": "1000"})
        await response.prepare(request)
        await response.write(b'{"output": [')
        request.transport.close()
        return response

    async def hang_up(request):
        request.transport.close()
        return web.Response()

    broken, closed = ask_once("openai", cut), ask_once("openai", hang_up)
    assert (broken.code, broken.can_retry, broken.bill) == ("bad_body", True, UNKNOWN)
    assert (closed.code, closed.can_retry, closed.bill) == ("unreachable", True, None)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = asyncio.run(ask(settings("openai", f"http://127.0.0.1:{free.getsockname()[1]}")))
    assert (nobody.code, nobody.can_retry, nobody.bill) == ("unreachable", True, None)


def test_what_is_no_http_is_an_error_without_the_key():
    async def asked(answer):
        async def speak(reader, writer):
            await reader.read(1000)
            writer.write(answer)
            writer.close()

        async with await asyncio.start_server(speak, "127.0.0.1", 0) as server:
            return await ask(settings("openai", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"))

    for answer in (
        b"\0\xff garbage\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000 + b"\r\n\r\n",
        b"HTTP/9 x\r\n",
    ):
        error = asyncio.run(asked(answer))
        assert error.code in ("bad_body", "unreachable"), answer[:20]
        assert KEY not in f"{error.__context__!r} {error.__cause__!r} {error.message}"


def test_turns_before_a_failure_are_charged():
    said = Said()

    async def pause_once(request):
        said.body = raw("anthropic", stop_reason="pause_turn", model="claude-haiku-4-5")
        said.status = 200 if not said.requests else 529
        return await said.handle(request)

    error = ask_once("anthropic", pause_once, search=True)
    assert error.code == "server_error" and error.bill.usage["input_tokens"] == 10 and error.bill.cost > 0


def test_no_redirect_is_followed_with_the_key():
    said = Said(status=307, headers={"location": "/stolen"})
    error = ask_once("openai", said.handle)
    assert (error.code, error.can_retry) == ("invalid_request", False)
    assert [path for path, _, _ in said.requests] == ["/responses"]


def test_cookies_are_not_kept():
    said = Said(raw("anthropic", stop_reason="pause_turn"), headers={"set-cookie": "session=1"})
    ask_once("anthropic", said.handle)
    assert len(said.requests) == 5 and all("cookie" not in headers for _, headers, _ in said.requests)


def test_a_key_is_blotted_wherever_the_provider_repeats_it(caplog):
    caplog.set_level(logging.DEBUG)
    escaped = "".join(f"\\u{ord(sign):04X}" for sign in KEY)
    for form in (KEY, KEY.replace("-", "%2D"), escaped):
        for status in (200, 400, 401, 404, 429, 500):
            said = f'{{"error": {{"message": "Bad key {form}, wrong {form}"}}}}'.encode()
            error = outcome(said, status, {"x-key": KEY})
            shown = "".join(traceback.format_exception(error)) + f"{error!r} {error.message} {error.__context__!r}"
            assert KEY not in shown and form not in shown
        reply = outcome(raw("openai").replace(b"good", form.encode()))
        assert reply.text == "Acme makes [key] shoes."
        assert form.encode() not in reply.raw and KEY not in repr(reply)
    assert KEY not in caplog.text


def test_a_key_is_not_sent_where_others_could_read_it():
    for url in ("http://8.8.8.8/v1", "http://dns.google:1/v1", "http://[2001:4860:4860::8888]/v1"):
        error = asyncio.run(ask(settings("openai", url, timeout=1)))
        assert isinstance(error, EngineError) and not error.bill, url
        assert error.code == "invalid_request" or "dns.google" in url, url
    line_break = asyncio.run(ask(settings("openai", api_key=f"{KEY}\n")))
    assert (line_break.code, line_break.can_retry) == ("auth", False)


def test_addresses_with_secrets_of_clouds_are_refused():
    barred = ["169.254.169.254", "[fd00:ec2::254]", "metadata.google.internal", "100.100.100.200", "0.0.0.0"]
    barred += ["[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "[fe80::1]"]
    for host in barred:
        error = asyncio.run(ask(settings("ollama", f"http://{host}/v1", api_key="", timeout=1)))
        assert (error.code, error.can_retry) == ("invalid_request", False), host
    for url in ("ftp://example.com", "https://", "nonsense", "http://u:p@127.0.0.1/", "http://127.0.0.1:99999/"):
        assert asyncio.run(ask(settings("ollama", url))).code == "invalid_request", url


def test_a_name_that_leads_to_a_barred_address_is_refused(monkeypatch):
    async def lead_astray(*args, **kwargs):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("169.254.169.254", 80))]

    async def asked():
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", lead_astray)
        return await ask(settings("openai", "https://api.example.com/v1"))

    error = asyncio.run(asked())
    assert (error.code, error.can_retry) == ("invalid_request", False)
    assert "link-local" in error.message
