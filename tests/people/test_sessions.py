"""Who is signed in is asked of the database with each page: two statements, and nothing of the cache."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from apikeys.signin.sessions import SessionStore

pytestmark = pytest.mark.django_db
PAGE = reverse("method")


@pytest.fixture
def signed_in(client, cast):
    client.force_login(cast.owner)
    return client


def sees(client, person):
    return person.email in client.get(PAGE).content.decode()


def test_one_statement_for_the_session_and_one_for_the_person_with_the_plan(signed_in, cast, rf):
    assert sees(signed_in, cast.owner)
    with CaptureQueriesContext(connection) as asked:
        assert sees(signed_in, cast.owner)
    assert len(asked) == 2 and "django_session" in asked[0]["sql"] and "apikeys_user" in asked[1]["sql"]
    request = rf.get(PAGE)
    request.session = signed_in.session
    with CaptureQueriesContext(connection) as asked:
        person = get_user(request)
        assert (person, person.plan) == (cast.owner, cast.owner.plan)
    assert len(asked) == 2


def test_without_a_plan(signed_in, cast):
    cast.owner.plan = None
    cast.owner.save()
    assert sees(signed_in, cast.owner)


@pytest.mark.parametrize("ends", ["expired", "gone"])
def test_a_session_that_has_ended_signs_nobody_in(signed_in, cast, ends):
    assert sees(signed_in, cast.owner)
    if ends == "expired":
        Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    else:
        Session.objects.all().delete()
    assert not sees(signed_in, cast.owner)


def test_what_a_session_holds_is_kept_and_its_key_is_let_go_with_it():
    session = SessionStore()
    session["seen"] = {"day": 3}
    session.save()
    assert SessionStore(session.session_key)["seen"] == {"day": 3}
    Session.objects.all().delete()
    gone = SessionStore(session.session_key)
    assert (dict(gone.items()), gone.session_key) == ({}, None)


@pytest.mark.parametrize("ends", ["closed", "password"])
def test_an_account_that_changes_ends_its_sessions_at_once(signed_in, cast, ends):
    assert sees(signed_in, cast.owner)
    if ends == "closed":
        cast.owner.is_active = False
    else:
        cast.owner.set_password("another long password")
    cast.owner.save()
    assert not sees(signed_in, cast.owner)


def test_people_are_signed_in_and_out_while_the_cache_is_silent(signed_in, cast, monkeypatch):
    def silent(*args, **more):
        raise ConnectionError("The cache is away.")

    for cache in caches.all(initialized_only=True):
        for name in ("get", "set", "add", "delete", "get_many", "set_many", "incr"):
            assert isinstance(cache, BaseCache)
            monkeypatch.setattr(type(cache), name, silent)
    assert sees(signed_in, cast.owner)
    signed_in.post(reverse("logout"))
    assert not Session.objects.exists() and not sees(signed_in, cast.owner)
