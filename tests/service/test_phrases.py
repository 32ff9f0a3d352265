"""Sentences that jobs stored in English are read in the language of the reader."""

import re

import pytest

from apikeys.language import neutral, written_in
from apikeys.phrases import days_in_words, in_words
from tests.audit.sites import audited
from tests.audit.six_sites import SITES

ENGLISH = re.compile(r"\b(?:the|and|with|page|pages|answers?|of|is|are|not|no)\b")


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("Pages forbid quotes", "Seiten verbieten Zitate"),
        ("1 of 2 pages mark no main content.", "1 von 2 Seiten kennzeichnen keinen Hauptinhalt."),
        (
            "Of 1,204 addresses lastmod is 3 in the future and 2 missing or unreadable.",
            "Von 1.204 Adressen ist lastmod: 3 in der Zukunft und 2 fehlend oder unlesbar.",
        ),
        (
            "“/the page” has a table without header cells. 2 more faults of this kind.",
            "“/the page” hat eine Tabelle ohne Kopfzellen. 2 weitere Fehler dieser Art.",
        ),
        ("Pages are alike (2 addresses)", "Seiten gleichen sich (2 Adressen)"),
        ("Shipping and returns", "Shipping and returns"),
        ("", ""),
    ],
)
def test_a_stored_sentence_is_read_in_german(stored, shown):
    with written_in("de"):
        assert in_words(stored, "audit") == shown


@pytest.mark.parametrize(
    ("context", "stored", "shown"),
    [
        (
            "card",
            "cited by 3 answers, of which 1 mention you; read 2026-05-24: names Velmora, not you",
            "in 3 Antworten zitiert, von denen 1 Sie erwähnen; gelesen am 2026-05-24: nennt Velmora, Sie nicht",
        ),
        ("card", "4 of 9 answers offer Varmio", "4 von 9 Antworten bieten Varmio an"),
        ("proposal", "heading of /bikes", "Überschrift von /bikes"),
    ],
)
def test_evidence_and_reasons_of_proposals_are_read_in_german(context, stored, shown):
    with written_in("de"):
        assert in_words(stored, context) == shown


@pytest.mark.parametrize("stored", ["Pages forbid quotes", "1 of 2 pages mark no main content."])
def test_files_and_programs_get_it_as_it_is_stored(stored):
    with neutral():
        assert in_words(stored, "audit") == stored


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("24 May 2025", "24. Mai 2025"),
        ("20 to 24 May 2025", "20.–24. Mai 2025"),
        ("30 Dec 2024 to 2 Jan 2025", "30. Dez. 2024\u2009–\u20092. Jan. 2025"),
        ("ChatGPT 1 May 2025, Gemini 2 May 2025", "ChatGPT 1. Mai 2025, Gemini 2. Mai 2025"),
    ],
)
def test_stored_days_are_written_as_the_reader_writes_them(stored, shown):
    with written_in("de"):
        assert days_in_words(stored) == shown


@pytest.mark.parametrize("build", SITES, ids=lambda build: build.__name__)
def test_every_finding_of_an_audit_has_its_german(build):
    findings = [each.outcome.finding for each in audited(build()).findings]
    with written_in("de"):
        words = [re.sub("“[^”]*”", "", in_words(each, "audit")) for each in findings]
    assert words and not [each for each in words if ENGLISH.search(each)]
