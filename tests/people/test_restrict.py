"""Who may view and change the rows of each model. A model that is in no table here fails, and so does a new one."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.db import models

from apikeys.caller import Caller
from apikeys.models import User
from apikeys.operators import staff_reader, system_caller
from apikeys.signin.sessions import Accounts
from brands.models import Brand
from tests.factories import ApiKeyFactory, BrandFactory, CollaboratorFactory, UserFactory
from tests.generations import tracked_names_of
from visibility.models import Generation, PromptVersion, ProviderCall

pytestmark = pytest.mark.django_db

OURS = ("apikeys", "brands", "visibility")
OF_NO_BRAND = {
    "Plan": "of the service",
    "User": "of the service",
    "Usage": "of an account",
    "IdempotentCall": "of an account",
    "ApiKey": "of an account",
    "CallLog": "of a key",
    "EngineConfig": "of the service",
    "DomainClass": "of the service",
}
NONE, OWN, OTHER, ALL = set(), {"own"}, {"other"}, {"own", "other"}
EXPECTED = {
    "owner": (OWN, OWN),
    "owner's key": (OWN, OWN),
    "editor": (OWN, OWN),
    "viewer": (OWN, NONE),
    "viewer's key": (OWN, NONE),
    "stranger": (OTHER, OTHER),
    "staff": (NONE, NONE),
    "staff's key": (NONE, NONE),
    "superuser": (NONE, NONE),
    "superuser's key": (NONE, NONE),
    "nobody": (NONE, NONE),
    "staff page": (ALL, NONE),
    "superuser's page": (ALL, NONE),
    "system": (ALL, ALL),
    "admin": (ALL, ALL),
}
"""What each caller may view and change: rows of the cast's brand (own), of the stranger's (other)."""
MODELS = [model for model in apps.get_models() if model._meta.app_label in OURS]
BELOW_BRANDS = [model for model in MODELS if model.__name__ not in OF_NO_BRAND]
MANAGERS = [
    pytest.param(manager, id=f"{model.__name__}.{manager.name}")
    for model in BELOW_BRANDS
    for manager in model._meta.managers
]


@pytest.fixture
def people(cast):
    staff, superuser = UserFactory(is_staff=True), UserFactory(is_staff=True, is_superuser=True)
    staff.user_permissions.add(*Permission.objects.filter(content_type__app_label__in=OURS))
    users = {"owner": cast.owner, "viewer": cast.viewer, "staff": staff, "superuser": superuser}
    users = {name: User.objects.get(pk=user.pk) for name, user in users.items()}
    return {
        **{name: Caller.from_user(user) for name, user in users.items()},
        **{f"{name}'s key": Caller.from_key(ApiKeyFactory(owner=user)) for name, user in users.items()},
        "editor": Caller.from_user(cast.editor),
        "stranger": Caller.from_user(cast.stranger),
        "nobody": Caller(actor="nobody"),
        "staff page": staff_reader(users["staff"]),
        "superuser's page": staff_reader(users["superuser"]),
        "system": system_caller("command:test"),
        "admin": system_caller(f"user:{superuser.pk}", user=superuser),
    }


class Rows:
    """Makes one row of any model below a brand, with whatever it points to."""

    def __init__(self, brand):
        self.made = {Brand: brand}

    def of(self, model):
        if model is User:
            return UserFactory()
        if model is Generation and model not in self.made:
            self.made[model] = Generation.objects.get(pk=tracked_names_of(self.made[Brand]).generation)
        if model not in self.made:
            self.made[model] = model._base_manager.create(**self._values(model))
        return self.made[model]

    def _values(self, model):
        needed = (
            field
            for field in model._meta.concrete_fields
            if (
                not (field.has_default() or field.null or getattr(field, "auto_now_add", False))
                and (field.is_relation or not field.primary_key)
            )
            or (model is ProviderCall and field.name == "brand")  # the ledger has calls for no brand, too
        )
        return {field.name: self._value(field) for field in needed if field.is_relation or not field.blank}

    def _value(self, field):
        if field.is_relation:
            return self.of(field.related_model)
        if field.choices:
            return field.choices[0][0]
        if isinstance(field, models.CharField | models.TextField):
            return f"x-{self.made[Brand].domain}"[: field.max_length]
        if isinstance(field, models.BinaryField):
            return b"x"
        if isinstance(field, models.DateField):
            return self.made[Brand].created_at
        return 2 if field.name == "end" else 1


@pytest.fixture
def other(cast):
    return BrandFactory(owner=cast.stranger)


def test_every_model_is_below_a_brand_or_said_to_be_of_none():
    lacking = [model.__name__ for model in MODELS if not hasattr(model._default_manager, "restrict")]
    assert sorted(lacking) == sorted(OF_NO_BRAND)


@pytest.mark.parametrize("manager", MANAGERS)
def test_who_may_view_and_change_a_row(cast, people, other, manager):
    model = manager.model
    for brand in (cast.brand, other):
        Rows(brand).of(model)
    CollaboratorFactory(brand=cast.brand)  # three collaborators double no row
    path = "pk" if model is Brand else manager.all().brand_path
    rows = {
        name: sorted(map(str, manager.filter(**{path: brand.pk}).values_list("pk", flat=True)))
        for name, brand in (("own", cast.brand), ("other", other))
    }
    assert rows["own"] and rows["other"]
    answer = {
        name: tuple(
            sorted(str(row.pk) for row in manager.all().restrict(caller, action)) for action in ("view", "change")
        )
        for name, caller in people.items()
    }
    assert answer == {
        name: tuple(
            sorted(row for whose in brands for row in rows[whose])
            for brands in (columns if model is not ProviderCall else (columns[0], NONE))  # nobody changes the ledger
        )
        for name, columns in EXPECTED.items()
    }


def test_a_collaborator_sees_a_row_once_however_it_is_joined(cast):
    Rows(cast.brand).of(PromptVersion)
    shared = PromptVersion.objects.restrict(Caller.from_user(cast.editor), "change")
    assert shared.filter(prompt__brand__collaborators__role="editor").count() == 1


@pytest.mark.parametrize("flags", [{"is_staff": False}, {"is_staff": True}, {"is_staff": True, "is_active": False}])
def test_only_staff_who_may_view_brands_look_at_all(flags):
    assert staff_reader(UserFactory(**flags)) is None


@pytest.mark.parametrize("name", ["staff page", "superuser's page"])
def test_a_staff_page_is_no_operator(people, name):
    assert not people[name].is_operator
    assert people["system"].is_operator


@pytest.mark.parametrize("by", ["themselves", "a group"])
def test_the_person_of_a_session_comes_with_whether_they_may_view_all_brands(by, cast, django_assert_num_queries):
    """What Django says of all permissions, in the statement that reads the person."""
    staff = UserFactory(is_staff=True)
    permission = Permission.objects.get(codename="view_brand")
    owners = {"themselves": staff.user_permissions, "a group": Group.objects.create(name="Support").permissions}
    staff.groups.set(Group.objects.all())
    for is_granted in (False, True):
        with django_assert_num_queries(1):
            person = Accounts().get_user(staff.pk)
            assert (staff_reader(person) is not None) is is_granted
        owners[by].add(permission)
    assert staff_reader(Accounts().get_user(UserFactory(is_staff=True, is_superuser=True).pk))
    assert not staff_reader(Accounts().get_user(cast.owner.pk))
    assert not Accounts().get_user(UserFactory(is_staff=True, is_active=False).pk)
