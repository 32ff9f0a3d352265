"""The brief of a page: the questions to answer, the criteria, what own pages prove already, and what is missing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from apikeys.text import QUOTE_NOTICE, marked
from brands.models import Brand
from visibility.audit import ParsedPage
from visibility.content.opportunities import Chance
from visibility.content.resources import Source
from visibility.detection import is_function_word
from visibility.evidence.gathering import own_pages
from visibility.evidence.pages import Sentence, sentences_of
from visibility.evidence.reads import claims_of, criteria_of
from visibility.evidence.resources import Criterion
from visibility.evidence.words import stems
from visibility.models import Prompt
from visibility.models.content import DraftFormat

KINDS = {
    DraftFormat.ARTICLE: "an article",
    DraftFormat.FAQ: "questions with their answers",
    DraftFormat.COMPARISON: "a comparison",
    DraftFormat.LANDING: "a product page",
}
MOST_QUESTIONS, MOST_CRITERIA, MOST_SENTENCES, MOST_PRAISE = 5, 6, 12, 6
LEAST_SHARED = 2
"""Stems that a page's title and headings share with the questions, to be the page to edit."""


@dataclass(frozen=True, slots=True)
class Praise:
    """What an answer says of a competitor by a criterion."""

    label: str
    subject: str
    text: str
    engine: str


