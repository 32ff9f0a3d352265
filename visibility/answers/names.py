"""How the names of a brand and its competitors are meant in its answers: what counts, what does not, and why."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Q
from django.utils.translation import gettext

from apikeys.resources import Worded, worded
from brands.models import Brand, Name
from visibility.answers.detect import PlaceFinder
from visibility.detection import DOUBTFUL, Place, holding, is_ambiguous, is_function_word, is_plain
from visibility.models import Answer

MOST_ANSWERS = 100
"""The newest answers with a name that are read to say how it is meant."""
MOST_NAMES = 10
MOST_REASONS = 3
MOST_EXAMPLES = 3
MOST_MENDS = 2
_AROUND = 70
_BEFORE = re.compile(r"(?:^|[^\w'-])([^\W\d_][\w'-]{0,40}) \Z")
_AFTER = re.compile(r"\A ([^\W\d_][\w'-]{0,40})")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place at which it is not sure whether a name is meant: the words around it, and whether it counts."""

    before: str
    written: str
    after: str
    counts: bool
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class NameUse:
    """How one name is meant in the newest `answers` that have it: how many of its `places` count, and how many of the
    others there are for each reason. `longer` are names around places that do not count, `beside` words at doubtful
    places that do: what a user may want to add, and to rule out."""

    name: str
    answers: int
    places: int
    counted: int
    left_out: Sequence[tuple[str, int]]
    doubts: Sequence[Doubt]
    longer: Sequence[str]
    beside: Sequence[str]

    @property
    def sentence(self) -> Worded:
        """How many places count, and why the others do not."""
        why = ", ".join(f"{reason} ({number})" for reason, number in self.left_out[:MOST_REASONS])
        words = gettext("{counted} of {places} places of “{name}” in {answers} answers count.")
        if why:
            words = gettext(
                "{counted} of {places} places of “{name}” in {answers} answers count; the others do not: {why}."
            )
        numbers = {"counted": self.counted, "places": self.places, "answers": self.answers}
        return worded(lambda theirs: words.format(name=theirs(self.name), why=why, **numbers))


def uses_of_names(brand: Brand, names: Iterable[str] | None = None) -> list[NameUse]:
    """How those of these names that also mean something else are meant, or all such names of the brand itself; only
    names that some answers have."""
    rows: Iterable[Name] = [each for each in brand.names.all() if each.competitor_id is None]
    if names is not None:
        rows = brand.names.filter(text__in=names)
    asked = [row for row in rows if is_ambiguous(row.text) or row.required_near or row.forbidden_near][:MOST_NAMES]
    if not asked:
        return []
    finders = {competitor: PlaceFinder(brand, competitor) for competitor in {row.competitor_id for row in asked}}
    return [use for row in asked if (use := _use(brand, finders[row.competitor_id], row)).places]


def _use(brand: Brand, finder: PlaceFinder, name: Name) -> NameUse:
    may_have = reduce(or_, (Q(text__regex=pattern) for pattern in holding([name.text])))
    answers = Answer.objects.answered().filter(may_have, brand=brand).select_related("version")
    read = places = counted = 0
    reasons: Counter[str] = Counter()
    longer: Counter[str] = Counter()
    beside: Counter[str] = Counter()
    doubts: list[Doubt] = []
    for answer in answers.order_by("-pk")[:MOST_ANSWERS]:
        found = [place for place in finder.read(answer) if place.name == name.text]
        read += bool(found)
        for place in found:
            places += 1
            counted += place.counts
            is_doubtful = DOUBTFUL[0] <= place.chance <= DOUBTFUL[1]
            if not place.counts:
                reasons[place.reasons[0]] += 1
                longer.update(_longer_names(answer.text, place))
            elif is_doubtful:
                beside.update(_words_beside(answer.text, place))
            if is_doubtful:
                doubts.append(_doubt(answer.text, place))
    return NameUse(
        name.text,
        read,
        places,
        counted,
        reasons.most_common(),
        doubts[:MOST_EXAMPLES],
        [each for each, _ in longer.most_common(MOST_MENDS)],
        [each for each, _ in beside.most_common(MOST_MENDS)],
    )


def _doubt(text: str, place: Place) -> Doubt:
    before, after = text[max(0, place.start - _AROUND) : place.start], text[place.end : place.end + _AROUND]
    return Doubt(before, text[place.start : place.end], after, place.counts, place.reasons)


def _words_around(text: str, place: Place) -> tuple[str, str]:
    before = _BEFORE.search(text[max(0, place.start - 50) : place.start])
    after = _AFTER.match(text[place.end : place.end + 50])
    return before[1] if before else "", after[1] if after else ""


def _longer_names(text: str, place: Place) -> Iterator[str]:
    """The name with the word before it, or behind it, where that is written as a name."""
    before, after = _words_around(text, place)
    written = text[place.start : place.end]
    if before[:1].isupper() and not is_plain(before):
        yield f"{before} {written}"
    if after[:1].isupper() and not is_plain(after):
        yield f"{written} {after}"


def _words_beside(text: str, place: Place) -> Iterator[str]:
    """The words of substance next to the name; another name there is a product of it."""
    words = (word.lower() for word in _words_around(text, place) if word)
    return (word for word in words if is_plain(word) and not is_function_word(word))
