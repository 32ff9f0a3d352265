"""What the brand's page says of changes, in plain words."""

from datetime import date

import pytest
from django.urls import reverse

from tests.factories import DailyScoreFactory
from visibility.resources.brands import Change
from visibility.services.reading.change_words import in_words

pytestmark = pytest.mark.django_db
BEFORE, NOW = date(2025, 11, 12), date(2025, 11, 19)


def told(verdict, **figures):
    return {"delta": None, "low": None, "high": None, "minimum_detectable": None, "verdict": verdict, **figures}


MOVED = told("moved", delta=6.12, low=2.04, high=10.2, minimum_detectable=5.9)
QUIET = told("within_noise", delta=-1.25, low=-4.0, high=1.5, minimum_detectable=6.5)
BLUNT = told("cannot_detect", delta=4.0, low=-9.0, high=17.0, minimum_detectable=14.2)
BLIND = told("cannot_detect", delta=0.0)
APART = told("not_comparable")


def figure(metric, change, engine=None):
    return {"engine": engine, "metric": metric, "p": 0.5, "adjusted_p": 0.5, **change}


@pytest.fixture
def page(client, cast):
    def open_with(change, changes=(), budget=None):
        DailyScoreFactory(brand=cast.brand, date=BEFORE)
        headline = {"since": BEFORE.isoformat(), **change}
        DailyScoreFactory(brand=cast.brand, date=NOW, change=headline, changes=list(changes), budget=budget or {})
        client.force_login(cast.viewer)
        return client.get(reverse("brand-page", kwargs={"brand_id": cast.brand.pk})).content.decode()

    return open_with


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (MOVED, "moved up 6.1 points (2.0 to 10.2)"),
        (MOVED | {"delta": -6.12, "low": -10.2, "high": -2.04}, "moved down 6.1 points (-10.2 to -2.0)"),
        (QUIET, "within noise: -1.3 points (-4.0 to 1.5)"),
        (BLUNT, "cannot be told yet: the smallest change that would show is 14 points"),
        (BLIND, "cannot be told yet: too few prompts, or no differences to compare"),
        (APART, "not comparable"),
    ],
)
def test_each_verdict_has_its_words(change, words):
    assert in_words(Change.model_validate({"since": BEFORE, **change})) == words


def test_the_verdict_stands_beside_each_figure_and_engine(page):
    shown = page(
        MOVED,
        [
            figure("score", MOVED),
            figure("share_of_voice", QUIET),
            figure("citation_rate", BLIND),
            figure("score", BLUNT, "local-search"),
        ],
    )
    assert "Changes are since 12 Nov 2025" in shown
    figures, rest = shown.split("<h2>Trend</h2>")
    assert figures.count('class="change"') == 3
    for change in (MOVED, QUIET, BLIND):
        assert in_words(Change.model_validate({"since": BEFORE, **change})) in figures
    trend, engines = rest.split("<h2>By engine</h2>")
    assert "the smallest change that would show is 14 points" in engines
    assert "moved up 6.1 points" in trend


def test_a_day_that_cannot_be_compared_says_so(page):
    shown = page(APART)
    assert "which cannot be compared with now" in shown
    assert shown.count("not comparable") == 2  # beside the score and in the table of the trend


def test_the_budget_says_what_would_help(page, cast):
    budget = {
        "shares": {"run": 20.0, "sample": 80.0}, "reach": 14.2, "target": 10.0, "prompts": 20, "topics": 20,
        "samples": 3.0, "engines": 2, "branded": 0, "spread": None,
        "wander": {"run": 0.02, "sample": 0.1, "source": "own"},
    }  # fmt: skip
    shown = page(BLUNT, budget={"score": None, "change": budget})
    assert "<li>Seeing a change of 10 points needs about 44 topics × 1 wording × 3 samples" in shown
    assert "you have 20 topics × 1 wording × 3 samples" in shown
    assert "points needs" in shown and "±" not in shown.split("<h2>Trend</h2>")[0]
    assert reverse("plan-page", kwargs={"brand_id": cast.brand.pk}) in shown


def test_the_first_measured_day_claims_nothing(client, cast):
    DailyScoreFactory(brand=cast.brand, date=NOW)
    client.force_login(cast.owner)
    shown = client.get(reverse("brand-page", kwargs={"brand_id": cast.brand.pk})).content.decode()
    assert "Changes are since" not in shown and 'class="change"' not in shown
