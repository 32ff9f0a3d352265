"""The counted days that a proof looks at, each cut to what its plan froze."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from brands.models import Brand
from visibility.detection.types import BRAND
from visibility.measured.counts import unpacked
from visibility.metrics.pairs import DayCounts
from visibility.metrics.proof.types import WhyNot
from visibility.models import DayCount

MIN_ANSWERED = 0.8
"""The share of the frozen wordings that a day must have answered."""


def read_days(brand: Brand, after: date, until: date) -> list[DayCounts]:
    """The measured days behind `after`, up to `until`, oldest first, by the counts of the current generation."""
    rows = DayCount.objects.filter(brand=brand, date__gt=after, date__lte=until).order_by("date")
    return [unpacked(day, content) for day, content in rows.values_list("date", "content")]


def topic_in(day: DayCounts, topic: str) -> str:
    """What counts call a topic; a prompt that states none is one of its own."""
    return topic if topic in day.topics else f"prompt {topic}"


def wordings_in(day: DayCounts) -> dict[str, str]:
    """The keys of the day's wordings that do not name the brand, each with its topic."""
    named = day.named[:, day.subjects.index(BRAND)]
    keys = zip(day.prompts, day.topics, named, strict=True)
    return {key: topic for key, topic, is_branded in keys if not is_branded}


def framed(day: DayCounts, engines: Collection[str], wordings: Mapping[str, str]) -> DayCounts:
    """The brand's counts of these engines and wordings alone, under these topics, whatever prompts state today."""
    cut = day.narrowed(engines, {BRAND})
    places = [place for place, key in enumerate(day.prompts) if key in wordings]
    chosen = np.array(places, dtype=np.int64)
    keys = tuple(day.prompts[place] for place in places)
    return replace(
        cut,
        averaged=frozenset(cut.engines),
        prompts=keys,
        topics=tuple(wordings[key] for key in keys),
        named=cut.named[chosen],
        answers=cut.answers[:, chosen],
        mentioned=cut.mentioned[:, chosen],
        cited=cut.cited[:, chosen],
    )


def misfit(day: DayCounts, engines: Collection[str], wordings: Mapping[str, str], topic: str) -> WhyNot | None:
    """Why a day did not measure what was frozen: an engine did not count, or fewer than 80 % of the topic's wordings,
    or of the others, were answered. None where it did."""
    if not set(engines) <= set(day.engines):
        return WhyNot.ENGINES_CHANGED
    answered = answered_in(framed(day, engines, wordings))
    for is_own in (True, False):
        part = {key for key, topic_of in wordings.items() if (topic_of == topic) is is_own}
        if len(part & answered) < MIN_ANSWERED * len(part):
            return WhyNot.PROMPTS_CHANGED
    return None


def answered_in(day: DayCounts) -> set[str]:
    """The keys of the wordings that any engine answered."""
    return {key for key, answers in zip(day.prompts, day.answers.sum(axis=0), strict=True) if answers}


def alike(
    days: Sequence[DayCounts], engines: Collection[str], wordings: Mapping[str, str], topic: str
) -> list[DayCounts]:
    """The days that measured this, cut to it."""
    return [framed(day, engines, wordings) for day in days if misfit(day, engines, wordings, topic) is None]
