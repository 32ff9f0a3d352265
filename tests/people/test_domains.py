"""Domains come to one form, or are refused with the reason."""

import pytest

from brands.domains import normalise_domain


@pytest.mark.parametrize(
    ("typed", "domain"),
    [
        ("acme.com", "acme.com"),
        (" HTTPS://www.Acme.com:8080/x?y#z ", "acme.com"),
        ("//acme.com//x", "acme.com"),
        ("acme.com/http://other.com", "acme.com"),
        ("acme.com.", "acme.com"),
        ("shop.acme.co.uk", "shop.acme.co.uk"),
        ("bücher.de", "xn--bcher-kva.de"),
        ("straße.de", "xn--strae-oqa.de"),
        ("日本.jp", "xn--wgv71a.jp"),
        ("acme。com", "acme.com"),
        ("www.com", "www.com"),
        ("www.co.uk", "www.co.uk"),
        ("acme.github.io", "acme.github.io"),
        ("acme.example", "acme.example"),
    ],
)
def test_what_people_type_comes_to_one_form(typed, domain):
    assert normalise_domain("domain", typed) == domain
    assert normalise_domain("domain", domain) == domain


@pytest.mark.parametrize(
    "typed",
    [
        "", "acme", "com", "co.uk", "acme.con", "1.2.3.4", "[::1]", "http://[::1/", "localhost:8000", "user@acme.com",
        "a b.com", "a_b.com", "-a.com", "a..com", "x" * 64 + ".com", "a." * 130 + "com", "acme\x00.com",
        "acme\u202e.com", "acme\n.com", "0x7f.1", "javascript:alert(1)", "\ud800.com", "acme.com\\evil.com",
    ],
)  # fmt: skip
def test_what_is_no_domain_is_refused(refused, typed):
    error = refused("invalid_arguments", normalise_domain, "domain", typed)
    assert error.details == {"argument": "domain"}
    assert "acme.com" in error.message  # an example of what to give
    assert error.message.isprintable()
