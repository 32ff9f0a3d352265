"""The days that a question is about: "last week", "in March", "seit 2025-05-01". Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from django.utils.formats import date_format

from visibility.services.ask.vocabulary import any_of, behind_any_of


def _month_names(place: int) -> str:
    return any_of(lambda words: words.days.months[place])


def _weekday_names(place: int) -> str:
    return any_of(lambda words: words.days.weekdays[place])


_MONTHS = [_month_names(place) for place in range(12)]
_WEEKDAYS = [_weekday_names(place) for place in range(7)]
_MONTH = "|".join(_MONTHS)
_LAST = f"(?:{any_of(lambda words: words.days.last)})"
_THIS = f"(?:{any_of(lambda words: words.days.this)})"
_WEEK = f"(?:{any_of(lambda words: words.days.week)})"
_MONTH_WORD = f"(?:{any_of(lambda words: words.days.month)})"
_YEAR = f"(?:{any_of(lambda words: words.days.year)})"
_THE = rf"(?:{any_of(lambda words: words.days.article)})?"
_UP_TO = any_of(lambda words: words.days.until)
_OPEN = rf"\b(?:{any_of(lambda words: words.days.since)})\s+{_THE}\s*$"
_SINCE = rf"\b(?:{any_of(lambda words: (*words.days.since, *words.days.from_))})\s+{_THE}\s*$"
_UNTIL = rf"\b(?:{any_of(lambda words: (*words.days.until, *words.days.before))})\s+{_THE}\s*$"
_BETWEEN = (
    rf"^\s*(?:{any_of(lambda words: words.days.to)}|–|-)\s+"
    rf"(?:{any_of(lambda words: words.days.article_behind_to)})?\s*$"
)
_NAMED = rf"\b(?:{any_of(lambda words: words.days.before_month)})\s+$"


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
    chosen_points: list[_Point] = []
    for point in points:
        if not chosen_points or point.start >= chosen_points[-1].end:
            chosen_points.append(point)
    if not chosen_points:
        return None
    begin, end = chosen_points[0], chosen_points[0]
    before = question[: begin.start]
    if len(chosen_points) > 1 and re.search(_BETWEEN, question[begin.end : chosen_points[1].start], re.IGNORECASE):
        end = chosen_points[1]
        if begin.first > end.last:
            begin = replace(begin, first=begin.first.replace(year=end.first.year))
    elif match := re.search(_OPEN, before, re.IGNORECASE):
        return Period(begin.first, today, question[match.start() : begin.end])
    elif match := re.search(_UNTIL, before, re.IGNORECASE):
        last = begin.last if re.match(_UP_TO, match[0], re.IGNORECASE) else begin.first - _DAY
        return Period(date.min, last, question[match.start() : begin.end])
    match = re.search(_SINCE, before, re.IGNORECASE) if end is not chosen_points[0] else None
    start = match.start() if match else begin.start
    return Period(min(begin.first, end.first), end.last, question[start : end.end])


_DAY = timedelta(days=1)


def _points(question: str, today: date) -> list[_Point]:
    points = []
    for pattern, resolve in _READERS:
        for match in re.finditer(pattern, question, re.IGNORECASE):
            days = resolve(match, today)
            if days is not None and days[0] <= today:
                points.append(_Point(match.start(), match.end(), *days))
    return points


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
    length = 1 if match["days"] else 7 if match["weeks"] else 30
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


def _number(names: Sequence[str], name: str) -> int:
    """Which of the names it is, from 1 on."""
    return next(number for number, words in enumerate(names, start=1) if re.fullmatch(words, name, re.IGNORECASE))


_YEAR_DIGITS = r"(?P<y>20\d\d)"
_DAY_OF_MONTH = rf"(?P<d>\d\d?)(?:{any_of(lambda words: words.days.ordinals)})?"
_MONTH_AND_DAY = rf"(?P<m>{_MONTH}) (?P<d>\d\d?)(?:{any_of(lambda words: words.days.ordinals_behind_month)})?"
_OF_MONTH = rf"(?:(?:{any_of(lambda words: words.days.of_month)}) )?"
_OF_YEAR = rf"(?:(?:{any_of(lambda words: words.days.of_year)}) )?"
_OF_YEAR_BEHIND_DAY = rf"(?:(?:{any_of(lambda words: words.days.of_year_behind_day)}) )?"
_COUNTED = (
    rf"\b(?:{_LAST}|{any_of(lambda words: words.days.before_count)}) (?P<n>\d{{1,4}}) "
    rf"(?:(?:{any_of(lambda words: words.days.behind_count)}) )?"
    rf"(?:(?P<days>{any_of(lambda words: words.days.counted_days)})|"
    rf"(?P<weeks>{any_of(lambda words: words.days.counted_weeks)})|"
    rf"(?P<months>{any_of(lambda words: words.days.counted_months)}))\b"
)
# The order of a date's parts is a rule of writing, not a word: year-month-day, day.month.year, day month, month day.
_READERS: tuple[tuple[str, Callable[[re.Match[str], date], Days]], ...] = (
    (rf"\b{_YEAR_DIGITS}-(?P<m>\d\d?)-(?P<d>\d\d?)\b", _iso),
    (rf"\b(?P<d>\d\d?)\.\s?(?P<m>\d\d?)\.\s?{_YEAR_DIGITS}\b", _iso),
    (rf"\b{_DAY_OF_MONTH}\s{_OF_MONTH}(?P<m>{_MONTH})\b(?:,? {_OF_YEAR_BEHIND_DAY}{_YEAR_DIGITS})?", _dated),
    (rf"\b{_MONTH_AND_DAY}\b(?!\d)(?:,? {_YEAR_DIGITS})?", _dated),
    (rf"\b(?P<m>{_MONTH})\b(?: {_OF_YEAR}{_YEAR_DIGITS})?", _month),
    (rf"(?:{behind_any_of(lambda words: words.days.before_year)}){_YEAR_DIGITS}\b(?!-)", _year),
    (rf"\bq(?P<q>[1-4])\b(?: {_YEAR_DIGITS})?", _quarter),
    (rf"\b{_LAST} {_WEEK}\b|{any_of(lambda words: words.days.last_week)}", _last_week),
    (rf"\b{_LAST} {_MONTH_WORD}\b|{any_of(lambda words: words.days.last_month)}", _last_month),
    (rf"\b{_LAST} {_YEAR}\b|{any_of(lambda words: words.days.last_year)}", _last_year),
    (_COUNTED, _some_days),
    (rf"\b{_THIS} {_WEEK}\b|{any_of(lambda words: words.days.this_week)}", _this("week")),
    (rf"\b{_THIS} {_MONTH_WORD}\b|{any_of(lambda words: words.days.this_month)}", _this("month")),
    (any_of(lambda words: words.days.this_year), _this("year")),
    (rf"\b(?:{any_of(lambda words: words.days.yesterday)})\b", _yesterday),
    (rf"(?:{behind_any_of(lambda words: words.days.before_weekday)})(?P<w>{'|'.join(_WEEKDAYS)})\b", _weekday),
)
"""The words for days, and which they are. Where two begin at one place, the longer one is meant."""
