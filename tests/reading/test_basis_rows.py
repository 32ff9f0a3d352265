"""What now rests on, read for one brand in a single statement: the same as for many."""

from datetime import date, timedelta

import pytest

from tests.factories import BrandFactory, CompetitorFactory, DailyScoreFactory, PromptFactory, RunFactory, own_pages
from visibility.measured.reading import read_bases, read_basis
from visibility.models import EngineConfig

pytestmark = pytest.mark.django_db
LATEST = date(2026, 3, 31)


def measured(brand, days_ago, *engines, **more):
    """A measured day with these engines; those that end in "!" were asked and did not count."""
    items = [
        {"engine": name.rstrip("!"), "score": None if name.endswith("!") else 40.0, "answers": 30} for name in engines
    ]
    return DailyScoreFactory(brand=brand, date=LATEST - timedelta(days=days_ago), engines=items, **more)


@pytest.mark.parametrize(("cadence", "days"), [("manual", 14), ("daily", 14), ("weekly", 14), ("monthly", 46)])
def test_the_window_is_that_of_the_cadence_to_the_day(cadence, days):
    brand = BrandFactory(cadence=cadence)
    for days_ago, engine in ((0, "newest"), (days, "last"), (days + 1, "before"), (days + 2, "long-before")):
        measured(brand, days_ago, engine)
    basis = read_basis(brand.pk)
    assert [engine_day.engine for engine_day in basis.engines] == ["last", "newest"]
    assert basis == read_bases([brand.pk])[brand.pk]


def test_it_is_what_is_read_of_many(django_assert_num_queries):
    chosen, imported, paged, other, new = BrandFactory.create_batch(5)
    for name, is_enabled in (("chat", True), ("sonar", True), ("quill", False)):
        EngineConfig.objects.create(name=name, enabled=is_enabled, provider="openai_compatible", model=name)
    EngineConfig.objects.get(name="sonar").choices.create(brand=chosen)
    EngineConfig.objects.get(name="quill").choices.create(brand=chosen)
    RunFactory(brand=imported, trigger="import", engines=["left", "right"])
    RunFactory(brand=imported, trigger="import", engines=["left"])
    own_pages(paged)
    for brand in (chosen, imported, paged, other):
        PromptFactory.create_batch(2, brand=brand)
        measured(brand, 0, "chat", "sonar!", "left", "local-search")
        measured(brand, 0, "chat", competitor=CompetitorFactory(brand=brand))
        measured(brand, 3, "sonar", "quill")
    brands = [brand.pk for brand in (chosen, imported, paged, other, new)]
    many = read_bases(brands)
    assert len({repr(many[brand].engines) for brand in brands}) >= 4, "each of them shows something else"
    for brand in brands:
        with django_assert_num_queries(1):
            basis = read_basis(brand)
        assert basis == read_bases([brand])[brand]
