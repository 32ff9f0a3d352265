"""What answers cite: domains, their pages, who is named, and the answers that cite them."""

from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apikeys.caller import Caller
from tests.factories import CompetitorFactory, PromptFactory
from tests.scans.history import ended_run
from visibility.models import Answer, Citation
from visibility.pages import sources
from visibility.services.reading.sources import source_report

REDDIT, TESTS = "https://www.reddit.com/r/anvils", "https://tests.example/anvils?a=1&b=2"


@pytest.fixture
def cited(cast):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    prompts = [PromptFactory(brand=cast.brand, text=f"which anvil is good for {place}?") for place in "abc"]
    return ended_run(
        cast.brand,
        prompts,
        texts=["Acme is good.", "Rival is good.", "Rival."],
        cited=[[REDDIT], [REDDIT, TESTS], []],
    )


@pytest.fixture
def show(visit, cast):
    def go(name="sources-page", query="", user=cast.owner, status=200, **where):
        page = visit(user, name, brand_id=cast.brand.pk, query=query, **where)
        assert page.status_code == status
        return page.content.decode()

    return go


@pytest.mark.django_db
def test_sites_are_told_with_their_kind_and_who_is_named(show, cited):
    page = " ".join(show().split())
    assert "2 of 3 answers of now cite a source" in page
    row = page.split("reddit.com</bdi>")[1].split("</tr>")[0]
    assert "community" in row and "2 of 3" in row and "1 of 2" in row and "<bdi>Rival</bdi> 1" in row


@pytest.mark.django_db
def test_kind_and_absence_are_chosen_by_the_address(show, cited):
    assert "tests.example" not in show(query="?cls=community") and "reddit.com" in show(query="?cls=community")
    absent = show(query="?absent=on")
    assert "tests.example" in absent and "reddit.com" not in absent
    assert "No source fits" in show(query="?cls=video")
    assert "reddit.com" in show(query="?cls=nothing&page=x")


@pytest.mark.django_db
def test_topic_and_engine_are_chosen_by_the_address_and_the_counts_are_those_of_the_tools(show, cast):
    anvils = [PromptFactory(brand=cast.brand, text=f"which anvil for {place}?", topic="anvils") for place in "ab"]
    hammers = PromptFactory(brand=cast.brand, text="which hammer?", topic="hammers & <b>tongs</b>")
    ended_run(cast.brand, [*anvils, hammers], texts=["Acme.", "Nobody.", "Nobody."], cited=[[REDDIT], [], [TESTS]])
    ended_run(
        cast.brand,
        [*anvils, hammers],
        texts=["Acme.", "Nobody.", "Nobody."],
        cited=[[TESTS], [], []],
        engine="search",
    )
    for chosen, told in (
        ({"topic": "anvils"}, "2 of 4 answers of now on <bdi>anvils</bdi> cite"),
        ({"engine": "search"}, "1 of 3 answers of now by search cite"),
        ({"topic": "anvils", "engine": "search"}, "1 of 2 answers of now on <bdi>anvils</bdi> by search cite"),
    ):
        page = " ".join(show(query=f"?{urlencode(chosen)}").split())
        report = source_report(Caller.from_user(cast.owner), brand_id=cast.brand.pk, **chosen)
        assert told in page and f"{report.citing} of {report.answers} answers of now" in told
        for source in report.sources:
            assert f'<td class="number">{source.answers} of {source.of_answers}</td>' in page
        assert all(f'<option value="{value}" selected' in page or f"<option selected>{value}" in page
                   for value in chosen.values())  # fmt: skip
    by_other = show(query=f"?{urlencode({'topic': 'hammers & <b>tongs</b>'})}")
    assert "tests.example" in by_other and "reddit.com" not in by_other and "<b>tongs" not in by_other
    assert "reddit.com" in show(query="?topic=none&engine=none"), "what is none is not asked for"
    ended_run(cast.brand, [hammers], texts=["Acme."], cited=[[TESTS]], engine="google_ai_mode")
    assert '<option value="google_ai_mode">Google AI Mode</option>' in show()


@pytest.mark.django_db
def test_many_sites_have_pages(show, cited, monkeypatch):
    monkeypatch.setattr(sources, "SOURCES_OF_PAGE", 1)
    assert "reddit.com" in show() and "tests.example" not in show() and "page=2" in show()
    assert "tests.example" in show(query="?page=2") and "reddit.com" in show(query="?page=9")


@pytest.mark.django_db
def test_a_site_leads_to_its_pages_and_to_the_answers_that_cite_it(show, cited, cast):
    page = show("source-page", domain="reddit.com", user=cast.viewer)
    assert f'href="{REDDIT}"' in page and 'rel="nofollow noreferrer"' in page
    citing = Citation.objects.filter(domain="reddit.com").values_list("answer", flat=True)
    assert {answer.pk for answer in Answer.objects.all() if f"/answers/{answer.pk}" in page} == set(citing)
    assert "names <bdi>Acme</bdi>" in page
    assert "does not name <bdi>Acme</bdi>" in page and "<bdi>Rival</bdi> 1 of 2" in page


@pytest.mark.django_db
def test_a_site_that_nobody_cites_is_not_there(show, cited, cast):
    for domain in ("nothing.example", "..", "%2e%2e", "x" * 3_000, "<script>", "reddit.com'--"):
        show("source-page", domain=domain, status=404)
    show("source-page", domain="reddit.com", user=cast.stranger, status=404)
    show(user=cast.stranger, status=404)


@pytest.mark.django_db
def test_nothing_measured_says_what_comes(show, cast):
    assert "Nothing is measured yet" in show()
    show("source-page", domain="reddit.com", status=404)


@pytest.mark.django_db
def test_hostile_sources_are_inert(show, cited):
    hostile = '"><script>alert(1)</script>\u202e<img src=x onerror=alert(1)>'
    Citation.objects.filter(domain="reddit.com").update(
        title=hostile, url="javascript:alert(1)//" + hostile, domain=hostile[:250]
    )
    for page in (show(), show("source-page", domain=hostile[:250])):
        assert "<script>alert" not in page and "<img src=x" not in page and 'href="javascript' not in page


@pytest.mark.django_db
@pytest.mark.parametrize("where", [{}, {"name": "source-page", "domain": "reddit.com"}])
def test_as_many_statements_for_many_sources_as_for_one(show, cast, where):
    prompt = PromptFactory(brand=cast.brand)
    counts = []
    for day, number in enumerate((1, 40)):
        ended_run(cast.brand, [prompt], texts=["Acme."], day=day,
                  cited=[[REDDIT, *(f"https://s{site}.example/" for site in range(number))]])  # fmt: skip
        show(**where)
        with CaptureQueriesContext(connection) as statements:
            show(user=None, **where)
        counts.append(len(statements))
    assert counts[0] == counts[1]
