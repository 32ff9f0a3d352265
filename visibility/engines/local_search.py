"""local-search: answers from stored pages with verbatim sentences and citations. No model, no network, no chance.

The same question over the same pages gets the same answer, also for further samples.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from visibility.engines.protocol import Engine, EngineAnswer, Question, Source

NAME = "local-search"
PASSAGES = 4
SENTENCES_PER_PASSAGE = 2
MAX_SENTENCE = 500
NOTHING_FOUND = "No stored page answers this question."

# Words that say how something is asked, not what is asked about.
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
    """One retrieved page, the best first in a list of them."""

    url: str
    title: str
    text: str


Retrieve = Callable[[str, int], Awaitable[Sequence[Passage]]]
"""Finds at most the given number of passages for a query, best first."""


def search_terms(query: str) -> list[str]:
    """The distinct words of a query in order, lower case; without stop words unless nothing else is left."""
    words = list(dict.fromkeys(_WORD.findall(query.casefold())))
    return [word for word in words if word not in STOP_WORDS] or words


class LocalSearch(Engine):
    """The engine over one corpus; `retrieve` is handed in, so that nothing here knows of a database."""

    name = NAME
    concurrency = 2

    def __init__(self, retrieve: Retrieve) -> None:
        self._retrieve = retrieve

    async def ask(self, question: Question) -> EngineAnswer:
        """Quote the sentences of the best pages that share most words with the question."""
        passages = await self._retrieve(question.text, PASSAGES)
        text, sources = compose(question.text, passages)
        return EngineAnswer(
            text=text,
            sources=sources,
            searched=True,
            searches=(question.text,),
            served_model=NAME,
            cost=Decimal(0),
            cost_source="computed",
        )


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
    shared = [len(terms.intersection(_WORD.findall(sentence.casefold()))) for sentence in sentences]
    order = sorted(range(len(sentences)), key=lambda index: (-shared[index], index))
    chosen = [index for index in order[:SENTENCES_PER_PASSAGE] if shared[index]] or order[:1]
    return [sentences[index] for index in sorted(chosen)]
