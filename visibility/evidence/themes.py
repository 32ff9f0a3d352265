"""What reviews speak about. Pure."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from visibility.detection.stance.quotes import quote
from visibility.detection.text.languages import is_foreign
from visibility.detection.text.reading import Reading
from visibility.evidence.polarity import polarity, trend
from visibility.evidence.praise import speaks_of, terms_of
from visibility.evidence.theme_terms import Term, terms_in
from visibility.evidence.types import AnswerText, Quote, ReviewText, Theme
from visibility.evidence.vocabulary import Key, label_of_key, spellings_of, stems

MIN_REVIEWS = 3
MIN_SHARE = 0.02
"""A theme stands in at least three reviews, and in two of a hundred."""
MIN_UNLISTED_REVIEWS = 5
"""What no list says to be a criterion stands in more."""
MAX_THEMES = 30
MAX_QUOTES = 3
_NOUN = 0.5
_FELT = 0.35
_BOUGHT, _LISTED_BOUGHT = 0.2, 0.4
_ABSORBED = 0.4
_ALIKE = 0.6
_BEGINNING = 600


@dataclass(slots=True)
class _Topic:
    """What is known of a term: the reviews that have it, by number, with its first place there."""

    places: dict[int, Term] = field(default_factory=dict)
    spellings: Counter[str] = field(default_factory=Counter)
    bought: set[int] = field(default_factory=set)
    nouns: int = 0
    felt: int = 0

    def add(self, number: int, term: Term) -> None:
        """Take note of one more place."""
        if number not in self.places or (term.is_felt and not self.places[number].is_felt):
            self.places[number] = term
        self.spellings[term.spelling] += 1
        self.nouns += term.is_noun
        self.felt += term.is_felt
        if term.is_bought:
            self.bought.add(number)


def find_themes(
    reviews: Sequence[ReviewText], answers: Sequence[AnswerText], names: Sequence[str] = ()
) -> list[Theme]:
    """The themes of the reviews, those of most reviews first, at most 30; `answers` are those that name the brand.

    `names` are those of brands and products, which are no themes. A review counts once, by its key; only its text is
    read, of which its title is no part. Takes any text, in time linear in it.
    """
    distinct = list({review.key: review for review in reviews if review.text.strip()}.values())
    topics = _topics(distinct)
    least = max(MIN_REVIEWS, math.ceil(MIN_SHARE * len(distinct)))
    own = {stem for name in names for stem in stems(name)}
    frequent = {key: topic for key, topic in topics.items() if len(topic.places) >= least}
    things = own.union(*(_words(topic) for key, topic in frequent.items() if _is_bought(key, topic)))
    kept = {key: topic for key, topic in frequent.items() if _is_theme(key, topic, things)}
    merged = _merged(kept)
    ranked = sorted(merged.items(), key=lambda item: (-len(item[1].places), item[0]))[:MAX_THEMES]
    spoken = _spoken({key: topic.spellings for key, topic in ranked}, answers)
    return [_theme(key, topic, distinct, spoken[key]) for key, topic in ranked]


def _topics(reviews: Sequence[ReviewText]) -> dict[Key, _Topic]:
    topics: dict[Key, _Topic] = defaultdict(_Topic)
    for number, review in enumerate(reviews):
        for term in terms_in(review.text):
            topics[term.key].add(number, term)
    return topics


def _words(topic: _Topic) -> set[str]:
    """The single words that a term is spelt with."""
    return {parts[0] for spelling in topic.spellings if len(parts := stems(spelling)) == 1}


def _is_bought(key: Key, topic: _Topic) -> bool:
    """Whether it is the thing itself that reviews are of: "this player"."""
    share = len(topic.bought) / len(topic.places)
    return share >= (_LISTED_BOUGHT if label_of_key(key) else _BOUGHT)


def _is_theme(key: Key, topic: _Topic, things: set[str]) -> bool:
    """Whether reviews judge by it: a known criterion, a name of two words, or a noun that is praised or blamed."""
    if _is_bought(key, topic):
        return False
    if label_of_key(key):
        return True
    if len(topic.places) < MIN_UNLISTED_REVIEWS or not things.isdisjoint(key):
        return False
    total = topic.spellings.total()
    return topic.felt >= _FELT * total and (len(key) > 1 or topic.nouns >= _NOUN * total)


def _merged(topics: Mapping[Key, _Topic]) -> dict[Key, _Topic]:
    """The themes, those that reviews speak of together as one: a word within "customer service" where that is what it
    mostly stands for, and terms that stand in the same reviews."""
    ranked = sorted(topics, key=lambda key: (-len(topics[key].places), key))
    homes: dict[Key, Key] = {}
    for key in ranked:
        home = next(
            (other for other in ranked if other not in homes and other != key and _joins(key, other, topics)), None
        )
        if home is not None:
            homes[key] = home
    merged = {key: topics[key] for key in ranked if key not in homes}
    for key, home in homes.items():
        for number, place in topics[key].places.items():
            merged[home].places.setdefault(number, place)
        merged[home].spellings.update(topics[key].spellings)
    return merged


def _joins(key: Key, other: Key, topics: Mapping[Key, _Topic]) -> bool:
    """Whether a term is a part of what the other says."""
    own, its = topics[key].places.keys(), topics[other].places.keys()
    together = len(own & its)
    if len(key) == 1 and len(other) == 2 and key[0] in other:
        return together >= _ABSORBED * len(own)
    if len(key) == 2 and other[0] in key:
        return False
    return label_of_key(key) == "" and len(own) <= len(its) and together >= _ALIKE * len(own | its)


def _spoken(spellings: Mapping[Key, Iterable[str]], answers: Sequence[AnswerText]) -> Counter[Key]:
    """How many answers speak of each theme."""
    listed = [(key, spelling) for key in spellings for spelling in (*spellings[key], *spellings_of(key))]
    terms = terms_of(listed)
    counts: Counter[Key] = Counter()
    for answer in answers:
        counts.update(speaks_of(Reading(answer.text).seen.prose.text, terms))
    return counts


def _theme(key: Key, topic: _Topic, reviews: Sequence[ReviewText], answers: int) -> Theme:
    speaking = [reviews[number] for number in topic.places]
    stars = [review.stars for review in speaking if review.stars is not None]
    quotes = [_quote(reviews[number], place) for number, place in topic.places.items()]
    sentences = [
        row.text for row, review in zip(quotes, speaking, strict=True) if not is_foreign(review.text[:_BEGINNING])
    ]
    verdict, is_estimated = polarity(stars, sentences)
    return Theme(
        label=label_of_key(key) or _shown(key, topic.spellings),
        count=len(speaking),
        reviews=len(reviews),
        polarity=verdict,
        estimated=is_estimated,
        mean_stars=round(fmean(stars), 2) if stars else None,
        trend=trend([review.day for review in speaking], [review.day for review in reviews]),
        answers=answers,
        quotes=tuple(_best(quotes, topic)),
    )


def _shown(key: Key, spellings: Counter[str]) -> str:
    """The most usual of its longest spellings, with a capital at its beginning; of two words rather "file transfer"
    than "transfer files"."""
    words = max(
        spellings,
        key=lambda text: (len(stems(text)) == len(key), len(key) == 1 or text[-1] != "s", spellings[text], text),
    )
    return words[:1].upper() + words[1:]


def _best(quotes: Sequence[Quote], topic: _Topic) -> Iterator[Quote]:
    """Those that say how it is first."""
    felt = [place.is_felt for place in topic.places.values()]
    order = sorted(range(len(quotes)), key=lambda index: (not felt[index], index))
    return (quotes[index] for index in order[:MAX_QUOTES])


def _quote(review: ReviewText, place: Term) -> Quote:
    start, end = quote(review.text, (place.start, place.end), (0, len(review.text)))
    return Quote(review.text[start:end], "review", start, "theme", url=review.url, review=review.key)
