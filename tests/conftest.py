"""What all tests share."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from hypothesis import settings as hypothesis_settings

import config
from tests.http import Rest
from tests.live import migrated_database

ROOT = Path(__file__).parent.parent
assert Path(config.__file__).parent.parent == ROOT, "Run the tests from their own project's folder."

SET_UP_ONCE = (
    "tests/ask/",
    "tests/counts/test_doors.py",
    "tests/demo/",
    "tests/measurement/",
    "tests/mcp/test_steps.py",
    "tests/pages/test_pages.py",
)
"""Files whose world takes seconds to set up: each is run by one process."""

# How long a test takes says nothing on a busy machine: speed is measured in benchmarks.
hypothesis_settings.register_profile("untimed", deadline=None)
hypothesis_settings.load_profile("untimed")

# Pages name their static files as they are: nothing is collected for tests.
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items):
    """Group the tests of such a file for `--dist loadgroup`."""
    for item in items:
        if item.nodeid.startswith(SET_UP_ONCE):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


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
def rest(client) -> Rest:
    """The REST API as a client with a key sees it."""
    return Rest(client)
