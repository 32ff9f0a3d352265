"""What the scan tests share."""

import pytest

from apikeys.operators import system_caller
from tests.factories import PromptFactory
from tests.scans.engines import PATH
from tests.scans.history import ended_run
from tests.scans.workers import celery, wait_until

__all__ = ["celery", "wait_until"]


@pytest.fixture
def engines(settings):
    """Name the test engines that every brand has."""

    def use(*names):
        settings.EXTRA_ENGINES = [f"{PATH}.{name}" for name in names]

    use("Steady")
    return use


@pytest.fixture
def brand(cast):
    return cast.brand


@pytest.fixture
def system():
    """A command, or the scheduler."""
    return system_caller("test")


@pytest.fixture
def prompts(cast):
    return [PromptFactory(brand=cast.brand, text=f"which product number {n}?", topic=f"t{n // 2}") for n in range(6)]


@pytest.fixture
def wordings(cast):
    """Five questions, a topic each."""
    return [PromptFactory(brand=cast.brand, text=f"which one is good, number {n}?", topic=f"t{n}") for n in range(5)]


@pytest.fixture
def history(cast, wordings):
    """Three measured days."""
    return [ended_run(cast.brand, wordings, day=day) for day in range(3)]
