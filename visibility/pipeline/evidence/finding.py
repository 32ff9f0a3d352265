"""Finds the evidence of a brand in what was gathered: one step a kind, as rows to be stored."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import Any, Protocol

from visibility.evidence.claims import find_claims, weigh_claims
from visibility.evidence.criteria import find_criteria
from visibility.evidence.reviews import reviews_on
from visibility.evidence.themes import find_themes
from visibility.evidence.types import AnswerText, Criterion, Quote, ReviewText
from visibility.evidence.voice import read_voice
from visibility.measured.evidence import CLAIMS, CRITERIA, THEMES, VOICE, as_stored
from visibility.models import Evidence
from visibility.pipeline.evidence.gathering import MAX_REVIEWS, Gathered

MAX_ITEMS = 100
"""Of one kind, or of one topic: the first."""
MAX_TOPICS = 300
"""Topics with criteria of their own: those of most answers."""
MAX_QUOTES = 5
MAX_QUOTE = 500
"""Characters: of a longer one the beginning is kept, at the same place."""
MAX_SPELLINGS = 20


class _Dated(Protocol):
    @property
    def day(self) -> date | None: ...


def find_voice(gathered: Gathered) -> list[Evidence]:
    """How the pages speak."""
    voice = read_voice(gathered.pages)
    figures = tuple(replace(figure, examples=_quotes(figure.examples)) for figure in voice.figures)
    kept = replace(voice, figures=figures, calls=_quotes(voice.calls, MAX_SPELLINGS))
    return [_row(Evidence.Kind.VOICE, as_stored(VOICE, kept), gathered, as_of=gathered.read_on)]


def find_positioning(gathered: Gathered) -> list[Evidence]:
    """What the pages claim, and what the answers that name the brand say of it."""
    naming = gathered.naming
    claims = find_claims(gathered.pages, gathered.names)[:MAX_ITEMS]
    weighed = tuple(
        replace(
            item,
            claim=replace(item.claim, ours=_quotes(item.claim.ours)),
            supporting=_quotes(item.supporting),
            contradicting=_quotes(item.contradicting),
        )
        for item in weigh_claims(claims, naming)
    )
    content = as_stored(CLAIMS, weighed)
    return [_row(Evidence.Kind.CLAIMS, content, gathered, used=len(naming), as_of=gathered.read_on)]


def find_review_themes(gathered: Gathered) -> list[Evidence]:
    """What reviews speak about, imported ones and those on pages."""
    reviews = _each_once([*gathered.reviews, *reviews_on(gathered.pages)])
    naming = gathered.naming
    every = find_themes(reviews, naming, gathered.all_names)[:MAX_ITEMS]
    themes = tuple(replace(theme, quotes=_quotes(theme.quotes)) for theme in every)
    days = [*_days(reviews), *(_days(naming) if reviews else ())]
    return [
        _row(
            Evidence.Kind.THEMES,
            as_stored(THEMES, themes),
            gathered,
            reviews=len(reviews),
            used=len(naming),
            as_of=max(days, default=None),
        )
    ]


def find_buyer_criteria(gathered: Gathered) -> list[Evidence]:
    """What the answers to buying questions judge by: all together, and topic by topic."""
    buying = gathered.buying
    by_topic: dict[str, list[AnswerText]] = defaultdict(list)
    for answer in buying:
        by_topic[answer.topic].append(answer)
    sizes = Counter({topic: len(answers) for topic, answers in by_topic.items()})
    topics = [(topic, by_topic[topic]) for topic, _ in sizes.most_common(MAX_TOPICS)]
    return [
        _row(
            Evidence.Kind.CRITERIA,
            as_stored(CRITERIA, _criteria(answers, gathered.all_names)),
            gathered,
            topic=topic,
            used=len(answers),
            as_of=max(_days(answers), default=None),
        )
        for topic, answers in [("", buying), *topics]
    ]


FINDERS: Sequence[Callable[[Gathered], list[Evidence]]] = (
    find_buyer_criteria,
    find_voice,
    find_positioning,
    find_review_themes,
)
"""All kinds, that which needs nothing but answers first."""


def _criteria(answers: Sequence[AnswerText], names: Sequence[str]) -> tuple[Criterion, ...]:
    return tuple(
        replace(
            criterion,
            terms=criterion.terms[:MAX_SPELLINGS],
            topics=criterion.topics[:MAX_SPELLINGS],
            winners=tuple(
                replace(winner, quote=_quotes([winner.quote])[0]) for winner in criterion.winners[:MAX_SPELLINGS]
            ),
            quotes=_quotes(criterion.quotes),
        )
        for criterion in find_criteria(answers, names)[:MAX_ITEMS]
    )


def _row(kind: Evidence.Kind, content: Any, gathered: Gathered, **read: Any) -> Evidence:
    """An unsaved row, with how much was read."""
    read = {"reviews": len(gathered.reviews), "pages": len(gathered.pages), "answers": len(gathered.answers), **read}
    return Evidence(kind=kind, content=content, **read)


def _quotes(quotes: Sequence[Quote], most: int = MAX_QUOTES) -> tuple[Quote, ...]:
    """The first quotes, none longer than is kept."""
    return tuple(replace(quote, text=quote.text[:MAX_QUOTE]) for quote in quotes[:most])


def _each_once(reviews: Sequence[ReviewText]) -> list[ReviewText]:
    """The reviews by their words: one that was imported may stand on a page, too."""
    once: dict[str, ReviewText] = {}
    for review in reviews:
        once.setdefault(" ".join(review.text.casefold().split()), review)
    return list(islice(once.values(), MAX_REVIEWS))


def _days(items: Sequence[_Dated]) -> list[date]:
    return [item.day for item in items if item.day is not None]
