"""Accounts: create, change, plan, roles, deactivate, reactivate."""

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import LIMITS, Usage, User
from apikeys.operators import system_caller
from apikeys.services.keys import issue_key
from apikeys.services.plans import delete_plan, save_plan
from apikeys.services.usage import limit_of, quotas, spend
from apikeys.services.users import (
    change_limits,
    change_plan,
    create_user,
    deactivate_user,
    reactivate_user,
    set_roles,
    update_user,
)
from brands.models import Brand
from brands.services.competitors import competitor_limit
from tests.factories import ApiKeyFactory, BrandFactory, CompetitorFactory, plan
from tests.people.keys import working_keys
from visibility.pipeline.plan import chosen_samples
from visibility.services.overview.portfolio import account_of
from visibility.services.prompts.editing import prompt_quota

pytestmark = pytest.mark.django_db


def test_an_account_has_an_unknown_but_usable_password(system):
    user = create_user(system, email="  New@Example.COM ", plan=plan("growth"))
    assert (user.email, user.plan.tier) == ("New@example.com", "growth")
    assert user.has_usable_password()  # else the reset mail would not be sent


def test_the_address_is_the_login_in_any_case(system):
    create_user(system, email="new@example.com", plan=None, password="correct horse battery")
    assert authenticate(username="NEW@example.com", password="correct horse battery")


@pytest.mark.parametrize("email", ["OWNER@example.com", "owner@EXAMPLE.com"])
def test_an_address_is_taken_in_any_case(system, cast, refused, email):
    User.objects.filter(pk=cast.owner.pk).update(email="owner@example.com")
    error = refused("conflict", create_user, system, email=email, plan=None)
    assert error.details["argument"] == "email"
    refused("conflict", update_user, system, user=cast.editor, email=email)
    update_user(system, user=cast.owner, email="Owner@example.com")


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_an_address_is_given_once_at_the_same_moment(system, at_once):
    outcomes = at_once(
        8, lambda n: create_user(system, email="n@example.com" if n % 2 else "N@example.com", plan=None)
    )
    assert sum(isinstance(outcome, User) for outcome in outcomes) == 1
    assert {outcome.code for outcome in outcomes if not isinstance(outcome, User)} == {"conflict"}


@pytest.mark.parametrize("email", ["", "nobody", "a@b", "a b@example.com", "a@example.com\x00", "a" * 250 + "@e.com"])
def test_bad_addresses_are_refused(system, refused, email):
    refused("invalid_arguments", create_user, system, email=email, plan=None)


def test_weak_passwords_are_refused(system, refused):
    error = refused("invalid_arguments", create_user, system, email="a@example.com", plan=None, password="short")
    assert error.details["argument"] == "password"
    assert not User.objects.filter(email="a@example.com").exists()


def test_accounts_have_no_self_service(cast, refused):
    own = Caller.from_user(cast.owner)
    refused("not_available", create_user, own, email="x@example.com", plan=None)
    refused("not_available", update_user, own, user=cast.owner, first_name="X")
    refused("not_available", change_plan, own, user=cast.owner, plan=plan("scale"))
    refused("not_available", deactivate_user, own, user=cast.stranger)
    refused("not_available", reactivate_user, own, user=cast.stranger)
    refused("not_available", save_plan, own, plan=plan("free"))
    refused(
        "not_available", set_roles, own, user=cast.owner, is_staff=True, is_superuser=True, groups=[], permissions=[]
    )


def test_a_smaller_plan_keeps_everything(system, cast):
    others = [BrandFactory(owner=cast.owner) for _ in range(3)]
    CompetitorFactory.create_batch(5, brand=cast.brand)
    change_plan(system, user=cast.owner, plan=plan("free"))
    assert cast.owner.brands.count() == 1 + len(others)
    assert cast.brand.competitors.count() == 5
    assert User.objects.get(pk=cast.owner.pk).plan == plan("free")


