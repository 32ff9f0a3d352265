"""Scans through every adapter and every failure; afterwards the keys are looked for wherever they could have gone."""

import logging
import zlib

import psutil
import pytest
from django.apps import apps

from apikeys.operators import system_caller
from tests.factories import BrandFactory, PromptFactory, UserFactory
from tests.people.browser import Browser
from tests.providers.engines import add_loopback_engines, key, key_variable
from tests.providers.faults import ECHO, FAULTS, PARTIAL, PROTOCOLS
from visibility.models import Answer, EngineConfig, RawBody, Run
from visibility.pipeline.ask import calling
from visibility.pipeline.runner import execute
from visibility.services.engines import configuring as engines
from visibility.services.scans.starting import start_scan

OPERATOR = system_caller("test")
KEYS = {protocol: key(protocol) for protocol in PROTOCOLS}
QUESTIONS = [*FAULTS, ECHO.name]
ANSWERED = {"Acme. Your key is [key].", PARTIAL, ""}
"""The last one was held back."""


@pytest.fixture
def brand(db):
    brand = BrandFactory()
    for fault in QUESTIONS:
        PromptFactory(brand=brand, text=f"which shoes are best [{fault}]?", topic=fault)
    return brand


@pytest.fixture
def configured(provider, monkeypatch):
    """An engine of each adapter, whose provider repeats the key in whatever it says."""
    monkeypatch.setattr(calling, "ANSWER_SECONDS", 4.0)
    add_loopback_engines(provider, environ := {}, concurrency=len(QUESTIONS))
    for protocol in PROTOCOLS:
        monkeypatch.setenv(key_variable(protocol), environ[key_variable(protocol)])
    return list(EngineConfig.objects.all())


def everything_stored():
    """Every value of every row of every table, raw bodies unpacked."""
    rows = [repr(list(model._base_manager.values())) for model in apps.get_models()]
    return "\n".join([*rows, *(repr(zlib.decompress(body.body)) for body in RawBody.objects.all())])


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_no_key_is_found_after_every_failure(brand, configured, provider, monkeypatch, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    run = start_scan(OPERATOR, brand_id=brand.pk, trigger=Run.Trigger.OPERATOR, samples=1).run
    execute(run.pk, "worker-1")
    run.refresh_from_db()
    told = [repr(run.error_message)]
    monkeypatch.setattr(engines, "TRIAL", "Which shoes [bad-key-400]?")
    for engine in configured:
        with pytest.raises(Exception) as failed:
            engines.try_engine(OPERATOR, engine=engine)
        told.append(f"{failed.value!r} {failed.value.__cause__!r} {failed.value.__context__!r}")

    answers = Answer.objects.filter(run=run)
    assert set(answers.filter(state="answered").values_list("text", flat=True)) == ANSWERED
    assert (run.done, run.failed) == (3 * 4, (len(QUESTIONS) - 3) * 4)
    codes = set(answers.filter(state="failed").values_list("error_code", flat=True))
    assert codes == {fault.code for fault in FAULTS.values() if fault.code}
    assert provider.book().asked().keys() >= {
        (protocol, f"which shoes are best [{fault}]?") for protocol in PROTOCOLS for fault in QUESTIONS
    }

    pages = Browser(UserFactory(is_staff=True, is_superuser=True))
    addresses = [
        "/admin/visibility/engineconfig/",
        "/admin/visibility/answer/",
        f"/admin/visibility/run/{run.pk}/change/",
        f"/brands/{brand.pk}",
        f"/brands/{brand.pk}/scan",
    ]
    addresses += [f"/admin/visibility/engineconfig/{engine.pk}/change/" for engine in configured]
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
    found = [(place, name) for place, text in places.items() for name, secret in KEYS.items() if secret in text]
    assert found == []
