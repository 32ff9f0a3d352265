"""The page of evidence: each line with the words that it stands on, and what is missing with the way to it."""

import pytest

from tests.evidence.handmade import answer_quote, claim, criterion, page_quote, store, theme, voice
from tests.pages.hostile_markdown import HTML, LINKS
from visibility.pages import evidence


@pytest.fixture
def show(visit, cast):
    def go(query="", user=cast.owner, status=200):
        page = visit(user, "evidence-page", brand_id=cast.brand.pk, query=query)
        assert page.status_code == status
        return page.content.decode()

    return go


@pytest.mark.django_db
def test_each_kind_is_told_with_its_words(show, cast):
    store(cast.brand, "criteria", (criterion(quote=answer_quote("**Acme** is \\$5 & heavy")),))
    store(cast.brand, "claims", (claim(),))
    store(cast.brand, "themes", (theme(),))
    store(cast.brand, "voice", voice())
    page = " ".join(show(user=cast.viewer).split())
    assert "<bdi>Weight</bdi>" in page and "60 %: 3 of 5 answers" in page
    assert "<strong><bdi>Acme</bdi></strong> 2" in page
    assert "<strong>Acme</strong> is $5 &amp; heavy" in page
    assert "A number without a source; answers say otherwise (5 were looked at)" in page and "They weigh 30." in page
    assert "9 of 30 reviews · positive · 4.5 stars · steady · in 2 answers, too" in page
    assert "Length of sentences</dt><dd>14.2 words" in page
    assert f"/brands/{cast.brand.pk}/answers/00000000-0000-4000-8000-00000000000a" in page


@pytest.mark.django_db
def test_what_is_missing_says_why_and_leads_on_without_naming_tools(show, cast, settings):
    page = show()
    assert "This site has not been audited." in page and "To the audits" in page
    assert settings.TOOL_PREFIX not in page


@pytest.mark.django_db
def test_the_first_are_shown_and_the_rest_is_one_click_away(show, cast):
    labels = [f"Label{number}" for number in range(evidence.SHOWN + 1)]
    store(cast.brand, "criteria", tuple(criterion(label) for label in labels))
    page = show()
    assert labels[-2] in page and labels[-1] not in page and "All 11 criteria" in page
    everything = show(query="?all=on")
    assert labels[-1] in everything and "All 11 criteria" not in everything


@pytest.mark.django_db
def test_strangers_find_nothing(show, cast):
    show(user=cast.stranger, status=404)


@pytest.mark.django_db
def test_hostile_words_are_inert(show, cast):
    hostile = [text for text in (*HTML, *LINKS) if "\0" not in text]
    store(cast.brand, "criteria", tuple(criterion(text, quote=answer_quote(text)) for text in hostile))
    store(cast.brand, "claims", tuple(claim(text, ours=page_quote(text, url=text)) for text in hostile))
    store(cast.brand, "themes", tuple(theme(text) for text in hostile))
    page = show(query="?all=on").lower()
    main = page.split("<main", 1)[1].split("</main>", 1)[0]
    for opening in ("<script", "<img", "<svg", "<iframe", "<style", "<object", "<base", "<meta", "<math", "<body"):
        assert opening not in main
    for start in ('href="javascript', 'href="data', 'href="vbscript', 'href=" '):
        assert start not in main
