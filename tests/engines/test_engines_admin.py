"""Engines in the staff pages: written through the service, tried over real HTTP, their keys never shown."""

import pytest
from django.db import connection

from apikeys.errors import ErrorCode, ServiceError
from apikeys.operators import system_caller
from tests.engines.bodies import raw
from tests.engines.conftest import KEY
from tests.factories import UserFactory
from tests.people.browser import Browser, text_of
from visibility.admin import engines
from visibility.models import BrandEngine, EngineConfig
from visibility.services.engines.configuring import add_engine

pytestmark = pytest.mark.django_db
LIST, ADD = "/admin/visibility/engineconfig/", "/admin/visibility/engineconfig/add/"


@pytest.fixture
def browser():
    return Browser(UserFactory(is_staff=True, is_superuser=True))


@pytest.fixture
def config(httpserver, monkeypatch):
    """An engine that is pointed at the loopback server, with a key."""
    monkeypatch.setenv("TESTED_API_KEY", KEY)
    return add_engine(
        system_caller("test"),
        name="tested",
        provider="openai",
        model="gpt-5.2",
        base_url=httpserver.url_for("/v1"),
        key_variable="TESTED_API_KEY",
        enabled=True,
    )


def page(config, act="change"):
    return f"{LIST}{config.pk}/{act}/"


def test_an_engine_is_added_and_changed(browser):
    values = {"name": "gpt", "provider": "openai", "model": "gpt-5.2", "key_variable": "OPENAI_API_KEY"}
    answer = browser.submit(ADD, **values, output_price="8.5", requests_per_minute="60")
    assert answer.status_code == 302, text_of(answer)
    config = EngineConfig.objects.get()
    assert (config.name, config.output_price, config.requests_per_minute, config.enabled) == ("gpt", 8.5, 60, False)
    assert browser.submit(page(config), enabled="on", model="gpt-6", requests_per_minute="").status_code == 302
    config.refresh_from_db()
    assert (config.enabled, config.model, config.requests_per_minute, config.output_price) == (
        True,
        "gpt-6",
        None,
        8.5,
    )


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"key_variable": KEY}, "Never put the key itself here"),
        ({"key_variable": "SECRET_KEY"}, "ending in _API_KEY"),
        ({"name": "local-search"}, "quotes stored pages"),
        ({"provider": "mistral", "search": "on"}, "does not search"),
        ({"base_url": "http://api.example"}, "to this machine alone"),
        ({"concurrency": "0"}, "from 1 to"),
    ],
)
def test_what_the_service_refuses_is_told_at_its_field(browser, values, sentence):
    good = {"name": "gpt", "provider": "openai", "model": "gpt-5.2", "key_variable": "OPENAI_API_KEY"}
    answer = browser.submit(ADD, **{**good, **values})
    assert sentence in text_of(answer)
    assert not EngineConfig.objects.exists()


def test_the_connection_is_tried_and_what_came_back_is_told(browser, config, httpserver):
    httpserver.expect_request("/v1/responses").respond_with_data(raw("openai"), content_type="application/json")
    answer = browser.submit(page(config, "test"))
    told = text_of(browser.open(answer.url))
    assert "It answers: model-1," in told and "not searched" in told and "Acme makes good shoes." in told
    assert len(httpserver.log) == 1


def test_no_transaction_is_held_while_the_provider_is_waited_for(browser, config, monkeypatch):
    held = []

    def tried(caller, *, engine):
        held.append(len(connection.savepoint_ids))
        raise ServiceError(ErrorCode.UPSTREAM_UNAVAILABLE, "timeout: too slow")

    monkeypatch.setattr(engines, "try_engine", tried)
    assert "timeout: too slow" in text_of(browser.submit(page(config, "test")))
    assert held == [len(connection.savepoint_ids)]  # the test's own transaction and no other


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (401, "auth: The provider refused the key."),
        (404, "model_not_found:"),
        (429, "rate_limited:"),
        (500, "server_error:"),
    ],
)
def test_a_connection_that_fails_is_told_without_the_key(browser, config, httpserver, status, sentence):
    body = {"error": {"message": f"Bad {KEY}"}}
    httpserver.expect_request("/v1/responses").respond_with_json(body, status=status)
    answer = browser.submit(page(config, "test"))
    assert sentence in text_of(answer)
    assert KEY not in answer.content.decode()


def test_a_missing_key_is_told_before_anything_is_asked(browser, config, httpserver, monkeypatch):
    monkeypatch.delenv("TESTED_API_KEY")
    assert "TESTED_API_KEY is not set" in text_of(browser.submit(page(config, "test")))
    assert not httpserver.log


def test_no_page_shows_the_key_but_whether_it_is_set(browser, config):
    for address in (LIST, ADD, page(config), page(config, "history"), page(config, "delete"), page(config, "test")):
        assert KEY not in browser.open(address).content.decode()
    assert "icon-yes" in browser.open(page(config)).content.decode()


def test_staff_without_the_permission_neither_see_nor_try(config):
    clerk = Browser(UserFactory(is_staff=True))
    for address in (LIST, page(config), page(config, "test")):
        clerk.open(address, status=403)


def test_a_brand_chooses_its_engines(browser, cast, config):
    address = f"/admin/brands/brand/{cast.brand.pk}/"
    assert "all that are enabled" in text_of(browser.open(f"{address}change/"))
    assert browser.submit(f"{address}engines/", engines=["tested"]).status_code == 302
    assert BrandEngine.objects.get().engine == config
    assert "tested" in text_of(browser.open(f"{address}change/"))
    assert browser.submit(f"{address}engines/").status_code == 302
    assert not BrandEngine.objects.exists()
