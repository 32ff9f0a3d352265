"""What the tests of mail share."""

import pytest

from tests.factories import UserFactory
from tests.live import own_database
from tests.mail.server import running_server, use_server
from tests.mail.workers import killed_workers


@pytest.fixture(scope="session")
def server():
    with running_server() as (box, port):
        yield box, port


@pytest.fixture
def letterbox(server, settings):
    """An empty letterbox, to which the service sends."""
    box, port = server
    box.mails.clear()
    box.answers = {"RCPT": [], "DATA": []}
    use_server(settings, port)
    return box


@pytest.fixture(scope="module")
def kill(server, django_db_setup, django_db_blocker):
    """Kills a worker at a statement of its work, over an empty database that all tests of the module share."""
    _, port = server
    with django_db_blocker.unblock(), own_database() as database, killed_workers(database, port) as kill:
        yield kill


@pytest.fixture
def reader(db):
    return UserFactory(email="anna@example.com")
