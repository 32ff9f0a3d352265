"""The operator, who runs the service, and what the tests of people share."""

import pytest
from django.contrib.auth.models import Permission

from apikeys.accounts.operators import system_caller
from apikeys.errors import ServiceError
from tests.factories import UserFactory
from tests.people.browser import Browser

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def _fast_hashes(settings):
    """How slow a hash is, is Django's to test."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def person(db):
    """Somebody with a password."""
    user = UserFactory()
    user.set_password(PASSWORD)
    user.save()
    return user


@pytest.fixture
def operator(db):
    return UserFactory(is_staff=True, is_superuser=True)


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


@pytest.fixture
def refused():
    """Call a service that has to refuse with this code; its error."""

    def call(code, service, *args, **arguments):
        with pytest.raises(ServiceError) as caught:
            service(*args, **arguments)
        assert caught.value.code == code, caught.value
        return caught.value

    return call
