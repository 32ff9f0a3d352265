"""Names that nobody tracks: the companies behind those that answers offer, and sums of the answers that mention them.

There are two counts of such a company: how many answers mention it, which is what tracking it would count, and how
many offer it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import reduce
from itertools import chain
from operator import or_
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from brands.models import Brand
from visibility.answers.detect import NameFinder
from visibility.counts.reader import Selection
from visibility.counts.sums import Sums
from visibility.detection import Maker, holding, makers
from visibility.detection import UntrackedName as FoundName
from visibility.detection.untracked import name_key
from visibility.models import Mention, PromptVersion, UntrackedName, WatchedName

MOST_READ = 300
"""Answers that are read for a name that nobody watched, when it is asked for."""
_NUMBERED_WORD = re.compile(r"\d+[^\W\d_]{4,}")
_PLACE_OF_ANSWER = ("engine__name", "surface", "market", "version", "prompt", "prompt__topic")
"""Of an answer what PLACE is of a cell."""


def by_answer(names: QuerySet[UntrackedName]) -> dict[int, list[FoundName]]:
    """These untracked names, of each answer by place."""
    found: dict[int, list[FoundName]] = defaultdict(list)
    columns = ("answer", "name", "start", "end", "domain")
    for answer, name, start, end, domain in names.order_by("answer", "start").values_list(*columns):
        found[answer].append(FoundName(name, start, end, domain))
    return found


def companies_behind(brand: Brand, names: Collection[Sequence[FoundName]], wordings: Collection[int]) -> list[Maker]:
    """The companies behind the untracked names of these answers, those in most answers first; without words by the
    evidence of the brand's answers (`watch_names`), and without numbers of models and words of the prompts (these
    wordings), unless a cited domain bears the name.

    A competitor that waits for its recount counts as tracked, and so do the words that a tracked name begins with.
    """
    words_of = [name.text.split() for name in brand.names.all()]
    tracked = {name_key(" ".join(words[:length])) for words in words_of for length in range(1, len(words) + 1)}
    asked = PromptVersion.objects.filter(pk__in=wordings).values_list("text", "prompt__topic__name")
    words = (word for text in chain.from_iterable(asked) for word in str(text).split() if word.islower())
    plain = {name_key(word).removesuffix("s") for word in words}
    found = [replace(each, name=_without_what_was_asked(each.name, plain)) for each in makers(names)]
    no_names = set(WatchedName.objects.filter(brand=brand, is_name=False).values_list("name", flat=True))
    untracked = [each for each in found if name_key(each.name) not in tracked and each.name not in no_names]
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
    """ "QM751G", "U6N": one word of letters and digits, unless it is a word behind a number: "1Password"."""
    is_mixed = " " not in name and any(map(str.isdecimal, name)) and any(map(str.isalpha, name))
    return is_mixed and _NUMBERED_WORD.fullmatch(name) is None


class Naming(NamedTuple):
    """By name the sums of the answers that mention it, these answers, and how many that may mention one were not
    read."""

    sums: Mapping[str, Sequence[Sums]]
    answers: Mapping[str, Collection[int]]
    unread: int

    @property
    def limit(self) -> str:
        """A sentence on the answers that were not read; empty where there are none."""
        read = f"The newest {MOST_READ} answers that may have a name which nobody watched are read for it"
        return f"{read}, {self.unread} more are not." if self.unread else ""


def untracked_sums(selection: Selection) -> dict[str, list[Sums]]:
    """By watched company, of those offered in most answers first: who names it (`mentioned`), counted as if it were
    tracked, and who offers it (`ranked`). Share of voice's untracked share counts what is offered alone."""
    found = by_answer(UntrackedName.objects.offered().filter(answer__in=selection.answers))
    company_of = company_by_name(selection, found)
    offering: dict[str, set[int]] = {company: set() for company in company_of.values()}
    for answer, names in found.items():
        for name in names:
            if company := company_of.get(name.name):
                offering[company].add(answer)
    watched = _watched(selection, offering)
    naming = _mentions_of(selection, watched)
    return _sums_of(selection, {name: naming[name] for name in offering if name in watched}, offering)


