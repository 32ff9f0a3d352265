"""The letter on a brand's week: five sentences at most from the reads of its pages, and their chart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from apikeys.accounts.caller import Caller
from apikeys.language import number_words, span_words
from brands.access import readable_brand
from brands.models import Brand
from visibility.counts.figures import figures_of, standings_of
from visibility.counts.past import select_on
from visibility.counts.reader import Selection
from visibility.counts.resources import NowFigures
from visibility.counts.words import margin_words, shown_interval
from visibility.drawing import charts
from visibility.drawing.picture import draw_picture
from visibility.models import ChangeRecord, DailyScore
from visibility.models.prompts import topic_title
from visibility.overview.brief import read_brief
from visibility.overview.lead import lead_words
from visibility.overview.line import ends_of, line_of
from visibility.overview.resources import Week
from visibility.recommendations.cards import show
from visibility.recommendations.resources import DiagnosisFact
from visibility.recommendations.words import words_of
from visibility.recommendations.work import work_of
from visibility.scores.change_reads import reported_on

CHART_DAYS = 42
"""Up to the last measured day, as the chart of the overview has them first."""
PICTURE_WIDTH = 440
"""Pixels of a page, so that its words can be read on a phone, too."""
MOST_PARTS = 2
LEAST_DAYS = 2
"""Measured days that a comparison, and a line, take."""
PAGES = {
    "score": ("brand-answers", "?stance=mentioned"),
    "change": ("brand-history", ""),
    "rivals": ("brand-competitors", ""),
    "sources": ("brand-sources", ""),
    "split": ("brand-answers", ""),
    "next": ("brand-todo", ""),
    "quiet": ("brand-answers", "?stance=mentioned"),
    "silence": ("brand-settings", ""),
}
"""The page behind each sentence: its answers, or what they come to."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the letter, and the path of the page behind it."""

    slot: str
    text: str
    path: str

    @property
    def address(self) -> str:
        """The page with the address of the service, for mails."""
        return f"{settings.PUBLIC_URL}{self.path}"


@dataclass(frozen=True, slots=True)
class Letter:
    """The letter on a week: `is_quiet` where nothing happened, and then it is one sentence. `last_day`: the last day
    measured until its end. The chart is empty below two measured days."""

    brand: Brand
    week: Week
    subject: str
    sentences: list[Sentence]
    is_quiet: bool
    last_day: date | None
    chart: SafeString
    chart_words: str
    chart_note: str

    @property
    def is_measured(self) -> bool:
        """Whether a day of the week was measured: without one there is nothing to say but that."""
        return bool(self.week.measured_days)

    @property
    def days(self) -> str:
        """The week for people."""
        return span_words(self.week.first_day, self.week.last_day)

    def picture(self) -> bytes:
        """The chart as PNG; empty where there is none."""
        title = [self.brand.name, gettext("Mentioned")]
        return draw_picture(self.chart, title, self.chart_note, width=PICTURE_WIDTH) if self.chart else b""


def read_letter(caller: Caller, brand_id: UUID, today: date) -> Letter:
    """The letter on the last whole week before a day, with the figures of its end, in the language of this moment.
    Raises not_found."""
    brief = read_brief(caller, brand_id, week=True, today=today)
    brand, week = readable_brand(caller, brand_id), brief.week
    assert week is not None  # noqa: S101 - people see scores
    then = select_on(brand, week.last_day)
    days = _last_days(brand, week.last_day)
    figures, work = figures_of(then), work_of(brand)
    facts = _facts(brand, figures, week, days)
    first = show(work.advice[0], brand).title if work.advice else ""
    words = words_of("letter", **facts, first=first).plain.parts
    chart, chart_words, chart_note = _chart(then, days)
    if not week.measured_days:
        slots = {"silence": words["silence"]}
    elif facts["is_quiet"]:
        slots = {"quiet": words["quiet"]}
    else:
        rivals = lead_words(work, None, standings_of(then), figures)
        slots = dict(_slots(words, rivals, brief.diagnosis or []))
    return Letter(
        brand=brand,
        week=week,
        subject=words["subject"],
        sentences=[Sentence(slot, text, _path(brand, slot)) for slot, text in slots.items() if text],
        is_quiet=bool(facts["is_quiet"]),
        last_day=days[0] if days else None,
        chart=chart,
        chart_words=chart_words,
        chart_note=chart_note,
    )


