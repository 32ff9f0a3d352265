"""Pages that answers rest on are read before anybody is sent there."""

import pytest

from tests.audit.sites import WebSite, serving
from tests.recommendations.conftest import DAY, day_after, named
from visibility.models import CitedPage
from visibility.recommendations.cited import pages_to_read


@pytest.fixture(autouse=True)
def _plain_http(monkeypatch):
    """Addresses of citations are https in their one form; the sites of these tests have no certificates."""

    def pages(facts):
        return [page._replace(url=page.url.replace("https:", "http:")) for page in pages_to_read(facts)]

    monkeypatch.setattr("visibility.recommendations.page_reading.pages_to_read", pages)


LONG = "Bikes are compared here in detail, with their weight and their price. " * 10


def test_a_page_that_names_the_brand_sends_nobody_there_and_what_bars_us_is_said(world, settings):
    site = WebSite(host="cyclist.example")
    site.page("/best", text=f"{LONG} We like the Zentra most.")
    site.page("/all", text=f"{LONG} Zentra, Velmora and Kryton are all fine.")
    site.page("/best/secret", text="Kryton")
    site.page("/imprint", text=LONG)
    site.robots("User-agent: *\nDisallow: /best/secret")
    paths = ("/best", "/all", "/best/secret", "/best/gone", "/imprint")

    def cites(engine, prompt):
        return [f"http://cyclist.example{path}" for path in paths]

    with serving(site):
        settings.AUDIT_LOCAL_HOSTS = {site.host: ("127.0.0.1", site.port)}
        settings.CITED_PAGES_PER_WEEK = 10
        world.measure(DAY, lambda engine, prompt, sample: named("Zentra"), cites=cites)
        world.measure(day_after(DAY, 1), lambda engine, prompt, sample: named("Zentra"), cites=cites)
    read = {page.url.removeprefix("http://cyclist.example"): page for page in CitedPage.objects.all()}
    assert {path: read[path].names_brand for path in paths} == {
        "/best": False,
        "/all": True,
        "/best/secret": None,
        "/best/gone": None,
        "/imprint": False,
    }
    assert read["/best"].competitors == ["Zentra"] and read["/all"].competitors == ["Velmora", "Zentra"]
    assert "robots.txt" in read["/best/secret"].error and "404" in read["/best/gone"].error
    assert sum(request.path == "/best" for request in site.requests) == 1
    assert not any(request.path == "/best/secret" for request in site.requests)
    pages = [piece for piece in world.one("gap").evidence if piece["kind"] == "page"]
    lines = {piece["url"].rpartition("/")[2]: piece["text"] for piece in pages}
    assert lines.keys() == {"best", "secret", "gone"}
    assert "names Zentra, not you" in lines["best"] and "look whether it names you" in lines["gone"]


def test_no_more_pages_are_read_than_operators_allow(world, settings):
    site = WebSite(host="cyclist.example")
    for number in range(5):
        site.page(f"/{number}", text=LONG)
    with serving(site):
        settings.AUDIT_LOCAL_HOSTS = {site.host: ("127.0.0.1", site.port)}
        settings.CITED_PAGES_PER_WEEK = 2
        for day in range(2):
            world.measure(
                day_after(DAY, day),
                lambda engine, prompt, sample: named("Zentra"),
                cites=lambda engine, prompt: [f"http://cyclist.example/{number}" for number in range(5)],
            )
    assert CitedPage.objects.count() == 2
