"""What every test may use: the cast (owner, collaborator, viewer, stranger) and the place of the reference data.

A test is the same each time it runs: properties are tried on the same examples, and ids of rows and the numbers of
factories follow from its name. `make explore` looks further, with other examples and other ids.
"""

import gc
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.core.cache import cache
from django.db import connection
from hypothesis import HealthCheck, settings

from apikeys.caller import Caller
from apikeys.db.outages import DATABASE
from apikeys.errors import ServiceError
from tests.casting import new_cast
from tests.databases import keep_rows
from tests.ids import begin, use_them
from tests.providers.process import ProviderProcess, provider_process
from tests.selection import TAKING_LONG

REFERENCE_DATA = Path(
    os.environ.get("REFERENCE_DATA", Path(__file__).resolve().parent.parent.parent / "shared" / "data")
)

# No deadline and no check of slowness: a slow machine is no fault.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", settings.get_profile("explore"), derandomize=True)
settings.load_profile("fixed")

use_them()

WITH_PROCESSES = ("crash", "server", "browser")
TEMPLATE = os.environ.get("TEST_TEMPLATE", "")
ON_SQLITE = connection.vendor == "sqlite"


def pytest_collection_modifyitems(items):
    """Files whose tests start processes come first, then others that take long: nobody is to wait for the last."""
    waiting = {item.path for item in items if any(item.get_closest_marker(name) for name in WITH_PROCESSES)}
    items.sort(key=lambda item: (item.path not in waiting, not item.nodeid.startswith(TAKING_LONG)))


def pytest_collection_finish():
    """What is there now stays until the end: analysing it for garbage took a tenth of the time."""
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb):
    """Where a file with all migrations is there, a copy of it is the database of this process."""
    return django_db_keepdb or (ON_SQLITE and bool(TEMPLATE))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings):
    if TEMPLATE and ON_SQLITE:
        shutil.copyfile(TEMPLATE, connection.settings_dict["TEST"]["NAME"])
    elif TEMPLATE:
        connection.settings_dict["TEST"]["TEMPLATE"] = TEMPLATE


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        keep_rows(connection)


@pytest.fixture(autouse=True)
def _same_each_time(request):
    """Ids and the numbers of factories that follow from the name of the test (and from TEST_SEED)."""
    begin(request.node.nodeid)


@pytest.fixture
def reference_data():
    """The folder of reference data; the test is skipped, aloud, where it is absent."""
    if not REFERENCE_DATA.is_dir():
        pytest.skip(f"no reference data at {REFERENCE_DATA} (set REFERENCE_DATA)")
    return REFERENCE_DATA


@pytest.fixture
def cast(db):
    return new_cast()


@pytest.fixture
def owner(cast):
    """The brand's owner as services see them."""
    return Caller.from_user(cast.owner)


@pytest.fixture
def refused():
    """Call a service that must refuse with a code; gives the error."""

    def call(code, function, *args, **more):
        with pytest.raises(ServiceError) as caught:
            function(*args, **more)
        assert caught.value.code == code, caught.value.message
        return caught.value

    return call


@pytest.fixture(autouse=True)
def _nothing_left_over():
    cache.clear()
    DATABASE._logged_at.clear()


@pytest.fixture(scope="session")
def running_provider():
    with provider_process() as running:
        yield running


@pytest.fixture
def provider(running_provider) -> ProviderProcess:
    """A provider of AI answers on loopback, a process of its own, whose book is empty."""
    running_provider.forget()
    return running_provider


@pytest.fixture
def at_once():
    """Call a function many times at the same moment, each on a connection of its own; gives results and errors."""

    def run(times, function):
        barrier = Barrier(times)

        def one(index):
            try:
                barrier.wait(timeout=30)
                return function(index)
            except Exception as error:
                return error
            finally:
                connection.close()

        with ThreadPoolExecutor(max_workers=times) as pool:
            return list(pool.map(one, range(times)))

    return run
