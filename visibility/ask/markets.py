"""Markets in the words of users: by country, by language, or by both."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.languages import get_official_languages

from visibility.detection.folding import fold
from visibility.detection.untracked import name_key
from visibility.models.prompts import country_of, language_of

_ALIASES = get_global("territory_aliases")
ASKERS = ("en", "de", "es", "fr", "it", "nl", "pl", "pt")
"""Languages in which countries and languages are known, besides those that are spoken in the markets."""
_LEAST_LETTERS = 4
"""Of a name that is looked for in a question: "at" and "it" are words."""


def markets_like(markets: Iterable[str], given: str) -> list[str]:
    """Those of these markets that the given words mean: a code, a country, a language, or words of which each is one
    of these."""
    words = {name_key(fold(word)) for word in given.replace("-", " ").replace("(", " ").split()}
    found = []
    for market in markets:
        names = {name_key(fold(name)) for name in names_of(market)}
        if name_key(fold(given)) in names or words <= names:
            found.append(market)
    return found


@lru_cache(maxsize=1_000)
def names_of(market: str) -> Sequence[str]:
    """The codes of a market, and the names of its country and its language in several languages."""
    country, language = country_of(market), language_of(market).partition("-")[0]
    aliases = [short for short, (code, *_) in _ALIASES.items() if code == country and short.isalpha()]
    spoken = get_official_languages(country) if country else ()
    names = [market, country, language, *(aliases if country else ())]
    for locale in _locales([*ASKERS, language, *spoken]):
        names += [locale.territories.get(country, ""), locale.languages.get(language, "")]
    return [*dict.fromkeys(filter(None, names))]


def long_names_of(market: str) -> list[str]:
    """Those of these names that are no words of a question by chance."""
    return [name for name in names_of(market) if len(name) >= _LEAST_LETTERS]


def _locales(languages: Iterable[str]) -> Iterator[Locale]:
    for language in dict.fromkeys(filter(None, languages)):
        with suppress(UnknownLocaleError, ValueError):
            yield Locale.parse(language)
