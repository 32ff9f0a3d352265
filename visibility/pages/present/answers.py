"""An answer as readers see it: Markdown with the names marked, each source beside the sentence that it supports."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from apikeys.text.sentences import one_line, shortened
from visibility.detection.text.addresses import ascii_host
from visibility.pages.present.links import Link, link_to
from visibility.pages.present.markdown import Mark, Note, markdown_html
from visibility.resources.answers import AnswerCitation, AnswerResource, MentionSpan

MAX_LABEL = 60
CLASSES = {
    "own": "own page",
    "competitor": "competitor",
    "review_site": "reviews",
    "community": "community",
    "news": "news",
    "reference": "reference",
    "video": "video",
    "shop": "shop",
    "other": "other",
}
"""What readers are told of the class of a source."""
STANCES = {
    "recommended": "recommended",
    "unknown": "how it is judged cannot be told",
    "cautioned": "cautioned",
    "rejected": "rejected",
    "not_found": "not known to it",
}


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A source of an answer. `site` is the domain as its page is addressed, empty for what is no domain; `cls` is its
    class and `kind` what that is called; `placed`: it stands beside a sentence."""

    number: int
    domain: str
    site: str
    title: str
    cls: str
    kind: str
    link: Link | None
    placed: bool


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer ready for its template; `cut` where it goes on behind what is shown."""

    answer: AnswerResource
    html: SafeString
    sources: Sequence[ShownSource]
    cut: bool


def shown_answer(answer: AnswerResource) -> ShownAnswer:
    """The answer with its names marked and its sources set in."""
    sources = [_source(number, citation) for number, citation in enumerate(answer.citations, 1)]
    return ShownAnswer(
        answer=answer,
        html=markdown_html(answer.text, marks_of(answer.mentions), _notes(answer.citations, sources)),
        sources=sources,
        cut=answer.length > len(answer.text),
    )


def marks_of(mentions: Iterable[MentionSpan]) -> Iterator[Mark]:
    """One mark for each name; names that overlap share one, which is the brand's own if any of them is."""
    together: list[MentionSpan] = []
    end = 0
    for mention in sorted(mentions, key=lambda mention: (mention.start, -mention.end)):
        if together and mention.start >= end:
            yield _mark(together, end)
            together = []
        end = max(end, mention.end) if together else mention.end
        together.append(mention)
    if together:
        yield _mark(together, end)


def _mark(mentions: Sequence[MentionSpan], end: int) -> Mark:
    is_own = any(mention.competitor is None for mention in mentions)
    titles = dict.fromkeys(f"{one_line(mention.name)}: {STANCES[mention.stance]}" for mention in mentions)
    return Mark(mentions[0].start, end, "own" if is_own else "rival", "; ".join(titles))


def _source(number: int, citation: AnswerCitation) -> ShownSource:
    return ShownSource(
        number=number,
        domain=shortened(one_line(citation.domain), MAX_LABEL),
        site=ascii_host(citation.domain),
        title=one_line(citation.title),
        cls=citation.cls.value,
        kind=CLASSES[citation.cls.value],
        link=link_to(citation.url),
        placed=bool(citation.spans),
    )


def _notes(citations: Sequence[AnswerCitation], sources: Sequence[ShownSource]) -> Iterator[Note]:
    for citation, source in zip(citations, sources, strict=True):
        if citation.spans:
            html = SafeString(render_to_string("visibility/_cite.html", {"source": source}).strip())
            yield from (Note(span.end, html) for span in citation.spans)
