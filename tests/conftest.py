"""What all tests share."""

import gc
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from hypothesis import settings as hypothesis_settings

import config
from brands.models import Brand
from tests.http import Rest
from tests.live import migrated_database

ROOT = Path(__file__).parent.parent
assert Path(config.__file__).parent.parent == ROOT, "Run the tests from their own project's folder."

# How long a test takes says nothing on a busy machine: speed is measured in benchmarks.
hypothesis_settings.register_profile("untimed", deadline=None)
hypothesis_settings.load_profile("untimed")

# Pages name their static files as they are: nothing is collected for tests.
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items):
    """Have a file that sets something up once run by one process of `--dist loadgroup`, and such files run first."""
    once = [item for item in items if _sets_up_once(item)]
    for item in once:
        item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))  # before xdist reads the groups
    result = yield
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)
    return result


def _sets_up_once(item: pytest.Item) -> bool:
    """Whether a test uses a fixture that is made once for its file."""
    fixtures = item._fixtureinfo.name2fixturedefs.values() if isinstance(item, pytest.Function) else ()
    return any(each.scope == "module" for definitions in fixtures for each in definitions)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect without looking for garbage, which takes a third of the time: what is made stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings, django_db_blocker):
    """The test database is a copy, in which nothing is left to migrate."""
    with django_db_blocker.unblock():
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated_database()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup):
    yield
    caches["counters"].disconnect()  # of the counters, for which the end of the test database would wait


@pytest.fixture
def brand(brand_key, db) -> Brand:
    """The brand that a file of tests makes once, as a test may change it."""
    return Brand.objects.get(pk=brand_key)


@pytest.fixture
def rest(client) -> Rest:
    """The REST API as a client with a key sees it."""
    return Rest(client)
