"""The days that a question is about: "last week", "in March", "seit 2025-05-01". Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from django.utils.formats import date_format

_MONTHS = (
    "january|januar|janvier|enero",
    "february|februar|février|fevrier|febrero",
    "march|märz|maerz|mars|marzo",
    "april|avril|abril",
    "may|mai|mayo",
    "june|juni|juin|junio",
    "july|juli|juillet|julio",
    "august|août|aout|agosto",
    "september|septembre|septiembre",
    "october|oktober|octobre|octubre",
    "november|novembre|noviembre",
    "december|dezember|décembre|decembre|diciembre",
)
_WEEKDAYS = (
    "monday|montag|lundi|lunes",
    "tuesday|dienstag|mardi|martes",
    "wednesday|mittwoch|mercredi|miércoles",
    "thursday|donnerstag|jeudi|jueves",
    "friday|freitag|vendredi|viernes",
    "saturday|samstag|samedi|sábado",
    "sunday|sonntag|dimanche|domingo",
)
_MONTH = "|".join(_MONTHS)
_LAST = r"(?:last|past|previous|letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?)"
_WEEK, _MONTH_WORD, _YEAR = r"(?:week|woche)", r"(?:month|monat)", r"(?:year|jahr)"
_SINCE = (
    r"\b(?:since|from|after|seit|ab|von|depuis|dès|à partir d[eu]|desde|a partir de|de|du|le|el)\s+"
    r"(?:dem|le|el|the)?\s*$"
)
_UNTIL = r"\b(?:until|till|before|up to|bis|vor|jusqu['’]?(?:à|au|en)|avant|hasta|antes de)\s+(?:dem|le|el|the)?\s*$"
_BETWEEN = r"^\s*(?:to|and|until|till|through|bis|und|à|au|et|a|al|hasta|y|–|-)\s+(?:zum|le|el|the)?\s*$"
_OPEN = r"\b(?:since|after|seit|ab|depuis|dès|à partir d[eu]|desde|a partir de|from)\s+(?:dem|le|el|the)?\s*$"
_NAMED = (
    r"\b(?:in|im|en|during|of|since|from|until|before|seit|ab|bis|vor|depuis|jusqu['’]en|avant|de|du|desde|hasta|to|and|"
    r"und|et|y|a|für|for|last|past|letzten)\s+$"
)


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `first` to `last`, both counted; `words` as the question has them."""

    first: date
    last: date
    words: str

    def __str__(self) -> str:
        first, last = date_format(self.first), date_format(self.last)
        return f"on {first}" if first == last else f"from {first} to {last}"


@dataclass(frozen=True, slots=True)
class _Point:
    """A stretch of days at a place of the question."""

    start: int
    end: int
    first: date
    last: date


def period_in(question: str, today: date) -> Period | None:
    """The days that the question names, up to today; None where it names none. What lies ahead is no period."""
    points = sorted(_points(question, today), key=lambda point: (point.start, -point.end))
    kept: list[_Point] = []
    for point in points:
        if not kept or point.start >= kept[-1].end:
            kept.append(point)
    if not kept:
        return None
    begin, end = kept[0], kept[0]
    before = question[: begin.start]
    if len(kept) > 1 and re.search(_BETWEEN, question[begin.end : kept[1].start], re.IGNORECASE):
        end = kept[1]
        if begin.first > end.last:
            begin = replace(begin, first=begin.first.replace(year=end.first.year))
    elif found := re.search(_OPEN, before, re.IGNORECASE):
        return Period(begin.first, today, question[found.start() : begin.end])
    elif found := re.search(_UNTIL, before, re.IGNORECASE):
        last = (
            begin.last if re.match(r"bis|until|till|up|jusqu|hasta", found[0], re.IGNORECASE) else begin.first - _DAY
        )
        return Period(date.min, last, question[found.start() : begin.end])
    found = re.search(_SINCE, before, re.IGNORECASE) if end is not kept[0] else None
    start = found.start() if found else begin.start
    return Period(min(begin.first, end.first), end.last, question[start : end.end])


_DAY = timedelta(days=1)


def _points(question: str, today: date) -> list[_Point]:
    found = []
    for pattern, resolve in _READERS:
        for match in re.finditer(pattern, question, re.IGNORECASE):
            days = resolve(match, today)
            if days is not None and days[0] <= today:
                found.append(_Point(match.start(), match.end(), *days))
    return found


Days = tuple[date, date] | None


def _iso(match: re.Match[str], today: date) -> Days:
    return _one(int(match["y"]), int(match["m"]), int(match["d"]))


def _dated(match: re.Match[str], today: date) -> Days:
    month = _number(_MONTHS, match["m"])
    if match["y"]:
        return _one(int(match["y"]), month, int(match["d"]))
    this = _one(today.year, month, int(match["d"]))
    return this if this is None or this[0] <= today else _one(today.year - 1, month, int(match["d"]))


def _month(match: re.Match[str], today: date) -> Days:
    month = _number(_MONTHS, match["m"])
    if not match["y"] and not re.search(_NAMED, match.string[: match.start()], re.IGNORECASE):
        return None
    year = int(match["y"]) if match["y"] else today.year - (month > today.month)
    return _month_of(year, month)


