"""The operator, who runs the service, and what the tests of people share."""

import pytest
from django.contrib.auth.models import Permission

from apikeys.operators import system_caller
from tests.factories import UserFactory
from tests.people.browser import Browser


@pytest.fixture
def operator(db):
    return UserFactory(email="operator@example.com", is_staff=True, is_superuser=True)


@pytest.fixture
def system(operator):
    """The operator as services see them."""
    return system_caller(f"user:{operator.pk}", user=operator)


@pytest.fixture
def browser(operator):
    return Browser(operator)


@pytest.fixture
def clerk(db):
    """Make a member of staff with the named permissions and no others."""

    def make(*names):
        user = UserFactory(is_staff=True)
        for name in names:
            app, codename = name.split(".")
            user.user_permissions.add(Permission.objects.get(content_type__app_label=app, codename=codename))
        return user

    return make
