"""The brief of a page: rows with an id each, which say what is asked, what is known of whom, and what is missing."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.template import Context, Engine
from django.utils.translation import gettext

from apikeys.resources import FOR_AGENTS, Worded
from apikeys.text import marked
from brands.models import Brand
from visibility.audit import ParsedPage
from visibility.content.opportunities import Chance, missing_criteria
from visibility.content.resources import PASTE, Source, SourceKind
from visibility.content.words import Language, language_of
from visibility.counts.reader import select_now
from visibility.counts.words import engine_name
from visibility.detection import is_function_word
from visibility.evidence.gathering import own_pages
from visibility.evidence.pages import sentences_of
from visibility.evidence.reads import own_sentences
from visibility.models import Prompt
from visibility.models.content import DraftFormat
from visibility.models.reading import Facet
from visibility.prompts.reads import PromptCounts, counts_of_prompts
from visibility.reading.reads import Finding, StatementQuote, findings_of
from visibility.topics.pooling import stems

WRITTEN = {
    DraftFormat.ARTICLE: "an article",
    DraftFormat.FAQ: "questions with their answers",
    DraftFormat.COMPARISON: "a comparison",
    DraftFormat.LANDING: "a product page",
}
MOST_PROMPTS, MOST_ROLES, MOST_LIMITS, MOST_FACTS, MOST_REVIEWS, MOST_REASONS, MOST_GAPS = 5, 3, 3, 12, 4, 6, 5
MOST_READ = 50
"""Prompts by which the language is told."""
LEAST_SHARED = 2
"""Words that a page's headings share with the prompts to be the page to edit, and a sentence to be on them."""
SECTIONS: dict[SourceKind, tuple[str, str]] = {
    "prompt": ("P", "prompts"),
    "role": ("W", "roles"),
    "limit": ("L", "limits"),
    "page": ("F", "pages"),
    "review": ("C", "reviews"),
    "answer": ("R", "answers"),
    "gap": ("G", "gaps"),
}
"""By kind of row the letter of its ids, and its name in templates."""


@dataclass(frozen=True)
class Brief:
    """All that a writer needs. `page`: the own page to edit, None for a new one. `is_read`: a reader has read the
    answers."""

    brand: Brand
    title: str
    why: Worded
    format: DraftFormat
    page: str | None
    rows: Sequence[Source]
    is_read: bool

    @property
    def facts(self) -> Worded:
        """The rows in Markdown."""
        return Worded(self._filled("brief", None), self._filled("brief", FOR_AGENTS))

    @property
    def text(self) -> str:
        """The same with the prompt to paste behind it, which has no words of others."""
        lines = [line for line in self._filled("paste", None).splitlines() if line.strip()]
        prompt = "\n".join(f"{place}. {line}" for place, line in enumerate(lines, start=1))
        return f"{self.facts}\n\n{PASTE}\n{prompt}"

    def _filled(self, template: str, reader: dict[str, str] | None) -> str:
        rows: dict[str, list[Any]] = {name: [] for _, name in SECTIONS.values()}
        for row in self.rows:
            rows[SECTIONS[row.kind][1]].append(row.model_dump(mode="json", by_alias=False, context=reader))
        shown = marked if reader else str
        facts = {
            "title": shown(self.title),
            "why": self.why.marked if reader else self.why,
            "page": self.page and shown(self.page),
            "is_read": self.is_read,
            "what": WRITTEN[self.format],
            "brand": self.brand.name,
            "domain": self.brand.domain,
            **rows,
        }
        filled = Engine.get_default().get_template(f"content/{template}.md").render(Context(facts, autoescape=False))
        parts = (part.strip() for part in filled.split("\n\n"))
        return "\n\n".join(part for part in parts if part)


def make_brief(brand: Brand, chance: Chance, form: DraftFormat) -> Brief:
    """The brief of an opportunity."""
    findings, pages = findings_of(brand), own_pages(brand)
    topic, rival = chance.topic and chance.topic.pk, chance.rival and chance.rival.pk
    of_topic = [each for each in findings if each.topic and each.topic in (topic or each.topic, None)]
    reviews = [each for each in findings if each.topic is None and each.subject is None]
    prompts = _prompts(brand, chance)
    asked = [text for text, _ in prompts]
    telling = [each for each in of_topic if each.is_telling]
    own = [each for each in telling if each.subject is None]
    others = [each for each in telling if each.subject and rival in (None, each.subject)]
    names: dict[UUID | None, str] = dict(brand.competitors.values_list("pk", "name"))
    limits = [each for each in own if each.facet in (Facet.LIMIT, Facet.WARNING)][:MOST_LIMITS]
    nearest = _page_to_edit(pages, asked)
    wanted = _words(*asked, chance.label, *(each.heading for each in limits))
    facts = [
        *(Source(kind="prompt", text=text, counts=counts) for text, counts in prompts),
        *([Source(kind="role", text=brand.description, about=brand.name)] if brand.description else ()),
        *_quoted("role", brand.name, [each for each in own if each.facet == Facet.ROLE][:MOST_ROLES]),
        *_quoted("limit", brand.name, limits),
        *_own_facts(brand, pages, wanted, {nearest, chance.page}),
        *_quoted("review", brand.name, _nearest(reviews, wanted)[:MOST_REVIEWS]),
        *(
            row
            for each in [each for each in others if each.facet in (Facet.REASON, Facet.ROLE)][:MOST_REASONS]
            for row in _quoted("answer", names.get(each.subject, ""), [each])
        ),
        *_gaps(brand, chance),
    ]
    return Brief(
        brand=brand,
        title=asked[0] if asked else chance.topic.name if chance.topic else str(chance.title),
        why=chance.why,
        format=form,
        page=chance.page or nearest,
        rows=_numbered(facts),
        is_read=bool(of_topic),
    )


