"""What reviews speak of: criteria by their spellings, and other nouns, alone or with the noun before them."""

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from visibility.detection.visible import Span
from visibility.detection.words import parts_of_speech
from visibility.evidence.criteria import NOTHING_DECIDED
from visibility.evidence.reading import AnswerText, TermFinder, Token, tokens_of
from visibility.evidence.resources import Polarity
from visibility.evidence.vocabulary import is_listed, key_of, spellings, words

LEAST_REVIEWS = 3
LEAST_SHARE = 0.02
"""A theme stands in three reviews or more, and in two of a hundred."""
MOST_THEMES = 30
POSITIVE, NEGATIVE = 3.75, 2.75
LEAST_DATED = 20
"""Dated reviews from which on a trend can be told."""
LONGEST = 20_000
"""Characters of a review that are read."""
_BOUGHT = 0.12
"""In this part of its places "this" or "my" stands before the thing that the review is of, which is no theme."""
_POINTING = ("this", "these", "my")
_ARTICLES = ("the", "a", "an", "its", "my", "their", "your", "of")
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class ReviewText:
    """A review: imported (`id`), or in the structured data of an own page (`url`)."""

    text: str
    stars: float | None
    day: datetime.date | None
    id: int | None = None
    url: str = ""


class Place(NamedTuple):
    """Where a review, by its number, speaks of something."""

    review: int
    span: Span


@dataclass(frozen=True, slots=True)
class ReviewTheme:
    """A theme with its first place in each review that speaks of it."""

    label: str
    places: Sequence[Place]
    polarity: Polarity | None
    trend: float | None
    in_answers: int


def find_themes(
    reviews: Sequence[ReviewText],
    answers: Iterable[AnswerText],
    names: Iterable[str],
    same: Mapping[str, str] = NOTHING_DECIDED,
) -> list[ReviewTheme]:
    """The themes of reviews, the most frequent first; `answers` name the brand, which has these `names`. `same`: by
    key the one that it is counted as, "" for none."""
    own = {token.stem for name in names for token in tokens_of(name)}
    places: dict[str, dict[int, Span]] = defaultdict(dict)
    written: dict[str, Counter[str]] = defaultdict(Counter)
    bought: Counter[str] = Counter()
    for number, review in enumerate(reviews):
        for written_key, span in _terms(review.text[:LONGEST]):
            key = same.get(written_key, written_key)
            places[key].setdefault(number, span)
            written[key][review.text[slice(*span)].lower()] += 1
            bought[key] += review.text[max(0, span[0] - 7) : span[0]].lower().strip().endswith(_POINTING)
    least = max(LEAST_REVIEWS, LEAST_SHARE * len(reviews))
    themes = _without_parts(
        {
            key: found
            for key, found in places.items()
            if key
            and len(found) >= least
            and own.isdisjoint(key.split())
            and bought[key] < _BOUGHT * written[key].total()
        }
    )
    ranked = sorted(themes, key=lambda key: (-len(themes[key]), key))[:MOST_THEMES]
    spoken = _in_answers(ranked, answers)
    return [
        ReviewTheme(
            label=key if is_listed(key) else _shown(written[key]),
            places=[Place(*row) for row in themes[key].items()],
            polarity=_polarity([reviews[number].stars for number in themes[key]]),
            trend=_trend(reviews, themes[key]),
            in_answers=spoken[key],
        )
        for key in ranked
    ]


def _terms(text: str) -> Iterator[tuple[str, Span]]:
    """What a text names, each with its place; a word that stands in several terms comes with each."""
    tokens = tokens_of(text)
    for key, first, last in _listed().places(tokens):
        yield key, (tokens[first].start, tokens[last - 1].end)
    before = ""
    noun: Token | None = None
    for token in tokens:
        word = text[token.start : token.end].lower()
        is_noun = _is_noun(word, before)
        if is_noun and token.stem not in words("general"):
            yield token.stem, (token.start, token.end)
            if noun is not None and token.start == noun.end + 1:
                yield f"{noun.stem} {token.stem}", (noun.start, token.end)
        noun = token if is_noun and token.stem not in words("general") else None
        before = word


def _listed() -> TermFinder:
    loose = words("loose")
    return TermFinder(
        {label: [term for term in several if not loose.issuperset(term)] for label, several in spellings().items()}
    )


def _is_noun(word: str, before: str) -> bool:
    """Whether a word is a noun here: what may be a verb, too, behind an article, an adjective or a noun."""
    kinds = parts_of_speech(word)
    if "n" not in kinds or {"f", "a", "r"} & set(kinds) or len(word) < _SHORTEST or not word.isalpha():
        return False
    is_compared = word.endswith("er") and "a" in parts_of_speech(word[:-2]) + parts_of_speech(word[:-1])
    stands_before = set(parts_of_speech(before))
    # Behind a noun "jams" is what it does, and "jam" may be a part of its name.
    is_named = before in _ARTICLES or "a" in stands_before or ("n" in stands_before and not word.endswith("s"))
    return not is_compared and ("v" not in kinds or is_named)


def _without_parts(places: Mapping[str, Mapping[int, Span]]) -> dict[str, Mapping[int, Span]]:
    """Without a word that mostly stands within a longer term ("shutter" of "shutter speed"), or says what a listed
    criterion says."""
    by_part: dict[str, list[str]] = defaultdict(list)
    for key in places:
        for part in key.split()[: 2 * (" " in key)]:
            by_part[part.casefold()].append(key)
    themes = {}
    for key, found in places.items():
        longer = [other for other in by_part[key] if other != key]
        is_part = any(2 * len(found.keys() & places[other].keys()) >= len(found) for other in longer)
        is_listed_too = not is_listed(key) and key_of(key) != key and key_of(key) in places
        if not (is_part or is_listed_too):
            themes[key] = found
    return themes


def _in_answers(keys: Sequence[str], answers: Iterable[AnswerText]) -> Counter[str]:
    finder = TermFinder({key: spellings().get(key) or [tuple(key.split())] for key in keys})
    found: Counter[str] = Counter()
    for answer in answers:
        found.update({key for key, *_ in finder.places(answer.tokens)})
    return found


def _polarity(stars: Iterable[float | None]) -> Polarity | None:
    given = [each for each in stars if each is not None]
    if not given:
        return None
    mean = fmean(given)
    return "positive" if mean >= POSITIVE else "negative" if mean <= NEGATIVE else "mixed"


def _trend(reviews: Sequence[ReviewText], places: Mapping[int, Span]) -> float | None:
    """The theme's share among the newer half of the dated reviews less that among the older, in points."""
    dated = sorted((review.day, number) for number, review in enumerate(reviews) if review.day)
    middle = len(dated) // 2
    if len(dated) < LEAST_DATED or dated[0][0] == dated[-1][0]:
        return None
    older, newer = dated[:middle], dated[middle:]
    shares = [sum(number in places for _, number in half) / len(half) for half in (older, newer)]
    return round(100 * (shares[1] - shares[0]), 1)


def _shown(written: Counter[str]) -> str:
    text = min(written, key=lambda each: (-written[each], len(each), each))
    return text[:1].upper() + text[1:]
