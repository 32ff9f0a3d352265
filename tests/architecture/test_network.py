"""Who speaks to the network: engines to the providers that operators name, the fetcher to everybody else."""

import pytest

from tests.architecture.sources import Source, sources

CLIENTS = ("aiohttp", "httpx", "httpx2", "requests", "urllib3", "urllib.request", "http.client", "aiodns", "ftplib")
MAY_ASK = ("visibility/engines/", "visibility/audit/fetch/", "config/management/commands/run_demo.py")
"""The last one asks the service itself whether it is there."""


def asking(source: Source):
    """What a module imports to ask servers with."""
    return [module for _, module in source.imports() if any(f"{module}.".startswith(f"{each}.") for each in CLIENTS)]


def test_nobody_else_has_a_client():
    others = [f"{source.path} imports {asking(source)}" for source in sources() if asking(source)]
    assert [line for line in others if not line.startswith(MAY_ASK)] == []


@pytest.mark.parametrize("place", MAY_ASK)
def test_who_may_does(place):
    assert any(asking(source) for source in sources() if source.path.startswith(place))
