"""A person in a real browser: signs in, ticks, connects, and arrives at the app, which sends the browser on."""

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection

from apikeys.connect.apps import register_app
from apikeys.models import Connection
from tests.audit.fetch.servers import redirect, serving
from tests.connect.conftest import CHALLENGE
from tests.factories import BrandFactory, make_key
from tests.live import own_database, wait_for
from tests.pages.chromium import NARROW, WIDE, live_pages, open_chromium, visit
from tests.people.conftest import PASSWORD

pytestmark = pytest.mark.proof


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), own_database() as database:
        user = BrandFactory().owner
        user.password = make_password(PASSWORD)
        user.save()
        make_key(owner=user, name="My agents")
        with live_pages(database, PUBLIC_URL="{url}") as live, open_chromium() as browser:
            yield live, browser, user


@pytest.fixture
def callback():
    """A server of the app, which sends the browser on to a program."""
    with serving({"/callback": redirect("claude://back", 302)}) as server:
        yield server


def address_for(live, callback):
    redirect_uri = f"http://127.0.0.1:{callback.address[1]}/callback"
    app = register_app({"client_name": "Claude", "redirect_uris": [redirect_uri]})
    connection.close()  # playwright's loop has one of its own, which would outlive the database
    asked = f"response_type=code&client_id={app.client_id}&code_challenge={CHALLENGE}&code_challenge_method=S256"
    return f"{live.url}/authorize?{asked}&redirect_uri={redirect_uri}&state=s"


def test_a_person_signs_in_connects_and_arrives_at_the_app_and_beyond(world, callback):
    live, browser, user = world
    with visit(browser, live) as visitor:
        page = visitor.page
        onward = []
        page.on("request", lambda request: onward.append(request.url))
        page.goto(address_for(live, callback))
        page.get_by_label("Email address").fill(user.email)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_label("Add a competitor").check()
        visitor.troubles.clear()
        page.get_by_role("button", name="Connect").click()
        wait_for(lambda: callback.requests or page.wait_for_timeout(50))
        page.wait_for_timeout(500)
        assert any(url.startswith("claude://back") for url in onward)
        assert not [words for words in visitor.troubles if "Content Security Policy" in words]
    assert callback.paths[0].startswith("/callback?code=bvs_conn_")
    assert "write:competitors" in Connection.objects.first().scopes
    connection.close()


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_hinder_nobody(world, callback, width, theme):
    live, browser, user = world
    with visit(browser, live, user, width=width, theme=theme) as visitor:
        assert visitor.look(address_for(live, callback)) == []
        assert visitor.look(f"{live.url}/account") == []
        assert visitor.look(f"{live.url}/connect") == []
