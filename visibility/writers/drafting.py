"""Composes a page from what is known: words of the brand's own pages, quoted; questions as headings; marked gaps.

It claims nothing by itself. What the material does not say is a gap: [add your …].
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from visibility.writers.languages.language import language_for
from visibility.writers.markup import escaped, source_list
from visibility.writers.protocol import MAX_DRAFT_LENGTH, MAX_TITLE_LENGTH, WrittenDraft
from visibility.writers.tasks import DraftFormat, DraftTask, Material
from visibility.writers.words import content_words

MAX_QUESTIONS = 8
MAX_RIVALS = 3
MIN_QUOTES_IN_COMMON = 3
"""From so many quotes on, words that most of them share tell nothing apart."""
_INNER_QUOTES = str.maketrans("“”", "‘’")  # noqa: RUF001 -- a quote inside a quote
_GAP_SIGNS = str.maketrans("[]", "()")


def compose(task: DraftTask) -> WrittenDraft:
    """The page in the order of its format, then the sources and notes for whoever finishes it."""
    page = _Page(task)
    sections = [page.lead(), *_LAYOUTS[task.format](page), *page.notes(), source_list(task)]
    return WrittenDraft(title=_title(task), markdown="\n\n".join(filter(None, sections))[:MAX_DRAFT_LENGTH])


class _Page:
    """The sections of one page. Each passage is quoted once, where it answers most of what is asked."""

    def __init__(self, task: DraftTask) -> None:
        self.task = task
        self.name = escaped(task.subject.name)
        self._phrases = language_for(task.locale).draft
        self._unused = [material for material in task.materials if material.own]
        self._names = content_words(" ".join([task.subject.name, *task.subject.names]))
        self._common = self._names | _shared_by_most([material.text for material in self._unused])

    def lead(self) -> str:
        """The first paragraph: the brand's own words on the first question, or the gap where they belong."""
        passage = self._take(self.task.question)
        if passage is None:
            question, name = _in_gap(self.task.question), _in_gap(self.task.subject.name)
            return f"[add your answer to “{question}” in two or three sentences that name {name} and a figure]"
        question = escaped(self.task.question)
        words = escaped(passage.text.translate(_INNER_QUOTES))
        return f"{self._phrases.says.format(name=self.name, question=question, words=words)} [{passage.mark}]"

    def answers(self) -> Iterable[str]:
        """Each further question with what the brand's pages say about it."""
        for question in self.task.questions[1:MAX_QUESTIONS]:
            yield f"## {escaped(question)}"
            yield self._answer(question)

    def offer(self) -> Iterable[str]:
        """What the brand's pages say about the topic."""
        yield f"## {self._phrases.offers.format(name=self.name)}"
        yield self._answer(self.task.topic)

    def comparison(self) -> Iterable[str]:
        """A table whose cells are for facts with a source."""
        names = [self.name, *(escaped(rival) for rival in self.task.subject.rivals[:MAX_RIVALS])]
        gaps = " | ".join(["[add a fact with its source]"] * len(names))
        table = [f"| | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
        yield f"## {self._phrases.glance}"
        yield "\n".join([*table, *(f"| {row} | {gaps} |" for row in self._phrases.rows)])

    def proof(self) -> Iterable[str]:
        """Room for evidence that the service does not have."""
        yield f"## {self._phrases.customers}"
        yield "[add your customers' words, with their names and where they said them]"

    def next_step(self) -> Iterable[str]:
        """Room for the one thing that a reader should do."""
        yield f"## {self._phrases.next_step}"
        yield f"[add what a reader should do now on {escaped(self.task.subject.domain)}, and what it costs]"

    def notes(self) -> Iterable[str]:
        """What AI answers say and which pages they cite, for the author; not for the page."""
        others = [material for material in self.task.materials if not material.own]
        if not others:
            return
        quotes = [f"> {escaped(material.text)} [{material.mark}]" for material in others if not material.url]
        source_lines = [f"- {escaped(material.text)} [{material.mark}]" for material in others if material.url]
        yield f"## {self._phrases.notes}"
        if quotes:
            yield self._phrases.disclaimer.format(name=self.name)
            yield "\n\n".join(quotes)
        if source_lines:
            yield "\n".join([self._phrases.cited, "", *source_lines])

    def _answer(self, question: str) -> str:
        passage = self._take(question)
        if passage is None:
            return f"[add your answer to “{_in_gap(question)}”, with facts that can be checked]"
        return f"> {escaped(passage.text)} [{passage.mark}]"

    def _take(self, question: str) -> Material | None:
        """The own passage with most of the question's words, if it has more than half of them; else None.

        Its names never count; words that most of its passages share (its trade) only where nothing else is asked.
        """
        question_words = content_words(question) - self._names
        telling_words = question_words - self._common or question_words
        shared_counts = [len(telling_words & content_words(material.text)) for material in self._unused]
        if 2 * max(shared_counts, default=0) <= len(telling_words):
            return None
        return self._unused.pop(shared_counts.index(max(shared_counts)))


def _in_gap(text: str) -> str:
    """Foreign words that do not end the gap in which they stand."""
    return escaped(text.translate(_GAP_SIGNS))


def _shared_by_most(texts: Sequence[str]) -> frozenset[str]:
    """The words that more than half of the texts have; none of fewer than three texts."""
    if len(texts) < MIN_QUOTES_IN_COMMON:
        return frozenset()
    counts = Counter(word for text in texts for word in content_words(text))
    return frozenset(word for word, count in counts.items() if 2 * count > len(texts))


def _article(page: _Page) -> Iterable[str]:
    return [*page.answers(), *page.offer()]


def _faq(page: _Page) -> Iterable[str]:
    return page.answers()


def _comparison(page: _Page) -> Iterable[str]:
    return [*page.comparison(), *page.answers()]


def _landing(page: _Page) -> Iterable[str]:
    return [*page.offer(), *page.proof(), *page.answers(), *page.next_step()]


_LAYOUTS: dict[DraftFormat, Callable[[_Page], Iterable[str]]] = {
    DraftFormat.ARTICLE: _article,
    DraftFormat.FAQ: _faq,
    DraftFormat.COMPARISON: _comparison,
    DraftFormat.LANDING: _landing,
}


def _title(task: DraftTask) -> str:
    subject = task.subject
    if task.format == DraftFormat.FAQ:
        title = language_for(task.locale).draft.faq.format(topic=task.topic)
    elif task.format == DraftFormat.COMPARISON and subject.rivals:
        title = f"{' or '.join([subject.name, *subject.rivals[:2]])}: {task.topic}"
    elif task.format == DraftFormat.LANDING:
        title = f"{subject.name}: {task.topic}"
    else:
        title = task.question
    line = " ".join(title.split())[:MAX_TITLE_LENGTH]
    return line[:1].upper() + line[1:]
