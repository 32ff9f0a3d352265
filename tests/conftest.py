"""What all tests share."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from hypothesis import settings as hypothesis_settings

import config
from tests.http import Rest

ROOT = Path(__file__).parent.parent
assert Path(config.__file__).parent.parent == ROOT, "Run the tests from their own project's folder."

# How long a test takes says nothing on a busy machine: speed is measured in benchmarks.
hypothesis_settings.register_profile("untimed", deadline=None)
hypothesis_settings.load_profile("untimed")

# Pages name their static files as they are: nothing is collected for tests.
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup):
    yield
    cache.disconnect()  # of the counters, for which the end of the test database would wait


@pytest.fixture
def rest(client) -> Rest:
    """The REST API as a client with a key sees it."""
    return Rest(client)
