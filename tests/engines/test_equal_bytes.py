"""Equal bytes are read alike by all four adapters: charsets, marks, compression, sizes, and odd delays."""

import gzip
import json
import subprocess
import sys
import zlib

import pytest

from tests.engines.bodies import BODY
from tests.engines.conftest import ONE_OF_EACH, ask
from tests.live import ROOT
from visibility.engines.failures import http_failure
from visibility.engines.protocol import EngineError

each = pytest.mark.parametrize("preset", ONE_OF_EACH)
TEXT = "Acme ist für Läufer."
GZIP = {"content-encoding": "gzip"}


def told(preset, charset="utf-8", text=TEXT):
    """A body whose letters stand in it as they are."""
    return json.dumps(BODY[preset](text), ensure_ascii=False).encode(charset)


@each
@pytest.mark.parametrize(
    ("charset", "declared"),
    [
        ("latin-1", "iso-8859-1"),
        ("latin-1", "Latin1"),
        ("cp1252", "windows-1252"),
        ("utf-8", "utf-8"),
        ("utf-8", "iso-8859-1"),
        ("utf-8", ""),
        ("utf-8", "punycode"),
        ("utf-8-sig", "utf-8"),
        ("utf-8-sig", ""),
        ("utf-16", ""),
        ("utf-16-le", "utf-16"),
    ],
)
def test_letters_are_those_that_were_sent(preset, charset, declared, engine, serve):
    kind = f"application/json; charset={declared}" if declared else "application/json"
    serve(told(preset, charset), content_type=kind)
    answer = ask(engine(preset))
    assert answer.text == TEXT
    assert answer.raw.decode() == told(preset).decode(), "kept in UTF-8"


@each
def test_a_broken_character_costs_no_answer(preset, engine, serve):
    serve(told(preset, "latin-1"))
    assert ask(engine(preset)).text == TEXT.encode("latin-1").decode("utf-8", "replace")


@each
@pytest.mark.parametrize(("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_compressed_bodies_are_read(preset, encoding, pack, engine, serve):
    serve(pack(told(preset)), headers={"content-encoding": encoding})
    assert ask(engine(preset)).text == TEXT


@pytest.fixture
def failure(engine, serve):
    def fail(preset, body, **how):
        serve(body, **{name: value for name, value in how.items() if name != "spec"})
        with pytest.raises(EngineError) as raised:
            ask(engine(preset, **how.get("spec", {})))
        return raised.value

    return fail


@each
@pytest.mark.parametrize(
    "damage", [lambda packed: b"no gzip", lambda packed: packed[:-30], lambda packed: packed[:5]]
)
def test_broken_compression_is_a_bad_body_that_may_be_charged(preset, damage, failure):
    error = failure(preset, damage(gzip.compress(told(preset, text=TEXT * 50))), headers=GZIP)
    assert (error.code, error.retryable, error.bill.cost) == ("bad_body", True, None)


@each
def test_a_failure_whose_words_cannot_be_unpacked_is_told_by_its_status(preset, failure):
    error = failure(preset, b"no gzip", status=503, headers=GZIP)
    assert (error.code, error.bill) == ("server_error", None)


@each
@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
@pytest.mark.parametrize("headers", [{}, GZIP])
def test_a_body_above_the_bound_is_not_read(preset, kind, headers, failure, engine, serve):
    body = told(preset, text="Acme. " * 1000)
    most = {"max_body_bytes": len(body) - 1}
    packed = gzip.compress(body) if headers else body
    error = failure(preset, packed, content_type=kind, headers=headers, spec=most)
    assert (error.code, error.retryable, error.bill.cost) == ("too_large", False, None)
    assert f"larger than {len(body) - 1:,} bytes" in error.message
    serve(packed, headers=headers)
    assert ask(engine(preset, max_body_bytes=len(body))).text


@each
def test_a_large_failure_is_told_by_its_status(preset, failure):
    assert failure(preset, b"x" * 9_000, status=429, spec={"max_body_bytes": 5_000}).code == "rate_limited"


@each
def test_what_was_cut_off_is_charged_for_what_it_tells(preset, failure, spec):
    body = BODY[preset]()
    usage = {name: body.pop(name) for name in ("usage", "usageMetadata") if name in body}
    cut = json.dumps({**usage, **body}).encode()[:-9]
    error = failure(preset, cut, spec={"search": False})
    assert (error.code, error.bill.usage["input_tokens"], error.bill.usage["output_tokens"]) == ("bad_body", 10, 5)
    half = failure(preset, json.dumps({**body, **usage}).encode()[:-2], spec={"search": False})
    assert half.bill.cost is None and not any(half.bill.usage.values()), "half of a bill is a wrong one"


@each
@pytest.mark.parametrize(
    "headers",
    [
        {name: value}
        for name in ("retry-after", "retry-after-ms")
        for value in (
            "nan",
            "inf",
            "-inf",
            "-7",
            "1e999",
            "soon",
            "",
            "Wed, 99 Nov 99999 99:99:99 GMT",
            "\u0661e5000",
        )
    ],
    ids=str,
)
@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_delay_that_is_none_is_not_waited_for(preset, headers, status):
    assert http_failure(status, headers, b"{}").retry_after is None


@pytest.mark.parametrize("delay", ["nans", "-1s", "9" * 400 + "s", "1e3s", "s", 5, None, {"seconds": 1}])
def test_nor_one_of_gemini(delay):
    body = {"error": {"code": 429, "details": [{"retryDelay": delay}]}}
    assert http_failure(429, {}, json.dumps(body).encode()).retry_after is None


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), float("-inf")])
def test_no_engine_can_ask_for_such_a_delay(seconds):
    error = EngineError("rate_limited", "Slow.", retryable=True, retry_after=seconds)
    assert error.retry_after is None
    error.retry_after = -5.0
    assert error.retry_after == 0


PEAK = """
import resource, sys
from tests.engines.conftest import ask
from tests.providers.faults import BOMB
from visibility.engines.protocol import EngineError
from visibility.engines.registry import build, _named
from visibility.engines.spec import EngineSpec
spec = EngineSpec(name="t", preset=sys.argv[1], model="m", api_key="k" * 9, base_url=sys.argv[2])
_named(spec.provider.adapter)
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
try:
    ask(build(spec), "[unavailable-503]")
except EngineError:
    before = peak()
try:
    ask(build(spec), "[bomb]")
except EngineError as error:
    print(error.code, peak() - before)
"""


@pytest.mark.parametrize(
    ("preset", "protocol"),
    [("openai", "responses"), ("perplexity", "chat"), ("anthropic", "messages"), ("gemini", "gemini")],
)
def test_a_body_that_swells_is_not_unpacked(preset, protocol, provider):
    """A hundred megabytes in half a megabyte: the process grows by what is read, not by what it would become."""
    command = [sys.executable, "-c", PEAK, preset, provider.base_url(protocol)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    code, grown = done.stdout.split()
    assert code == "too_large"
    assert int(grown) < 30_000_000
