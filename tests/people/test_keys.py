"""Keys: issue, revoke, rotate."""

import hashlib
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from apikeys import keyformat
from apikeys.caller import Caller
from apikeys.models import ApiKey
from apikeys.operators import system_caller
from apikeys.scopes import Scope
from apikeys.services.keys import issue_key, revoke_key, rotate_key
from tests.factories import ApiKeyFactory, UserFactory, plan
from tests.people.keys import working_keys

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(db):
    return UserFactory(email="owner@example.com")


def issue(caller, owner, **more):
    return issue_key(caller, **{"owner": owner, "name": "Dashboard", "scopes": ["read:sites"], **more})


def test_a_key_is_stored_as_its_hash_with_who_made_it(system, operator, owner):
    key, raw = issue(system, owner, scopes=[Scope.RUN_VISIBILITY, "read:sites"])
    assert keyformat.looks_valid(raw)
    stored = ApiKey.objects.get()
    assert stored == key
    assert stored.digest == hashlib.sha256(raw.encode()).hexdigest()
    assert (stored.prefix, stored.last_four) == ("bvs_live_", raw[-4:])
    assert stored.scopes == ["read:sites", "run:visibility"]
    assert (stored.owner, stored.created_by, stored.expires_at, stored.revoked_at) == (owner, operator, None, None)
    assert raw not in str(vars(stored))
    assert working_keys() == [key]


def test_keys_differ(system, owner):
    assert len({issue(system, owner)[1] for _ in range(20)}) == 20


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"name": " "}, "name"),
        ({"name": "n" * 101}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["read:everything"]}, "scopes"),
        ({"expires_at": timezone.now() - timedelta(seconds=1)}, "expires_at"),
    ],
)
def test_what_cannot_be_a_key_is_refused_by_name(system, owner, refused, change, argument):
    error = refused("invalid_arguments", issue, system, owner, **change)
    assert error.details["argument"] == argument
    assert not ApiKey.objects.exists()


def test_unknown_scopes_are_answered_with_those_that_exist(system, owner, refused):
    error = refused("invalid_arguments", issue, system, owner, scopes=["read:everything"])
    assert "read:everything" in error.message
    assert all(scope in error.message for scope in Scope)


def test_an_inactive_owner_gets_no_key(system, refused):
    refused("conflict", issue, system, UserFactory(is_active=False))
    assert not ApiKey.objects.exists()


def test_keys_have_no_self_service(owner, refused):
    own = Caller.from_user(owner)
    refused("not_available", issue, own, owner)
    key = ApiKeyFactory(owner=owner)
    refused("not_available", revoke_key, own, key=key, reason="lost")
    refused("not_available", rotate_key, own, key=key, overlap=timedelta(0))


def test_a_nonce_makes_one_key(system, owner, refused):
    nonce = uuid4()
    issue(system, owner, nonce=nonce)
    assert refused("conflict", issue, system, owner, nonce=nonce).details == {"argument": "nonce"}
    assert ApiKey.objects.count() == 1


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_form_sent_ten_times_at_once_makes_one_key(system, owner, at_once):
    nonce = uuid4()
    outcomes = at_once(10, lambda _: issue(system, owner, nonce=nonce))
    assert sum(isinstance(outcome, tuple) for outcome in outcomes) == 1
    assert {outcome.code for outcome in outcomes if not isinstance(outcome, tuple)} == {"conflict"}
    assert ApiKey.objects.count() == 1


@pytest.mark.parametrize("scope", ["run:visibility", "run:audits"])
def test_run_scopes_need_their_own_permission(clerk, owner, refused, scope):
    person = clerk("apikeys.issue_apikey", "apikeys.rotate_apikey")
    caller = system_caller("user:clerk", user=person)
    assert refused("insufficient_scope", issue, caller, owner, scopes=[scope]).details["requiredScope"] == scope
    issue(caller, owner, scopes=["write:prompts"])
    spending = ApiKeyFactory(owner=owner, scopes=[scope])
    refused("insufficient_scope", rotate_key, caller, key=spending, overlap=timedelta(0))
    trusted = clerk("apikeys.grant_run_scopes")
    issue(system_caller("user:trusted", user=trusted), owner, scopes=[scope])


def test_commands_may_grant_every_scope(owner):
    issue(system_caller("command:issue_key"), owner, scopes=list(Scope))


def test_a_revoked_key_works_no_more_and_stays_as_it_was(system, operator, owner):
    key, _ = issue(system, owner)
    first = revoke_key(system, key=key, reason="lost")
    assert (first.revoked_by, first.revoked_reason) == (operator, "lost")
    assert working_keys() == []
    again = revoke_key(system, key=key, reason="other")
    assert (again.revoked_at, again.revoked_reason) == (first.revoked_at, "lost")


def test_a_rotated_key_overlaps_with_its_heir(system, owner):
    old, raw = issue(system, owner, scopes=["read:sites", "read:prompts"])
    new, new_raw = rotate_key(system, key=old, overlap=timedelta(hours=1))
    assert new_raw != raw
    assert (new.owner, new.name, new.scopes, new.rotated_from) == (owner, old.name, old.scopes, old)
    assert new.expires_at is None
    assert set(working_keys()) == {old, new}
    old.refresh_from_db()
    left = old.expires_at - timezone.now()
    assert timedelta(minutes=59) < left <= timedelta(hours=1)


def test_without_an_overlap_the_old_key_stops_at_once(system, owner):
    old, _ = issue(system, owner)
    new, _ = rotate_key(system, key=old, overlap=timedelta(0))
    assert working_keys() == [new]


def test_rotation_never_lengthens_a_grant(system, owner):
    end = timezone.now() + timedelta(hours=2)
    old, _ = issue(system, owner, expires_at=end)
    new, _ = rotate_key(system, key=old, overlap=timedelta(days=7))
    old.refresh_from_db()
    assert (old.expires_at, new.expires_at) == (end, end)


def test_a_key_is_rotated_once(system, owner, refused):
    old, _ = issue(system, owner)
    new, _ = rotate_key(system, key=old, overlap=timedelta(days=1))
    assert "rotated already" in refused("conflict", rotate_key, system, key=old, overlap=timedelta(0)).message
    assert ApiKey.objects.count() == 2
    rotate_key(system, key=new, overlap=timedelta(0))


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_ten_rotations_at_once_make_one_heir(system, owner, at_once):
    old = ApiKeyFactory(owner=owner)
    outcomes = at_once(10, lambda _: rotate_key(system, key=old, overlap=timedelta(0)))
    assert sum(isinstance(outcome, tuple) for outcome in outcomes) == 1
    assert {outcome.code for outcome in outcomes if not isinstance(outcome, tuple)} == {"conflict"}
    assert ApiKey.objects.count() == 2


@pytest.mark.parametrize(
    "state", [{"revoked_at": timezone.now()}, {"expires_at": timezone.now() - timedelta(seconds=1)}]
)
def test_a_dead_key_is_not_rotated(system, owner, refused, state):
    refused("conflict", rotate_key, system, key=ApiKeyFactory(owner=owner, **state), overlap=timedelta(0))


@pytest.mark.parametrize("overlap", [timedelta(seconds=-1), timedelta(days=31)])
def test_an_overlap_has_bounds(system, owner, refused, overlap):
    refused("invalid_arguments", rotate_key, system, key=ApiKeyFactory(owner=owner), overlap=overlap)


def test_a_key_can_be_issued_on_a_plan_without_api(system):
    key, _ = issue(system, UserFactory(plan=plan("free")))
    assert working_keys() == [key]
