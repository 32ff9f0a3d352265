"""Names in answers that do not count as the brand and may be it: "Google Nest", "Ekrin"."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q

from brands.models import Brand
from brands.names import BrandNames
from visibility.detection import is_function_word, is_offer, is_plain
from visibility.models import Answer, Recommendation, UntrackedName

LEAST_ANSWERS = 3
"""Answers with one name that may be the brand's, for it to be asked about."""
LEAST_SHARE = 0.1
"""The part of the answers on the topics with that name."""
KIND = "name"
"""The kind of recommendation that asks about it; dismissed: it is not the brand's."""


@dataclass(frozen=True, slots=True)
class SimilarName:
    """The name, and by answer where it is written."""

    name: str
    places: Mapping[int, tuple[int, int]]


def similar_name_of(
    brand: Brand, names: BrandNames, topics: Mapping[int, UUID], lacking: Collection[int]
) -> SimilarName | None:
    """The most frequent name in answers (`lacking`, of those in `topics`) that do not count as naming the brand and
    may be its: with a capitalised word before it, or its first word alone of something on offer. None where it is
    rare, or people have dismissed it."""
    written = Q()
    for form in (*(f" {name.text}" for name in names.brand.names), *_short_forms(names)):
        written |= Q(text__contains=form)
    offering = _offering(lacking, _short_forms(names))
    found: dict[str, dict[int, tuple[int, int]]] = defaultdict(dict)
    pattern = _pattern(names)
    for pk, text in Answer.objects.filter(written, pk__in=lacking).values_list("pk", "text").iterator():
        for match in pattern.finditer(text):
            before = match["before"] or ""
            if not before and pk not in offering:
                continue
            if not is_function_word(before.lower()) and not is_offer(before):
                found[" ".join(match[0].split())].setdefault(pk, match.span())
    dismissed = Recommendation.objects.filter(brand=brand, kind=KIND, status=Recommendation.Status.DISMISSED)
    for name in dismissed.values_list("subject", flat=True):
        found.pop(name, None)
    similar = max(found, key=lambda each: (len(found[each]), each), default="")
    places = found.get(similar, {})
    asked = Counter(topics.values())
    of = sum(asked[topic] for topic in {topics[pk] for pk in places})
    return SimilarName(similar, places) if len(places) >= max(LEAST_ANSWERS, LEAST_SHARE * of) else None


def _offering(answers: Collection[int], forms: Collection[str]) -> set[int]:
    """The answers that offer something whose name begins so, and do not only speak of it."""
    if not forms:
        return set()
    begins = reduce(or_, (Q(name__startswith=form) for form in forms))
    return set(UntrackedName.objects.offered().filter(begins, answer__in=answers).values_list("answer", flat=True))


def _short_forms(names: BrandNames) -> set[str]:
    """The first words of names of several words, unless they are of the language or in a competitor's name."""
    words: Sequence[Sequence[str]] = [name.text.split() for name in names.brand.names]
    return {first for first, *more in words if more and not is_plain(first)} - _words_of_competitors(names)


def _words_of_competitors(names: BrandNames) -> set[str]:
    return {word for each in names.competitors for name in each.names for word in name.text.split()}


def _pattern(names: BrandNames) -> re.Pattern[str]:
    """A short form of the brand's name, or a word with a capital before it; none of a competitor's."""
    own = [name.text for name in names.brand.names]
    theirs = _any({*_words_of_competitors(names), *own})
    before = rf"(?!(?i:{theirs})(?!\w))(?P<before>[A-Z][\w&’'-]{{1,40}})[ \xa0](?:{_any(own)})"
    return re.compile(rf"(?<!\w)(?:{before}|{_any(_short_forms(names)) or '(?!)'})(?!\w)")


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, names)))
