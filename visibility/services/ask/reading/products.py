"""Products by the English words that most prompts have, whatever language they are asked about in. Pure."""

import re
from functools import cache, lru_cache
from pathlib import Path

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, load_file
from visibility.services.ask.reading.folding import folded, folded_pattern

_PLURAL = "(?:s|es|e|n|en|ern|er|nen|x)?"
MIN_COMPOUND = 7
"""Letters of a name that may end a German compound: "Gaming-" or "Funkkopfhörer"."""


@dataclass(frozen=True, slots=True, config=STRICT)
class Products:
    """What products.toml holds: names by the English words for them."""

    names: dict[str, tuple[str, ...]]


def english_words(word: str) -> tuple[str, ...]:
    """The English words for the product that a word names, in the singular; empty where it names none."""
    return _english(folded(word))


@lru_cache(maxsize=4096)
def _english(word: str) -> tuple[str, ...]:
    for whole, compound, english in _patterns():
        if whole.fullmatch(word) or (compound and compound.fullmatch(word)):
            return english
    return ()


@cache
def _patterns() -> list[tuple[re.Pattern[str], re.Pattern[str] | None, tuple[str, ...]]]:
    products = load_file(Path(__file__).with_name("products.toml"), Products)
    patterns = []
    for english, names in products.names.items():
        long = [folded_pattern(name) for name in names if len(name) >= MIN_COMPOUND]
        whole = re.compile(rf"(?:{'|'.join(map(folded_pattern, names))}){_PLURAL}")
        compound = re.compile(rf"\w+(?:{'|'.join(long)}){_PLURAL}") if long else None
        patterns.append((whole, compound, tuple(english.split())))
    return patterns
