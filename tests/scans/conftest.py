"""What the scan tests share."""

import pytest

from apikeys.operators import system_caller
from tests.casting import new_cast, stored_cast
from tests.factories import PromptFactory
from tests.scans.engines import PATH
from tests.scans.history import ended_run
from tests.scans.workers import celery, wait_until
from tests.worlds import world
from visibility.models import Prompt, Run

__all__ = ["celery", "wait_until"]


@pytest.fixture
def engines(settings):
    """Name the test engines that every brand has."""

    def use(*names):
        settings.EXTRA_ENGINES = [f"{PATH}.{name}" for name in names]

    use("Steady")
    return use


@pytest.fixture
def cast(request, db):
    """The people and their brand; where a test asks for `measured`, they come with three measured days."""
    if "measured" not in request.fixturenames:
        return new_cast()
    world("three measured days", _measure)
    return stored_cast()


@pytest.fixture
def measured(cast):
    """Three measured days from the beginning of the test, which are made once; their runs."""
    return list(Run.objects.filter(brand=cast.brand).order_by("created_at"))


def _measure():
    brand = new_cast().brand
    wordings = _wordings(brand)
    for day in range(3):
        ended_run(brand, wordings, day=day)


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
def wordings(request, cast):
    """Five questions, a topic each."""
    if "measured" in request.fixturenames:
        return list(Prompt.objects.filter(brand=cast.brand).order_by("topic"))
    return _wordings(cast.brand)


def _wordings(brand):
    return [PromptFactory(brand=brand, text=f"which one is good, number {n}?", topic=f"t{n}") for n in range(5)]


@pytest.fixture
def history(cast, wordings):
    """Three measured days, from here on."""
    return [ended_run(cast.brand, wordings, day=day) for day in range(3)]
