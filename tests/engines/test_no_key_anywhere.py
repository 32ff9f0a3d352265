"""Scans through every adapter and every failure; afterwards the keys are looked for wherever they could have gone."""

import importlib
import logging
import re
import time
import zlib

import psutil
import pytest
from django.apps import apps
from pytest_httpserver import HTTPServer
from werkzeug import Response

from apikeys.caller import Caller
from tests.engines.bodies import raw
from tests.engines.conftest import BASE_PATHS, ONE_OF_EACH
from tests.factories import BrandFactory, PromptFactory, UserFactory
from tests.people.browser import Browser
from visibility.engines.presets import PRESETS
from visibility.models import Answer, RawBody, Run
from visibility.scans import asking
from visibility.scans.runner import execute
from visibility.services.engines import add_engine, try_engine
from visibility.services.scans import start_scan

OPERATOR = Caller.system("test")
KEYS = {preset: f"sk-secret+of/{preset}-4711" for preset in ONE_OF_EACH}
ERRORS = {
    "told-401": (401, '{"error": {"message": "Incorrect API key provided: %s"}}'),
    "told-400": (400, '{"error": {"message": "Invalid header: %s", "code": "invalid_request_error"}}'),
    "told-403": (403, '{"error": "key %s is not allowed here"}'),
    "told-429": (429, '{"error": {"message": "too fast with %s", "code": "rate_limit_exceeded"}}'),
    "told-500": (500, "<html>upstream saw %s</html>"),
    "told-503": (503, '{"error": {"message": "down for %s"}}'),
    "inside-200": (200, '{"error": {"message": "quota of %s", "code": "insufficient_quota"}}'),
    "broken-200": (200, '{"key": "%s"'),
    "page-200": (200, "<html>%s</html>"),
    "redirect": (302, "%s"),
    "hang": (0, ""),
    "echo": (200, ""),
}


@pytest.fixture
def brand(db):
    brand = BrandFactory()
    for fault in ERRORS:
        PromptFactory(brand=brand, text=f"which shoes are best, {fault}?", topic=fault)
    return brand


@pytest.fixture
def loopback():
    """A server that works on several requests at once: one that hangs keeps no other waiting."""
    with HTTPServer(threaded=True) as server:
        yield server


@pytest.fixture
def providers(brand, loopback, monkeypatch):
    """An engine of each adapter; the question says how the provider is to fail, and it repeats the key."""

    def answer(request):
        body = request.get_data(as_text=True)
        fault = next((name for name in ERRORS if name in body), "told-400")
        preset = next(name for name in ONE_OF_EACH if f"model-of-{name}" in body + request.path)
        status, words = ERRORS[fault]
        if fault == "hang":
            time.sleep(4)
        if fault in ("hang", "echo"):
            return Response(raw(preset, f"Acme. Your key is {KEYS[preset]}."), content_type="application/json")
        headers = {"location": f"/elsewhere?key={KEYS[preset]}", "x-echo": KEYS[preset]}
        return Response(words.replace("%s", KEYS[preset]), status, headers, content_type="application/json")

    loopback.expect_request(re.compile(".*")).respond_with_handler(answer)
    monkeypatch.setattr(asking, "ANSWER_SECONDS", 3.0)
    monkeypatch.setattr(asking, "ATTEMPTS", 1)
    for preset in ONE_OF_EACH:  # before the clock runs
        importlib.import_module(PRESETS[preset].adapter.rpartition(".")[0])
    for preset, key in KEYS.items():
        monkeypatch.setenv(f"{preset.upper()}_TESTED_API_KEY", key)
    return [
        add_engine(
            OPERATOR,
            name=f"tested-{preset}",
            provider=preset,
            model=f"model-of-{preset}",
            base_url=loopback.url_for(BASE_PATHS[PRESETS[preset].adapter]).rstrip("/"),
            key_variable=f"{preset.upper()}_TESTED_API_KEY",
            search=True,
            concurrency=12,
            enabled=True,
        )
        for preset in ONE_OF_EACH
    ]


def everything_stored():
    """Every value of every row of every table, raw bodies unpacked."""
    rows = [repr(list(model._base_manager.values())) for model in apps.get_models()]
    return "\n".join([*rows, *(repr(zlib.decompress(body.body)) for body in RawBody.objects.all())])


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_no_key_is_found_after_every_failure(brand, providers, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    run = start_scan(OPERATOR, brand_id=brand.pk, trigger=Run.Trigger.OPERATOR, samples=1).run
    execute(run.pk, "worker-1")
    run.refresh_from_db()
    told = [repr(run.error_message)]
    for engine in providers:
        with pytest.raises(Exception) as failed:
            try_engine(OPERATOR, engine=engine)
        told.append(f"{failed.value!r} {failed.value.__cause__!r} {failed.value.__context__!r}")

    answers = Answer.objects.filter(run=run)
    assert (run.done, run.failed) == (4, 4 * (len(ERRORS) - 1))
    assert set(answers.filter(state="answered").values_list("text", flat=True)) == {"Acme. Your key is [key]."}
    codes = set(answers.filter(state="failed").values_list("error_code", flat=True))
    assert codes == {
        "auth",
        "invalid_request",
        "rate_limited",
        "server_error",
        "quota_exhausted",
        "bad_body",
        "timeout",
    }

    pages = Browser(UserFactory(is_staff=True, is_superuser=True))
    addresses = [
        "/admin/visibility/engineconfig/",
        "/admin/visibility/answer/",
        f"/admin/visibility/run/{run.pk}/change/",
    ]
    addresses += [f"/admin/visibility/engineconfig/{engine.pk}/change/" for engine in providers]
    addresses += [f"/admin/visibility/answer/{answer.pk}/change/" for answer in answers]
    shown = [pages.open(address).content.decode() for address in addresses]

    process = psutil.Process()
    arguments = [repr(each.cmdline()) for each in [process, *process.children(recursive=True)]]
    out, err = capfd.readouterr()
    places = {
        "database": everything_stored(),
        "logs": caplog.text,
        "output": out + err,
        "errors": "\n".join(told),
        "pages": "\n".join(shown),
        "arguments": "\n".join(arguments),
    }
    assert all(len(text) > 10 for name, text in places.items() if name != "output")
    found = [(place, preset) for place, text in places.items() for preset, key in KEYS.items() if key in text]
    assert found == []