@dataclass(frozen=True, slots=True)
class OwnSentence:
    """A sentence of an own page."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Brief:
    """All that a writer needs. `page`: the own page to edit; None: a new one. `gaps`: criteria that no own page
    proves."""

    title: str
    format: DraftFormat
    page: str | None
    questions: Sequence[str]
    criteria: Sequence[Criterion]
    sentences: Sequence[OwnSentence]
    praise: Sequence[Praise]
    gaps: Sequence[str]
    why: str

    @property
    def sources(self) -> list[Source]:
        """What it rests on."""
        own = [Source(kind="page", text=each.text, url=each.url) for each in self.sentences]
        praise = [Source(kind="answer", text=each.text, engine=each.engine) for each in self.praise]
        return [*own, *praise]


def telling_words(*texts: str) -> set[str]:
    """The stems of words that say something."""
    return {stem for text in texts for stem in stems(text) if not is_function_word(stem)}


def make_brief(brand: Brand, chance: Chance, form: DraftFormat) -> Brief:
    """The brief of an opportunity."""
    criteria = _criteria(brand, chance)
    pages = own_pages(brand)
    questions = _questions(brand, chance)
    wanted = telling_words(*questions, chance.label, *(each.label for each in criteria))
    rival = chance.rival.name if chance.rival else None
    praise = [
        Praise(each.label, winner.subject, winner.quote.shown, winner.quote.engine or "")
        for each in criteria
        for winner in each.winners
        if winner.competitor_id is not None and rival in (None, winner.subject)
    ]
    return Brief(
        title=chance.title,
        format=form,
        page=chance.page or _page_to_edit(pages, questions),
        questions=questions,
        criteria=criteria,
        sentences=_sentences(brand, criteria, pages, wanted),
        praise=praise[:MOST_PRAISE],
        gaps=[each.label for each in criteria if each.own_sentence is None],
        why=chance.why,
    )


def _criteria(brand: Brand, chance: Chance) -> list[Criterion]:
    """The criteria of the topic, or of a comparison those that answers associate with the competitor, all where
    nobody read them; first the one that the opportunity is about."""
    rows = criteria_of(brand)
    if chance.rival:
        rows = [each for each in rows if any(one.competitor_id == chance.rival.pk for one in each.winners)] or rows
    elif chance.topic:
        rows = [each for each in rows if each.topic_id == chance.topic.pk]
    return sorted(rows, key=lambda each: each.label != chance.label)[:MOST_CRITERIA]


def _questions(brand: Brand, chance: Chance) -> list[str]:
    prompts = Prompt.objects.filter(brand=brand).active().order_by("created_at", "pk")
    first = [chance.label] if chance.kind == "search" else []
    if chance.rival:
        first = [f"{brand.name} or {chance.rival.name}: which is better, and for whom?"]
        prompts = prompts.filter(text__icontains=chance.rival.name)
    elif chance.topic:
        prompts = prompts.filter(topic=chance.topic)
    return [*first, *prompts.values_list("text", flat=True)[:MOST_QUESTIONS]][:MOST_QUESTIONS]


def _page_to_edit(pages: Sequence[ParsedPage], questions: Sequence[str]) -> str | None:
    """The own page whose title and headings share most words with the questions."""
    wanted = telling_words(*questions)

    def shared(page: ParsedPage) -> int:
        titles = [title.text for title in page.titles]
        return len(wanted & telling_words(*titles, *(each.text for each in page.headings if each.level <= 2)))

    best = max((page for page in pages if page.kind != "home"), key=shared, default=None)
    return best.url if best and shared(best) >= LEAST_SHARED else None


def _sentences(
    brand: Brand, criteria: Sequence[Criterion], pages: Sequence[ParsedPage], wanted: set[str]
) -> list[OwnSentence]:
    """What own pages say on it: first the proofs of criteria, then claims, then the sentences that share most
    words."""
    found: dict[str, str] = {}
    for each in criteria:
        if each.own_sentence:
            found.setdefault(each.own_sentence.text, each.own_sentence.url or "")
    for claim in claims_of(brand):
        if wanted & telling_words(claim.claim):
            found.setdefault(claim.ours.text, claim.ours.url or "")

    def shared(sentence: Sentence) -> int:
        return len(wanted & telling_words(sentence.text))

    rest = [each for each in sentences_of(pages) if shared(each) >= LEAST_SHARED]
    for sentence in sorted(rest, key=shared, reverse=True)[:MOST_SENTENCES]:
        found.setdefault(sentence.text, sentence.page.url)
    return [OwnSentence(text, url) for text, url in found.items()][:MOST_SENTENCES]


def brief_text(brand: Brand, brief: Brief) -> str:
    """The brief in Markdown, with a prompt that can be pasted. Words of others are between marks."""
    where = f"Edit {marked(brief.page)}." if brief.page else "Write a new page."
    criteria = (
        f"{marked(each.label)}: {each.mentioned} of {each.of} answers"
        + (f", mostly with {each.winner}" if each.winner else "")
        for each in brief.criteria
    )
    parts = [
        f"# Brief: {brief.title}",
        f"{brief.why} {where} {QUOTE_NOTICE}",
        _section("Questions to answer, the first in the first paragraph", map(marked, brief.questions)),
        _section("What answers judge by", criteria),
        _section(
            "What your pages say already", (f"{marked(each.text)} ({marked(each.url)})" for each in brief.sentences)
        ),
        _section(
            "What is said of competitors",
            (f"{each.subject}, {marked(each.label)}: {marked(each.text)}" for each in brief.praise),
        ),
        _section("Missing: your pages prove nothing on", map(marked, brief.gaps)),
        _prompt(brand, brief),
    ]
    return "\n\n".join(part for part in parts if part)


def _section(title: str, lines: Iterable[str]) -> str:
    shown = [f"- {line}" for line in lines]
    return "\n".join([f"## {title}", *shown]) if shown else ""


def _prompt(brand: Brand, brief: Brief) -> str:
    what = f"Edit the page {marked(brief.page)}" if brief.page else f"Write {KINDS[brief.format]} for {brand.domain}"
    lines = [
        f"{what} from this brief.",
        f"Answer the first question in the first 60 words, with {brand.name} as the subject.",
        "Take every figure and fact from what our pages say. Where they have none, note in square brackets which is "
        "missing.",
        "Give each point that answers judge by a heading of its own.",
    ]
    if brief.format == DraftFormat.COMPARISON:
        lines.append("Put the points into one table, a column for each brand, and say for whom the other is better.")
    return "\n".join(["## Prompt to paste", *(f"{place}. {line}" for place, line in enumerate(lines, start=1))])
