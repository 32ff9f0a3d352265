"""Composes a page from what is known: words of the brand's own pages, quoted; questions as headings; marked gaps.

It claims nothing by itself. What the material does not say is a gap: [add your …].
"""

from collections.abc import Callable, Iterable

from visibility.writers.markup import escaped, source_list
from visibility.writers.protocol import LONGEST_DRAFT, LONGEST_TITLE, WrittenDraft
from visibility.writers.tasks import DraftFormat, DraftTask, Material
from visibility.writers.words import wording_key

MOST_QUESTIONS = 8
MOST_RIVALS = 3
_INNER_QUOTES = str.maketrans("“”", "‘’")  # noqa: RUF001 -- a quote inside a quote


def compose(task: DraftTask) -> WrittenDraft:
    """The page in the order of its format, then the sources and notes for whoever finishes it."""
    page = _Page(task)
    sections = [page.lead(), *_LAYOUTS[task.format](page), *page.notes(), source_list(task.materials)]
    return WrittenDraft(title=_title(task), markdown="\n\n".join(filter(None, sections))[:LONGEST_DRAFT])


class _Page:
    """The sections of one page. Each passage is quoted once, where it answers most of what is asked."""

    def __init__(self, task: DraftTask) -> None:
        self.task = task
        self.name = escaped(task.subject.name)
        self._unused = [material for material in task.materials if material.own]

    def lead(self) -> str:
        """The first paragraph: the brand's own words on the first question, or the gap where they belong."""
        question = escaped(self.task.question)
        own = self._take(self.task.question)
        if own is None:
            return f"[add your answer to “{question}” in two or three sentences that name {self.name} and a figure]"
        words = escaped(own.text.translate(_INNER_QUOTES))
        return f"{self.name} says about “{question}”: “{words}” [{own.mark}]"

    def answers(self) -> Iterable[str]:
        """Each further question with what the brand's pages say about it."""
        for question in self.task.questions[1:MOST_QUESTIONS]:
            yield f"## {escaped(question)}"
            yield self._answer(question)

    def offer(self) -> Iterable[str]:
        """What the brand's pages say about the topic."""
        yield f"## What {self.name} offers"
        yield self._answer(self.task.topic)

    def comparison(self) -> Iterable[str]:
        """A table whose cells are for facts with a source."""
        names = [self.name, *(escaped(rival) for rival in self.task.subject.rivals[:MOST_RIVALS])]
        rows = ["For whom it is", "Price", "What it does differently"]
        gaps = " | ".join(["[add a fact with its source]"] * len(names))
        table = [f"| | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
        yield "## At a glance"
        yield "\n".join([*table, *(f"| {row} | {gaps} |" for row in rows)])

    def proof(self) -> Iterable[str]:
        """Room for evidence that the service does not have."""
        yield "## What customers say"
        yield "[add your customers' words, with their names and where they said them]"

    def next_step(self) -> Iterable[str]:
        """Room for the one thing that a reader should do."""
        yield "## Next step"
        yield f"[add what a reader should do now on {escaped(self.task.subject.domain)}, and what it costs]"

    def notes(self) -> Iterable[str]:
        """What AI answers and their sources say, for the author; not for the page."""
        others = [material for material in self.task.materials if not material.own]
        if others:
            yield "## Notes for the author (remove before publishing)"
            yield f"What answers and cited pages say today; {self.name} did not write it, and it may be wrong."
            yield "\n\n".join(f"> {escaped(material.text)} [{material.mark}]" for material in others)

    def _answer(self, question: str) -> str:
        own = self._take(question)
        if own is None:
            return f"[add your answer to “{escaped(question)}”, with facts that can be checked]"
        return f"> {escaped(own.text)} [{own.mark}]"

    def _take(self, question: str) -> Material | None:
        """The own passage that shares most words with the question; None where none shares any."""
        wanted = wording_key(question)
        shared = [len(wanted & wording_key(material.text)) for material in self._unused]
        if not any(shared):
            return None
        return self._unused.pop(shared.index(max(shared)))


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
        title = f"{task.topic}: questions and answers"
    elif task.format == DraftFormat.COMPARISON and subject.rivals:
        title = f"{' or '.join([subject.name, *subject.rivals[:2]])}: {task.topic}"
    elif task.format == DraftFormat.LANDING:
        title = f"{subject.name}: {task.topic}"
    else:
        title = task.question
    line = " ".join(title.split())[:LONGEST_TITLE]
    return line[:1].upper() + line[1:]
