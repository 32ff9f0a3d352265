"""The words of labels: their stems, and the key that all ways of writing one criterion share."""

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from visibility.detection.words import parts_of_speech, word_set

MOST_WORDS = 5
ROOT = 5
"""Letters of a word that are compared where only its root matters."""
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SMALL = word_set("a an the your our its their of for to in on with and or")
_PLURALS = (("s", ""), ("es", ""), ("ies", "y"))
_MIN_PLURAL = 4


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def table(name: str) -> Any:
    """One entry of the file as it is written."""
    return _file()[name]


@cache
def words(name: str) -> frozenset[str]:
    """The words of one list of the file."""
    return word_set(_file()[name])


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A word in small letters without what an English plural or possessive adds."""
    folded = re.sub(r"['’]s?$", "", word.casefold())
    if not folded.endswith("s") or len(folded) < _MIN_PLURAL or folded.endswith("ss"):
        return folded
    bases = [folded.removesuffix(ending) + base for ending, base in _PLURALS if folded.endswith(ending)]
    singular = next((base for base in bases if parts_of_speech(base)), "")
    return singular or (folded if folded.endswith("us") or parts_of_speech(folded) else folded[:-1])


def stems(text: str) -> tuple[str, ...]:
    """The stems of all words of a text, in order."""
    return tuple(map(stem, WORD.findall(text)))


@cache
def spellings() -> dict[str, frozenset[tuple[str, ...]]]:
    """By the label of each listed criterion the ways of writing it, as stems."""
    listed: dict[str, str] = _file()["same"]
    return {label: frozenset(map(stems, (label, *written.split(";")))) for label, written in listed.items()}


@cache
def _labels() -> dict[tuple[str, ...], str]:
    return {written: label for label, several in spellings().items() for written in several}


def key_of(label: str) -> str:
    """What the ways of writing a criterion share: the label under which it is listed, else its stems without leading
    praise; empty where nothing else is left."""
    parts = stems(label)
    rest = [part for part in parts if part not in _SMALL]
    while rest and tuple(rest) not in _labels() and rest[0] in words("leading"):
        rest = rest[1:]
    return _labels().get(parts) or _labels().get(tuple(rest)) or " ".join(rest)


def is_listed(key: str) -> bool:
    """Whether it is the label of a listed criterion."""
    return key in spellings()


def without_praise(label: str) -> str:
    """A label as it is shown: without leading praise, capitals at its beginning and in short forms only."""
    shown = label.split()
    while len(shown) > 1 and stem(shown[0]) in words("leading") | _SMALL:
        shown = shown[1:]
    small = [word if sum(map(str.isupper, word)) > 1 else word.lower() for word in shown]
    return " ".join([small[0][:1].upper() + small[0][1:], *small[1:]])


def root(word: str) -> str:
    """The beginning of a word, to compare words coarsely; never shown."""
    begun = stem(word[:40])[:ROOT]
    return "guara" if begun == "warra" else begun


def roots(text: str) -> frozenset[str]:
    """The roots of the words of a text that carry what it says."""
    return frozenset(root(word) for word in WORD.findall(text) if is_telling(word))


def is_telling(word: str) -> bool:
    """Whether a word says what a sentence is about: no small one, no number."""
    return len(word) > 2 and not word[0].isdigit() and word.casefold() not in words("small")
