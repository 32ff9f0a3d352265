"""The pages of all brands, one prompt, gaps and comparisons."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.formats import date_format

from tests.factories import (
    ChangeRecordFactory,
    CompetitorFactory,
    DailyScoreFactory,
    PromptFactory,
    RecommendationFactory,
)
from tests.scans.history import ended_run
from visibility.models import Run
from visibility.pipeline.runner import execute

MOVED = {"since": "2026-03-09", "delta": 5.0, "low": 1.0, "high": 9.0, "verdict": "moved", "minimum_detectable": 4.0}
BRAND_PAGES = ("gaps-page", "comparison-page")

REFRESHES = 'http-equiv="refresh"'


@pytest.fixture
def page(client, cast):
    def get(name, user=cast.owner, **where):
        client.force_login(user)
        answer = client.get(reverse(name, kwargs=where))
        return answer.content.decode() if answer.status_code == 200 else answer.status_code

    return get


@pytest.fixture
def rival(cast):
    return CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")


@pytest.mark.django_db
def test_the_list_of_brands_tells_how_each_stands_and_what_the_account_may_use(page, cast):
    DailyScoreFactory(brand=cast.brand, score=41.5, change=MOVED)
    ChangeRecordFactory(brand=cast.brand, direction="up", delta=5.5, low=1.5, high=9.5)
    RecommendationFactory(brand=cast.brand)
    html = page("brand-list")
    assert "41.5 %" in html and "The score rose by 5.5 points (1.5 to 9.5) on" in html
    assert "moved up" not in html
    account = page("account-page")
    assert "400,000" in account and "No scans are planned" in account


@pytest.mark.django_db
def test_a_brand_without_a_measurement_says_so(page, cast):
    assert "not measured" in page("brand-list")


@pytest.mark.django_db
def test_a_prompt_shows_its_answers_with_the_names_marked(page, cast, rival):
    prompt = PromptFactory(brand=cast.brand, text="which anvil is good?")
    ended_run(cast.brand, [prompt], texts=["<b>Acme</b> is good. Rival is <script>bad</script>."])
    html = page("prompt-page", brand_id=cast.brand.pk, prompt_id=prompt.pk)
    assert '<mark class="own" title="Acme: ' in html and '<mark class="rival" title="Rival: ' in html
    assert "<script>bad" not in html and "&lt;script&gt;bad" in html
    assert "1 of 1" in html
    listed = page("prompts-page", brand_id=cast.brand.pk)
    assert reverse("prompt-page", kwargs={"brand_id": cast.brand.pk, "prompt_id": prompt.pk}) in listed


@pytest.mark.django_db
def test_a_prompt_is_found_below_its_own_brand_alone(page, cast):
    prompt, other = PromptFactory(brand=cast.brand), PromptFactory(brand__owner=cast.owner)
    assert page("prompt-page", brand_id=other.brand.pk, prompt_id=prompt.pk) == 404
    assert page("prompt-page", cast.stranger, brand_id=cast.brand.pk, prompt_id=prompt.pk) == 404
    assert page("prompt-page", cast.viewer, brand_id=cast.brand.pk, prompt_id=prompt.pk) != 404


@pytest.mark.django_db
@pytest.mark.parametrize("name", BRAND_PAGES)
def test_strangers_find_no_page_and_the_competitors_lead_to_each(page, cast, name):
    assert page(name, cast.stranger, brand_id=cast.brand.pk) == 404
    assert reverse(name, kwargs={"brand_id": cast.brand.pk}) in page("competitors-page", brand_id=cast.brand.pk)


@pytest.mark.django_db
def test_gaps_name_who_stands_there_and_quote_it(page, cast, rival):
    prompt = PromptFactory(brand=cast.brand, text="which anvil is good?")
    assert "Nothing is measured yet" in page("gaps-page", brand_id=cast.brand.pk)
    ended_run(cast.brand, [prompt], texts=["Rival is <i>good</i>."])
    html = page("gaps-page", brand_id=cast.brand.pk)
    assert "which anvil is good?" in html and "<bdi>Rival</bdi> in 1" in html and "chat: 1 of 1 answers" in html
    assert "Rival is &lt;i&gt;good&lt;/i&gt;." in html


@pytest.mark.django_db
def test_a_comparison_is_started_on_its_page_and_shown_there(page, client, cast, settings):
    settings.EXTRA_ENGINES = ["tests.scans.test_comparison.Judge"]
    cast.brand.name = "Bolvex"
    cast.brand.save()
    CompetitorFactory(brand=cast.brand, name="Kryton", domain="kryton.example")
    before = page("comparison-page", brand_id=cast.brand.pk)
    assert "There is no comparison yet" in before and "12 credits" in before and REFRESHES not in before
    address = reverse("start-comparison", kwargs={"brand_id": cast.brand.pk})
    assert "The comparison has started: 12 questions" in client.post(address, follow=True).content.decode()
    assert "No new comparison: one is under way." in client.post(address, follow=True).content.decode()
    under_way = page("comparison-page", brand_id=cast.brand.pk)
    assert "Cancel this comparison" in under_way and REFRESHES in under_way
    execute(Run.objects.get().pk, "w")
    html = page("comparison-page", brand_id=cast.brand.pk)
    told = "<bdi>Bolvex</bdi> preferred in 3 of 12 answers, <bdi>Kryton</bdi> in 3, undecided 6."
    assert told in html and REFRESHES not in html
    assert "Of the undecided 6 choose neither, or only under a condition." in html
    assert 'aria-label="Bolvex: 3, undecided: 6, Kryton: 3"' in html
    assert "I&#x27;d go with <strong>Kryton</strong> &amp; be done." in html
    next_at = date_format(Run.objects.get().created_at + timedelta(hours=1), "DATETIME_FORMAT")
    assert f"The next comparison can start on {next_at}." in html and "Start a comparison" not in html
    settings.SCAN_COOLDOWN_SECONDS = 0
    assert "Start a comparison" in page("comparison-page", brand_id=cast.brand.pk)


@pytest.mark.django_db
def test_without_a_competitor_there_is_nothing_to_compare(page, cast):
    html = page("comparison-page", brand_id=cast.brand.pk)
    assert "There is nothing to compare" in html and "Start a comparison" not in html


@pytest.mark.django_db
@pytest.mark.parametrize(("who", "runs"), [("viewer", 0), ("stranger", 0), ("editor", 1)])
def test_who_may_not_change_the_brand_starts_nothing(page, client, cast, rival, settings, who, runs):
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]
    person = getattr(cast, who)
    if who == "viewer":
        assert "Start a comparison" not in page("comparison-page", person, brand_id=cast.brand.pk)
    client.force_login(person)
    answer = client.post(reverse("start-comparison", kwargs={"brand_id": cast.brand.pk}))
    assert answer.status_code == (404 if who == "stranger" else 302)
    assert Run.objects.count() == runs


@pytest.mark.django_db
def test_gaps_stand_ten_to_a_page(page, cast, rival):
    prompts = [PromptFactory(brand=cast.brand, text=f"which anvil is number {number}?") for number in range(12)]
    ended_run(cast.brand, prompts, texts=["Rival is good."] * 12)
    first = page("gaps-page", brand_id=cast.brand.pk)
    assert first.count("<li>") == 10 and "1 to 10 of 12" in first and "12 of 12 prompts" in first
