"""The checks of content over real pages: nothing raises, and each grave finding was read and found true."""

from dataclasses import replace

import pytest

from tests.amounts import PROOFS, some
from tests.audit.builders import site
from tests.audit.parse import saved
from visibility.audit.catalogue import CATALOGUE
from visibility.audit.checks import citability, entity_trust, freshness, structure, structured_data
from visibility.audit.checks.phrases.phrases import phrases_of
from visibility.audit.checks.pricing import priced
from visibility.audit.checks.registry import run_checks
from visibility.audit.page import ParsedPage
from visibility.audit.parse.parsing import parse_page
from visibility.audit.site import Fetched, SitePage

GROUPS = (structure, structured_data, entity_trust, citability, freshness)
CHECKS = {name: check for group in GROUPS for name, check in group.CHECKS.items()}
OF_THE_HOME_PAGE = {"SCH-02", "ENT-02", "ENT-03", "ENT-05"}
MAX_BYTES = 500_000
"""Larger pages, of which 16 are saved, take most of the time and say nothing else."""
SAMPLE = 6
"""Each so-manieth page is read, and those with a finding; for proofs all."""
MIN_SHOPS = 8 if PROOFS else 3
GRAVE = {
    ("JSONLD_with_JS_comment.html", "SCH-01"): "a comment inside the block",
}
"""The findings of severity high or critical on single pages, with what makes each true."""

CRITICAL = {
    "wevolver.com.3dprinting.html": '<meta name="robots" content="noindex"',
    "2342b61d6831e854": '<meta name="robots" content="noindex,follow"',
    "52ea2c6607641aef": '<meta name="robots" content="noindex, follow"',
}
"""The saved pages that would have a critical defect as home pages, with the words of their HTML that prove it."""


def crawled(page: saved.Saved, *, home: bool = False) -> SitePage | None:
    """A saved page as a crawl has it; none where it cannot be parsed."""
    parsed = parse_page(page.body, url=page.url, content_type="text/html", is_home=home)
    answer = Fetched(page.url, 200, page.url)
    return (
        SitePage(answer, "home" if home else "link", int(not home), parsed)
        if isinstance(parsed, ParsedPage)
        else None
    )


def chosen(pages, *names):
    """The sample of these pages, and those of these names."""
    pages = list(pages)
    sample = {id(page) for page in some(pages, SAMPLE)}
    return [page for page in pages if id(page) in sample or page.name in names]


def is_grave(name):
    return CATALOGUE[name].severity in ("high", "critical")


def test_single_pages_have_the_grave_findings_that_were_read_and_no_others(reference_data):
    found = {}
    for group in (saved.articles, saved.products, saved.others):
        for page in chosen(group(reference_data), *(name for name, _ in GRAVE)):
            read = crawled(page) if len(page.body) <= MAX_BYTES else None
            for name in CHECKS.keys() - OF_THE_HOME_PAGE if read else ():
                outcome = CHECKS[name](site(read, home_url=page.url, brand="Somebody", names=()))
                if outcome.verdict == "failed" and is_grave(name):
                    found[page.name, name] = outcome.words["finding"]
    assert found.keys() == GRAVE.keys(), found


def test_shop_pages_show_a_price_and_are_noticed_without_it(reference_data):
    shops = [
        page for page in saved.products(reference_data) if len(page.body) <= MAX_BYTES and page.gold.get("price")
    ]
    pages = [read.parsed for page in some(shops, 2) if (read := crawled(page)) and phrases_of(read.parsed)]
    assert len(pages) >= MIN_SHOPS
    assert [page.url for page in pages if priced(page) is not True] == []
    assert [page.url for page in pages if priced(replace(page, prices=())) is not False] == []


@pytest.mark.parametrize(
    ("name", "brand", "failing"),
    [
        (
            "nutch",
            "Nutch",
            {"SCH-02", "SCH-03", "SCH-06", "ENT-02", "STR-05", "CIT-05"},
        ),
        (
            "ofbiz",
            "OFBiz",
            {"SCH-02", "SCH-06", "ENT-02", "STR-02", "STR-03", "STR-08", "CIT-05"},
        ),
    ],
)
def test_whole_sites_have_the_findings_that_were_read_and_no_others(reference_data, name, brand, failing):
    pages = sorted((each for each in saved.sites(reference_data) if each.group == name), key=lambda each: each.url)
    crawl = [crawled(page, home=page.name == "/") for page in pages]
    audited = site(
        *filter(None, crawl), home_url=f"https://{name}.apache.org/", brand=brand, names=(f"Apache {brand}",)
    )
    found = {check: outcome for check in CHECKS if (outcome := CHECKS[check](audited)).verdict == "failed"}
    assert found.keys() == failing, {check: outcome.words["finding"] for check, outcome in found.items()}
    assert not [check for check in found if is_grave(check)]
    assert found["SCH-02"].words["finding"] == (
        "The structured data of the home page has no Organization node and no WebSite node with a name."
    )
    assert CHECKS["STR-07"](audited).verdict == "passed"
    assert CHECKS["ENT-05"](audited).verdict == "passed"


def test_saved_pages_as_home_pages_have_the_critical_defects_that_were_read_and_no_others(reference_data):
    """Hardly any saved page is a home page: each is taken for one. Of the whole sites, only their home pages are."""
    found = {}
    for page in chosen(saved.everything(reference_data), *CRITICAL):
        said = saved.said(page) if page.group not in ("nutch", "ofbiz") or page.name == "/" else None
        if not isinstance(said, ParsedPage):
            continue
        home = SitePage(Fetched(page.url, 200, page.url), "home", 0, replace(said, kind="home"))
        outcomes = run_checks(site(home, home_url=page.url, brand="Somebody", names=()))
        critical = {name for name, outcome in outcomes.items() if outcome.critical}
        if critical:
            found[page.name] = critical
            assert CRITICAL[page.name] in page.body.decode(errors="replace"), (page.name, critical)
    assert found == {name: {"ACC-06"} for name in CRITICAL}
