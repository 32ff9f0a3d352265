"""What the tests of mail share."""

import pytest

from tests.factories import UserFactory
from tests.mail.server import running_server, use_server


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


@pytest.fixture
def reader(db):
    return UserFactory(email="anna@example.com")
