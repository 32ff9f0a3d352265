"""What the scan tests share."""

import pytest

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
