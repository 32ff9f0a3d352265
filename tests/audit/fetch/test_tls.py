"""Encrypted connections: only to who a known authority says it is, and told apart when it is not."""

import ssl

import pytest

from tests.audit.fetch.certificates import bad, good, server_context, trusted, with_chain
from tests.audit.fetch.conftest import HOST
from tests.audit.fetch.servers import ends, forever, page, redirect, serving
from visibility.audit.fetch.failures import FetchError

BAD = bad(HOST)


@pytest.fixture
def secure(fetch, tmp_path):
    """Fetch the home page of a server with a certificate, trusting the tests' authority."""

    def run(signed, behaviours=None, context=None, **more):
        context = context or server_context(signed, tmp_path)
        with serving(behaviours or {"/": page(b"hello")}, tls=context) as server:
            return server, fetch(server, f"https://{HOST}/", authorities=trusted(), **more)

    return run


@pytest.mark.parametrize("signed", [good(HOST), good("other.com", HOST), with_chain(HOST)])
def test_a_good_certificate_is_accepted(secure, signed):
    _, response = secure(signed)
    assert (response.status, response.body) == (200, b"hello")


@pytest.mark.parametrize("wrong", BAD)
def test_a_bad_certificate_is_told_with_what_is_wrong_and_nothing_is_asked(secure, wrong):
    signed, words = BAD[wrong]
    server, error = secure(signed)
    assert isinstance(error, FetchError)
    assert (error.reason, error.temporary) == ("tls", False)
    assert words in error.detail and error.detail.startswith("The ")
    assert server.requests == []


def test_the_systems_authorities_are_trusted_and_no_others(fetch, tmp_path):
    with serving({"/": page()}, tls=server_context(good(HOST), tmp_path)) as server:
        error = fetch(server, f"https://{HOST}/")
    assert error.reason == "tls"


def test_a_redirect_to_a_bad_certificate_ends_there(secure, fetch, tmp_path):
    signed, _ = BAD["expired"]
    with serving({"/": page()}, tls=server_context(signed, tmp_path)) as expired:
        hosts = {"bad.shop.com": expired.address}
        with serving({"/": redirect("https://bad.shop.com/")}) as server:
            error = fetch(
                server, f"http://{HOST}/", authorities=trusted(), local_hosts={HOST: server.address, **hosts}
            )
    assert (error.reason, error.url, len(error.hops)) == ("tls", "https://bad.shop.com/", 1)


def test_a_server_without_encryption_is_told_as_such(fetch):
    with serving({}, before=ends(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as server:
        error = fetch(server, f"https://{HOST}/")
    assert error.reason == "tls"
    assert error.detail.startswith("No encrypted connection could be agreed on (")


def test_old_encryption_is_refused(secure, tmp_path):
    context = server_context(good(HOST), tmp_path)
    context.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning):
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    _, error = secure(None, context=context)
    assert error.reason == "tls"
    assert error.detail.startswith("No encrypted connection could be agreed on (")


def test_a_handshake_that_drips_ends_at_the_deadline(fetch):
    """It begins as a handshake does, and the rest of its record comes a byte at a time."""
    with serving({}, before=forever(b"\x16\x03\x03\x40\x00", b"\x02", pause=0.2)) as server:
        error = fetch(server, f"https://{HOST}/", deadline=1.0)
    assert error.reason == "timeout"
