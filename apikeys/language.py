"""The language of pages: its words, and how it writes days, times and numbers; everything else is neutral."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from functools import lru_cache, wraps
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_interval, format_skeleton, format_time
from babel.numbers import format_decimal
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import get_language_from_request, override
from django.utils.translation.trans_real import parse_accept_lang_header

_locale: ContextVar[Locale | None] = ContextVar("locale", default=None)


@contextmanager
def written_for(request: HttpRequest) -> Iterator[None]:
    """As long as this lasts, words are in the language that somebody chose, else in the first one that the browser
    asks for and that there is; days, times and numbers are written as its country writes them."""
    language = get_language_from_request(request)
    with _written_in(language, _locale_of(language, request.headers.get("Accept-Language", ""))):
        yield


def written_in(language: str) -> AbstractContextManager[None]:
    """As long as this lasts, words, days and numbers are in this language: for mails."""
    return _written_in(language, _locale_of(language, ""))


def neutral() -> AbstractContextManager[None]:
    """As long as this lasts, words are English, and days, times and numbers are neutral: for files."""
    return _written_in(settings.LANGUAGE_CODE, None)


@contextmanager
def _written_in(language: str, locale: Locale | None) -> Iterator[None]:
    token = _locale.set(locale)
    try:
        with override(language):
            yield
    finally:
        _locale.reset(token)


def in_language(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view whose page is written for its request."""

    @wraps(view)
    def written(request: HttpRequest, *args: Any, **options: Any) -> HttpResponseBase:
        with written_for(request):
            response = view(request, *args, **options)
            return response.render() if isinstance(response, TemplateResponse) else response

    return written


@lru_cache(maxsize=256)
def _locale_of(language: str, accepted: str) -> Locale | None:
    """How a language is written where the browser is; neutral English where it does not say that it reads English."""
    for tag, _ in parse_accept_lang_header(accepted[:500]):
        try:
            locale = Locale.parse(tag, sep="-")
        except (UnknownLocaleError, ValueError):  # of no language, or not written as one
            continue
        if locale.language == language:
            return locale
    return None if language == "en" else Locale.parse(language)


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


def number_words(number: float) -> str:
    """20000 as "20,000"."""
    if locale := _locale.get():
        return format_decimal(number, locale=locale)
    return f"{number:,}"
