"""The phrases by which checks read text, by language: what each file beside this one must hold.

A page is read in its own language only. A page in a language without a file is not judged by phrases. A new language
is a new file.
"""

import re
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, TypeAdapter
from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Languages, Patterns, Words
from visibility.audit.checks.languages import primary
from visibility.audit.page import ParsedPage

_PATTERNS = TypeAdapter(Patterns)


def _any_of(value: object) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS.validate_python(value)), re.IGNORECASE)


Rule = Annotated[re.Pattern[str], BeforeValidator(_any_of)]
"""Any of several regular expressions; case does not matter."""


@dataclass(frozen=True, slots=True, config=STRICT)
class Opening:
    """`pronouns` that mean something said before when they begin a section."""

    pronouns: Words


@dataclass(frozen=True, slots=True, config=STRICT)
class Claims:
    """What is claimed and what supports it.

    `we`: the site speaks of itself. `statistics`: figures that ask for a source; `no_statistics`: sentences whose
    figures do not (discounts, taxes, materials). `sources`: a source is named. `speakers`: somebody is said to speak.
    `superlatives`, `no_superlatives`: praise, and set phrases that look like it. `awards`: praise by others.
    """

    we: Rule
    statistics: Rule
    no_statistics: Rule
    sources: Rule
    speakers: Rule
    superlatives: Rule
    no_superlatives: Rule
    awards: Rule


@dataclass(frozen=True, slots=True, config=STRICT)
class Offers:
    """How a price is made where no figure stands: `quotes` on request, `free` of charge, `ask` us (which says so on a
    page of prices only: elsewhere it is any contact link). `unavailable`: not sold now. `beside`: what stands around
    amounts and gifts that are no price of an offer (free delivery from 50)."""

    quotes: Rule
    free: Rule
    ask: Rule
    unavailable: Rule
    beside: Rule


@dataclass(frozen=True, slots=True, config=STRICT)
class Pages:
    """`about`, `contact`: texts and addresses of links to these pages; `dating`: titles of what goes out of date."""

    about: Rule
    contact: Rule
    dating: Rule


@dataclass(frozen=True, slots=True, config=STRICT)
class Phrases:
    """All phrases of one language."""

    opening: Opening
    claims: Claims
    offers: Offers
    pages: Pages


LANGUAGES: Languages[Phrases] = Languages(Path(__file__).parent, Phrases)


def language_of(page: ParsedPage) -> str:
    """The language of a page's text, ISO 639-1: detected, else declared, else empty."""
    return page.lang_detected or primary(page.lang_declared)


def phrases_of(page: ParsedPage) -> Phrases | None:
    """The phrases to read a page by; none for a language without a file."""
    return LANGUAGES.get(language_of(page))


def not_read(pages: tuple[ParsedPage, ...]) -> str:
    """Why no page could be read by phrases."""
    languages = sorted({language_of(page) or "unknown" for page in pages})
    known = ", ".join(LANGUAGES)
    return f"The text is in a language that this check does not read ({', '.join(languages)}); it reads {known}."
