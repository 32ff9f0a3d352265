"""What all tests share."""

from pathlib import Path

import pytest

import config
from tests.http import Rest

ROOT = Path(__file__).parent.parent
assert Path(config.__file__).parent.parent == ROOT, "Run the tests from their own project's folder."


@pytest.fixture
def rest(client) -> Rest:
    """The REST API as a client with a key sees it."""
    return Rest(client)
