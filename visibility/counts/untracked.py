"""Names that nobody tracks: the companies behind those that answers offer, and sums of the answers that have them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet

from brands.models import Brand
from visibility.answers.detect import BRAND
from visibility.answers.words import Words
from visibility.counts.reader import Selection
from visibility.counts.sums import Sums
from visibility.detection import Maker, makers
from visibility.detection import UntrackedName as FoundName
from visibility.detection.untracked import name_key
from visibility.models import Mention, PromptVersion, UntrackedName

_PLACE_OF_ANSWER = ("engine__name", "surface", "version", "prompt", "prompt__topic")
"""Of an answer what PLACE is of a cell."""


def _sums(place: tuple[Any, ...], name: str, mentioned: int, without_brand: int = 0) -> Sums:
    """`place`: engine, surface, wording, prompt, topic, day."""
    engine, surface, version, prompt, topic, day = place
    counts = {"mentioned": mentioned, "without_brand": without_brand}
    return Sums(engine, surface, version, prompt, topic, name, False, day, day, **counts)


def by_answer(names: QuerySet[UntrackedName]) -> dict[int, list[FoundName]]:
    """These untracked names, of each answer by place."""
    found: dict[int, list[FoundName]] = defaultdict(list)
    columns = ("answer", "name", "start", "end", "domain")
    for answer, name, start, end, domain in names.order_by("answer", "start").values_list(*columns):
        found[answer].append(FoundName(name, start, end, domain))
    return found


def companies_behind(brand: Brand, names: Collection[Sequence[FoundName]], wordings: Collection[int]) -> list[Maker]:
    """The companies behind the untracked names of these answers, those in most answers first; without numbers of
    models and words of the prompts (these wordings), unless a cited domain bears the name.

    A competitor that waits for its recount counts as tracked, and so do the words that a tracked name begins with.
    """
    words_of = [name.text.split() for name in brand.names.all()]
    tracked = {name_key(" ".join(words[:length])) for words in words_of for length in range(1, len(words) + 1)}
    asked = PromptVersion.objects.filter(pk__in=wordings).values_list("text", "prompt__topic__name")
    words = (word for text in chain.from_iterable(asked) for word in str(text).split() if word.islower())
    plain = {name_key(word).removesuffix("s") for word in words}
    found = [replace(each, name=_without_what_was_asked(each.name, plain)) for each in makers(names)]
    untracked = [each for each in found if name_key(each.name) not in tracked]
    return [each for each in untracked if each.domain or not (_is_model(each.name) or _is_plain(each.name, plain))]


def company_by_name(selection: Selection, found: Mapping[int, Sequence[FoundName]]) -> dict[str, str]:
    """The companies behind these untracked names of answers, by the names; those in most answers first."""
    companies = companies_behind(selection.brand, found.values(), {each.version for each in selection.sums})
    return {name: company.name for company in companies for name in company.names}


def _is_plain(name: str, plain: Collection[str]) -> bool:
    return all(name_key(word).removesuffix("s") in plain for word in name.split())


def _without_what_was_asked(name: str, plain: Collection[str]) -> str:
    """ "Monos Carry-On" is Monos where the prompts ask for carry-ons."""
    words = name.split()
    while len(words) > 1 and _is_plain(words[-1], plain):
        words.pop()
    return " ".join(words)


def _is_model(name: str) -> bool:
    """ "QM751G", "U6N": one word of letters and digits."""
    return " " not in name and any(map(str.isdecimal, name)) and any(map(str.isalpha, name))


def untracked_sums(selection: Selection) -> dict[str, list[Sums]]:
    """By the companies that answers offer and nobody tracks, those in most answers first: who offers them."""
    found = by_answer(UntrackedName.objects.filter(answer__in=selection.answers))
    places: dict[int, tuple[Any, ...]] = {
        pk: place for pk, *place in selection.answers.values_list("pk", *_PLACE_OF_ANSWER, "day")
    }
    company_of = company_by_name(selection, found)
    offered: dict[str, Counter[tuple[Any, ...]]] = {company: Counter() for company in company_of.values()}
    for answer, names in found.items():
        for company in {company_of[name.name] for name in names if name.name in company_of}:
            offered[company][tuple(places[answer])] += 1
    offered.pop(BRAND, None)  # the key of the brand
    return {
        company: [_sums(place, company, number) for place, number in every.items()]
        for company, every in offered.items()
    }


def sums_naming(selection: Selection, names: Collection[str]) -> dict[str, list[Sums]]:
    """By names that nobody tracks: which answers have them in their text; only names that some have.

    A name that means something else, too, is found with its capital, so that "beats" is no company.
    """
    if not names:
        return {}
    has_brand = Exists(Mention.objects.filter(answer=OuterRef("pk"), competitor=None).visible())
    numbers = {f"number_{place}": Words.of(name).as_name() for place, name in enumerate(names)}
    places = selection.answers.order_by().annotate(has_brand=has_brand).values(*_PLACE_OF_ANSWER, "day", "has_brand")
    rows = places.annotate(**{key: Count("pk", filter=in_text) for key, in_text in numbers.items()})
    found: dict[str, list[Sums]] = defaultdict(list)
    for row in rows:
        place = tuple(row[column] for column in (*_PLACE_OF_ANSWER, "day"))
        for name, key in zip(names, numbers, strict=True):
            if number := row[key]:
                without = 0 if row["has_brand"] else number
                found[name].append(_sums(place, name, number, without))
    return dict(found)
