"""Addresses that nobody may be connected to, in every form in which they are written."""

from ipaddress import ip_address

import pytest

from visibility.net import is_barred


@pytest.mark.parametrize(
    "text",
    [
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "100.100.100.200",
        "168.63.129.16",
        "fd00:ec2::254",
        "fe80::1",
        "0.0.0.0",
        "::",
        "224.0.0.1",
        "255.255.255.255",
    ],
)
def test_what_holds_secrets_of_clouds_or_is_no_machine_is_barred(text):
    assert is_barred(ip_address(text))


@pytest.mark.parametrize("text", ["127.0.0.1", "10.0.0.5", "192.168.1.2", "::1", "fd12::1", "93.184.216.34"])
def test_machines_of_operators_and_of_the_internet_are_not(text):
    assert not is_barred(ip_address(text))