def _month_of(year: int, month: int) -> tuple[date, date]:
    first = date(year, month, 1)
    return first, (first + timedelta(days=31)).replace(day=1) - _DAY


def _year(match: re.Match[str], today: date) -> Days:
    year = int(match["y"])
    return date(year, 1, 1), date(year, 12, 31)


def _quarter(match: re.Match[str], today: date) -> Days:
    month = 3 * int(match["q"])
    year = int(match["y"]) if match["y"] else today.year - (month - 2 > today.month)
    return date(year, month - 2, 1), _month_of(year, month)[1]


def _last_week(match: re.Match[str], today: date) -> Days:
    monday = today - timedelta(days=today.weekday() + 7)
    return monday, monday + 6 * _DAY


def _last_month(match: re.Match[str], today: date) -> Days:
    last = today.replace(day=1) - _DAY
    return last.replace(day=1), last


def _last_year(match: re.Match[str], today: date) -> Days:
    return date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)


def _weekday(match: re.Match[str], today: date) -> Days:
    back = (today.weekday() - _number(_WEEKDAYS, match["w"]) + 1) % 7 or 7
    return today - back * _DAY, today - back * _DAY


def _some_days(match: re.Match[str], today: date) -> Days:
    unit = match["u"].casefold()
    length = 7 if unit[0] in "ws" else 1 if unit[0] in "dtj" else 30
    days = min(int(match["n"] or 1) * length, 3650)
    return today - (days - 1) * _DAY, today


def _yesterday(match: re.Match[str], today: date) -> Days:
    return today - _DAY, today - _DAY


def _this(unit: str) -> Callable[[re.Match[str], date], Days]:
    starts = {
        "week": lambda today: today - timedelta(days=today.weekday()),
        "month": lambda today: today.replace(day=1),
        "year": lambda today: today.replace(month=1, day=1),
    }
    return lambda match, today: (starts[unit](today), today)


def _one(year: int, month: int, day: int) -> Days:
    try:
        return date(year, month, day), date(year, month, day)
    except ValueError:
        return None


def _number(names: tuple[str, ...], name: str) -> int:
    return next(number for number, each in enumerate(names, start=1) if name.casefold() in each.split("|"))


_YEAR_DIGITS = r"(?P<y>20\d\d)"
_READERS: tuple[tuple[str, Callable[[re.Match[str], date], Days]], ...] = (
    (rf"\b{_YEAR_DIGITS}-(?P<m>\d\d?)-(?P<d>\d\d?)\b", _iso),
    (rf"\b(?P<d>\d\d?)\.\s?(?P<m>\d\d?)\.\s?{_YEAR_DIGITS}\b", _iso),
    (rf"\b(?P<d>\d\d?)(?:st|nd|rd|th|\.|er)?\s(?:of |de )?(?P<m>{_MONTH})\b(?:,? (?:de )?{_YEAR_DIGITS})?", _dated),
    (rf"\b(?P<m>{_MONTH}) (?P<d>\d\d?)(?:st|nd|rd|th)?\b(?!\d)(?:,? {_YEAR_DIGITS})?", _dated),
    (rf"\b(?P<m>{_MONTH})\b(?: (?:de |of )?{_YEAR_DIGITS})?", _month),
    (rf"(?:(?<=\bin )|(?<=\bjahr )|(?<=\bsince )|(?<=\bseit )|(?<=\ben )|(?<=\bdepuis )|(?<=\bdesde )|(?<=\bof ))"
     rf"{_YEAR_DIGITS}\b(?!-)", _year),
    (rf"\bq(?P<q>[1-4])\b(?: {_YEAR_DIGITS})?", _quarter),
    (rf"\b{_LAST} {_WEEK}\b|semaine (?:dernière|passée)|semana pasada|última semana", _last_week),
    (rf"\b{_LAST} {_MONTH_WORD}\b|mois (?:dernier|passé)|mes pasado|último mes\b", _last_month),
    (rf"\b{_LAST} {_YEAR}\b|année (?:dernière|passée)|l['’]an (?:dernier|passé)|año pasado", _last_year),
    (rf"\b(?:{_LAST}|los últimos|les|des|últimos) (?P<n>\d{{1,4}}) (?:derniers |dernières )?"
     r"(?P<u>days?|weeks?|months?|tagen?|wochen?|monaten?|jours|semaines|mois|d[ií]as|semanas|meses)\b", _some_days),
    (r"\b(?:this|diese[rn]?) (?:week|woche)\b|cette semaine|esta semana", _this("week")),
    (r"\b(?:this|diese[nr]?) (?:month|monat)\b|ce mois(?:-ci)?|este mes\b", _this("month")),
    (r"\b(?:this year|dieses jahr)\b|cette année|este año", _this("year")),
    (r"\b(?:yesterday|gestern)\b|\bhier\b|\bayer\b", _yesterday),
    (rf"(?:(?<=\bsince )|(?<=\bon )|(?<=\blast )|(?<=\bseit )|(?<=\bam )|(?<=\bdepuis )|(?<=\bdesde )|(?<=\bel ))"
     rf"(?P<w>{'|'.join(_WEEKDAYS)})\b", _weekday),
)  # fmt: skip
"""The words for days, and which they are. Where two begin at one place, the longer one is meant."""
