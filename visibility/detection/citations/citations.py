"""Cited sources: one for each page, whatever its address was written like, whose domain it is, and of which class."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from visibility.detection.citations.attachment import spans_by_url
from visibility.detection.citations.searches import is_search
from visibility.detection.citations.source_classes import class_of
from visibility.detection.text.addresses import ascii_host, canonical_url, host_of, public_suffix, registrable_domain
from visibility.detection.types import BRAND, CitedSentence, Domains, FoundCitation, SourceClass
from visibility.engines.protocol import Source

_MAX_TITLE_LENGTH = 500
_GROUNDING = "vertexaisearch.cloud.google.com"


class LeftOut(StrEnum):
    """Why a source is no citation of its own, as it is told of several."""

    NO_ADDRESS = "no web address"
    SEARCH = "a link to the results of a search"
    REPEATED = "a page that the same answer cites already"


def left_out(sources: Iterable[Source]) -> Counter[LeftOut]:
    """How many sources of an answer `find_citations` leaves out or puts together with one before, by why."""
    reasons: Counter[LeftOut] = Counter()
    seen: set[str] = set()
    for source in sources:
        url, why = _address(source)
        if why is None and url in seen:
            why = LeftOut.REPEATED
        if why is not None:
            reasons[why] += 1
        seen.add(url)
    return reasons


def find_citations(
    sources: Sequence[Source],
    domains: Domains,
    sentences: Iterable[CitedSentence] = (),
    reclassified: Mapping[str, SourceClass] = MappingProxyType({}),
) -> list[FoundCitation]:
    """The sources that an answer cites, in their order, one for each canonical URL.

    Left out: what is no web address, and links to the results of a search. The first title that is given wins.
    `sentences` are the answer's, as `attachment.attach` gives them: with them each citation knows those that it
    supports. `reclassified` holds an operator's own classes by domain, as in the table of `source_classes`; whose own
    a page is stays as it is.
    """
    owners = _owners(domains)
    found: dict[str, tuple[str, str]] = {}
    for source in sources:
        url, why = _address(source)
        if why is None:
            title = _clean(source.title)
            host, known = found.get(url, (_host(url, title), ""))
            found[url] = (host, known or title)
    spans = spans_by_url(sentences)
    citations = []
    for position, (url, (host, title)) in enumerate(found.items(), 1):
        owner = _owner(host, owners)
        cls = _class(host, owner, reclassified)
        citations.append(FoundCitation(url, _domain(host), title, position, owner, cls, spans.get(url, ())))
    return citations


def _address(source: Source) -> tuple[str, LeftOut | None]:
    """The canonical URL of a source, or why it is not one that is counted."""
    url = canonical_url(source.url)
    if not url:
        return "", LeftOut.NO_ADDRESS
    return url, LeftOut.SEARCH if is_search(url) else None


def _class(host: str, owner: str | None, reclassified: Mapping[str, SourceClass]) -> SourceClass:
    if owner is None:
        return class_of(host, public_suffix(host), reclassified)
    return SourceClass.OWN if owner == BRAND else SourceClass.COMPETITOR


def _domain(host: str) -> str:
    """The registrable domain; a redirect that does not say where it leads is not passed off as its operator's."""
    return host if host == _GROUNDING else registrable_domain(host)


def _host(url: str, title: str) -> str:
    """The host that a URL stands for: behind a grounding redirect it is the one that the title names."""
    host = host_of(url)
    if host == _GROUNDING:
        named = ascii_host(title)
        return named if public_suffix(named) not in ("", named) else host
    return host


def _owners(domains: Domains) -> dict[str, str]:
    """The subject of each domain; of two that claim one, the first key in order (the brand's is first)."""
    owners: dict[str, str] = {}
    for subject in sorted(domains.by_subject):
        for domain in domains.by_subject[subject]:
            if host := ascii_host(domain).removeprefix("www."):
                owners.setdefault(host, subject)
    return owners


def _owner(host: str, owners: dict[str, str]) -> str | None:
    """Whose host it is: the longest domain that it equals or lies below decides."""
    labels = host.split(".")
    for start in range(len(labels)):
        if (subject := owners.get(".".join(labels[start:]))) is not None:
            return subject
    return None


def _clean(title: str) -> str:
    """The title on one line, without characters that cannot be stored or shown."""
    line = " ".join(title.split())
    return "".join(char for char in line if unicodedata.category(char) not in ("Cc", "Cs"))[:_MAX_TITLE_LENGTH]
