"""The demo and two real brands behind the pages, made once."""

from types import SimpleNamespace

import pytest

from apikeys.accounts.operators import system_caller
from tests.factories import CollaboratorFactory, UserFactory
from tests.live import own_database
from tests.mcp.worlds import empty_site, real_site
from tests.once import made_once
from tests.pages.worlds import small_brand
from visibility.demo.seeding import seed_brand
from visibility.evidence.making import make_evidence
from visibility.recommendations.advise import recommend


@pytest.fixture(scope="module")
def brand_key(django_db_setup, django_db_blocker):
    with made_once(django_db_blocker):
        yield small_brand(UserFactory()).pk


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """Brands by name, their owner, a viewer, staff, and somebody else."""
    with django_db_blocker.unblock(), own_database() as database:
        owner, viewer, stranger = UserFactory(), UserFactory(), UserFactory()
        staff = UserFactory(is_staff=True, is_superuser=True)
        demo = seed_brand(system_caller("command:test"), owner)
        brands = [demo, real_site(owner, "Garmin"), real_site(owner, "Sony"), empty_site(owner)]
        for brand in brands:
            CollaboratorFactory(brand=brand, user=viewer, role="viewer")
            make_evidence(brand)
            recommend(brand)
        yield SimpleNamespace(
            database=database,
            owner=owner,
            viewer=viewer,
            staff=staff,
            stranger=stranger,
            brands={brand.name: brand for brand in brands},
        )
