"""What all tests share."""

from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache

import config
from apikeys.models import Plan
from tests.http import Rest

ROOT = Path(__file__).parent.parent
assert Path(config.__file__).parent.parent == ROOT, "Run the tests from their own project's folder."

# Pages name their static files as they are: nothing is collected for tests.
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup):
    yield
    cache.disconnect()  # of the counters, for which the end of the test database would wait


@pytest.fixture(autouse=True)
def _plans_stay(request, django_db_blocker):
    """A test with real transactions empties the tables behind it, those that migrations filled, too: others follow it
    in the same database when several processes test."""
    yield
    mark = request.node.get_closest_marker("django_db")
    if "transactional_db" in request.fixturenames or (mark and mark.kwargs.get("transaction")):
        with django_db_blocker.unblock():
            ContentType.objects.clear_cache()
            if not Plan.objects.exists():
                import_module("apikeys.migrations.0002_plans_and_counters").seed(apps, None)


@pytest.fixture
def rest(client) -> Rest:
    """The REST API as a client with a key sees it."""
    return Rest(client)
