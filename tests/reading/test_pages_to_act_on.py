"""Which cited pages are worth acting on first, in gaps and opportunities."""

import pytest

from apikeys.resources import FOR_AGENTS
from tests.scans.history import ended_run
from visibility.insights.pages.reading import MAX_OF_GAP, MAX_OVER_ALL
from visibility.models import TopicChoice
from visibility.services.competitors.gaps import competitor_gaps
from visibility.services.content.opportunities import content_report

pytestmark = pytest.mark.django_db

LIST, THREAD, PRESS = "https://pcmag.com/best", "https://reddit.com/r/bikes", "https://wired.com/best"
OURS, THEIRS, SHOP = "https://acme.example/guide", "https://rival.example/guide", "https://amazon.com/dp/1"
BLOG, OFFER = "https://blog.example/best-of", "https://maker.example/products/8"
TEXTS = ["Acme is good.", "Rival is good.", "Rival is fine.", "Rival leads.", "Nothing is good."]
CITED = [[LIST, PRESS], [LIST, THREAD, SHOP, OURS], [THEIRS, THREAD, OFFER, BLOG], [PRESS], [LIST]]


@pytest.fixture
def gaps(cast, owner, rival, wordings):
    ended_run(cast.brand, wordings, texts=TEXTS, cited=CITED)
    return competitor_gaps(owner, brand_id=cast.brand.pk)


def test_over_all_gaps_the_pages_that_most_of_their_answers_cite_come_first(gaps):
    told = [(page.url, page.cls.value, page.gaps, page.answers, page.named) for page in gaps.pages]
    assert told == [
        (THREAD, "community", 2, 2, 0),
        (LIST, "review_site", 1, 3, 1),
        (PRESS, "news", 1, 2, 1),
        (OURS, "own", 1, 1, 0),
        (BLOG, "other", 1, 1, 0),
    ]
    assert {tuple(page.competitors) for page in gaps.pages} == {("Rival",)}


def test_nobody_is_sent_to_shops_competitors_or_pages_that_sell(gaps):
    every = [page.url for gap in gaps.gaps for page in gap.pages] + [page.url for page in gaps.pages]
    assert not {SHOP, THEIRS, OFFER} & set(every)


def test_each_gap_has_the_pages_of_its_own_answers(gaps, wordings):
    pages = {gap.text: [page.url for page in gap.pages] for gap in gaps.gaps}
    assert pages == {
        wordings[1].text: [LIST, THREAD, OURS],
        wordings[2].text: [THREAD, BLOG],
        wordings[3].text: [PRESS],
    }


def test_lists_are_bounded(cast, owner, rival, wordings):
    addresses = [f"https://site{number}.example/" for number in range(3 * MAX_OVER_ALL)]
    ended_run(cast.brand, wordings, texts=TEXTS, cited=[addresses] * 5)
    report = competitor_gaps(owner, brand_id=cast.brand.pk)
    assert len(report.pages) == MAX_OVER_ALL
    assert {len(gap.pages) for gap in report.gaps} == {MAX_OF_GAP}


def test_opportunities_have_the_same_pages_and_a_source_its_own(cast, owner, rival, wordings):
    for topic in {wording.topic for wording in wordings}:
        TopicChoice.objects.create(brand=cast.brand, topic=topic, is_own=True)
    ended_run(cast.brand, wordings, texts=TEXTS, cited=CITED)
    report = content_report(owner, brand_id=cast.brand.pk)
    assert [page.url for page in report.pages] == [
        page.url for page in competitor_gaps(owner, brand_id=cast.brand.pk).pages
    ]
    [source] = [each for each in report.opportunities if each.kind == "cited_source"]
    assert [page.url for page in source.pages] == [THREAD]
    [bikes] = [each for each in report.opportunities if each.topic == "bikes"]
    assert [page.url for page in bikes.pages] == [LIST, THREAD, OURS]


def test_an_answer_that_names_the_brand_makes_no_page_worth_acting_on(cast, owner, rival, wordings):
    # Answers cite the competitor's page and none of the brand's, yet name it.
    ended_run(cast.brand, wordings, texts=["Acme is good."] * 5, cited=[[THEIRS, LIST]] * 5)
    report = content_report(owner, brand_id=cast.brand.pk)
    assert {each.kind for each in report.opportunities} == {"not_cited"}
    assert report.pages == [] and all(each.pages == [] for each in report.opportunities)


def test_addresses_and_titles_are_marked_for_agents(gaps):
    shown = gaps.model_dump(mode="json", by_alias=True, context=FOR_AGENTS)
    pages = shown["pages"] + [page for gap in shown["gaps"] for page in gap["pages"]]
    assert all(page["url"].startswith("<untrusted-quote>") for page in pages)
