"""How the language of a browser writes days, times and numbers: on pages, and neutrally everywhere else."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.dates import format_interval, format_skeleton, format_time
from babel.numbers import format_decimal
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation.trans_real import parse_accept_lang_header

_locale: ContextVar[Locale | None] = ContextVar("locale", default=None)


@contextmanager
def written_for(request: HttpRequest) -> Iterator[None]:
    """As long as this lasts, days, times and numbers are written as the first language writes them that the browser
    asks for and that is known."""
    token = _locale.set(_locale_of(request.headers.get("Accept-Language", "")))
    try:
        yield
    finally:
        _locale.reset(token)


@lru_cache(maxsize=256)
def _locale_of(accepted: str) -> Locale | None:
    for tag, _ in parse_accept_lang_header(accepted[:500]):
        try:
            return Locale.parse(tag, sep="-")
        except (UnknownLocaleError, ValueError):  # of no language, or not written as one
            continue
    return None


def day_words(day: date) -> str:
    """A day as "3 Nov", with its year where it is not this one."""
    has_year = day.year != timezone.now().year
    if locale := _locale.get():
        return format_skeleton("yMMMd" if has_year else "MMMd", day, locale=locale)
    return f"{day.day} {day:%b}" + (f" {day.year}" if has_year else "")


def month_day_words(day: date) -> str:
    """A day as "3 November"."""
    if locale := _locale.get():
        return format_skeleton("MMMMd", day, locale=locale)
    return f"{day.day} {day:%B}"


def full_day_words(day: date) -> str:
    """A day as "3 November 2026"."""
    if locale := _locale.get():
        return format_skeleton("yMMMMd", day, locale=locale)
    return f"{day.day} {day:%B %Y}"


def span_words(first: date, last: date) -> str:
    """Days as people write them, the month and year once where they are the same."""
    if locale := _locale.get():
        return format_interval(first, last, "yMMMd", locale=locale)
    if first == last:
        return f"{last.day} {last:%b %Y}"
    month = f" {first:%b}" * ((first.year, first.month) != (last.year, last.month))
    return f"{first.day}{month}{f' {first.year}' * (first.year != last.year)} to {last.day} {last:%b %Y}"


def time_words(moment: datetime) -> str:
    """The time of a day, in UTC, as "06:00"."""
    if locale := _locale.get():
        return format_time(moment, "short", locale=locale)
    return f"{moment:%H:%M}"


def number_words(number: int) -> str:
    """20000 as "20,000"."""
    if locale := _locale.get():
        return format_decimal(number, locale=locale)
    return f"{number:,}"
