"""What an engine that writes may propose: topics that the site's words support, competitors with a domain."""

import pytest

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from tests.engines.writer import scripted_writer
from tests.factories import BrandFactory
from tests.onboarding.sites import read_pages
from visibility.onboarding.writing import write_market

pytestmark = pytest.mark.django_db


@pytest.fixture
def brand():
    brand = BrandFactory(name="Acme", domain="acme.example", description="Acme sells band saws for small workshops.")
    read_pages(brand, {"https://acme.example/": "<h1>Quiet saws</h1>"})
    return brand


def proposed(brand):
    return write_market(Caller.from_user(brand.owner), brand.pk)


def test_without_an_engine_that_writes_nothing_is_proposed(brand):
    assert proposed(brand) is None


def test_a_topic_without_words_of_the_site_is_left_out(brand, monkeypatch):
    topics = [{"name": "band saws", "quote": "Band saws for small"}, {"name": "drills", "quote": "drills"}]
    with scripted_writer(monkeypatch, [{"topics": topics}]):
        assert [each.text for each in proposed(brand).topics] == ["band saws"]


@pytest.mark.parametrize("domain", ["no domain", "acme.example", "10.0.0.1"])
def test_a_competitor_without_a_site_of_its_own_is_left_out(brand, monkeypatch, domain):
    rivals = [{"name": "Beta", "domain": "https://www.beta.com/"}, {"name": "Gamma", "domain": domain}]
    with scripted_writer(monkeypatch, [{"competitors": rivals}]):
        found = proposed(brand).competitors
    assert [(each.text, each.domain) for each in found] == [("Beta", "beta.com")]


def test_texts_of_the_site_are_quotes_to_the_engine(brand, monkeypatch):
    with scripted_writer(monkeypatch, [{"competitors": [{"name": "Beta", "domain": "beta.com"}]}]) as asked:
        proposed(brand)
    assert "<untrusted-quote>Quiet saws</untrusted-quote>" in asked[0]


def test_where_nothing_passes_the_engine_is_asked_once_more_and_then_refused(brand, monkeypatch):
    with (
        scripted_writer(monkeypatch, [{}, {}]) as asked,
        pytest.raises(ServiceError, match="nothing that can be used"),
    ):
        proposed(brand)
    assert len(asked) == 2
