"""Times, languages, countries and engines in the forms that exporters write, brought to one."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime, tzinfo
from email.utils import parsedate_to_datetime
from typing import Any

from babel import Locale
from babel.core import get_global
from django.utils.translation import gettext

LONGEST_ENGINE = 50
_ENGINE = re.compile(rf"[a-z0-9._-]{{1,{LONGEST_ENGINE}}}")
_TIME = re.compile(
    r"""(?:(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})
         | (?P<first>\d{1,2})(?P<mark>[./-])(?P<second>\d{1,2})[./-](?P<last>\d{4}))
        (?:(?:[T ]|,\s)\s*(?P<hour>\d{1,2})(?P<rest>:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s?(?P<half>[AaPp]\.?[Mm]\.?)?
           \s?(?P<zone>Z|z|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?|UTC|GMT|[A-Za-z]+)?)?""",
    re.VERBOSE,
)
_LOCALE = re.compile(r"([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|[0-9]{3}))?", re.IGNORECASE)
_ENGLISH = Locale("en")
_COUNTRIES: Mapping[str, str] = {
    name.casefold(): code
    for code, name in _ENGLISH.territories.items()
    if re.fullmatch("[A-Z]{2}", code) and code != "ZZ"
}
_LANGUAGES: Mapping[str, str] = {name.casefold(): code for code, name in _ENGLISH.languages.items()}
_CODES = frozenset(_COUNTRIES.values())
COUNTRY_FIELDS = ("country", "country_code", "country_name", "location", "location_name", "location_code", "gl")
LOCALE_FIELDS = ("locale", "language", "language_code", "language_name", "lang", "hl")


def engine_name(value: Any) -> Any:
    """The name of an engine in small letters, with hyphens for what a name cannot have: `openai-gpt-4o`."""
    if not isinstance(value, str):
        return value
    name = "-".join(value.lower().split())
    if _ENGINE.fullmatch(name):
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    name = re.sub(r"-*[^a-z0-9._-]+-*", "-", plain).strip("-._")
    if not name:
        raise ValueError(
            gettext("{text!r} has no letter a to z and no digit; give a name such as chatgpt").format(text=value[:50])
        )
    if len(name) > LONGEST_ENGINE:
        raise ValueError(gettext("is longer than {longest} characters").format(longest=LONGEST_ENGINE))
    return name


def moment(value: Any, zone: tzinfo | None) -> Any:
    """A time as ISO 8601 with its zone, numbers as they are; a date alone is its noon in UTC, so that it counts for
    this day. Raises ValueError where the day is ambiguous, or the zone is neither stated nor given."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not text or re.fullmatch(r"\d+(?:\.\d+)?", text):
        return value
    found = _TIME.fullmatch(text)
    if found is None:
        return _written_out(text, zone)
    day = _day(found)
    if found["hour"] is None:
        return f"{day}T12:00:00Z"
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + (12 if found["half"][0] in "Pp" else 0)
    clock = f"{day}T{hour:02}{found['rest'].replace(',', '.')}"
    if found["zone"] is None:
        return _in_zone(clock, zone)
    return clock + _offset(found["zone"])


def _day(found: re.Match[str]) -> str:
    if found["year"]:
        return f"{found['year']}-{int(found['month']):02}-{int(found['day']):02}"
    first, second = int(found["first"]), int(found["second"])
    if found["mark"] == "." or first > 12:
        day, month = first, second
    elif second > 12 or first == second:
        month, day = first, second
    else:
        last = found["last"]
        raise ValueError(
            gettext(
                "may be {last}-{second:02}-{first:02} or {last}-{first:02}-{second:02}; write the year first: "
                "2026-05-24"
            ).format(last=last, second=second, first=first)
        )
    return f"{found['last']}-{month:02}-{day:02}"


def _offset(zone: str) -> str:
    zone = zone.upper().removeprefix("UTC").removeprefix("GMT")
    if zone in ("", "Z"):
        return "Z"
    found = re.fullmatch(r"([+-])(\d{1,2}):?(\d{2})?", zone)
    if found is None:
        raise ValueError(
            gettext("has the time zone {zone}, which is not the same everywhere; write it as +02:00 or Z").format(
                zone=zone
            )
        )
    return f"{found[1]}{int(found[2]):02}:{found[3] or '00'}"


def _in_zone(clock: str, zone: tzinfo | None) -> str:
    if zone is None:
        raise ValueError(
            gettext(
                "has no timezone; write 2026-05-24T15:56:04Z, or name the zone of the file, such as Europe/Berlin"
            )
        )
    at = datetime.fromisoformat(re.sub(r"(\.\d{1,6})\d*", lambda match: match[1].ljust(7, "0"), clock))
    return at.replace(tzinfo=zone).isoformat()


def _written_out(text: str, zone: tzinfo | None) -> str:
    """Times with the month as a word, as in mails: "Sun, 24 May 2026 15:56:04 +0000", "May 24, 2026"."""
    plain = re.sub(r"^([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", r"\2 \1 \3", text).replace(", ", " ")
    words = re.sub(r"^[A-Za-z]+ (?=\d)", "", plain).split()
    has_clock = len(words) > 3
    try:
        at = parsedate_to_datetime(" ".join(words if has_clock else [*words, "12:00:00", "+0000"]))
    except (ValueError, TypeError, IndexError):
        raise ValueError(gettext("“{text}” is no time; write 2026-05-24T15:56:04Z").format(text=text[:50])) from None
    return at.isoformat() if at.tzinfo else _in_zone(at.isoformat(), zone)


def locale_and_country(record: Mapping[str, Any]) -> tuple[str, str]:
    """The locale (BCP 47, "und-US" where only the country is known) and the country of a record; empty where it
    states neither. Raises ValueError, naming the field."""
    language, country = "", ""
    if given := _first(record, LOCALE_FIELDS):
        language, country = _locale(*given)
    if given := _first(record, COUNTRY_FIELDS):
        country = _country(*given)
    locale = "-".join(filter(None, (language or ("und" if country else ""), country)))
    return locale, country if len(country) == 2 else ""


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, str] | None:
    for name, value in record.items():
        usual = re.sub(r"[\s-]", "_", name)
        if usual in names and value is not None and str(value).strip():
            return name, str(value).strip()
    return None


def _locale(field: str, text: str) -> tuple[str, str]:
    found = _LOCALE.fullmatch(_LANGUAGES.get(text.casefold(), text))
    if found is None:
        raise ValueError(
            gettext("{field}: “{text}” is no language; give a code such as de or de-AT").format(
                field=field, text=text[:50]
            )
        )
    language, script, country = found.groups()
    return "-".join(filter(None, (language.lower(), script and script.title()))), (country or "").upper()


def _country(field: str, text: str) -> str:
    """Two letters of a country by its code, its English name, its number, or a place with its country behind."""
    name = text.rsplit(",", 1)[-1].strip()
    code = name.upper()
    if code.isdigit():  # a location code is 2000 and the number of the country
        code = f"{int(code) % 2000:03}" if int(code) < 3000 else code
    aliases = get_global("territory_aliases")
    found = code if code in _CODES else _COUNTRIES.get(name.casefold()) or next(iter(aliases.get(code, ())), "")
    if found not in _CODES:
        reason = gettext(
            "{field}: “{text}” names no country; give its two letters, such as DE, or put it behind the place "
            "(Berlin, Germany)"
        )
        raise ValueError(reason.format(field=field, text=text[:50]))
    return found
