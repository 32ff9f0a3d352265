"""Where people and operators see connections, and end them."""

import pytest
from django.urls import reverse
from django.utils import timezone

from apikeys.models import App, CallLog, Connection
from tests.connect.conftest import CALLBACK, DOCUMENT, RESOURCE, document
from tests.factories import UserFactory
from tests.mcp.conftest import PING
from tests.people.browser import Browser, text_of


@pytest.fixture
def operator(db):
    return Browser(UserFactory(is_staff=True, is_superuser=True))


def page(name, *arguments):
    return reverse(f"admin:apikeys_{name}", args=arguments)


def test_the_account_page_lists_connections(person, documents):
    documents[0][DOCUMENT] = document()
    app = Connection.objects.get(pk=person.tokens() and Connection.objects.get().pk).app
    shown = text_of(person.browser.get("/account"))
    assert app.name in shown
    assert "nobody has checked this name" in shown


@pytest.mark.parametrize("signs_in", [True, False])
def test_a_page_says_what_each_app_wants_with_the_address_of_the_service(person, settings, signs_in):
    settings.APPS_SIGN_IN = signs_in
    shown = text_of(person.browser.get("/connect"))
    assert f"claude mcp add --transport http brand-visibility {RESOURCE}" in shown
    assert ("sign in here" in shown) is signs_in
    for name in ("ChatGPT", "Claude Code", "Cursor", "VS Code", "Copilot Studio", "Gemini CLI", "n8n"):
        assert name in shown


def test_a_person_disconnects_an_app(person, agent):
    token = person.tokens()["access_token"]
    row = Connection.objects.get()
    person.browser.post("/account", {"id": str(row.pk), "verb": "disconnect"})
    assert agent.post(PING, token).status_code == 401
    assert "An app" not in text_of(person.browser.get("/account"))


def test_nobody_disconnects_the_app_of_somebody_else(person):
    person.tokens()
    person.browser.force_login(UserFactory())
    person.browser.post("/account", {"id": str(Connection.objects.get().pk), "verb": "disconnect"})
    assert Connection.objects.get().ended_at is None


@pytest.mark.parametrize("model", ["app", "connection", "calllog"])
def test_operators_see_what_is_connected(person, agent, operator, model):
    agent.post(PING, person.tokens()["access_token"])
    assert "An app" in text_of(operator.open(page(f"{model}_changelist")))


def test_operators_see_the_connections_of_a_key(person, operator):
    person.tokens()
    assert "An app with" in text_of(operator.open(page("apikey_change", person.key.pk)))


def test_an_operator_blocks_an_app_and_lets_it_in_again(person, agent, operator):
    token = person.tokens()["access_token"]
    operator.submit(page("app_block", person.app.pk))
    assert agent.post(PING, token).status_code == 401
    operator.submit(page("app_unblock", person.app.pk))
    assert agent.post(PING, token).status_code == 200


def test_an_operator_ends_a_connection(person, operator):
    person.tokens()
    operator.submit(page("connection_end", Connection.objects.get().pk))
    assert Connection.objects.get().ended_why == "by the operator"


@pytest.mark.parametrize(("slug", "before"), [("open", False), ("close", True)])
def test_an_operator_opens_and_closes_a_key_to_apps(person, operator, slug, before):
    person.key.may_connect = before
    person.key.save()
    operator.submit(page(f"apikey_{slug}", person.key.pk))
    person.key.refresh_from_db()
    assert person.key.may_connect is not before


def test_an_operator_enters_an_app_with_a_secret_that_is_shown_once(operator):
    answer = operator.submit(page("app_add"), name="n8n", redirect_uris=CALLBACK, has_secret="on")
    app = App.objects.get()
    assert (app.source, app.redirect_uris, bool(app.secret_digest)) == ("operator", [CALLBACK], True)
    assert app.client_id in text_of(answer)


def test_an_app_is_entered_with_sound_addresses_only(operator):
    answer = operator.submit(page("app_add"), name="n8n", redirect_uris="http://app.example/back")
    assert "is not accepted" in text_of(answer)
    assert not App.objects.exists()


def test_a_clerk_without_the_permission_sees_no_apps(db):
    Browser(UserFactory(is_staff=True)).open(page("app_changelist"), status=403)


def test_a_call_keeps_its_row_when_its_connection_is_gone(person, agent):
    agent.post(PING, person.tokens()["access_token"])
    Connection.objects.update(ended_at=timezone.now())
    Connection.objects.all().delete()
    assert CallLog.objects.get().connection is None
