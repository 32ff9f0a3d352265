"""The pages that answers rest on: whose they are, which are lists, and whether the brand is on them."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from visibility.detection import SourceClass, is_offer
from visibility.models import CitedPage
from visibility.recommendations.facts import Cited, Facts, Seen

OWNERS: Mapping[str, str] = {
    SourceClass.REVIEW_SITE: "PR",
    SourceClass.NEWS: "PR",
    SourceClass.OTHER: "PR",
    SourceClass.SHOP: "commerce",
    SourceClass.COMMUNITY: "community",
}
"""Who of the brand's people works with the editors, merchants or members of a class of sites; what is tested first,
then what is told."""
LEAST_ANSWERS, LEAST_BEHIND = 3, 2
MOST_SITES = 3
_SEARCH = re.compile(r"(?:^|&)(?:q|k|query|search|keywords?)=")
"""In the address of a page that answers a search: nobody can be added to it."""
_WORDS = re.compile(r"[^\W\d_]+")
_LANGUAGE = re.compile(r"\A/[a-z]{2}(?:[-_][a-zA-Z]{2})?/")
_LEAST_HYPHENS = 3
"""In the end of an address, from which on no other page of the site has the same."""


class Behind(NamedTuple):
    """A page that answers cite: all of these, how many of them lack the brand, and the page as it was read."""

    page: Cited
    citing: Sequence[Seen]
    lacking: int
    read: CitedPage | None

    @property
    def is_on_it(self) -> bool | None:
        """Whether the brand is on the page; None: it could not be read, or was not yet."""
        return self.read.names_brand if self.read and not self.read.error else None

    @property
    def naming(self) -> int:
        """How many of the answers that cite it name the brand."""
        return sum(each.names(None) for each in self.citing)


def pages_cited(answers: Sequence[Seen]) -> list[tuple[Cited, list[Seen]]]:
    """The pages that some answers cite, each with those that do; one in several languages is one page."""
    citing: dict[str, dict[int, Seen]] = defaultdict(dict)
    pages: dict[str, Cited] = {}
    for answer in answers:
        for page in answer.cited:
            key = _same_page(page)
            citing[key][answer.pk] = answer
            pages[key] = max(pages.get(key, page), page, key=_readable)
    return [(page, list(citing[key].values())) for key, page in pages.items()]


def most_cited(
    facts: Facts, answers: Sequence[Seen], matters: Callable[[Cited], bool], least: int = LEAST_ANSWERS
) -> list[Behind]:
    """The pages that most of some answers cite, `least` at least, one a site, of those that matter."""
    found: dict[str, Behind] = {}
    for page, rows in sorted(pages_cited(answers), key=lambda each: (-len(each[1]), each[0].url)):
        if len(rows) >= least and matters(page):
            found.setdefault(page.domain, _behind(facts, page, rows))
    return list(found.values())[:MOST_SITES]


class CitedSite(NamedTuple):
    """A site that answers cite: these, and its page that most of them cite."""

    page: Cited
    citing: Sequence[Seen]
    read: CitedPage | None

    @property
    def naming(self) -> int:
        """How many of these answers name the brand."""
        return sum(each.names(None) for each in self.citing)


def sites_cited(facts: Facts, answers: Sequence[Seen]) -> list[CitedSite]:
    """The sites of others that most of some answers cite."""
    pages: dict[str, list[tuple[Cited, list[Seen]]]] = defaultdict(list)
    for page, rows in pages_cited(answers):
        if page.owner is not None:
            pages[page.domain].append((page, rows))
    found = []
    for of_site in pages.values():
        page, _ = max(of_site, key=lambda each: (len(each[1]), each[0].url))
        citing = list({row.pk: row for _, rows in of_site for row in rows}.values())
        # Whether the brand is on a page says nothing of the others of its site.
        found.append(CitedSite(page, citing, facts.pages_read.get(page.digest) if len(of_site) == 1 else None))
    telling = [each for each in found if len(each.citing) >= LEAST_ANSWERS]
    return sorted(telling, key=lambda each: (-len(each.citing), each.page.domain))[:MOST_SITES]


def lists_behind(facts: Facts, answers: Sequence[Seen], missing: Collection[Seen]) -> list[Behind]:
    """The lists of several brands, and threads of forums, that two or more of some answers (`missing`, of `answers`)
    cite, those behind most of these first."""
    return [
        each
        for each in _offering_several(facts, answers, missing)
        if each.page.source_class == SourceClass.COMMUNITY or _is_list(each.page, each.read)
    ]


def pages_to_read(facts: Facts) -> list[Cited]:
    """The pages that a card would send somebody to, those behind most answers without the brand first."""
    found: Counter[bytes] = Counter()
    pages: dict[bytes, Cited] = {}
    for answers in facts.field.values():
        for each in _offering_several(facts, answers, [row for row in answers if not row.may_name_brand]):
            found[each.page.digest] += each.lacking
            pages[each.page.digest] = each.page
    return [pages[digest] for digest, _ in found.most_common()]


def _offering_several(facts: Facts, answers: Sequence[Seen], missing: Collection[Seen]) -> list[Behind]:
    lacking = set(missing)
    found = (
        Behind(page, rows, sum(each in lacking for each in rows), facts.pages_read.get(page.digest))
        for page, rows in pages_cited(answers)
        if page.owner == "" and page.source_class in OWNERS and _takes_in(facts, page)
    )
    several = [each for each in found if each.lacking >= LEAST_BEHIND]
    classes = [*OWNERS]
    return sorted(
        several,
        key=lambda each: (
            -each.lacking,
            -len(each.citing),
            classes.index(each.page.source_class),
            each.page.url,
        ),
    )


def _behind(facts: Facts, page: Cited, rows: Sequence[Seen]) -> Behind:
    return Behind(page, rows, sum(not each.names(None) for each in rows), facts.pages_read.get(page.digest))


def _takes_in(facts: Facts, page: Cited) -> bool:
    """Whether a brand could be added: it is no maker's site, no page about a single brand, and no search."""
    if _SEARCH.search(urlsplit(page.url).query) or "/search" in urlsplit(page.url).path:
        return False
    path = _path_words(page)
    # A title may be the text of the link: one product of the list.
    words = path if is_offer(path) else f"{page.title} {path}"
    offered = {row.subject for row in facts.untracked}
    about = {name for name in (*facts.competitors.values(), *offered) if name.casefold() in words.casefold()}
    return page.domain not in facts.domains_of_untracked and len(about) != 1


def _is_list(page: Cited, read: CitedPage | None) -> bool:
    """Whether it names competitors, as far as it was read, or promises things to choose."""
    return bool(read and read.competitors) or is_offer(f"{page.title} {_path_words(page)}")


def _path_words(page: Cited) -> str:
    return " ".join(_WORDS.findall(urlsplit(page.url).path))


def _readable(page: Cited) -> tuple[bool, int, str]:
    """More is better to show: an address without a language, and a title, which some answers leave out."""
    return not _LANGUAGE.match(urlsplit(page.url).path), len(page.title), page.url


def _same_page(page: Cited) -> str:
    """What the translations of a page share: the end of the address if it is telling, else it without a language."""
    parts = urlsplit(page.url)
    end = parts.path.rpartition("/")[2]
    if end.count("-") >= _LEAST_HYPHENS:
        return f"{page.domain} {end}"
    return f"{page.domain} {_LANGUAGE.sub('/', parts.path)}?{parts.query}"
