"""The facts that are listed beside the whole sites, told again from what pages say, in the words of the list.

A fact of one page is a pair of its file and a sentence; a fact of the site is a label and the files that it is about.
"""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from visibility.audit.checks.addresses import same_site
from visibility.audit.checks.directives import barring
from visibility.audit.page import ParsedPage, types_of
from visibility.audit.site import Site, SitePage

SHOWN = 80
"""Characters of a text that the list shows."""
_COUNT = re.compile(r"(?: on|:) \d+ pages")
_TWICE = re.compile(r"https?://[^/]+/https?://")
OF_ONE_PAGE = ("noindex", "canonical is relative", "canonical points to", "meta refresh", "href is broken")
OF_ALL = ("html lang values", "JSON-LD types")
BY_HAND = "real content pages carry noindex too (not only Hugo alias stubs)"


@dataclass(frozen=True)
class Told:
    """What is known of pages of a site: `pages` by file, as the list names them; `files` are all of the site."""

    site: Site
    pages: Mapping[str, SitePage]
    files: frozenset[str]

    def parsed(self) -> Iterator[tuple[str, ParsedPage]]:
        """The pages that were read."""
        for file, page in self.pages.items():
            if page.parsed:
                yield file, page.parsed


def file_of(url: str) -> str:
    """The file that an address leads to, as the list writes it."""
    path = urlsplit(url).path or "/"
    return f"{path}index.html" if path.endswith("/") else path


def label(fact: str) -> str:
    """The fact without its count of pages."""
    return _COUNT.sub("", fact)


def kind(fact: str) -> str:
    """The fact without what is special to one page or one site."""
    return re.split(r":| has \d", label(fact))[0]


def listed_of_pages(facts: list[dict[str, Any]], told: Told) -> set[tuple[str, str]]:
    """What the list says of single pages among these."""
    return {
        (each["page"], each["fact"])
        for each in facts
        if each["page"] in told.pages and each["fact"].startswith(OF_ONE_PAGE)
    }


def said_of_pages(told: Told) -> set[tuple[str, str]]:
    """The same facts from what the pages say."""
    return {(file, fact) for file, page in told.pages.items() for fact in _of_one(file, page, told)}


def _of_one(file: str, page: SitePage, told: Told) -> Iterator[str]:
    if mark := barring(page.fetched, page.parsed):
        yield mark.word
    if page.parsed is None:
        return
    for meta in page.parsed.meta("refresh"):
        yield f"meta refresh: {meta.content}"
    for link in page.parsed.linked("canonical"):
        if "://" not in link.href:
            yield f"canonical is relative: {link.href}"
        if (target := file_of(link.url)) != file and target in told.files:
            yield f"canonical points to another file: {link.href} -> {target}"
    for anchor in page.parsed.links:
        if _TWICE.match(anchor.href):
            yield f'href is broken absolute URL: "{anchor.href}"'


def listed_of_groups(facts: list[dict[str, Any]], told: Told) -> dict[str, set[Any]]:
    """What the list says of groups of pages, of those among these; a text that only one of them has is not shared."""
    groups = {}
    for each in facts:
        pages = {tuple(one) if isinstance(one, list) else one for one in each.get("pages", ())}
        held = {one for one in pages if (one[0] if isinstance(one, tuple) else one) in told.pages}
        if held and ("duplicated" not in each["fact"] or len(held) > 1):
            groups[label(each["fact"])] = held
    return groups


def said_of_groups(told: Told) -> dict[str, set[Any]]:
    """The same from what the pages say."""
    groups: dict[str, set[Any]] = defaultdict(set)
    shared: dict[str, set[str]] = defaultdict(set)
    listed = {file_of(entry.url) for sitemap in told.site.sitemaps for entry in sitemap.entries}
    linked = {file_of(link.url) for file, page in told.parsed() for link in page.links if file_of(link.url) != file}
    for file, page in told.parsed():
        first = sum(heading.level == 1 for heading in page.headings)
        title = page.titles[0].text if page.titles else ""
        description = next((meta.content.strip() for meta in page.meta("description")), "")
        shared[f"title duplicated: '{title}'"].add(file)
        shared[f"meta description duplicated: '{description[:SHOWN]}'"].add(file)
        if first != 1:
            groups["more than one h1 (page, count)" if first else "no h1"].add((file, first) if first else file)
        if not description:
            groups["meta description missing or empty"].add(file)
        if not page.linked("canonical"):
            groups["no canonical"].add(file)
        if listed and file not in listed:
            groups["extracted page not in any sitemap of the repository"].add(file)
        if file not in linked and file != "/index.html":
            groups["extracted page with no inbound <a> link from extracted pages"].add(file)
    groups.update((name, files) for name, files in shared.items() if len(files) > 1 and not name.endswith("''"))
    return dict(groups)


def listed_of_all(facts: list[dict[str, Any]], told: Told) -> dict[str, dict[str, int]]:
    """What the list says of every page alike, for as many as these are."""
    said = {}
    for each in facts:
        if each["fact"].startswith(OF_ALL):
            values = ast.literal_eval(each["fact"].partition(": ")[2])
            (value,) = values
            said[kind(each["fact"])] = {value: len(told.pages)}
    return said


def said_of_all(told: Told) -> dict[str, dict[str, int]]:
    """The same from what the pages say."""
    pages = [page for _, page in told.parsed()]
    types = [sorted({name for node in _json_ld(page) for name in types_of(node)}) for page in pages]
    return {
        "html lang values": dict(Counter(page.lang_declared for page in pages)),
        "JSON-LD types over pages": dict(Counter(", ".join(names) or "(pages without)" for names in types)),
    }


def _json_ld(page: ParsedPage) -> Iterator[dict[str, Any]]:
    for markup in page.markup:
        if markup.syntax == "json-ld":
            yield from markup.nodes or ({"@type": "(broken)"},)


def listed_broken(facts: list[dict[str, Any]], told: Told) -> dict[str, int]:
    """Paths without a file that the list says these pages link, with the number of links. The list names only the
    first page that has one; no two pages of these sites have the same."""
    targets = next(each for each in facts if each["fact"].startswith("broken internal links"))["targets"]
    return {each["path"]: each["n"] for each in targets if each["first_on"] in told.pages}


def linked_without_file(told: Told, left_out: list[str]) -> dict[str, int]:
    """The same from the links of the pages; `left_out` are paths that the site has and the data does not."""
    home = told.site.home_url
    paths = Counter(
        urlsplit(link.url).path for _, page in told.parsed() for link in page.links if same_site(link.url, home)
    )
    served = {*told.files, *left_out}
    return {
        path: number
        for path, number in paths.items()
        if not {file_of(path), f"{path}.html", f"{path}/index.html"} & served
    }


def said_of_files(told: Told) -> set[str]:
    """What robots.txt and sitemap answered, in the words of the list."""
    robots, sitemap = told.site.robots.fetched, told.site.sitemaps[0]
    said = {"/robots.txt absent"} if robots.status == 404 else set()
    if sitemap.fetched.status == 404:
        return said | {"/sitemap.xml absent"}
    urls = [entry.url for entry in sitemap.entries]
    relative = sum("://" not in url for url in urls)
    foreign = sum(not same_site(url, told.site.home_url) for url in urls)
    answered = {file_of(page.fetched.url) for page in told.site.pages if page.fetched.answered}
    missing = len({file_of(url) for url in urls} - answered)
    return said | {
        f"sitemap has {len(urls)} loc ({len(set(urls))} distinct), {relative} relative (invalid), "
        f"{foreign} on another host, {missing} missing in full tree"
    }
