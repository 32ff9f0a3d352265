"""Composes a page from what is known: words of the brand's own pages, what others say with who says it, marked gaps.

It claims nothing by itself. What the material does not say is a gap: [fact needed: …].
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from visibility.writers.languages.language import language_for
from visibility.writers.markup import escaped
from visibility.writers.outline import MAX_CRITERIA, MAX_QUESTIONS, asked_about, heading_of, lower, topic_words
from visibility.writers.protocol import MAX_DRAFT_LENGTH, MAX_TITLE_LENGTH, WrittenDraft
from visibility.writers.statements import sentences
from visibility.writers.tasks import DraftFormat, DraftTask, Material
from visibility.writers.words import content_words

MAX_OF_BRAND = 2
MAX_ADVICE = 1
MAX_OF_RIVALS = 3
MAX_OFFERED = 3
MAX_CUSTOMERS = 3
MIN_QUOTES_IN_COMMON = 3
"""From so many quotes on, words that most of them share tell nothing apart."""
_INNER_QUOTES = str.maketrans("“”„«»", "‘’‘‘’")  # noqa: RUF001 -- a quote inside a quote
_GAP_SIGNS = str.maketrans("[]", "()")
CUSTOMERS = "customers"
"""What a material of a review is about."""


def compose(task: DraftTask) -> WrittenDraft:
    """The page in the order of its format."""
    page = _Page(task)
    sections = [page.lead(), *_LAYOUTS[task.format](page)]
    return WrittenDraft(title=title_of(task), markdown="\n\n".join(filter(None, sections))[:MAX_DRAFT_LENGTH])


class _Page:
    """The sections of one page. Each passage stands once, where it answers most of what is asked."""

    def __init__(self, task: DraftTask) -> None:
        self.task = task
        self._phrases = language_for(task.locale).draft
        self._unused = [material for material in task.materials if material.own]
        self._others = [material for material in task.materials if not material.own]
        self._names = content_words(" ".join([task.subject.name, *task.subject.names]))
        self._common = self._names | _shared_by_most([material.text for material in self._unused])

    def lead(self) -> str:
        """The first paragraph: the brand's own words on the first question, or the gap where they belong."""
        passage = self._take(self.task.question)
        return _own(passage) if passage else self._gap(f"to answer “{self.task.question}” in a sentence or two")

    def answers(self, first: int = 1) -> Iterable[str]:
        """Each further question with what the brand's pages say about it."""
        for question in self.task.questions[first:MAX_QUESTIONS]:
            passage = self._take(question)
            yield f"## {escaped(heading_of(question))}"
            yield _own(passage) if passage else self._gap(f"to answer “{question}”")

    def criteria(self, *, advice: bool = True, rivals: bool = False, is_faq: bool = False) -> Iterable[str]:
        """What buyers judge by: the brand's own words or the gap, then what others say, each with who says it."""
        for criterion in self.task.criteria[:MAX_CRITERIA]:
            heading = asked_about(criterion, self.task.locale) if is_faq else criterion
            passage = self._take(criterion)
            yield f"## {escaped(heading)}"
            yield _own(passage) if passage else self._gap(f"on {lower(criterion)}")
            yield from self._said(criterion, self.task.subject.name, MAX_OF_BRAND)
            if rivals:
                for rival in self.task.subject.rivals[:MAX_OF_RIVALS]:
                    yield from self._said(criterion, rival, 1)
            if advice:
                yield from self._said(criterion, "", MAX_ADVICE)

    def offer(self, *, always: bool = False) -> Iterable[str]:
        """What the brand's pages say about the topic and has no place elsewhere; or, where there `always` is such a
        section, the gap."""
        passages = [passage for _ in range(MAX_OFFERED) if (passage := self._take(self.task.topic, is_topic=True))]
        said = [material for material in self._others if material.of == self.task.subject.name and not material.about]
        if passages or said or always:
            yield f"## {escaped(self._phrases.offers.format(name=self.task.subject.name))}"
        if passages or (always and not said):
            yield "\n\n".join(map(_own, passages)) or self._gap(f"on {topic_words(self.task.topic)}")
        yield from map(self._attributed, said[:MAX_OF_BRAND])

    def proof(self) -> Iterable[str]:
        """What customers say, or room for it."""
        reviews = [material for material in self._others if material.about == CUSTOMERS][:MAX_CUSTOMERS]
        yield f"## {self._phrases.customers}"
        words = "\n\n".join(map(self._attributed, reviews))
        yield words or _in_gap("words of customers, with who said them and where")

    def next_step(self) -> Iterable[str]:
        """Room for the one thing that a reader should do."""
        yield f"## {self._phrases.next_step}"
        yield _in_gap(f"what a reader should do now on {self.task.subject.domain}, and what it costs")

    def _said(self, criterion: str, name: str, most: int) -> Iterable[str]:
        chosen = [material for material in self._others if material.about == criterion and material.of == name][:most]
        self._others = [material for material in self._others if material not in chosen]
        return map(self._attributed, chosen)

    def _attributed(self, material: Material) -> str:
        """Words of others, with who says them: an answer for an assistant's, the page for a page's."""
        phrase = self._phrases.of_brand if material.of else self._phrases.advice
        words = material.text.translate(_INNER_QUOTES)
        sentence = phrase.format(source=material.said_by or material.source, name=material.of, words=words)
        return f"{escaped(sentence)} [{material.mark}]"

    def _gap(self, what: str) -> str:
        return _in_gap(f"what {self.task.subject.name} can show {what}: a figure or a test, with its source")

    def _take(self, question: str, *, is_topic: bool = False) -> Material | None:
        """The own passage with most of the question's words, if it has more than half of them; else None.

        Its names never count; words that most of its passages share (its trade) only where nothing else is asked, or
        where they are the topic.
        """
        question_words = content_words(question) - self._names
        telling_words = (question_words - self._common if not is_topic else None) or question_words
        shared_counts = [len(telling_words & content_words(material.text)) for material in self._unused]
        if 2 * max(shared_counts, default=0) <= len(telling_words):
            return None
        return self._unused.pop(shared_counts.index(max(shared_counts)))


