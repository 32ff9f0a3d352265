"""What holds for every check: it has an entry in the catalogue, never raises, fills its words, and quotes no site."""

import dataclasses
import re
from dataclasses import replace
from typing import get_type_hints

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from apikeys.text.storable import storable
from apikeys.text.untrusted import QUOTE_CLOSE, QUOTE_OPEN
from tests.audit.any_sites import SITES, of
from tests.audit.builders import good_pages, robots, site
from tests.audit.extremes import BEST, TRAP, WORST
from visibility.audit.catalogue import CATALOGUE
from visibility.audit.checks.registry import CHECKS, WITHOUT_PAGES, run_checks
from visibility.audit.outcome import MAX_EVIDENCE, MAX_QUOTE, Outcome
from visibility.audit.page import ParsedPage
from visibility.audit.score import scores
from visibility.audit.site import Fetched, Site, SitePage
from visibility.audit.wording import effect, finding, fix_prompt, placeholders

NEVER_FAIL = {"ACC-08", "AGT-04", "AGT-06", "STR-09"}
"""Checks that only tell what there is."""
MARKED = re.compile(f"{QUOTE_OPEN}.*?{QUOTE_CLOSE}", re.DOTALL)


def test_every_check_of_the_catalogue_is_there_once_and_no_other():
    assert set(CHECKS) == set(CATALOGUE)
    assert len(set(CHECKS.values())) == len(CHECKS)
    assert list(CHECKS) == [name for name in CATALOGUE if name in CHECKS]


def test_every_check_that_can_fail_fails_on_a_bad_site():
    failing = {name for bad in WORST for name, found in run_checks(bad).items() if found.verdict == "failed"}
    assert set(CHECKS) - failing == NEVER_FAIL


def test_a_good_site_has_nothing_that_weighs_and_no_cap():
    found = run_checks(BEST)
    assert {name for name, told in found.items() if told.verdict == "failed" and CATALOGUE[name].weight} == set()
    assert scores(found, CATALOGUE).caps == ()


@pytest.mark.parametrize("bad", WORST, ids=range(len(WORST)))
def test_what_a_bad_site_writes_stands_between_marks(bad):
    for name, found in run_checks(bad).items():
        prompt = fix_prompt(CATALOGUE[name], found, "norrvik.example")
        assert TRAP not in MARKED.sub("", prompt), name


class TestWithoutPages:
    def test_a_site_that_lets_nobody_in_is_judged_by_robots_txt_alone(self):
        found = run_checks(site(no_pages=True, robots="User-agent: *\nDisallow: /\n", sitemaps=(), probes={}))
        assert {name for name, told in found.items() if told.verdict == "failed"} == {"ACC-01", "ACC-10"}
        for name in set(CHECKS) - WITHOUT_PAGES:
            assert found[name].verdict == "not_applicable"
            assert found[name].because == "The site lets nobody in: no page was read."
        told = scores(found, CATALOGUE)
        assert [each.check for each in told.caps] == ["ACC-01"] and told.overall <= 25

    def test_a_robots_txt_that_cannot_be_had_caps_at_forty(self):
        found = run_checks(site(no_pages=True, robots=robots("", 503), sitemaps=(), probes={}))
        assert {name for name, told in found.items() if told.verdict == "failed"} == {"ACC-04"}
        assert [each.cap for each in scores(found, CATALOGUE).caps] == [40]
        crawled = scores(run_checks(site(robots=robots("", 503))), CATALOGUE)
        assert crawled.overall == 40


def check_all(given_site: Site) -> dict[str, Outcome]:
    """The outcomes, each of which is sound."""
    found = run_checks(given_site)
    for name, told in found.items():
        sound(name, told)
    return found


def sound(name: str, told: Outcome) -> None:
    entry = CATALOGUE[name]
    if told.verdict in ("passed", "failed"):
        assert told.share is not None and 0 <= told.share <= 1, name
    else:
        assert told.because and told.share is None, name
    assert 0 <= told.lost <= 1, name
    assert len(told.evidence) <= MAX_EVIDENCE and len(told.urls) <= MAX_EVIDENCE, name
    assert all(len(piece.quote) <= MAX_QUOTE for piece in told.evidence), name
    if told.verdict == "failed":
        assert told.evidence and told.affected >= 1, name
        needed = placeholders(entry.fix_prompt) | (set() if "finding" in told.words else placeholders(entry.finding))
        assert needed <= set(told.words), name
        sentence = finding(entry, told)
        assert sentence.strip(" .…") and "  " not in sentence, name
        assert not re.search(r"\b(?:1 [a-z]+s (?:are|have|do)\b)|[.]{2}$", sentence), (name, sentence)
        assert TRAP not in MARKED.sub("", fix_prompt(entry, told, "norrvik.example")), name
    assert effect(entry)
    TypeAdapter(Outcome).validate_json(orjson.dumps(storable(dataclasses.asdict(told))))


@pytest.mark.parametrize("bad", WORST, ids=range(len(WORST)))
def test_outcomes_of_bad_sites_are_sound(bad):
    check_all(bad)


@given(SITES)
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
def test_no_check_raises_whatever_a_site_holds(any_site):
    check_all(any_site)


@given(st.lists(of(SitePage), max_size=3), st.lists(of(Fetched), max_size=2), of(str))
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
def test_no_check_raises_on_odd_pages_of_a_good_site(pages, sampled, text):
    check_all(site(*good_pages(), *pages, sampled=tuple(sampled), robots=text))


@given(st.data())
@settings(max_examples=30, suppress_health_check=list(HealthCheck))
def test_no_check_raises_where_one_field_of_each_page_is_odd(data):
    name = data.draw(st.sampled_from([field.name for field in dataclasses.fields(ParsedPage)]))
    hint = get_type_hints(ParsedPage)[name]
    pages = [replace(each, parsed=replace(each.parsed, **{name: data.draw(of(hint))})) for each in good_pages()]
    check_all(site(*pages))
