"""Sentences that jobs store in English are read in the language of the reader."""

import re
from datetime import date

import pytest

from apikeys.language import neutral, written_in
from apikeys.resources import FOR_AGENTS
from tests.audit.sites import HOST, audited
from tests.audit.six_sites import SITES
from visibility.audit import ParsedPage, counted, from_json, in_a_row, iso_day, say, to_json
from visibility.audit.read.pages import parse_page
from visibility.audit.sentences import also, theirs
from visibility.audits.resources import AuditEvidence, AuditFindingResource, finding_of
from visibility.audits.words import days_between, in_words, to_store

ENGLISH = re.compile(r"\b(?:the|and|with|page|pages|answers?|of|is|are|not|no|none|closed|marked|line|rule)\b")
MARKED = say("{number} of {page} mark no main content.", number=1, page=counted(2, "page"))
BARE = say("{url} has a table without header cells.{further}", url=theirs("/the page"), further="")
CITED = say("cited by {number} answers, of which {naming} mention you", number=3, naming=1)
FUTURE, UNREADABLE = say("{number} in the future", number=3), say("{number} missing or unreadable", number=1_204)


@pytest.mark.parametrize(
    ("sentence", "english", "german"),
    [
        (say("no text"), "no text", "keinen Text"),
        (MARKED, "1 of 2 pages mark no main content.", "1 von 2 Seiten kennzeichnen keinen Hauptinhalt."),
        (
            say(
                "Of {every} lastmod is {cases}.",
                every=counted(1_300, "address", "addresses"),
                cases=[FUTURE, UNREADABLE],
            ),
            "Of 1,300 addresses lastmod is 3 in the future and 1,204 missing or unreadable.",
            "Von 1.300 Adressen ist lastmod: 3 in der Zukunft und 1.204 fehlend oder unlesbar.",
        ),
        (
            in_a_row(BARE, MARKED),
            "“/the page” has a table without header cells. 1 of 2 pages mark no main content.",
            "“/the page” hat eine Tabelle ohne Kopfzellen. 1 von 2 Seiten kennzeichnen keinen Hauptinhalt.",
        ),
        (also(3, "more page"), " The same is so for 2 more pages.", " Dasselbe gilt für 2 weitere Seiten."),
        (also(2, "more page"), " The same is so for 1 more page.", " Dasselbe gilt für 1 weitere Seite."),
        (theirs(say("no headings")), "“no headings”", "“keine Überschriften”"),
        (say("{asked} seconds", asked=2.5), "2.5 seconds", "2,5 Sekunden"),
        (say("line {line}", line="1204"), "line 1204", "Zeile 1204"),
        (
            say("{counts}; not read: look whether it names you", counts=CITED),
            "cited by 3 answers, of which 1 mention you; not read: look whether it names you",
            "in 3 Antworten zitiert, von denen 1 Sie erwähnen; nicht gelesen: Sehen Sie nach, ob sie Sie nennt",
        ),
        (say("heading of {place}", place="/bikes"), "heading of /bikes", "Überschrift von /bikes"),
        (iso_day(date(2025, 5, 24)), "2025-05-24", "24. Mai 2025"),
        ("Shipping and returns", "Shipping and returns", "Shipping and returns"),
        ("no text", "no text", "no text"),
        ("", "", ""),
    ],
)
def test_a_sentence_is_english_and_german(sentence, english, german):
    assert sentence == english
    with written_in("de"):
        assert in_words(sentence) == german


@pytest.mark.parametrize(
    ("first", "last", "english", "german"),
    [
        (date(2025, 5, 24), date(2025, 5, 24), "24 May 2025", "24. Mai 2025"),
        (date(2025, 5, 20), date(2025, 5, 24), "20 to 24 May 2025", "20.–24. Mai 2025"),
        (date(2024, 12, 30), date(2025, 1, 2), "30 Dec 2024 to 2 Jan 2025", "30. Dez. 2024\u2009–\u20092. Jan. 2025"),
    ],
)
def test_days_are_written_as_the_reader_writes_them(first, last, english, german):
    with neutral():
        days = days_between(first, last)
    with written_in("de"):
        assert (str(days), in_words(days)) == (english, german)


def evidence_with(quote):
    return AuditEvidence(url="https://acme.example/", where=say("the head"), quote=quote, to="", pages=1)


def test_english_is_stored_as_if_nobody_translated_it():
    stored = to_store(evidence_with(MARKED).model_dump())
    assert stored.pop("sentences").keys() == {"where", "quote"}
    assert stored == evidence_with(str(MARKED)).model_dump(mode="json") | {"where": "the head"}


def test_what_is_stored_is_read_in_german():
    stored = to_store(evidence_with(MARKED).model_dump())
    with written_in("de"):
        read = AuditEvidence.model_validate(stored)
    assert (read.where, read.quote) == ("der head-Teil", "1 von 2 Seiten kennzeichnen keinen Hauptinhalt.")


def test_what_was_stored_without_templates_is_read_as_it_is():
    stored = {"url": "", "where": "the head", "quote": "no canonical address", "to": "", "pages": 1}
    with written_in("de"):
        assert AuditEvidence.model_validate(stored).model_dump(mode="json") == stored


@pytest.mark.parametrize("reader", [None, FOR_AGENTS])
def test_programs_get_what_they_got_without_templates(reader):
    with neutral():
        read = AuditEvidence.model_validate(to_store(evidence_with(MARKED).model_dump()))
    plain = evidence_with(str(MARKED))
    assert read.model_dump_json(context=reader) == plain.model_dump_json(context=reader)


def test_what_a_page_lacks_is_read_in_german_after_it_was_stored():
    html = b"<html><body><div id=root></div><script>go()</script></body></html>"
    page = parse_page(html, url=f"https://{HOST}/", content_type="text/html")
    stored = from_json(ParsedPage, to_json(page))
    with written_in("de"):
        assert in_words(stored.sentence("client_rendered")) == '<div id="root"> ist leer'


@pytest.mark.parametrize("build", SITES, ids=lambda build: build.__name__)
def test_every_finding_of_an_audit_has_its_german(build):
    stored = [to_store(finding_of(each, HOST).model_dump()) for each in audited(build()).findings]
    with written_in("de"):
        findings = [AuditFindingResource.model_validate(each) for each in stored]
    texts = [text for each in findings for text in (each.title, each.finding, *(one.where for one in each.evidence))]
    words = [re.sub("“[^”]*”", "", each) for each in texts]
    assert words and not [each for each in words if ENGLISH.search(each)]
