"""One process that reads for all audits of these tests: it takes a second to start."""

import os
import signal

import pytest

from visibility.audit.crawl import crawl
from visibility.audit.read.child import ReadingChild


@pytest.fixture(scope="session")
def shared_child():
    with ReadingChild() as child:
        yield child


@pytest.fixture(autouse=True)
def one_child(monkeypatch, shared_child):
    class Shared:
        def __enter__(self):
            return shared_child

        def __exit__(self, *error):
            pass

    monkeypatch.setattr(crawl, "ReadingChild", Shared)


@pytest.fixture
def kill_child(shared_child):
    """Ends the process that reads, as a hostile page would."""
    return lambda: os.kill(shared_child.pid, signal.SIGKILL)
