"""Accounts and plans: who may change them, and what their end ends."""

import pytest
from django.contrib.auth.models import Permission

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from apikeys.accounts.people import (
    change_own_password,
    create_user,
    deactivate_user,
    delete_plan,
    reactivate_user,
    save_plan,
    set_password,
    set_roles,
    update_user,
)
from apikeys.models import COUNTED_LIMITS, ApiKey, Plan, User
from tests.factories import KeyFactory, UserFactory, plan
from tests.threads import at_once

pytestmark = pytest.mark.django_db
ROLES = {"is_staff": True, "is_superuser": True, "groups": [], "permissions": []}


def as_operator(user):
    return system_caller(f"user:{user.pk}", user=user)


def test_one_address_has_one_account_in_whatever_case(system, refused):
    user = create_user(system, email="Ann@Example.com", plan=None)
    assert user.email == "Ann@example.com" and not user.has_usable_password()
    refused("conflict", create_user, system, email="ann@EXAMPLE.com", plan=None)
    refused("conflict", update_user, system, user=UserFactory(), email="ANN@example.com")
    assert User.objects.with_email(" aNN@example.com ") == user
    # Letters that only look the same in upper case are other letters: passwords are counted by address.
    assert User.objects.with_email("Ann@e\u0445ample.com") is None


def test_what_cannot_be_stored_is_refused_by_name_and_changes_nothing(system, refused):
    user = UserFactory(first_name="Ann")
    before = User.objects.values().get(pk=user.pk)
    for changes, argument in (
        ({"email": "ann"}, "email"),
        ({"email": "ann@example.com\0"}, "email"),
        ({"first_name": "n" * 151}, "first name"),
        ({"own_max_sites": -1}, "own_max_sites"),
        ({"own_max_samples": 0}, "own_max_samples"),
        ({"own_credits_per_month": 2**31}, "own_credits_per_month"),
    ):
        error = refused("invalid_arguments", update_user, system, user=user, **changes)
        assert error.details["argument"] == argument
    with pytest.raises(TypeError, match="is_superuser"):
        update_user(system, user=user, is_superuser=True)
    refused("invalid_arguments", create_user, system, email="b@example.com", plan=None, password="12345")
    refused("invalid_arguments", set_password, system, user=user, password="12345")
    assert User.objects.values().get(pk=user.pk) == before


def test_own_limits_apply_instead_of_the_plan_and_what_is_not_given_stays(system):
    user = UserFactory(first_name="Ann")
    user = update_user(system, user=user, own_max_sites=3)
    assert (user.limit("max_sites"), user.limit("drafts_per_month")) == (3, 200)
    user = update_user(system, user=user, plan=plan("free"))
    assert (user.limit("max_sites"), user.limit("drafts_per_month"), user.first_name) == (3, 1, "Ann")
    assert update_user(system, user=user, own_max_sites=None).limit("max_sites") == 1


def test_deactivation_ends_what_acts_for_the_account_and_nothing_of_it_comes_back(system, operator, person):
    key = KeyFactory(owner=person)
    hashed = person.password
    deactivate_user(system, user=person)
    user, key = User.objects.get(pk=person.pk), ApiKey.objects.get(pk=key.pk)
    assert not user.is_active and user.password != hashed
    assert (key.revoked_by, key.revoked_reason) == (operator, "The owner's account was deactivated.")
    revoked_at = key.revoked_at
    deactivate_user(system, user=person)
    reactivate_user(system, user=person)
    user, key = User.objects.get(pk=person.pk), ApiKey.objects.get(pk=key.pk)
    assert user.is_active and user.password != hashed and key.revoked_at == revoked_at


def test_a_password_that_was_on_its_way_does_not_bring_a_deactivated_account_back(system, person, refused):
    signed_in = User.objects.get(pk=person.pk)
    deactivate_user(system, user=person)
    own = Caller.from_user(signed_in)
    refused("conflict", change_own_password, own, password="a wholly other sentence")
    refused("conflict", set_password, system, user=person)
    assert not User.objects.get(pk=person.pk).is_active


def test_a_random_password_is_given_where_none_is_and_works(system, person):
    password = set_password(system, user=person)
    assert len(password) >= 20 and User.objects.get(pk=person.pk).check_password(password)


def test_accounts_have_no_self_service(person, refused):
    own = Caller.from_user(person)
    refused("not_available", create_user, own, email="x@example.com", plan=None)
    refused("not_available", update_user, own, user=person, plan=plan("scale"))
    refused("not_available", set_roles, own, user=person, **ROLES)
    for service in (set_password, deactivate_user, reactivate_user):
        refused("not_available", service, own, user=person)
    refused("not_available", save_plan, own, plan=plan())


def test_only_superusers_grant_roles_and_change_accounts_of_staff(system, clerk, operator, person, refused):
    staff = as_operator(clerk("apikeys.change_user", "apikeys.set_password_user"))
    for user in (person, staff.user):
        roles = {**ROLES, "is_superuser": False, "permissions": Permission.objects.all()}
        error = "invalid_arguments" if user == person else "conflict"
        refused(error, set_roles, staff, user=user, **roles)
    for user in (operator, UserFactory(is_staff=True)):
        for service in (set_password, deactivate_user, reactivate_user):
            assert "superusers" in refused("conflict", service, staff, user=user).message
        refused("conflict", update_user, staff, user=user, email="mine@example.com")
    set_password(staff, user=person)
    set_roles(system, user=person, **ROLES)
    assert User.objects.get(pk=person.pk).is_superuser


def test_nobody_takes_the_superuser_role_or_the_account_from_themselves(system, operator, refused):
    for roles in ({"is_superuser": False}, {"is_staff": False}):
        refused("invalid_arguments", set_roles, system, user=operator, **{**ROLES, **roles})
    refused("conflict", deactivate_user, system, user=operator)
    assert User.objects.get(pk=operator.pk).is_superuser


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_two_superusers_who_end_each_other_leave_one():
    none = {**ROLES, "is_staff": False, "is_superuser": False}
    for end in (
        lambda by, user: set_roles(as_operator(by), user=user, **none),
        lambda by, user: deactivate_user(as_operator(by), user=user),
    ):
        one, two = (UserFactory(is_staff=True, is_superuser=True) for _ in range(2))
        at_once([lambda: end(one, two), lambda: end(two, one)])  # noqa: B023 - the calls end with the iteration
        left = User.objects.filter(pk__in=[one.pk, two.pk], is_active=True, is_superuser=True)
        assert left.count() == 1


def test_a_plan_in_use_is_not_deleted_and_tiers_are_unique(system, refused):
    UserFactory(plan=plan("growth"))
    assert "Accounts on the plan Growth: 1" in refused("conflict", delete_plan, system, plan=plan("growth")).message
    refused("conflict", save_plan, system, plan=Plan(**limits(tier="growth")))
    refused("invalid_arguments", save_plan, system, plan=Plan(**limits(tier="new", max_samples=0)))
    new = save_plan(system, plan=Plan(**limits(tier="new")))
    delete_plan(system, plan=new)
    assert set(Plan.objects.values_list("tier", flat=True)) == {"free", "growth", "scale"}


def limits(**changes):
    return {"name": "New", **dict.fromkeys(COUNTED_LIMITS, 1), **changes}
