"""The cast of most tests: one brand and the people around it."""

from dataclasses import dataclass

from apikeys.models import User
from brands.models import Brand
from tests.factories import BrandFactory, CollaboratorFactory, UserFactory

DOMAIN = "acme.example"


@dataclass(frozen=True)
class Cast:
    """One brand and the people around it."""

    brand: Brand
    owner: User
    editor: User
    viewer: User
    stranger: User


def new_cast() -> Cast:
    """Make the brand and its people."""
    brand = BrandFactory(name="Acme", domain=DOMAIN)
    editor, viewer = UserFactory(email="editor@example.com"), UserFactory(email="viewer@example.com")
    CollaboratorFactory(brand=brand, user=editor, role="editor")
    CollaboratorFactory(brand=brand, user=viewer, role="viewer")
    return Cast(brand, brand.owner, editor, viewer, UserFactory(email="stranger@example.com"))


def stored_cast() -> Cast:
    """The brand and its people as they are in the database."""
    brand = Brand.objects.select_related("owner").get(domain=DOMAIN)
    people = [User.objects.get(email=f"{name}@example.com") for name in ("editor", "viewer", "stranger")]
    return Cast(brand, brand.owner, *people)
