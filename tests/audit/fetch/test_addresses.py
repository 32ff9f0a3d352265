"""Which IP addresses a fetch may connect to."""

import ipaddress
import socket
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.audit.fetch.addresses import PRIVATE_V4, PRIVATE_V6, PUBLIC
from visibility.audit.fetch.addresses import is_public

INSIDE = st.sampled_from([IPv4Address(address) for address in PRIVATE_V4.values()])


@pytest.mark.parametrize("address", [*PRIVATE_V4.values(), *PRIVATE_V6.values()])
def test_what_is_set_aside_is_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_what_websites_have_is_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    "text", ["", "shop.com", "127.1", "2130706433", "0x7f.0.0.1", "2606:2800:220:1::1%eth0", "1.1"]
)
def test_what_is_no_plain_address_is_not_public(text):
    assert not is_public(text)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_nothing_is_public_that_the_standard_library_calls_otherwise(address):
    if is_public(str(address)):
        assert address.is_global and not address.is_multicast


@given(
    st.sampled_from(
        [
            each
            for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8")
            for each in [ipaddress.ip_network(network)]
        ]
    ),
    st.integers(min_value=0),
)
def test_no_address_of_a_private_network_is_public(network, number):
    assert not is_public(str(network[number % network.num_addresses]))


@given(INSIDE, st.integers(0, 2**64 - 1))
def test_no_form_that_carries_a_private_address_is_public(inside, rest):
    value = int(inside)
    carriers = (
        value,  # compatible
        0xFFFF << 32 | value,  # mapped
        0xFFFF << 48 | value,  # translated
        0x64FF9B << 96 | value,  # NAT64
        0x64FF9B0001 << 80 | value,  # NAT64 for local use
        0x2002 << 112 | value << 80 | rest,  # 6to4
        0x20010000 << 96 | rest << 32 | (value ^ 0xFFFFFFFF),  # Teredo
        0x20010000 << 96 | value << 64 | rest,  # Teredo, by its server
        0x2A00 << 112 | 0x00005EFE << 32 | value,  # ISATAP
        0x2A00 << 112 | 0x02005EFE << 32 | value,
    )
    assert not [str(IPv6Address(carrier)) for carrier in carriers if is_public(str(IPv6Address(carrier)))]


def test_an_address_of_this_machine_is_not_public(monkeypatch):
    """As on a server whose network card has a public address, behind which others trust it."""
    taken = []

    class OwnAddress(socket.socket):
        def connect(self, target):
            taken.append(target[0])

        def getsockname(self):
            return (taken[-1], 40_000)

    assert is_public("93.184.216.34")
    monkeypatch.setattr(socket, "socket", OwnAddress)
    assert not is_public("93.184.216.34")
    assert taken == ["93.184.216.34"]