def _slots(words: Mapping[str, str], rivals: str, diagnosis: list[DiagnosisFact]) -> Iterator[tuple[str, str]]:
    """The sentences by what they speak of; the fourth is what answers rest on, else how engines differ."""
    facts: dict[str, str] = {each.slot: each.sentence for each in diagnosis}
    yield "score", words.get("score", "")
    yield "change", words.get("change", "")
    yield "rivals", rivals
    why = "sources" if "sources" in facts else "split"
    yield why, facts.get(why, "")
    yield "next", " ".join(filter(None, (words.get("work"), words.get("first") or facts.get("next"))))


def _path(brand: Brand, slot: str) -> str:
    page, query = PAGES[slot]
    return reverse(page, args=[brand.pk]) + query


def _facts(brand: Brand, now: NowFigures | None, week: Week, days: Sequence[date]) -> dict[str, Any]:
    """What the template of the letter says, and whether anything of it happened in the week; `now`: at its end."""
    known = brand.change_records.filter(known_on__lte=week.last_day)
    record = reported_on(known, days[0]) if days else None
    recovered = _recovered(brand, week)
    interval = shown_interval(now) if now else None
    is_new = record is not None and record.known_on >= week.first_day
    counts = (week.new_recommendations, week.closed_recommendations)
    happened = is_new or recovered or any(counts) or len(days) < LEAST_DAYS
    return {
        "name": brand.name,
        "days": span_words(week.first_day, week.last_day),
        "score": now.score if now else None,
        "mentioned": number_words(now.mentioned) if now else "",
        "answers": number_words(now.answers) if now else "",
        "margin": margin_words(now.score, *interval[:2]) if now and now.score is not None and interval else "",
        "margin_of": interval[2] if interval else "",
        **(change_facts(record) if record else {}),
        "is_new": is_new,
        "recovered": recovered,
        "has_days": len(days) >= LEAST_DAYS,
        "new": week.new_recommendations or 0,
        "closed": week.closed_recommendations or 0,
        "next_scan": brand.next_run_at.date().isoformat() if brand.next_run_at else "",
        "is_measured": bool(week.measured_days),
        "is_quiet": bool(week.measured_days) and not happened,
    }


def _last_days(brand: Brand, end: date) -> list[date]:
    """The last days measured until then, the newest first: as many as a comparison takes."""
    rows = DailyScore.objects.of_brand(brand).filter(date__lte=end).order_by("-date")[:LEAST_DAYS]
    return [row.date for row in rows.only("date") if row.date is not None]


def _recovered(brand: Brand, week: Week) -> ChangeRecord | None:
    """A change of the score from before the week that went away in it."""
    over = brand.change_records.filter(engine="", state="recovered", known_on__lt=week.first_day)
    return over.filter(state_since__range=(week.first_day, week.last_day)).order_by("-began").first()


def change_facts(record: ChangeRecord) -> dict[str, Any]:
    """A change with its size in points, and the topics that add most to it, in its direction."""
    names = {str(pk): topic_title(name) for pk, name in record.brand.topics.values_list("pk", "name")}
    parts = [each for each in record.parts.get("topics", []) if each["key"] in names]
    same = [each for each in parts if each["points"] * record.delta > 0 and abs(each["points"]) >= 1]
    named = [{"name": names[each["key"]], "points": f"{abs(each['points']):.0f}"} for each in same[:MOST_PARTS]]
    return {"record": record, "size": f"{abs(record.delta):.0f}", "parts": named}


def _chart(then: Selection, days: Sequence[date]) -> tuple[SafeString, str, str]:
    """The score by day with its words and the base below its title; empty below two measured days."""
    points = line_of(then, days[0] - timedelta(days=CHART_DAYS - 1), days[0]) if days else []
    drawn = [
        charts.TrendDay(
            each.day,
            each.figures.get("score"),
            *ends_of(each.figures, "score", "low", "high"),
            each.score_of_day,
        )
        for each in points
    ]
    if len(drawn) < LEAST_DAYS:
        return SafeString(), "", ""
    label = gettext("{name} by day: {first:.0f} % on the first of {days} days, {last:.0f} % on the last.").format(
        name=gettext("Mentioned"), first=drawn[0].value or 0, days=len(drawn), last=drawn[-1].value or 0
    )
    answers = gettext("of {number} answers").format(number=number_words(points[-1].figures["answers"]))
    note = f"{span_words(drawn[0].day, drawn[-1].day)} · {answers}"
    return charts.trend(drawn, label=label, name=gettext("Mentioned").lower()), label, note