def _own(material: Material) -> str:
    """Words of the brand's own page, as they stand there; several sentences under one mark are a quote."""
    begin = "> " if len(sentences(material.text)) > 1 else ""
    return f"{begin}{escaped(material.text)} [{material.mark}]"


def _in_gap(text: str) -> str:
    """A gap; foreign words in it do not end it."""
    return f"[fact needed: {escaped(text.translate(_GAP_SIGNS))}]"


def _shared_by_most(texts: Sequence[str]) -> frozenset[str]:
    """The words that more than half of the texts have; none of fewer than three texts."""
    if len(texts) < MIN_QUOTES_IN_COMMON:
        return frozenset()
    counts = Counter(word for text in texts for word in content_words(text))
    return frozenset(word for word, count in counts.items() if 2 * count > len(texts))


def _article(page: _Page) -> Iterable[str]:
    return [*page.answers(), *page.criteria(), *page.offer()]


def _faq(page: _Page) -> Iterable[str]:
    return [*page.answers(), *page.criteria(is_faq=True), *page.offer()]


def _comparison(page: _Page) -> Iterable[str]:
    return [*page.criteria(advice=False, rivals=True), *page.answers(), *page.offer()]


def _landing(page: _Page) -> Iterable[str]:
    return [*page.offer(always=True), *page.criteria(advice=False), *page.proof(), *page.answers(), *page.next_step()]


_LAYOUTS: dict[DraftFormat, Callable[[_Page], Iterable[str]]] = {
    DraftFormat.ARTICLE: _article,
    DraftFormat.FAQ: _faq,
    DraftFormat.COMPARISON: _comparison,
    DraftFormat.LANDING: _landing,
}


def title_of(task: DraftTask) -> str:
    """The title of a page by its format: the question, or the topic with whom it is about."""
    subject = task.subject
    if task.format == DraftFormat.FAQ:
        title = language_for(task.locale).draft.faq.format(topic=topic_words(task.topic))
    elif task.format == DraftFormat.COMPARISON and subject.rivals:
        title = f"{' or '.join([subject.name, *subject.rivals[:2]])}: {topic_words(task.topic)}"
    elif task.format == DraftFormat.LANDING:
        title = f"{subject.name}: {topic_words(task.topic)}"
    else:
        title = task.question
    line = " ".join(title.split())[:MAX_TITLE_LENGTH]
    return line[:1].upper() + line[1:]
