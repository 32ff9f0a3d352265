"""Where a connection to an engine may lead is looked at when it is made: what its name leads to now counts, not what
it led to when the engine was configured."""

import socket
from dataclasses import replace

import pytest

from tests.engines.conftest import ONE_OF_EACH, ask
from visibility.engines.protocol import EngineError
from visibility.engines.registry import build


@pytest.fixture
def leads_to(monkeypatch):
    """Let names lead to these addresses; numbers stay what they are."""
    asked = socket.getaddrinfo

    def lead(*addresses):
        def looked_up(host, port, *args, **kwargs):
            return [row for address in addresses for row in asked(address, port, *args, **kwargs)]

        monkeypatch.setattr(socket, "getaddrinfo", looked_up)

    return lead


@pytest.mark.parametrize("preset", ONE_OF_EACH)
def test_a_name_that_leads_to_secrets_is_not_connected_to(preset, spec, leads_to, httpserver):
    for addresses in (["169.254.169.254"], ["fd00:ec2::254"], ["100.100.100.200", "169.254.169.254"]):
        leads_to(*addresses)
        with pytest.raises(EngineError, match="secrets") as refused:
            ask(build(replace(spec(preset), base_url="https://llm.example/v1")))
        assert (refused.value.code, refused.value.retryable) == ("unreachable", False)


@pytest.mark.parametrize("host", ["169.254.169.254", "[fd00:ec2::254]"])
def test_nor_is_an_address_itself(host, spec):
    with pytest.raises(EngineError, match="secrets"):
        ask(build(replace(spec("perplexity"), base_url=f"http://{host}/v1", api_key="")))


def test_a_key_goes_without_tls_to_this_machine_alone(spec, leads_to, httpserver, serve):
    elsewhere = replace(spec("perplexity"), base_url=f"http://localhost:{httpserver.port}/v1")
    leads_to("192.0.2.7")
    with pytest.raises(EngineError, match="to this machine alone"):
        ask(build(elsewhere))
    leads_to("127.0.0.1")
    serve(b'{"model": "m", "choices": [{"message": {"content": "Words."}, "finish_reason": "stop"}]}')
    assert ask(build(elsewhere)).text == "Words."
