"""Connections of the one port are kept open for clients that send another request after a while."""

import socket
import time
from contextlib import ExitStack
from http.client import HTTPResponse
from urllib.parse import urlsplit

import pytest

from config import gunicorn
from tests.live import live_web

PATHS = ("/healthz", "/login/", "/static/nothing.css", "/mcp")
GUNICORNS_OWN = 2
"""Seconds after which gunicorn closes an idle connection unless it is told otherwise."""


def asked(connection, path="/healthz"):
    """The status of a GET on an open connection, whose answer is read to its end."""
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    response = HTTPResponse(connection)
    response.begin()
    response.read()
    return response.status


def test_idle_connections_are_kept_longer_than_load_balancers_and_clients_keep_theirs():
    assert gunicorn.keepalive == 75


@pytest.mark.server
def test_a_second_request_is_answered_on_a_connection_that_was_idle(
    transactional_db, django_db_serialized_rollback, live_port
):
    with ExitStack() as opened:
        connections = {path: opened.enter_context(socket.create_connection(live_port, timeout=20)) for path in PATHS}
        first = {path: asked(connections[path], path) for path in PATHS}
        time.sleep(GUNICORNS_OWN + 1)
        assert {path: asked(connections[path], path) for path in PATHS} == first


@pytest.fixture(scope="module")
def live_port(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), live_web() as live:
        address = urlsplit(live.url)
        yield address.hostname, address.port
