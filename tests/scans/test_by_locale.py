"""Where prompts have several locales, each has figures of its own beside the ones over all, from the same answers."""

import pytest

from tests.factories import CompetitorFactory, PromptFactory
from tests.scans.history import DAY, ended_run
from visibility.models import DailyScore
from visibility.services.competitors.listing import competitors_of
from visibility.services.overview.portfolio import portfolio
from visibility.services.reading.reporting import trend
from visibility.services.reading.scores import visibility_scores

pytestmark = pytest.mark.django_db

NAMED, OTHER = "Acme is good.", "Rival is good."


def asked_in(brand, *locales):
    return [
        PromptFactory(brand=brand, text=f"which one is good, number {n}?", topic=f"t{n}", locale=locale)
        for n, locale in enumerate(locales)
    ]


@pytest.fixture
def two(cast):
    """Five German prompts, of which three name the brand, and five British ones, of which one does."""
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    wordings = asked_in(cast.brand, *["de-DE"] * 5, *["en-GB"] * 5)
    texts = [NAMED] * 3 + [OTHER] * 2 + [NAMED] + [OTHER] * 4
    ended_run(cast.brand, wordings, texts=texts)
    ended_run(cast.brand, wordings, texts=texts, engine="sonar")
    return cast.brand


def shown(rows):
    return [(row.locale, row.score, row.prompts, row.topics, row.answers) for row in rows]


def test_each_locale_has_its_score_with_its_interval(two, owner):
    day = DAY.date()
    found = visibility_scores(owner, brand_id=two.pk, first=day, last=day)
    assert found.now.score == 40.0, "the score stays the one over all prompts"
    assert shown(found.now.by_locale) == [("de-DE", 60.0, 5, 5, 10), ("en-GB", 20.0, 5, 5, 10)]
    assert found.trend[0].by_locale == found.now.by_locale
    german = found.now.by_locale[0]
    assert german.engines == ["chat", "sonar"]
    assert german.low < 60 < german.high
    assert german.share_of_voice == 60.0


def test_the_headline_says_that_it_pools_them(two, owner):
    pooled = "chat and sonar as of 10 Mar 2026; 2 locales pooled (de-DE 5, en-GB 5 prompts)"
    day = DAY.date()
    assert visibility_scores(owner, brand_id=two.pk, first=day, last=day).now.based_on == pooled
    assert portfolio(owner).sites[0].visibility.based_on == pooled
    assert competitors_of(owner, brand_id=two.pk).based_on == pooled


def test_competitors_have_theirs(two):
    rival = DailyScore.objects.get(brand=two, competitor__name="Rival")
    assert [(row["locale"], row["score"]) for row in rival.by_locale] == [("de-DE", 40.0), ("en-GB", 80.0)]


def test_prompts_without_a_locale_are_a_group_of_their_own(cast, owner):
    ended_run(cast.brand, asked_in(cast.brand, "", "", "de-DE"), texts=[NAMED, OTHER, NAMED])
    [item] = trend(owner, brand_id=cast.brand.pk, first=DAY.date(), last=DAY.date()).trend
    assert shown(item.by_locale) == [(None, 50.0, 2, 2, 2), ("de-DE", 100.0, 1, 1, 1)]
    now = visibility_scores(owner, brand_id=cast.brand.pk, first=DAY.date(), last=DAY.date()).now
    assert now.based_on.endswith("2 locales pooled (not stated 2, de-DE 1 prompts)")


@pytest.mark.parametrize("locales", [[""] * 3, ["de-DE"] * 3])
def test_one_locale_is_the_score_itself(cast, owner, locales):
    ended_run(cast.brand, asked_in(cast.brand, *locales), texts=[NAMED, OTHER, NAMED])
    now = visibility_scores(owner, brand_id=cast.brand.pk, first=DAY.date(), last=DAY.date()).now
    assert now.by_locale == []
    assert "pooled" not in now.based_on


def test_a_locale_whose_prompts_all_name_the_brand_has_no_score(cast):
    wordings = [
        *asked_in(cast.brand, "de-DE", "de-DE"),
        PromptFactory(brand=cast.brand, text="is Acme good?", locale="fr-FR"),
    ]
    ended_run(cast.brand, wordings, texts=[NAMED, OTHER, NAMED])
    assert DailyScore.objects.get(brand=cast.brand).by_locale == []


def test_the_page_shows_each(two, owner, client):
    client.force_login(two.owner)
    html = client.get(f"/brands/{two.pk}").content.decode()
    assert "By locale" in html
    assert "2 locales pooled (de-DE 5, en-GB 5 prompts)" in html