def _numbered(rows: Iterable[Source]) -> list[Source]:
    numbers: dict[str, int] = {}
    found = []
    for row in rows:
        letter = SECTIONS[row.kind][0]
        numbers[letter] = numbers.get(letter, 0) + 1
        found.append(row.model_copy(update={"id": f"{letter}{numbers[letter]}"}))
    return found


def _prompts(brand: Brand, chance: Chance) -> list[tuple[str, str]]:
    """The search, then prompts of the topic, or whose answers name the rival, each with its counts: those in a
    person's words first, of these the ones where the brand is missing most."""
    you = gettext("you in {mentioned} of {of} answers")
    counts, rows = counts_of_prompts(select_now(brand), active=True), Prompt.objects.filter(brand=brand).active()
    rows = rows.filter(topic=chance.topic) if chance.topic else rows.exclude(topic__own=False)
    language = Language(language_of(" ".join(rows.values_list("text", flat=True)[:MOST_READ])))
    found: list[tuple[bool, float, str, str]] = []
    for prompt in rows:
        count = counts.get(prompt.pk) or PromptCounts()
        own, rival = count.own, count.mentioned(chance.rival.pk) if chance.rival else 1
        if rival:
            words = you.format(mentioned=own.mentioned, of=own.of) if own else gettext("not asked yet")
            words += (
                gettext(", {name} in {number}").format(name=chance.rival.name, number=rival) if chance.rival else ""
            )
            share = own.mentioned / own.of if own else 1.0
            found.append((not language.reads_like_speech(prompt.text), share, prompt.text, words))
    in_answers = gettext("searched in {number} answers").format(number=chance.answers)
    searched = [(chance.label, in_answers)] if chance.kind == "search" else []
    return [*searched, *((text, words) for _, _, text, words in sorted(found))][:MOST_PROMPTS]


def _quoted(kind: SourceKind, name: str, findings: Iterable[Finding]) -> Iterator[Source]:
    for each in findings:
        quote = next(iter(each.quotes), StatementQuote("", ""))
        yield Source(
            kind=kind,
            text=quote.text,
            heading=each.heading,
            counts=_counts(each),
            about=name,
            engine=quote.engine or None,
        )


def _counts(finding: Finding) -> str:
    """In k of the n answers that name its subject, by engine; of reviews in k of all that were read."""
    if finding.topic is None:
        return gettext("{k} of {n} reviews").format(k=finding.k, n=finding.n)
    of_engine = gettext("{engine} {mentioned} of {answers}")
    engines = [
        of_engine.format(engine=engine_name(engine), mentioned=k, answers=n)
        for engine, (k, n) in sorted(finding.by_engine.items())
    ]
    words = gettext("{k} of {n} answers").format(k=finding.k, n=finding.n)
    return words + (f": {', '.join(engines)}" if len(engines) > 1 else "")


def _nearest(reviews: Sequence[Finding], wanted: set[str]) -> list[Finding]:
    """Praise first, as far as it is on what is asked; what customers hold against the brand behind it."""
    held = (Facet.LIMIT, Facet.WARNING)
    return sorted(reviews, key=lambda each: (each.facet in held, -len(wanted & _words(each.heading)), -each.k))


def _own_facts(
    brand: Brand, pages: Sequence[ParsedPage], wanted: set[str], whole: Container[str | None]
) -> list[Source]:
    """Sentences of own pages: those with a number or an assurance, all of some pages, and those on what is asked; the
    nearest to that first."""
    stated = {each.text: each.url for each in own_sentences(brand)}
    more = {each.text: each.page.url for each in sentences_of(pages)}
    near = {text: len(wanted & _words(text)) for text in (*stated, *more)}
    found = {text: url for text, url in more.items() if url in whole or near[text] >= LEAST_SHARED} | stated
    first = sorted(found, key=lambda text: (-near[text], text not in stated))[:MOST_FACTS]
    return [Source(kind="page", text=text, url=found[text], about=brand.name) for text in first]


def _gaps(brand: Brand, chance: Chance) -> list[Source]:
    """What answers on the topic choose by and no own page states; the one that the opportunity is on first."""
    rows = [each for each in missing_criteria(brand) if chance.topic is None or each.topic_id == chance.topic.pk]
    rows.sort(key=lambda each: each.label != chance.label)
    return [
        Source(kind="gap", text=each.label, counts=gettext("{k} of {n} answers").format(k=each.answers, n=each.of))
        for each in rows[:MOST_GAPS]
    ]


def _page_to_edit(pages: Sequence[ParsedPage], asked: Sequence[str]) -> str | None:
    """The own page whose title and headings share most words with the prompts."""
    wanted = _words(*asked)

    def shared(page: ParsedPage) -> int:
        titles = [title.text for title in page.titles]
        return len(wanted & _words(*titles, *(each.text for each in page.headings if each.level <= 2)))

    best = max((page for page in pages if page.kind != "home"), key=shared, default=None)
    return best.url if best and shared(best) >= LEAST_SHARED else None


def _words(*texts: str) -> set[str]:
    return {stem for text in texts for stem in stems(text) if not is_function_word(stem)}