def test_what_an_account_has_of_its_own_holds_wherever_its_plan_would(system, cast):
    """Above the plan's limit and below it, and for an account without a plan."""

    def held(owner):
        brand = Brand.objects.select_related("owner__plan").get(pk=cast.brand.pk)
        account = account_of(Caller.from_user(owner))
        return {
            "max_sites": account and account.sites.limit,
            "max_prompts_per_site": prompt_quota(brand).limit,
            "max_competitors_per_site": competitor_limit(brand),
            "drafts_per_month": quotas(owner)[Usage.Kind.DRAFTS].limit,
            "credits_per_month": quotas(owner)[Usage.Kind.CREDITS].limit,
            "writer_calls_per_day": limit_of(owner, Usage.Kind.WRITER_CALLS),
            "provider_cost_per_day": owner.provider_cost_per_day,
            "max_samples": chosen_samples(brand),
        }

    Brand.objects.update(samples=10)
    owner = change_limits(system, user=cast.owner, limits=dict.fromkeys(LIMITS, 3))
    assert held(owner) == dict.fromkeys(LIMITS, 3)
    with pytest.raises(ServiceError) as refused:
        spend(owner, Usage.Kind.CREDITS, 4)
    assert refused.value.details["limit"] == 3
    spend(owner, Usage.Kind.CREDITS, 3)
    change_plan(system, user=owner, plan=None)
    assert held(User.objects.get(pk=owner.pk)) == {**dict.fromkeys(LIMITS, 3), "max_sites": None}
    owner = change_limits(system, user=owner, limits=dict.fromkeys(LIMITS))
    assert {name: owner.limit(name) for name in LIMITS} == {**dict.fromkeys(LIMITS, 0), "max_samples": 1}


def test_keys_die_with_the_account_and_do_not_come_back(system, operator, cast):
    key = ApiKeyFactory(owner=cast.owner)
    other = ApiKeyFactory(owner=cast.editor)
    earlier = ApiKeyFactory(owner=cast.owner, revoked_at=cast.brand.created_at, revoked_reason="lost")
    assert deactivate_user(system, user=cast.owner)["keys revoked"] == 1
    key.refresh_from_db()
    assert key.revoked_by == operator
    assert "deactivated" in key.revoked_reason
    earlier.refresh_from_db()
    assert earlier.revoked_reason == "lost"
    reactivate_user(system, user=cast.owner)
    assert working_keys() == [other]
    assert User.objects.get(pk=cast.owner.pk).is_active
    assert cast.owner.brands.count() == 1


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_no_key_survives_a_deactivation_at_the_same_moment(system, cast, at_once):
    def act(number):
        if number == 5:
            return deactivate_user(system, user=cast.owner)
        return issue_key(system, owner=cast.owner, name="k", scopes=["read:sites"])

    at_once(10, act)
    assert not cast.owner.api_keys.filter(revoked_at=None).exists()


def test_nobody_locks_themselves_out(system, operator, refused):
    refused("conflict", deactivate_user, system, user=operator)
    refused(
        "invalid_arguments",
        set_roles,
        system,
        user=operator,
        is_staff=True,
        is_superuser=False,
        groups=[],
        permissions=[],
    )


def test_only_superusers_hand_out_roles(clerk, cast, refused):
    caller = system_caller("user:clerk", user=clerk("apikeys.change_user"))
    values = {"is_staff": True, "is_superuser": False, "groups": [], "permissions": []}
    refused("invalid_arguments", set_roles, caller, user=cast.stranger, **values)


def test_roles_are_set_as_a_whole(system, cast):
    group = Group.objects.create(name="clerks")
    set_roles(system, user=cast.stranger, is_staff=True, is_superuser=False, groups=[group], permissions=[])
    fresh = User.objects.get(pk=cast.stranger.pk)
    assert (fresh.is_staff, fresh.is_superuser, list(fresh.groups.all())) == (True, False, [group])


def test_a_plan_in_use_is_not_deleted(system, cast, refused):
    assert "Move them" in refused("conflict", delete_plan, system, plan=plan("scale")).message
    delete_plan(system, plan=plan("growth"))


def test_a_plan_out_of_range_is_refused(system, refused):
    row = plan("free")
    row.max_samples = 0
    refused("invalid_arguments", save_plan, system, plan=row)


def test_createsuperuser_asks_for_an_email_only(db, monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "correct horse battery")
    call_command("createsuperuser", email="root@example.com", interactive=False, verbosity=0)
    root = authenticate(username="Root@example.com", password="correct horse battery")
    assert root.is_superuser
    assert root.is_staff
    with pytest.raises(CommandError):
        call_command("createsuperuser", email="ROOT@example.com", interactive=False, verbosity=0)
