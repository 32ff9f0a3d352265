"""Domains come to one form, or are refused with the reason."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apikeys.errors import ServiceError
from brands.domains import normalise_domain
from tests.brands.conftest import refusal

ONE_FORM = {
    "acme.com": "acme.com",
    " HTTPS://www.Acme.com:8080/#z ": "acme.com",
    "//acme.com//": "acme.com",
    "acme.com.": "acme.com",
    "shop.acme.co.uk": "shop.acme.co.uk",
    "bücher.de": "xn--bcher-kva.de",
    "straße.de": "xn--strae-oqa.de",
    "日本.jp": "xn--wgv71a.jp",
    "acme。com": "acme.com",
    "www.com": "www.com",
    "www.co.uk": "www.co.uk",
    "acme.github.io": "acme.github.io",
    "acme.example": "acme.example",
}
NO_DOMAINS = [
    *("", "acme", "com", "co.uk", "acme.con", "1.2.3.4", "[::1]", "http://[::1/", "localhost:8000", "user@acme.com"),
    *("a b.com", "a_b.com", "-a.com", "a..com", "x" * 64 + ".com", "a." * 130 + "com", "acme\x00.com", "0x7f.1"),
    *("acme\u202e.com", "acme\n.com", "javascript:alert(1)", "\ud800.com", "acme.com\\evil.com"),
]


def test_what_people_type_comes_to_one_form():
    assert {typed: normalise_domain("domain", typed) for typed in ONE_FORM} == ONE_FORM


def test_what_is_no_domain_is_refused_with_an_example():
    for typed in NO_DOMAINS:
        refused = refusal(normalise_domain, "domain", typed)
        assert (refused.code, refused.details) == ("invalid_arguments", {"argument": "domain"}), typed
        assert "acme.com" in refused.message
        assert refused.message.isprintable()


@pytest.mark.parametrize(
    "typed", ["acme.com/kings", "https://www.acme.com/de/", "acme.com/http://other.com", "acme.com/?shop=2"]
)
def test_one_section_of_a_site_is_refused_as_all_of_the_site_would_be_own(typed):
    refused = refusal(normalise_domain, "domain", typed)
    assert refused.details == {"argument": "domain"}
    assert "acme.com" in refused.message
    assert "host name alone" in refused.message


HOSTS = st.lists(st.text("aAüßİé日\u0660-_.。xn1", min_size=1, max_size=8), min_size=1, max_size=4)
TYPED = st.text() | HOSTS.map(lambda labels: ".".join([*labels, "com"]))


@given(TYPED)
@example("xn--a.com")
@example("www.www.com")
def test_any_text_has_one_normal_form_or_is_refused(typed):
    try:
        domain = normalise_domain("domain", typed)
    except ServiceError as error:
        assert error.code == "invalid_arguments"
    else:
        assert domain.isascii()
        assert domain == domain.lower()
        assert len(domain) <= 253
        assert normalise_domain("domain", domain) == domain
