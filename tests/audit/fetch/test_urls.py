"""Which URLs a fetch may have."""

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from yarl import URL

from tests.audit.fetch.addresses import PRIVATE_V4, PUBLIC, REFUSED_URLS, notations
from visibility.audit.fetch.failures import FetchError
from visibility.audit.fetch.urls import checked_url, is_public_name

ADDRESSES = ["127.0.0.1", "169.254.169.254", "10.0.0.1", "93.184.216.34"]
ALLOWED = {
    "https://shop.com": "https://shop.com/",
    "http://shop.com:80/a?b=c#d": "http://shop.com/a?b=c",
    "https://shop.com:443/": "https://shop.com/",
    "HTTPS://WWW.Shop.COM/Path": "https://www.shop.com/Path",
    "http://shop.com./a": "http://shop.com/a",
    "https://münchen.de/ä?q=ö": "https://xn--mnchen-3ya.de/%C3%A4?q=%C3%B6",
    "https://faß.de/": "https://xn--fa-hia.de/",
    "https://xn--mnchen-3ya.de/": "https://xn--mnchen-3ya.de/",
    "https://shop.com/a/../b": "https://shop.com/b",
    "https://shop.com/a%2Fb?c=%20+d": "https://shop.com/a%2Fb?c=%20+d",
    "https://shop.com/@name?to=http://10.0.0.1/": "https://shop.com/@name?to=http://10.0.0.1/",
    "https://1.2.3.4.shop.com/": "https://1.2.3.4.shop.com/",
    "https://10.com/": "https://10.com/",
    "https://shop.co.uk/": "https://shop.co.uk/",
    "https://user.github.io/": "https://user.github.io/",
    "https://例え.jp/": "https://xn--r8jz45g.jp/",
}
WRITTEN = st.text(
    st.sampled_from(string.ascii_letters + string.digits + "./:@?#[]\\%-_~&=+;, \t\u3002\uff10\u2460äß\u00ad")
)


def refusal(text, *, base=None, **more):
    with pytest.raises(FetchError) as caught:
        checked_url(text, base, **more)
    return caught.value


@pytest.mark.parametrize("text", REFUSED_URLS.values(), ids=REFUSED_URLS)
def test_what_is_no_address_of_the_public_web_is_refused(text):
    error = refusal(text)
    assert error.reason == "bad_url"
    assert error.detail.endswith(".") and not error.temporary
    assert error.url.isprintable() and len(error.url) <= 2_048


@pytest.mark.parametrize(
    ("name", "host"),
    [(name, host) for address in ADDRESSES for name, host in notations(address).items()],
)
def test_an_address_in_place_of_a_name_is_refused_in_every_notation(name, host):
    for text in (f"http://{host}/", f"https://{host}:443/a", f"//{host}/"):
        assert refusal(text, base=URL("https://shop.com/")).reason == "bad_url", name


@given(
    st.sampled_from(sorted(PRIVATE_V4.values()) + [each for each in PUBLIC if "." in each and ":" not in each]),
    st.data(),
)
def test_no_notation_of_any_address_passes(address, data):
    host = data.draw(st.sampled_from(sorted(notations(address).values())))
    assert refusal(f"http://{host}/").reason == "bad_url"


@pytest.mark.parametrize(("text", "fetched"), ALLOWED.items())
def test_addresses_of_the_public_web_pass_as_they_will_be_asked_for(text, fetched):
    assert str(checked_url(text)) == fetched


@pytest.mark.parametrize(
    ("text", "fetched"),
    [
        ("b?c=d", "https://shop.com/a/b?c=d"),
        ("/b", "https://shop.com/b"),
        ("?c", "https://shop.com/a/?c"),
        ("#top", "https://shop.com/a/"),
        ("//other.com", "https://other.com/"),
        ("http://other.com/x", "http://other.com/x"),
    ],
)
def test_relative_addresses_lead_on_from_their_page(text, fetched):
    assert str(checked_url(text, URL("https://shop.com/a/"))) == fetched


@pytest.mark.parametrize(
    "text", ["//10.0.0.1/", "http://localhost/", "//user@shop.com/", "https://shop.com:22/", "//a\\b"]
)
def test_what_is_relative_is_checked_as_the_whole_that_it_becomes(text):
    assert refusal(text, base=URL("https://shop.com/a/")).reason == "bad_url"


@given(WRITTEN, st.sampled_from(["", "http://", "https://", "//", "http://shop.com"]))
@example("shop.com:80\\@10.0.0.1/", "http://")
@example("@10.0.0.1#@shop.com", "http://shop.com")
def test_what_passes_is_a_plain_name_at_a_known_port_in_every_reading(rest, start):
    try:
        url = checked_url(start + rest)
    except FetchError:
        return
    assert (
        url.raw_host
        and is_public_name(url.raw_host)
        and set(url.raw_host) <= set(string.ascii_lowercase + string.digits + ".-")
    )
    assert (
        url.raw_user is None
        and url.raw_password is None
        and url.port in (80, 443)
        and url.scheme in ("http", "https")
    )
    again = URL(str(url))
    assert (again.scheme, again.raw_host, again.port) == (url.scheme, url.raw_host, url.port)
    assert checked_url(str(url)) == url


def test_a_local_host_may_have_any_name_but_no_other_freedom():
    local = {"shop.test", "demo.example"}
    assert str(checked_url("http://Demo.Example/a", local_hosts=local)) == "http://demo.example/a"
    assert refusal("http://other.example/", local_hosts=local).reason == "bad_url"
    assert refusal("http://a.demo.example/", local_hosts=local).reason == "bad_url"
    assert refusal("http://demo.example:8000/", local_hosts=local).reason == "bad_url"
    assert refusal("http://u@demo.example/", local_hosts=local).reason == "bad_url"


@pytest.mark.parametrize(
    "text", ["https://app.acme.com/", "https://APP.acme.com./x", "https://a.b.pattern.com", "https://pattern.com/"]
)
def test_the_services_own_hosts_are_refused(text):
    error = refusal(text, own_hosts={"app.acme.com", ".pattern.com", "[::1]"})
    assert error.reason == "refused_address"


def test_hosts_beside_the_services_own_pass():
    for text in ("https://www.acme.com/", "https://xapp.acme.com/", "https://notpattern.com/"):
        checked_url(text, own_hosts={"app.acme.com", ".pattern.com"})
