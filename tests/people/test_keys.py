"""Keys: issue, revoke, rotate."""

import hashlib
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from apikeys.accounts import keyformat
from apikeys.accounts.caller import Caller
from apikeys.accounts.keys import issue_key, revoke_key, rotate_key
from apikeys.accounts.operators import system_caller
from apikeys.accounts.people import deactivate_user, reactivate_user
from apikeys.models import ApiKey, User
from apikeys.scopes import Scope
from tests.factories import KeyFactory, UserFactory, make_key
from tests.threads import at_once

pytestmark = pytest.mark.django_db
COMMAND = system_caller("command:test")


@pytest.fixture
def owner(db):
    return UserFactory()


def issue(caller, owner, **more):
    return issue_key(caller, **{"owner": owner, "name": "Dashboard", "scopes": ["read:sites"], **more})


def test_a_key_is_stored_as_its_hash_with_who_made_it(system, operator, owner):
    key, raw = issue(system, owner, scopes=[Scope.RUN_VISIBILITY, "read:sites"])
    stored = ApiKey.objects.get()
    assert keyformat.looks_valid(raw) and stored == key
    assert stored.digest == hashlib.sha256(raw.encode()).hexdigest()
    assert (stored.prefix, stored.last_four) == ("bvs_live_", raw[-4:])
    assert stored.scopes == ["read:sites", "run:visibility"]
    assert (stored.owner, stored.created_by, stored.expires_at, stored.revoked_at) == (owner, operator, None, None)
    assert raw not in str(vars(stored))


def test_what_cannot_be_a_key_is_refused_by_name(system, owner, refused):
    for change, argument in (
        ({"name": " "}, "name"),
        ({"name": "n" * 101}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["read:everything"]}, "scopes"),
        ({"expires_at": timezone.now() - timedelta(seconds=1)}, "expires_at"),
    ):
        error = refused("invalid_arguments", issue, system, owner, **change)
        assert error.details["argument"] == argument, change
    refused("conflict", issue, system, UserFactory(is_active=False))
    assert not ApiKey.objects.exists()


def test_keys_have_no_self_service(owner, refused):
    own = Caller.from_user(owner)
    key = KeyFactory(owner=owner)
    refused("not_available", issue, own, owner)
    refused("not_available", revoke_key, own, key=key, reason="lost")
    refused("not_available", rotate_key, own, key=key, overlap=timedelta(0))


def test_run_scopes_need_their_own_permission(clerk, owner, refused):
    person = clerk("apikeys.issue_apikey", "apikeys.rotate_apikey")
    caller = system_caller("user:clerk", user=person)
    trusted = system_caller("user:trusted", user=clerk("apikeys.grant_run_scopes"))
    for scope in ("run:visibility", "run:audits"):
        error = refused("insufficient_scope", issue, caller, owner, scopes=["read:sites", scope])
        assert error.details["requiredScope"] == scope
        spending = KeyFactory(owner=owner, scopes=[scope])
        refused("insufficient_scope", rotate_key, caller, key=spending, overlap=timedelta(0))
        issue(trusted, owner, scopes=[scope])
        issue(COMMAND, owner, scopes=[scope])
    issue(caller, owner, scopes=["write:prompts"])


def test_a_key_works_and_stops_working_on_the_very_next_call(rest, system, owner):
    def status(raw):
        return rest.get("/brands", raw).status_code

    key, raw = issue(system, owner)
    assert status(raw) == 200
    revoke_key(system, key=key, reason="lost")
    assert status(raw) == 401
    old, raw = issue(system, owner)
    _, new_raw = rotate_key(system, key=old, overlap=timedelta(days=1))
    assert (status(raw), status(new_raw)) == (200, 200)
    old, raw = issue(system, owner)
    _, new_raw = rotate_key(system, key=old, overlap=timedelta(0))
    assert (status(raw), status(new_raw)) == (401, 200)
    deactivate_user(system, user=owner)
    assert status(new_raw) == 401
    reactivate_user(system, user=owner)
    assert status(new_raw) == 401, "what the deactivation ended does not come back"


def test_a_revoked_key_stays_as_it_was(system, operator, owner):
    key, _ = issue(system, owner)
    first = revoke_key(system, key=key, reason="lost")
    assert (first.revoked_by, first.revoked_reason) == (operator, "lost")
    again = revoke_key(system, key=key, reason="other")
    assert (again.revoked_at, again.revoked_reason) == (first.revoked_at, "lost")


def test_the_new_key_may_do_what_the_old_one_might_and_no_longer(system, owner):
    end = timezone.now() + timedelta(hours=2)
    old, raw = issue(system, owner, scopes=["read:sites", "read:prompts"], expires_at=end)
    new, new_raw = rotate_key(system, key=old, overlap=timedelta(days=7))
    old.refresh_from_db()
    assert new_raw != raw
    assert (new.owner, new.name, new.scopes, new.rotated_from) == (owner, old.name, old.scopes, old)
    assert (old.expires_at, new.expires_at) == (end, end), "an overlap never lengthens a key's life"


def test_an_overlap_is_between_nothing_and_thirty_days(system, owner, refused):
    for overlap in (timedelta(seconds=-1), timedelta(days=30, seconds=1)):
        refused("invalid_arguments", rotate_key, system, key=KeyFactory(owner=owner), overlap=overlap)
    old = KeyFactory(owner=owner)
    rotate_key(system, key=old, overlap=timedelta(days=30))
    old.refresh_from_db()
    assert timedelta(days=29, hours=23) < old.expires_at - timezone.now() <= timedelta(days=30)


def test_only_a_working_key_is_rotated_and_only_once(system, owner, refused):
    past = timezone.now() - timedelta(seconds=1)
    for state in ({"revoked_at": past}, {"expires_at": past}, {"owner": UserFactory(is_active=False)}):
        refused("conflict", rotate_key, system, key=KeyFactory(**{"owner": owner, **state}), overlap=timedelta(0))
    old = KeyFactory(owner=owner)
    new, _ = rotate_key(system, key=old, overlap=timedelta(days=1))
    assert "rotated already" in refused("conflict", rotate_key, system, key=old, overlap=timedelta(0)).message
    rotate_key(system, key=new, overlap=timedelta(0))


def outcomes(results):
    """How many succeeded, and the codes of the others."""
    refusals = [result for result in results if isinstance(result, Exception)]
    return len(results) - len(refusals), {refusal.code for refusal in refusals}


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_ten_at_once_rotate_a_key_once_and_issue_one_for_one_form(owner):
    nonce = uuid4()
    assert outcomes(at_once([lambda: issue(COMMAND, owner, form_nonce=nonce)] * 10)) == (1, {"conflict"})
    old = ApiKey.objects.get()
    assert outcomes(at_once([lambda: rotate_key(COMMAND, key=old, overlap=timedelta(0))] * 10)) == (1, {"conflict"})
    assert ApiKey.objects.count() == 2


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_no_key_of_a_deactivated_account_works_however_close_the_calls(owner):
    """Issuing, rotating and deactivating at once: whatever came first, nothing works afterwards."""
    key, _ = make_key(owner=owner)
    at_once(
        [
            *[lambda: issue(COMMAND, owner)] * 4,
            lambda: deactivate_user(COMMAND, user=owner),
            *[lambda: rotate_key(COMMAND, key=key, overlap=timedelta(days=1))] * 2,
        ]
    )
    assert not User.objects.get(pk=owner.pk).is_active
    assert not ApiKey.objects.filter(revoked_at=None).exists()
