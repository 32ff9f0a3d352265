"""Two whole sites, served on loopback and audited: each fact that an independent script counted is found, and each
grave finding was looked up in the HTML.

An audit reads at most 50 pages that links or the sitemap lead to. So each fact is compared twice: with what the audit
stored, for the pages that it read; and with what the parser says of every file, for all pages of the list.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from brands.models import Brand
from tests.audit.parse import saved
from tests.audit.runs.site_facts import (
    BY_HAND,
    Told,
    file_of,
    kind,
    linked_without_file,
    listed_broken,
    listed_of_all,
    listed_of_groups,
    listed_of_pages,
    said_of_all,
    said_of_files,
    said_of_groups,
    said_of_pages,
)
from tests.audit.runs.sites import Answer, WebSite, serving
from visibility.audit.catalogue import CATALOGUE
from visibility.audit.checks.registry import CHECKS
from visibility.audit.page import ParsedPage
from visibility.audit.site import Fetched, SitePage
from visibility.models import Audit, CheckResult
from visibility.pipeline.audit.assembling import site_of
from visibility.pipeline.audit.storing import Contents

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)

BRANDS = {"nutch": "Nutch", "ofbiz": "OFBiz"}
SERVING = "static: /x/ -> x/index.html, /x -> x, x.html or x/index.html"
TYPES = {".html": "text/html", ".xml": "application/xml", ".txt": "text/plain"}
UNREACHED = {
    "nutch": 11,  # stubs at page/1 that no link and no sitemap leads to
    "ofbiz": 9,  # five that no link leads to, and the last four release notes: 50 pages are read
}


@dataclass(frozen=True)
class Audited:
    """An audited site: the list of its facts, its files, and what the audit stored."""

    name: str
    gold: dict[str, Any]
    folder: Path
    told: Told
    results: dict[str, CheckResult]
    caps: list[Any]

    @property
    def facts(self) -> list[dict[str, Any]]:
        return self.gold["facts"]

    def paths(self, check: str) -> set[str]:
        """The files that a finding shows."""
        return {file_of(url) for url in self.results[check].urls}

    def every_file(self) -> Told:
        """What the parser says of all files, with robots.txt and sitemap as the audit stored them."""
        pages = {}
        for page in saved.sites(self.folder.parent.parent.parent):
            said = saved.said(page)
            if page.group == self.name and isinstance(said, ParsedPage):
                pages[file_of(page.url)] = SitePage(Fetched(page.url, 200, page.url), "link", 99, said)
        return replace(self.told, pages=pages)


_audited: dict[str, Audited] = {}


def served(folder: Path, left_out: list[str]) -> WebSite:
    """The site as its list says that paths are served; what was left out of the data answers, too."""
    site = WebSite(pages={path: Answer("left out", content_type="text/plain") for path in left_out})
    files = [file for file in sorted(folder.rglob("*")) if file.suffix in TYPES]
    for file in files:
        path = f"/{file.relative_to(folder).as_posix()}"
        for address in (path, path.removesuffix("index.html"), path.removesuffix("/index.html")):
            site.pages[address] = Answer(file.read_bytes(), content_type=TYPES[file.suffix])
        site.pages.setdefault(path.removesuffix(".html"), site.pages[path])
    return site


@pytest.fixture(params=BRANDS)
def whole(request, reference_data, settings, cast, audited):
    """A whole site, audited once for all tests."""
    name = request.param
    if name not in _audited:
        folder = reference_data / "site-audit/sites" / name
        gold = json.loads(folder.with_suffix(".json").read_text())
        assert gold["serving"] == SERVING
        with serving(served(folder, gold["links_to_existing_but_not_extracted"]["paths"])) as site:
            settings.AUDIT_LOCAL_HOSTS = {gold["host"]: ("127.0.0.1", site.port)}
            Brand.objects.filter(pk=cast.brand.pk).update(name=BRANDS[name], domain=gold["host"])
            run = audited()
        assert (run.status, run.failed, run.error_code) == ("succeeded", 0, "")
        audit = Audit.objects.get()
        stored = site_of(run, audit, Contents())
        pages = {file_of(page.url): page for page in stored.pages if page.parsed}
        files = frozenset(f"/{file.relative_to(folder).as_posix()}" for file in folder.rglob("*.html"))
        results = {result.check_id: result for result in CheckResult.objects.all()}
        _audited[name] = Audited(name, gold, folder, Told(stored, pages, files), results, audit.caps)
    return _audited[name]


KINDS = {
    "noindex": "ACC-06, and DIS-02 where the sitemap lists the page",
    BY_HAND: "ACC-06",
    "canonical is relative": "DIS-04",
    "canonical points to another file": "DIS-02 where the sitemap lists the page; right on stubs, which it is for",
    "no canonical": "DIS-04",
    "meta refresh": "REN-07",
    "title duplicated": "DIS-07, one page for each canonical address",
    "meta description missing or empty": "DIS-09, one page for each canonical address",
    "meta description duplicated": "DIS-09",
    "no h1": "STR-01, on pages of more than 300 words; these are stubs",
    "html lang values": "STR-07",
    "JSON-LD types over pages": "SCH-01",
    "broken internal links": "DIS-06",
    "href is broken absolute URL": "DIS-06",
    "sitemap": "DIS-01",
    "/sitemap.xml absent": "DIS-01",
    "/robots.txt absent": "ACC-04",
}
"""The kinds of facts, and which check speaks of them."""
NOT_JUDGED = {
    "more than one h1 (page, count)": "allowed in HTML; no vendor says that it matters. The headings are stored",
    "extracted page not in any sitemap of the repository": "a sitemap need not list all. Its entries are stored",
    "extracted page with no inbound <a> link from extracted pages": "DIS-05 speaks of key pages; these are none. The "
    "links are stored; what nothing leads to is not found by any crawler",
}
"""The kinds of facts that no check speaks of, and why: what is stored is compared all the same."""


def test_each_kind_of_fact_is_known(whole):
    kinds = {kind(each["fact"]) for each in whole.facts}
    assert kinds <= KINDS.keys() | NOT_JUDGED.keys()
    assert not KINDS.keys() & NOT_JUDGED.keys()


def test_the_audit_reads_all_pages_that_something_leads_to(whole):
    assert whole.told.pages.keys() <= whole.told.files
    assert len(whole.told.files) == whole.gold["pages"]
    assert len(whole.told.files) - len(whole.told.pages) == UNREACHED[whole.name]


@pytest.mark.parametrize("of", ["what was stored", "every file"])
def test_each_fact_is_found(whole, of):
    told = whole.told if of == "what was stored" else whole.every_file()
    facts, left_out = whole.facts, whole.gold["links_to_existing_but_not_extracted"]["paths"]
    assert said_of_pages(told) == listed_of_pages(facts, told)
    assert said_of_groups(told) == listed_of_groups(facts, told)
    assert said_of_all(told) == listed_of_all(facts, told)
    assert linked_without_file(told, left_out) == listed_broken(facts, told)
    of_files = {each["fact"] for each in facts if each["page"] in ("/robots.txt", "/sitemap.xml")}
    assert said_of_files(told) == of_files
    if of == "every file":
        groups = (listed_of_pages(facts, told), listed_of_groups(facts, told), listed_of_all(facts, told), of_files)
        others = {each["fact"] for each in facts if each["fact"].startswith(("broken internal links", BY_HAND))}
        assert sum(map(len, groups)) + len(others) == len(facts), "each fact was compared"


NO_KEY_PAGES = {"/categories/index.html", "/tags/index.html", "/tags/page/2/index.html"}
"""Listings that the home page does not link: noindex is no fault there."""


def listed(whole: Audited, told: Told, beginning: str) -> set[str]:
    """The files of which the list says this, among these."""
    groups = listed_of_groups(whole.facts, told)
    of_groups = {page for name, pages in groups.items() if name.startswith(beginning) for page in pages}
    return of_groups | {page for page, fact in listed_of_pages(whole.facts, told) if fact.startswith(beginning)}


def named_by_findings(whole: Audited, told: Told) -> Mapping[str, set[str]]:
    """The files that each finding has to name, as the list says; none where the check passes.

    Stubs, and the second page of a listing, name another address as theirs: they share no title with anybody.
    """
    copies = listed(whole, told, "canonical points to another file")
    return {
        "DIS-04": listed(whole, told, "canonical is relative") | listed(whole, told, "no canonical"),
        "DIS-07": shared(whole, told, "title duplicated", copies),
        "DIS-09": listed(whole, told, "meta description missing") - copies
        | shared(whole, told, "meta description duplicated", copies),
        "REN-07": listed(whole, told, "meta refresh"),
    }


def shared(whole: Audited, told: Told, beginning: str, copies: set[str]) -> set[str]:
    """The files that share a text with another that is no copy."""
    groups = [
        pages - copies for name, pages in listed_of_groups(whole.facts, told).items() if name.startswith(beginning)
    ]
    return {page for pages in groups if len(pages) > 1 for page in pages}


def test_findings_name_the_pages_of_the_facts(whole):
    noindex = listed(whole, whole.told, "noindex")
    broken = listed_broken(whole.facts, whole.told)
    first_on = {
        target["first_on"] for each in whole.facts for target in each.get("targets", ()) if target["path"] in broken
    }
    expected = {**named_by_findings(whole, whole.told), "ACC-06": noindex - NO_KEY_PAGES, "DIS-06": first_on}
    for check, files in expected.items():
        result = whole.results[check]
        assert (result.verdict, result.affected) == ("failed" if files else "passed", len(files)), check
        assert whole.paths(check) <= files, check
    answers = (*(page.fetched for page in whole.told.site.pages), *whole.told.site.sampled)
    assert {urlsplit(answer.url).path for answer in answers if answer.status == 404} == broken.keys()
    assert len(whole.results["DIS-06"].evidence) == len(broken)


def test_findings_over_every_file_name_the_pages_of_the_facts(whole):
    told = whole.every_file()
    site = replace(told.site, pages=tuple(told.pages.values()))
    for check, files in named_by_findings(whole, told).items():
        outcome = CHECKS[check](site)
        assert (outcome.verdict, outcome.affected) == ("failed" if files else "passed", len(files)), check
        assert {file_of(url) for url in outcome.urls} <= files, check


def test_what_sitemap_and_robots_say_is_judged(whole):
    said = {check: (result.verdict, result.because) for check, result in whole.results.items()}
    if whole.name == "ofbiz":
        assert said["ACC-04"] == ("passed", "There is no robots.txt (404): everything is allowed.")
        assert whole.results["DIS-01"].words["finding"].startswith("No sitemap was found")
        return
    assert (said["ACC-04"], said["DIS-01"]) == (("passed", ""), ("passed", "35 addresses are listed."))
    listed_and_barred = whole.paths("DIS-02")
    assert listed_and_barred
    assert listed_and_barred <= listed(whole, whole.told, "noindex")


@dataclass(frozen=True)
class Proof:
    """Why a grave finding is true: the line of the file that says so, or the words that no file of the site has."""

    because: str
    lines: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    nowhere: str = ""


NOT_INDEXED = '<meta name="robots" content="noindex">'
TRUE = {
    ("nutch", "ACC-06"): Proof(
        "four pages that the navigation of the home page links carry it",
        {f"{name}/index.html": (17, NOT_INDEXED) for name in ("community", "development", "documentation", "news")},
    ),
    ("nutch", "DIS-04"): Proof(
        "every page names a relative address",
        {
            "index.html": (44, '<link rel="canonical" href="/">'),
            "documentation/about/index.html": (41, '<link rel="canonical" href="/documentation/about/">'),
        },
    ),
    ("ofbiz", "DIS-04"): Proof("no page has one", nowhere="canonical"),
    ("ofbiz", "DIS-01"): Proof("there are neither sitemap.xml nor robots.txt", nowhere="<urlset"),
    **dict.fromkeys(
        [("nutch", "REN-03"), ("ofbiz", "REN-03")],
        Proof("the site on loopback speaks plain HTTP: true of what was audited, not of the site on the web"),
    ),
}
"""The findings of severity critical and high, each looked up in the HTML: all are true."""


def test_grave_findings_are_those_that_were_looked_up(whole):
    grave = {
        (whole.name, check)
        for check, result in whole.results.items()
        if result.verdict == "failed" and CATALOGUE[check].severity in ("critical", "high")
    }
    assert grave == {key for key in TRUE if key[0] == whole.name}
    for proof in (TRUE[key] for key in grave):
        for file, (number, words) in proof.lines.items():
            assert words in (whole.folder / file).read_text().splitlines()[number - 1]
        assert not proof.nowhere or not [
            file for file in whole.folder.rglob("*.*ml") if proof.nowhere in file.read_text().lower()
        ]


def test_only_pages_that_are_out_of_the_index_cap_the_score(whole):
    """Both home pages may be indexed, have their text, and are let in to; four of Nutch's key pages are noindex."""
    expected = {"nutch": ["ACC-06"], "ofbiz": []}[whole.name]
    assert [check for check, result in whole.results.items() if result.critical] == expected
    assert [cap["check"] for cap in whole.caps] == expected
