"""What charts draw: measured days of the brand, an engine or a rival, each with what a reader needs to judge it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal
from uuid import UUID

from django.urls import reverse
from django.utils.formats import date_format

from apikeys.text.sentences import counted, one_line
from visibility.engines.display import display_name
from visibility.metrics.shown import shown
from visibility.resources.brands import EngineScore, TrendItem
from visibility.resources.changes import Cause, EngineChange
from visibility.services.reading.change_words import causes_in_words, engine_in_words, figure_in_words, in_words
from visibility.services.reading.rescoring import Counting

Mark = Literal["", "moved", "confirmed"]
NOT_COMPARABLE = "its prompts, engines or detector are others than those of the measured day before"
TOPICS_CHANGED = "topics changed on {day}, and the whole history is counted on the topics of today"
COUNTED_ANEW = "names, domains, competitors or the detector changed, and all days are counted by them"
_NAMED_CAUSES = ("model", "detector", "engines", "prompts", "locale")
"""What a chart names in a word, first what matters most."""
DayLink = Callable[[date], str]
"""Where a day's dot leads."""


def day_link(brand_id: UUID) -> DayLink:
    """Leads to the runs of each day; the address is put together once."""
    days = reverse("day-page", args=[brand_id, "-"]).removesuffix("-")
    return lambda day: f"{days}{day.isoformat()}"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One day. `value`, `low` and `high` are 0–100; a `value` of None was not measured. `comparable` says whether the
    day can be compared with the measured one before; where not, `reason` says why, and `cause` in a word. `note` is
    what else happened on it, `noted` the same in a word. `verdict` is what may be said of
    the change, `mark` whether the score moved, and `href` where the day is looked at; both may be empty."""

    day: date
    value: float | None
    low: float | None = None
    high: float | None = None
    answers: int = 0
    failed: int = 0
    comparable: bool = True
    reason: str = ""
    verdict: str = ""
    mark: Mark = ""
    href: str = ""
    cause: str = ""
    note: str = ""
    noted: str = ""

    @property
    def interval(self) -> str:
        """The 95 % interval in digits; empty where there is none."""
        return "" if self.low is None or self.high is None else f"{shown(self.low)} to {shown(self.high)}"

    @property
    def figure(self) -> str:
        """The value with its unit, or that there is none."""
        return "not measured" if self.value is None else f"{shown(self.value)} %"

    @property
    def sentence(self) -> str:
        """All of it in one line: date, value, interval, n, verdict."""
        interval = f" (95 %: {self.interval})" if self.interval else ", no interval"
        answers = f", {counted(self.answers, 'answer')}" if self.answers else ""
        verdict = f"; {self.verdict}" if self.verdict else ""
        return f"{date_format(self.day)}: {self.figure}{interval}{answers}{verdict}"


@dataclass(frozen=True, slots=True)
class Series:
    """The days of one subject, oldest first: of the brand itself, or of the rival or engine with this key."""

    name: str
    days: Sequence[Measurement]
    key: str = ""

    @property
    def measured(self) -> list[Measurement]:
        """Those with a value."""
        return [day for day in self.days if day.value is not None]


def brand_series(
    name: str,
    trend: Sequence[TrendItem],
    link: DayLink | None = None,
    *,
    counted_since: date | None = None,
    topics_since: date | None = None,
) -> Series:
    """The score of the brand by day; `trend` is oldest first. `counted_since`: when the names, competitors or the
    detector last changed, by which all these days are counted; `topics_since`: when other topics became its own."""
    confirmed = {
        item.confirmation.moved_on: figure_in_words(item)
        for item in trend
        if item.confirmation and item.confirmation.state == "confirmed"
    }
    days = [_of_day(item, confirmed, link) for item in trend]
    if counted_since and days and days[0].day < counted_since:
        place = next((place for place, day in enumerate(days) if day.day >= counted_since), None)
        if place is not None:
            days[place] = _noted(days[place], COUNTED_ANEW, "names")
    if topics_since and days and days[0].day < topics_since:
        place = next((place for place, day in enumerate(days) if day.day >= topics_since), len(days) - 1)
        days[place] = _noted(days[place], TOPICS_CHANGED.format(day=date_format(topics_since)), "topics")
    return Series(one_line(name), days)


def _noted(day: Measurement, note: str, word: str) -> Measurement:
    """The day with that beside what happened on it already."""
    return replace(
        day, note="; ".join(filter(None, (day.note, note))), noted=", ".join(filter(None, (day.noted, word)))
    )


def _of_day(item: TrendItem, confirmed: dict[date | None, str], link: DayLink | None) -> Measurement:
    change = item.change
    comparable = item.comparable is not False
    verdict = in_words(change) if change and change.verdict != "not_comparable" else ""
    mark: Mark = "moved" if change and change.verdict == "moved" else ""
    return Measurement(
        day=item.date,
        value=item.score,
        low=item.low,
        high=item.high,
        answers=item.answers,
        failed=item.failed,
        comparable=comparable,
        reason="" if comparable else (causes_in_words(change.causes) if change else "") or NOT_COMPARABLE,
        cause="" if comparable else _in_a_word(change.causes if change else ()),
        verdict=confirmed.get(item.date) or verdict,
        mark="confirmed" if item.date in confirmed else mark,
        href=link(item.date) if link else "",
    )


def _in_a_word(causes: Sequence[Cause]) -> str:
    codes = {cause.code for cause in causes}
    return next((code for code in _NAMED_CAUSES if code in codes), "")


def counted_since(counting: Counting) -> dict[str, date | None]:
    """The days since which all days are counted by the names, and on the topics, of now: as `brand_series` takes
    them."""
    return {
        "counted_since": counting.since.date() if counting.since else None,
        "topics_since": counting.topics_since.date() if counting.topics_since else None,
    }


def engine_series(trend: Sequence[TrendItem], link: DayLink | None = None) -> list[Series]:
    """The score on each engine of these days, by the engine's name, which is its key."""
    names = sorted({score.engine for item in trend for score in item.engines})
    return [Series(one_line(display_name(name)), list(_of_engine(name, trend, link)), key=name) for name in names]


def _of_engine(name: str, trend: Sequence[TrendItem], link: DayLink | None) -> Iterator[Measurement]:
    for item in trend:
        score = next((score for score in item.engines if score.engine == name), None)
        if score is not None:
            yield _of_engine_day(item, score, link)


def _of_engine_day(item: TrendItem, score: EngineScore, link: DayLink | None) -> Measurement:
    own: EngineChange | None = None
    if item.change:
        own = next((change for change in item.change.by_engine if change.engine == score.engine), None)
    comparable = own.verdict != "not_comparable" if own else item.comparable is not False
    return Measurement(
        day=item.date,
        value=score.score,
        low=score.low,
        high=score.high,
        answers=score.answers,
        comparable=comparable,
        reason="" if comparable else (causes_in_words(own.causes) if own else "") or NOT_COMPARABLE,
        cause="" if comparable else _in_a_word(own.causes if own else ()),
        verdict=engine_in_words(own) if own and comparable else "",
        mark="moved" if own and own.verdict == "moved" else "",
        href=link(item.date) if link else "",
    )