def sums_naming(selection: Selection, names: Collection[str]) -> Naming:
    """The answers that mention these names, counted as if they were tracked; only names that some answers have. Where
    a name was not watched on these days, the newest MOST_READ answers that may have it are read."""
    watched = _watched(selection, names)
    naming, unread = _mentions_of(selection, watched), 0
    if others := dict.fromkeys(name for name in names if name not in watched):
        may_have = reduce(or_, (Q(text__regex=pattern) for pattern in holding(others)))
        keys = list(selection.answers.filter(may_have).order_by("-day", "-pk").values_list("pk", flat=True))
        for answer, name, *_ in NameFinder(selection.brand, dict.fromkeys(others, "")).read(keys[:MOST_READ]):
            naming[name].add(answer)
        unread = max(0, len(keys) - MOST_READ)
    mentioned = {name: naming[name] for name in names if naming[name]}
    return Naming(_sums_of(selection, mentioned), mentioned, unread)


def _watched(selection: Selection, names: Collection[str]) -> set[str]:
    """Those of these names that all answers of the selection were read for."""
    first = min((day for span in selection.engines.values() for day in span), default=date.min)
    watched = WatchedName.objects.filter(brand=selection.brand, is_name=True, since__lte=first, name__in=names)
    return set(watched.values_list("name", flat=True))


def _mentions_of(selection: Selection, names: Collection[str]) -> dict[str, set[int]]:
    """By watched name the answers that mention it."""
    naming: dict[str, set[int]] = defaultdict(set)
    if names:
        rows = UntrackedName.objects.mentions().filter(answer__in=selection.answers, name__in=names)
        for name, answer in rows.order_by().values_list("name", "answer").distinct():
            naming[name].add(answer)
    return naming


def _sums_of(
    selection: Selection,
    naming: Mapping[str, set[int]],
    offering: Mapping[str, set[int]] = MappingProxyType({}),
) -> dict[str, list[Sums]]:
    """By name its sums, as cells of a competitor would count these answers that mention it, and those of them that
    offer it: a product under a name of its own does not mention its maker."""
    if not naming:
        return {}
    has_brand = Exists(Mention.objects.filter(answer=OuterRef("pk"), competitor=None).visible())
    columns = selection.answers.annotate(has_brand=has_brand).values_list("pk", "has_brand", *_PLACE_OF_ANSWER, "day")
    places = {pk: (bool(has), tuple(place)) for pk, has, *place in columns}
    asked = [(*each[: len(_PLACE_OF_ANSWER)], each.last_day) for each in selection.sums if each.subject is None]
    finder = NameFinder(selection.brand, dict.fromkeys(naming, ""))
    wordings = PromptVersion.objects.filter(pk__in={version for _, _, _, version, *_ in asked})
    named = {version: finder.names_in(text) for version, text in wordings.values_list("pk", "text")}
    sums: dict[str, list[Sums]] = {}
    for name, answers in naming.items():
        counts: dict[tuple[Any, ...], Counter[str]] = {place: Counter() for place in asked if name in named[place[3]]}
        for answer in places.keys() & answers:
            has, place = places[answer]
            counts.setdefault(place, Counter()).update(mentioned=1, without_brand=not has)
        for answer in places.keys() & answers & offering.get(name, set()):
            counts.setdefault(places[answer][1], Counter()).update(ranked=1)
        sums[name] = [
            Sums(
                engine,
                surface,
                market,
                version,
                prompt,
                topic,
                name,
                name in named[version],
                day,
                day,
                **dict[str, Any](number),
            )
            for (engine, surface, market, version, prompt, topic, day), number in counts.items()
        ]
    return sums
