"""Who may view and change the rows of each model, which are those of the app registry: a new one is covered, too."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.postgres.fields import ArrayField
from django.db import models

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import staff_reader, system_caller
from apikeys.models import User
from brands.access import editable_brand, owned_brand, readable_brand
from brands.models import Brand
from tests.brands.conftest import deactivate, refusal
from tests.factories import BrandFactory, CollaboratorFactory, KeyFactory, UserFactory
from visibility.models import Statement

pytestmark = pytest.mark.django_db

OF_NO_BRAND = {
    "Plan",
    "OutsideEvent",
    "MailPreference",
    "MailImage",
    "MailChoice",
    "Mail",
    "EngineChange",
    "CacheEntry",
    "AddressChange",
    "User",
    "Usage",
    "ApiKey",
    "App",
    "CallLog",
    "Connection",
    "ConnectionSecret",
    "IdempotentCall",
    "Counter",
    "Engine",
    "EngineAccount",
    "ProviderCall",
}
MODELS = [model for model in apps.get_models() if model._meta.app_label in ("apikeys", "brands", "visibility")]
NONE, OWN, OTHER, BOTH = set(), {"own"}, {"other"}, {"own", "other"}
EXPECTED = {
    "owner": (OWN, OWN),
    "owner's key": (OWN, OWN),
    "editor": (OWN, OWN),
    "editor's key": (OWN, OWN),
    "viewer": (OWN, NONE),
    "viewer's key": (OWN, NONE),
    "stranger": (OTHER, OTHER),
    "stranger's key": (OTHER, OTHER),
    "staff": (NONE, NONE),
    "staff's key": (NONE, NONE),
    "superuser": (NONE, NONE),
    "superuser's key": (NONE, NONE),
    "nobody": (NONE, NONE),
    "link": (OWN, NONE),
    "staff page": (BOTH, NONE),
    "superuser's page": (BOTH, NONE),
    "command": (BOTH, BOTH),
    "admin": (BOTH, BOTH),
}
"""What each caller may view and change: rows of the cast's brand (own), of the stranger's (other)."""


@pytest.fixture
def callers(cast):
    staff, superuser = UserFactory(is_staff=True), UserFactory(is_staff=True, is_superuser=True)
    staff.user_permissions.add(*Permission.objects.all())
    users = {name: getattr(cast, name).user for name in ("owner", "editor", "viewer", "stranger")}
    users |= {"staff": staff, "superuser": superuser}
    return {
        **{name: Caller.from_user(user) for name, user in users.items()},
        **{f"{name}'s key": Caller.from_key(KeyFactory(owner=user)) for name, user in users.items()},
        "nobody": Caller(actor="nobody"),
        "link": Caller.from_link(cast.brand.pk, cast.brand.pk),
        "staff page": staff_reader(staff),
        "superuser's page": staff_reader(superuser),
        "command": system_caller("command:test"),
        "admin": system_caller(f"user:{superuser.pk}", user=superuser),
    }


class Rows:
    """Makes a row of any model below a brand, with whatever it needs."""

    def __init__(self, brand):
        self.made = {Brand: brand}

    def of(self, model):
        if model is User:
            return UserFactory()
        if model not in self.made:
            needed = [field for field in model._meta.concrete_fields if self._is_needed(field)]
            self.made[model] = model.objects.create(**{field.name: self._value(field) for field in needed})
        return self.made[model]

    def _is_needed(self, field):
        if field.name == "topic" or (field.name == "answer" and field.model is Statement):
            return True  # null for the questions of comparisons only, and for what reviews say
        return not (field.has_default() or field.null or field.blank or (field.primary_key and not field.is_relation))

    def _value(self, field):
        if field.is_relation:
            return self.of(field.related_model)
        if field.choices:
            return field.choices[0][0]
        if isinstance(field, models.CharField | models.TextField):
            return f"x-{self.made[Brand].domain}"[: field.max_length]
        if isinstance(field, ArrayField):
            return []
        if isinstance(field, models.DateField):
            return self.made[Brand].created_at
        if isinstance(field, models.BinaryField):
            return b"x"
        return 2 if field.name == "end" else 1  # no span is empty


def test_every_model_is_restricted_or_of_no_brand():
    assert {model.__name__ for model in MODELS if not hasattr(model._default_manager, "restrict")} == OF_NO_BRAND


def test_who_may_view_and_change_the_rows_of_each_model(cast, callers):
    brands = {"own": cast.brand, "other": BrandFactory(owner=cast.stranger.user)}
    makers = {name: Rows(brand) for name, brand in brands.items()}
    CollaboratorFactory(brand=cast.brand)  # a third collaborator doubles no row
    for model in (model for model in MODELS if model.__name__ not in OF_NO_BRAND):
        path = "pk" if model is Brand else getattr(model, "brand_path", "brand")
        rows = {}
        for name, maker in makers.items():
            maker.of(model)
            rows[name] = sorted(model.objects.filter(**{path: brands[name].pk}).values_list("pk", flat=True))
        for name, whose in EXPECTED.items():
            for action, wanted in zip(("view", "change"), whose, strict=True):
                seen = model.objects.restrict(callers[name], action).values_list("pk", flat=True)
                expected = sorted(pk for brand in wanted for pk in rows[brand])
                assert sorted(seen) == expected, f"{name} may {action} {model.__name__}"


def test_the_way_to_a_brand_asks_for_the_role_and_hides_from_strangers(cast, callers):
    may = {
        readable_brand: {"owner", "editor", "viewer", "link", "staff page", "command"},
        editable_brand: {"owner", "editor", "command"},
        owned_brand: {"owner", "command"},
    }
    for find, allowed in may.items():
        for name in allowed:
            assert find(callers[name], cast.brand.pk) == cast.brand
        for name in may[readable_brand] - allowed:
            assert refusal(find, callers[name], cast.brand.pk).code == "read_only_collaborator", (find, name)
        for name in ("stranger", "staff", "superuser", "superuser's key", "nobody"):
            assert refusal(find, callers[name], cast.brand.pk).code == "not_found", (find, name)


def test_a_brand_of_a_deactivated_owner_is_read_only_for_all_but_operators(cast, system):
    deactivate(cast.brand.owner)
    for caller in (cast.owner, cast.editor, cast.viewer):
        assert readable_brand(caller, cast.brand.pk)
        for find in (editable_brand, owned_brand):
            refused = refusal(find, caller, cast.brand.pk)
            assert refused.code == "read_only_collaborator"
            assert "deactivated" in refused.message
    assert owned_brand(system, cast.brand.pk)


def test_an_editor_who_is_deactivated_changes_nothing(cast):
    deactivate(cast.editor.user)
    assert refusal(editable_brand, cast.editor, cast.brand.pk).code == "read_only_collaborator"


def test_only_staff_who_may_view_brands_look_at_all():
    for flags in ({}, {"is_staff": True}, {"is_superuser": True}):
        assert staff_reader(UserFactory(**flags)) is None
