"""What the scan tests share."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from apikeys.caller import Caller
from tests.factories import PromptFactory
from tests.scans.engines import PATH


@pytest.fixture
def engines(settings):
    """Name the test engines that every brand has."""

    def use(*names):
        settings.EXTRA_ENGINES = [f"{PATH}.{name}" for name in names]

    use("Steady")
    return use


@pytest.fixture
def owner(cast):
    return Caller.from_user(cast.owner)


@pytest.fixture
def prompts(cast):
    return [PromptFactory(brand=cast.brand, text=f"which product number {n}?", topic=f"t{n // 2}") for n in range(6)]


@pytest.fixture
def at_once():
    """Call a function many times at the same moment, each on a connection of its own; gives the results."""

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
