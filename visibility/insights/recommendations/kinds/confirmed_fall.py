"""A fall of the brand's score, over all engines or of one, that is more than a day's chance.

Open: the fall is confirmed, or the monitor has raised it. Closed: a rise is. What one day shows opens nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

from django.db.models import QuerySet
from django.utils.formats import date_format

from apikeys.text.sentences import one_line
from visibility.engines.display import display_name
from visibility.insights.recommendations.kind import (
    Basis,
    Effect,
    Effort,
    Factors,
    Fix,
    Observation,
    ProvenBy,
    Standing,
    Words,
)
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.types import Tally
from visibility.insights.recommendations.wording import EvidenceText
from visibility.measured.facts import AnswerFacts
from visibility.metrics.development import Confirmation, is_one_change
from visibility.metrics.shown import shown
from visibility.models import DailyScore

ALL_ENGINES = "score"
"""The subject of the figure over all engines; an engine's is its name behind a colon."""


@dataclass(frozen=True, slots=True)
class Found:
    """By so many points the score has changed since the day, with the interval; over all engines where `engine` is
    None. `means` says how it is known."""

    engine: str | None
    delta: float
    low: float | None
    high: float | None
    since: date | None
    means: str


class ConfirmedFalls:
    """Falls that are confirmed, or that the monitor has raised; never what one day shows."""

    id = "confirmed_fall"
    reason = "The brand is named less than before, and that is no chance of a day."
    basis = Basis.ANSWERS
    proven_by = ProvenBy.SCORE
    max_open = 3

    def observe(self, material: Material) -> Iterable[Observation]:
        """The score over all engines and that of each, by what its own latest day says.

        It opens where a fall is confirmed or raised, and closes where a rise is; else nothing is said, and what is
        open stays.
        """
        days = {engine_day.day for engine_day in material.basis.engines}
        scores: QuerySet[DailyScore] = DailyScore.objects.filter(brand=material.brand, competitor=None)
        changes: dict[date | None, Any] = dict(scores.filter(date__in=days).values_list("date", "changes"))
        latest = material.basis.latest
        lines: list[tuple[str | None, date | None]] = [(None, latest)]
        lines += [(engine_day.engine, engine_day.day) for engine_day in material.basis.engines]
        for engine, day in lines:
            for change in changes.get(day, ()):
                if change["metric"] == "score" and change["engine"] == engine:
                    yield _observation(_best_dated(change, day, scores), engine, material)

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """By how much, since when, and how that is known; nothing more is read."""
        return [_words(row.details, material) for row in observations]


def _best_dated(change: Mapping[str, Any], day: date | None, scores: QuerySet[DailyScore]) -> Mapping[str, Any]:
    """What the latest day said that confirmed the change, where only the monitor still raises it on `day`: when it
    was, and by how much, is told best by that one. One statement more for each such change."""
    confirmation, monitor = change.get("confirmation"), change.get("monitor")
    is_confirmed = confirmation is not None and confirmation["state"] == Confirmation.CONFIRMED
    if is_confirmed or not (monitor and monitor["raised"] and monitor["since"]):
        return change
    since = date.fromisoformat(monitor["since"])
    for changes in scores.filter(date__range=(since, day)).order_by("-date").values_list("changes", flat=True):
        for earlier in changes:
            is_line = earlier["metric"] == change["metric"] and earlier["engine"] == change["engine"]
            if is_line and _confirms(earlier.get("confirmation"), monitor):
                return cast(Mapping[str, Any], earlier)
    return change


def _confirms(confirmation: Mapping[str, Any] | None, monitor: Mapping[str, Any]) -> bool:
    if confirmation is None or confirmation["state"] != Confirmation.CONFIRMED:
        return False
    return is_one_change(
        moved_on=date.fromisoformat(confirmation["moved_on"]),
        moved_by=confirmation["delta"],
        raised_since=date.fromisoformat(monitor["since"]),
        raised_by=monitor["delta"],
    )


def _called(change: Mapping[str, Any]) -> tuple[Mapping[str, Any], str, str | None] | None:
    """What is said of the change with how it is known and since when; None where nothing may be called one."""
    confirmation, monitor = change.get("confirmation"), change.get("monitor")
    if confirmation and confirmation["state"] == Confirmation.CONFIRMED:
        return confirmation, "two measured days in a row confirm it", confirmation["moved_on"]
    if monitor and monitor["raised"]:
        return monitor, f"{monitor['looks']} measured days taken together show it", monitor["since"]
    return None


def _observation(change: Mapping[str, Any], engine: str | None, material: Material) -> Observation:
    answers = [answer for answer in material.unbranded if engine in (None, answer.engine)]
    standing, fall = Standing.BETWEEN, None
    if (called := _called(change)) is not None and called[0]["delta"] is not None:
        figures, means, since = called
        standing = Standing.OPEN if figures["delta"] < 0 else Standing.CLOSED
        day = date.fromisoformat(since) if since else None
        fall = Found(engine, figures["delta"], figures["low"], figures["high"], day, means)
    without = sum(not answer.brand_named for answer in answers)
    return Observation(
        subject=f"engine:{engine}" if engine else ALL_ENGINES,
        standing=standing,
        factors=Factors(
            answers=without,
            of_answers=len(answers),
            engines=1 if engine else len(material.engines),
            of_engines=len(material.engines),
            reach=without / len(material.unbranded) if material.unbranded else 0.0,
            effect=Effect.UNKNOWN,
            effort=Effort.MEDIUM,
        ),
        tallies=tuple(_tallies(answers)),
        details=fall,
    )


def _tallies(answers: Sequence[AnswerFacts]) -> Iterable[Tally]:
    for engine in sorted({answer.engine for answer in answers}):
        group = [answer for answer in answers if answer.engine == engine]
        yield Tally(engine, sum(not answer.brand_named for answer in group), len(group))


def _words(fall: Found, material: Material) -> Words:
    brand = one_line(material.brand.name)
    where = f"by {one_line(display_name(fall.engine))}" if fall.engine else "by all engines together"
    points = f"{shown(abs(fall.delta))} points"
    since = f" since {date_format(fall.since)}" if fall.since else ""
    interval = ""
    if fall.low is not None and fall.high is not None:
        interval = f" (95 % interval {shown(fall.low)} to {shown(fall.high)})"
    summary = f"The score of {brand} {where} is {points} lower{since}{interval}; {fall.means}."
    return Words(
        title=f"{brand} is named less {where}: {points} down{since}",
        summary=summary,
        evidence=(EvidenceText("measurement", summary, fall.engine),),
        fix=Fix(
            goal=f"Find out why {brand} is named less {where}{since}, and mend what can be mended.",
            tasks=(
                "List what changed on the site around that day: pages that were removed, moved, rewritten or blocked "
                "for crawlers; put back what answers used to cite.",
                "Compare the topics before and after that day: say on which ones the brand is named less, and who is "
                "named instead.",
                "Say whether cited sources of others dropped the brand, and which ones to write to.",
            ),
            keep=("Pages and topics that have not fallen.",),
            done_when="The cause is named with its evidence, what can be mended is published, and later scans say "
            "whether the score rises.",
        ),
    )
