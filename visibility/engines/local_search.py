"""local-search: answers from stored pages, with verbatim sentences and citations. No model, no network, no chance.

It is no AI system. The same question over the same pages always gets the same answer.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from math import log

from visibility.engines.types import Bill, Engine, Question, Reply, Source

NAME = "local-search"
PASSAGES = 4
CANDIDATES = 20
"""Pages among which a ranking of RANKINGS chooses."""
HALF_LIFE_DAYS = 90
"""A page counts half as much as one published so many days later."""
SENTENCES_PER_PASSAGE = 2
MAX_SENTENCE = 500
NOTHING_FOUND = "No stored page answers this question."

# Words of the form of a question, not of its subject.
_STOP_WORDS = """
a an and are as at be been best but by can could do does for from good had has have how i if in is it its me most my
of on or our should so some than that the their them there these they this to was we what when where which who why
will with would you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")  # noqa: RUF001 -- CJK sentence marks


@dataclass(frozen=True, slots=True)
class Passage:
    """One stored page."""

    url: str
    title: str
    text: str
    published_on: date | None = None


Retrieve = Callable[[str, int], Awaitable[Sequence[Passage]]]
"""Finds at most the given number of passages for a query, best first."""


def search_terms(query: str) -> list[str]:
    """The distinct words of a query in order, lower case; without stop words unless nothing else is left."""
    words = list(dict.fromkeys(_WORD.findall(query.casefold())))
    return [word for word in words if word not in STOP_WORDS] or words


def by_recency(query: str, passages: Sequence[Passage]) -> list[Passage]:
    """New pages first, as far as they answer: the weight of the question's words in a page, rarer ones weighing more,
    halved for every 90 days that it is older than the newest candidate. Pages without a date count as the oldest.

    Only differences of dates enter, so the order changes with the pages alone and never with the clock.
    """
    terms = set(search_terms(query))
    shared = [terms.intersection(_WORD.findall(f"{page.title} {page.text}".casefold())) for page in passages]
    holders = Counter(term for words in shared for term in words)
    dates = [page.published_on for page in passages if page.published_on]
    newest, oldest = max(dates, default=date.min), min(dates, default=date.min)
    worth = []
    for page, words in zip(passages, shared, strict=True):
        weight = sum(log((len(passages) + 1) / holders[term]) for term in words)
        worth.append(weight * 0.5 ** ((newest - (page.published_on or oldest)).days / HALF_LIFE_DAYS))
    return [passages[place] for place in sorted(range(len(passages)), key=lambda place: -worth[place])]


RANKINGS = {"recent": by_recency}
"""Further orders of the pages, by the name that an engine has in place of a model."""


class LocalSearch(Engine):
    """Quotes the pages that `retrieve` gives, in its order or by the `ranking` of that name. Raises KeyError for an
    unknown ranking."""

    def __init__(self, retrieve: Retrieve, name: str = NAME, ranking: str | None = None) -> None:
        self.name = name
        self._retrieve = retrieve
        self._ranking = RANKINGS[ranking] if ranking else None

    async def ask(self, question: Question) -> Reply:
        """Quote the sentences of the best pages that share most words with the question."""
        passages = await self._retrieve(question.text, CANDIDATES if self._ranking else PASSAGES)
        if self._ranking:
            passages = self._ranking(question.text, passages)
        text, sources = compose(question.text, passages[:PASSAGES])
        return Reply(
            text=text,
            sources=sources,
            searched=True,
            searches=(question.text,),
            served_model=self.name,
            bill=Bill(Decimal(0), "computed"),
        )

    async def close(self) -> None:
        """There is nothing to close."""


def compose(query: str, passages: Sequence[Passage]) -> tuple[str, tuple[Source, ...]]:
    """The answer's text, one line per passage with its marker, and a source with the span of each line."""
    if not passages:
        return NOTHING_FOUND, ()
    terms = set(search_terms(query))
    text, sources = "", []
    for number, passage in enumerate(passages, start=1):
        quoted = " ".join(_best_sentences(passage.text, terms)) or " ".join(passage.title.split())
        start = len(text) + 2
        text += f"- {quoted} [{number}]\n"
        sources.append(Source(url=passage.url, title=passage.title, start=start, end=start + len(quoted)))
    return text.rstrip("\n"), tuple(sources)


def _best_sentences(text: str, terms: set[str]) -> list[str]:
    """The sentences with the most distinct terms, at most two, in the order of the page."""
    sentences = [" ".join(part.split())[:MAX_SENTENCE] for part in _SENTENCE_END.split(text) if part.strip()]
    word_counts = [len(terms.intersection(_WORD.findall(sentence.casefold()))) for sentence in sentences]
    order = sorted(range(len(sentences)), key=lambda index: (-word_counts[index], index))
    best = [index for index in order[:SENTENCES_PER_PASSAGE] if word_counts[index]] or order[:1]
    return [sentences[index] for index in sorted(best)]
