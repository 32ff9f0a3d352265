"""What reviews speak of: criteria by their spellings, and other nouns."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from statistics import fmean

from visibility.detection.quotes import quote as sentence_around
from visibility.detection.visible import Span
from visibility.detection.words import parts_of_speech
from visibility.evidence.reading import AnswerText, TermFinder, Token, tokens_of
from visibility.evidence.resources import Polarity, Quote, Theme
from visibility.evidence.vocabulary import is_listed, spellings, stems, words
from visibility.models import Review

LEAST_REVIEWS = 3
LEAST_SHARE = 0.02
"""A theme is in at least three reviews, and in at least 2 % of them."""
MOST_THEMES, MOST_QUOTES = 30, 3
POSITIVE, NEGATIVE = 3.75, 2.75
LEAST_DATED = 20
"""Dated reviews that a trend needs."""
LONGEST = 20_000
"""Characters of a review that are read."""
_BOUGHT = 0.12
"""A noun that follows "this" or "my" in so large a part of its places is the thing that was bought, and no theme."""
_POINTING = ("this", "these", "my")
_ARTICLES = ("the", "a", "an", "its", "my", "their", "your", "of")
_SHORTEST = 3


def find_themes(reviews: Sequence[Review], answers: Iterable[AnswerText], names: Iterable[str]) -> list[Theme]:
    """The themes of reviews, the most frequent first; `answers` name the brand, which has these `names`."""
    own = {part for name in names for part in stems(name)}
    places: dict[str, dict[int, Span]] = defaultdict(dict)
    written: dict[str, Counter[str]] = defaultdict(Counter)
    bought: Counter[str] = Counter()
    for number, review in enumerate(reviews):
        for key, span in _terms(review.text[:LONGEST]):
            places[key].setdefault(number, span)
            written[key][review.text[slice(*span)].capitalize()] += 1
            bought[key] += review.text[max(0, span[0] - 7) : span[0]].lower().strip().endswith(_POINTING)
    least = max(LEAST_REVIEWS, LEAST_SHARE * len(reviews))
    keys = [
        key
        for key, found in places.items()
        if len(found) >= least and key not in own and bought[key] < _BOUGHT * written[key].total()
    ]
    ranked = sorted(keys, key=lambda key: (-len(places[key]), key))[:MOST_THEMES]
    finder = TermFinder({key: spellings().get(key) or [(key,)] for key in ranked})
    spoken = Counter(key for answer in answers for key in {key for key, *_ in finder.places(answer.tokens)})
    return [
        Theme(
            label=key if is_listed(key) else written[key].most_common(1)[0][0],
            polarity=_polarity([reviews[number].stars for number in places[key]]),
            count=len(places[key]),
            of=len(reviews),
            trend=_trend(reviews, places[key]),
            in_answers=spoken[key],
            quotes=[_quote(reviews[number], span) for number, span in list(places[key].items())[:MOST_QUOTES]],
        )
        for key in ranked
    ]


def _terms(text: str) -> Iterator[tuple[str, Span]]:
    """What a text names, each with its place."""
    tokens = tokens_of(text)
    taken: set[int] = set()
    for key, start, end in _listed().places(tokens):
        taken.update(range(start, end))
        yield key, (start, end)
    for before, token in pairwise([Token("", 0, 0), *tokens]):
        if token.start in taken or token.stem in words("general"):
            continue
        if _is_noun(text[token.start : token.end].lower(), before.stem):
            yield token.stem, (token.start, token.end)


@cache
def _listed() -> TermFinder:
    """Criteria, but for spellings that mostly mean something else in reviews."""
    loose = words("loose")
    return TermFinder(
        {label: [term for term in several if not loose.issuperset(term)] for label, several in spellings().items()}
    )


def _is_noun(word: str, before: str) -> bool:
    """Whether a word is a noun here, and no comparative: what may be a verb, too, behind an article or adjective."""
    kinds = set(parts_of_speech(word))
    if "n" not in kinds or kinds & {"f", "a", "r"} or len(word) < _SHORTEST or not word.isalpha():
        return False
    is_compared = word.endswith("er") and "a" in parts_of_speech(word[:-2]) + parts_of_speech(word[:-1])
    return not is_compared and ("v" not in kinds or before in _ARTICLES or "a" in parts_of_speech(before))


def _quote(review: Review, place: Span) -> Quote:
    """The sentence around a place."""
    start, end = sentence_around(review.text, place, (0, len(review.text)))
    source = {"review_id": review.pk, "url": review.url or None, "day": review.day}
    return Quote(text=review.text[start:end], start=start, end=end, **source)


def _polarity(stars: Iterable[float | None]) -> Polarity | None:
    given = [each for each in stars if each is not None]
    if not given:
        return None
    mean = fmean(given)
    return "positive" if mean >= POSITIVE else "negative" if mean <= NEGATIVE else "mixed"


def _trend(reviews: Sequence[Review], places: Mapping[int, Span]) -> float | None:
    """The theme's share among the newer half of the dated reviews less that among the older, in points."""
    dated = sorted((review.day, number) for number, review in enumerate(reviews) if review.day)
    middle = len(dated) // 2
    if len(dated) < LEAST_DATED or dated[0][0] == dated[-1][0]:
        return None
    older, newer = (fmean(number in places for _, number in half) for half in (dated[:middle], dated[middle:]))
    return round(100 * (newer - older), 1)
