"""The operator's commands for keys and the call log."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from apikeys import keyformat
from apikeys.models import ApiKey, CallLog, Plan, User
from apikeys.scopes import Scope
from tests.factories import ApiKeyFactory, UserFactory, plan

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(db):
    return UserFactory(email="owner@example.com")


def run(*arguments):
    out, err = StringIO(), StringIO()
    call_command(*arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def issue(*arguments, owner="owner@example.com"):
    return run("issue_key", "--owner", owner, "--name", "Dashboard", *arguments)


def test_the_key_alone_is_on_standard_output(owner):
    out, err = issue("--scope", "run:visibility", "--scope", "read:sites", owner="OWNER@example.com")
    raw = out.removesuffix("\n")
    assert keyformat.looks_valid(raw)
    key = ApiKey.objects.get()
    assert key.digest == keyformat.digest(raw)
    assert (key.owner, key.name, key.scopes) == (owner, "Dashboard", ["read:sites", "run:visibility"])
    assert (key.created_by, key.expires_at) == (None, None)
    assert raw not in err
    assert "Dashboard" in err


def test_all_scopes_and_an_expiry(owner):
    issue("--all-scopes", "--expires-in-days", "3")
    key = ApiKey.objects.get()
    assert key.scopes == list(Scope)
    assert timedelta(days=2) < key.expires_at - timezone.now() <= timedelta(days=3)


@pytest.mark.parametrize(
    ("tier", "said"),
    [("free", r"on the plan Free, which has no API access.*Growth, Scale"), (None, r"has no plan.*Growth, Scale")],
)
def test_a_key_that_every_call_would_refuse_is_not_issued(tier, said):
    owner = UserFactory(email="owner@example.com", plan=plan(tier) if tier else None)
    with pytest.raises(CommandError, match=f"{said}.*/admin/apikeys/user/{owner.pk}/change/"):
        issue("--all-scopes")
    assert not ApiKey.objects.exists()


def test_a_service_whose_plans_have_no_api_says_where_plans_are_made():
    Plan.objects.update(api_access=False)
    UserFactory(email="owner@example.com")
    with pytest.raises(CommandError, match="make it at /admin/apikeys/plan/"):
        issue("--all-scopes")


def test_a_superuser_made_by_command_is_on_the_largest_plan(monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "steel-and-anvils")
    run("createsuperuser", "--noinput", "--email", "owner@example.com")
    user = User.objects.get()
    assert (user.plan.tier, user.is_superuser, user.check_password("steel-and-anvils")) == ("scale", True, True)
    out, _ = issue("--all-scopes")
    assert keyformat.looks_valid(out.strip())


def test_a_superuser_of_a_service_without_plans_has_none():
    Plan.objects.all().delete()
    assert User.objects.create_superuser("owner@example.com").plan is None


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--scope", "read:everything"], ["read:everything", *Scope]),
        (["--scope", ""], ["“”", *Scope]),
        (["--all-scopes", "--expires-in-days", "0"], ["1 to 36500"]),
        (["--all-scopes", "--expires-in-days", "99999999999"], ["1 to 36500"]),
        ([], ["--scope", "--all-scopes"]),
        (["--all-scopes", "--scope", "read:sites"], ["not allowed"]),
    ],
)
def test_what_cannot_be_is_said_with_what_can(owner, arguments, names):
    with pytest.raises(CommandError) as caught:
        issue(*arguments)
    assert all(name in str(caught.value) for name in names)
    assert not ApiKey.objects.exists()


def test_an_unknown_owner_is_answered_with_those_that_exist(owner):
    with pytest.raises(CommandError, match=r"nobody@example\.com.*owner@example\.com"):
        issue("--all-scopes", owner="nobody@example.com")
    UserFactory.create_batch(30)
    with pytest.raises(CommandError, match="…"):
        issue("--all-scopes", owner="nobody@example.com")


def test_without_any_account_the_command_says_so(db):
    with pytest.raises(CommandError, match="no accounts yet"):
        issue("--all-scopes")


def test_a_deactivated_owner_gets_no_key():
    UserFactory(email="owner@example.com", is_active=False)
    with pytest.raises(CommandError, match="Reactivate it first"):
        issue("--all-scopes")


def test_old_calls_are_purged_and_counted(owner, settings):
    key = ApiKeyFactory(owner=owner)
    now = timezone.now()
    for days in (0, 9, 11, 500):
        CallLog.objects.create(
            key=key, door="rest", name=f"{days}", success=True, created_at=now - timedelta(days=days)
        )
    assert run("purge_call_log")[0] == f"1 calls older than {settings.CALL_LOG_DAYS} days deleted.\n"
    assert run("purge_call_log", "--older-than", "10")[0] == "1 calls older than 10 days deleted.\n"
    assert set(CallLog.objects.values_list("name", flat=True)) == {"0", "9"}
    assert run("purge_call_log", "--older-than", "10")[0] == "0 calls older than 10 days deleted.\n"


@pytest.mark.parametrize("days", ["-1", "99999999"])
def test_days_have_bounds(db, days):
    with pytest.raises(CommandError, match="0 to 36500"):
        run("purge_call_log", f"--older-than={days}")
