"""The words of a text that say something, in any language that PostgreSQL has a dictionary for."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from django.db import connection
from django.utils.translation import get_language_info

DEFAULT = "english"
LEAST_GRAMMAR = 0.4
"""The part of a person's question that is words of grammar; searches in keywords have less."""
_WORD = re.compile(r"[^\W\d_]+")
_LANGUAGES = r"""
    SELECT dictname FROM pg_ts_dict, unnest(%s::text[]) AS word
    WHERE dictname LIKE '%%\_stem' AND ts_lexize(pg_ts_dict.oid, word) = '{}'
    GROUP BY dictname ORDER BY count(*) DESC, dictname <> %s LIMIT 1
"""


@cache
def _file() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, without numbers."""
    return [word.casefold() for word in _WORD.findall(text)]


def language_of(text: str, default: str = DEFAULT) -> str:
    """The language whose words of grammar a text has most of, by the name of its dictionary; the default on a tie."""
    with connection.cursor() as cursor:
        cursor.execute(_LANGUAGES, [words_of(text), f"{default}_stem"])
        row = cursor.fetchone()
    return str(row[0]).removesuffix("_stem") if row else default


def language_of_locale(locale: str) -> str | None:
    """The name of the dictionary for a locale such as de-AT; None where there is none."""
    try:
        name = get_language_info(locale.split("-")[0].split("_")[0].lower())["name"].lower()
    except KeyError:
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_ts_dict WHERE dictname = %s", [f"{name}_stem"])
        return name if cursor.fetchone() else None


@dataclass(frozen=True)
class Language:
    """The words of one language: their stems, and which are grammar."""

    name: str

    @cached_property
    def _known(self) -> dict[str, str]:
        return {}

    @cached_property
    def turning(self) -> frozenset[str]:
        """Words of grammar that turn a statement round or raise it, such as "not" and "most"."""
        return frozenset(_file()["turning"]["words"].split())

    @cached_property
    def of_texts(self) -> frozenset[str]:
        """Stems of words by which a text speaks of itself."""
        return self.telling(_file()["texts"].get(self.name, ""))

    @cached_property
    def of_choosing(self) -> frozenset[str]:
        """Stems of words by which a text leaves a choice to its reader."""
        return self.telling(_file()["choosing"].get(self.name, ""))

    def telling(self, *texts: str) -> frozenset[str]:
        """The stems of words that say something: all but grammar, of which only turning words do."""
        words = [word for text in texts for word in words_of(text)]
        self._read(words)
        return frozenset(stem for word in words if (stem := self._known[word]))

    def reads_like_speech(self, text: str) -> bool:
        """Whether so many of its words are grammar that a person may have said it."""
        words = words_of(text)
        self._read(words)
        grammar = sum(not self._known[word] or word in self.turning for word in words)
        return text.rstrip().endswith("?") or grammar >= LEAST_GRAMMAR * max(1, len(words))

    def _read(self, words: Iterable[str]) -> None:
        unknown = sorted({word for word in words if word not in self._known})
        if not unknown:
            return
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT word, (ts_lexize(%s::regdictionary, word))[1] FROM unnest(%s::text[]) AS word",
                [f"pg_catalog.{self.name}_stem", unknown],
            )
            for word, stem in cursor.fetchall():
                self._known[word] = stem or (word if word in self.turning else "")
