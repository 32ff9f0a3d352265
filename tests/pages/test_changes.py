"""What the brand's page says of changes, in plain words."""

import re
from datetime import date

import pytest
from django.urls import reverse

from tests.factories import ChangeRecordFactory, DailyScoreFactory
from visibility.resources.changes import Change
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


QUIETLY = {"state": "none", "moved_on": None, "pooled_days": 7, "delta": None, "low": None, "high": None}
CONFIRMED = {**QUIETLY, "state": "confirmed", "moved_on": "2025-11-18", "delta": -9.0, "low": -14.0, "high": -4.0}
ASLEEP = {"raised": False, "looks": 30, "since": None, "delta": None, "low": None, "high": None}
RAISED = {**ASLEEP, "raised": True, "since": "2025-10-20", "delta": 15.0, "low": 4.0, "high": 26.0}


def figure(metric, change, engine=None, confirmation=QUIETLY, monitor=ASLEEP):
    told = {"confirmation": confirmation, "monitor": monitor}
    return {"engine": engine, "metric": metric, "p": 0.5, "adjusted_p": 0.5, **change, **told}


@pytest.fixture
def page(client, cast):
    def open_with(change, changes=(), budget=None, **more):
        DailyScoreFactory(brand=cast.brand, date=BEFORE)
        headline = {"since": BEFORE.isoformat(), **change}
        DailyScoreFactory(
            brand=cast.brand, date=NOW, change=headline, changes=list(changes), budget=budget or {}, **more
        )
        client.force_login(cast.viewer)
        return client.get(reverse("brand-page", kwargs={"brand_id": cast.brand.pk})).content.decode()

    return open_with


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (MOVED, "moved up 6.1 points (2.0 to 10.2)"),
        (MOVED | {"delta": -6.12, "low": -10.2, "high": -2.04}, "moved down 6.1 points (2.0 to 10.2)"),
        (QUIET, "within noise: -1.3 points (-4.0 to 1.5)"),
        (BLUNT, "cannot be told yet: an even change of 14 points would show"),
        (BLIND, "cannot be told yet: too few prompts or topics, or no differences to compare"),
        (APART, "not comparable"),
    ],
)
def test_each_verdict_has_its_words(change, words):
    assert in_words(Change.model_validate({"since": BEFORE, **change})) == words


def test_only_what_is_told_as_a_change_stands_beside_a_figure(page, cast):
    ChangeRecordFactory(brand=cast.brand, began=date(2025, 11, 18), known_on=NOW)
    shown = page(
        MOVED,
        [
            figure("score", MOVED, confirmation=CONFIRMED),
            figure("share_of_voice", MOVED),
            figure("citation_rate", BLIND, monitor=RAISED),
            figure("score", BLUNT, "local-search"),
        ],
        change_week={"since": "2025-11-11", **QUIET},
        change_month={"since": "2025-10-20", **MOVED},
    )
    top, below = shown.split('<dl class="figures">')
    assert "The score fell by 37.1 points (28.0 to 46.2) on 18 Nov 2025: from 61.3 %" in top
    tiles, engines = below.split("</dl>", 1)
    assert tiles.count('class="change"') == 3
    assert "The score fell by 37.1 points (28.0 to 46.2) on 18 Nov 2025" in tiles and "fell by 9.0" not in shown
    assert "no clear change</a>" in tiles and "moved" not in tiles
    assert "rose by 15.0 points (4.0 to 26.0) since about 20 Oct 2025, found by daily monitoring" in tiles
    notes = engines
    assert "Since 12 Nov 2025, the measured day before: moved up 6.1 points (2.0 to 10.2)" in notes
    assert "Since 11 Nov 2025 (about a week before): within noise: -1.3 points" in notes
    assert "Since 20 Oct 2025 (about a month before): moved up 6.1 points" in notes
    trend = top.split('id="trend">')[1]
    assert "no clear change; the latest day: cannot be told yet: an even change of" in engines
    assert "moved up 6.1 points" in trend
    assert "since 11 Nov 2025 (about a week before)" in trend
    assert trend.count("confirmed on 19 Nov") >= 2, "above the chart, and in its table"


def test_a_day_that_cannot_be_compared_says_so(page):
    common = {"since": BEFORE.isoformat(), **QUIET, "engines": ["chat"], "prompts": 8, "rest": 20.0}
    causes = [{"code": "prompts", "message": "only 8 of 12 prompts were asked on both days in the same wording"}]
    shown = page({**APART, "causes": causes, "common": common})
    assert "no clear change: no earlier day can be compared with the latest one" in shown
    assert "Since 12 Nov 2025, which cannot be compared with now: only 8 of 12 prompts were asked" in shown
    words = (
        "With chat on the 8 prompts that both days asked the score differs by -1.3 points (-4.0 to 1.5); "
        "+20.0 points are due to other prompts"
    )
    assert shown.count(words) == 2  # among the notes and in the table of the trend


def test_days_of_an_earlier_release_say_that_they_are_counted_soon(page):
    assert "no clear change yet: the earlier days are counted for it soon" in page(QUIET)


def test_the_budget_says_what_would_help(page, cast):
    budget = {
        "shares": {"run": 20.0, "sample": 80.0}, "reach": 14.2, "target": 10.0, "prompts": 20, "topics": 20,
        "samples": 3.0, "engines": 2, "branded": 0, "spread": None,
        "wander": {"run": 0.02, "sample": 0.1, "source": "own"},
    }  # fmt: skip
    shown = page(BLUNT, budget={"score": None, "change": budget})
    assert '<p class="note">Seeing a change of 10 points needs about 44 topics × 1 wording × 3 samples' in shown
    assert "you have 20 topics × 1 wording × 3 samples" in shown
    assert not re.search(r"±\d+ points needs", shown), "nothing is known of what the score needs"
    assert reverse("plan-page", kwargs={"brand_id": cast.brand.pk}) in shown


def test_the_first_measured_day_claims_nothing(client, cast):
    DailyScoreFactory(brand=cast.brand, date=NOW)
    client.force_login(cast.owner)
    shown = client.get(reverse("brand-page", kwargs={"brand_id": cast.brand.pk})).content.decode()
    assert "as notes" not in shown and 'class="change"' not in shown
