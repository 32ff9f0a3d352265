"""What tests of brands share: one brand with the people around it, and refusals."""

from dataclasses import dataclass
from uuid import UUID

import pytest

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from apikeys.errors import ServiceError
from apikeys.models import User
from brands.models import Brand
from tests.factories import BrandFactory, CollaboratorFactory, UserFactory


@dataclass(frozen=True)
class Cast:
    """One brand, and the people around it as callers."""

    brand: Brand
    owner: Caller
    editor: Caller
    viewer: Caller
    stranger: Caller


def new_cast() -> Cast:
    """A brand with an editor and a viewer."""
    brand = BrandFactory(name="Acme", domain="acme.example")
    editor, viewer = CollaboratorFactory(brand=brand).user, CollaboratorFactory(brand=brand, role="viewer").user
    return Cast(brand, *map(Caller.from_user, (brand.owner, editor, viewer, UserFactory())))


@pytest.fixture
def cast(db) -> Cast:
    return new_cast()


@pytest.fixture
def at(cast: Cast) -> dict[str, UUID]:
    """Where services find the brand."""
    return {"brand_id": cast.brand.pk}


@pytest.fixture
def system() -> Caller:
    """The operator of the service."""
    return system_caller("command:test")


def refusal(call, *arguments, **named) -> ServiceError:
    """How a service refuses this call."""
    with pytest.raises(ServiceError) as caught:
        call(*arguments, **named)
    return caught.value


def deactivate(user: User) -> None:
    """Past every service: what is below has to look at the flag."""
    User.objects.filter(pk=user.pk).update(is_active=False)


def names_version(brand: Brand) -> int:
    """How many changes of what answers are searched for were counted."""
    return Brand.objects.values_list("names_version", flat=True).get(pk=brand.pk)
