"""The quantities of a text: numbers in whatever way they are written, with what they measure or count."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from visibility.evidence.vocabulary import table
from visibility.evidence.vocabulary import words as listed

MONEY = frozenset(("dollar", "euro", "pound"))
MOST_COUNTED = 3
"""Words behind a number that may say what it counts ("7,000 local convenience shops")."""
NEAR = 6
"""Words on each side of a number that say what it is a number of."""
_QUANTITY = re.compile(
    r"(?<![\w.,/:#'’])(?<!-in-)(?P<money>[$€£]\s?)?"
    r"(?P<number>\d{1,3}(?:[.,'’\u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,6})?|\d{1,12}(?:[.,]\d{1,6})?)"
    r"(?![\w.,]{0,20}\d|[:/]\d|-in-\d|\.[^\W\d_])(?P<after>\s?\+?\s?(?:[%€£$]|-?[^\W\d_]{1,20})?)"
)
_YEAR = re.compile(r"(?:18|19|20)\d\d")
_CAPITAL_BEFORE = re.compile(r"(?<![.:!?*|] )\b[A-ZÀ-ÖØ-Þ][\w-]{0,30}\s\Z")
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_BOUND = re.compile(
    r"\b(?:over|more than|less than|up to|at least|at most|about|around|nearly|almost|roughly|approximately|some"
    r"|under|from|bis zu|über|jusqu'à|hasta)\s*\Z|[>~<≈≥≤]\s*\Z"
)
_ENDINGS = (
    "ingly",
    "ments",
    "ment",
    "ings",
    "ing",
    "edly",
    "ies",
    "ied",
    "ers",
    "er",
    "ed",
    "es",
    "en",
    "ly",
    *"seny",
)
_MIN_ROOT = 4
_SAME = {"warrant": "guarante", "warranti": "guarante", "warranty": "guarante"}


def root(word: str) -> str:
    """A word without its ending, coarsely: to tell that two are alike, never to show it."""
    word = word[:40].casefold()
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_ROOT:
            word = word.removesuffix(ending)
            break
    return _SAME.get(word, word)


def roots(text: str) -> frozenset[str]:
    """The roots of the words of a text that carry what it says."""
    return frozenset(root(word) for word in _TOKEN.findall(text) if is_telling(word))


def is_telling(word: str) -> bool:
    """Whether a word says what a sentence is about: no small one, no number."""
    return len(word) > 2 and not word[0].isdigit() and word.casefold() not in listed("small")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number at `start:end`. `values`: what it can mean (1.299 is 1299 and 1.299), thousands and millions
    multiplied out; `unit`: in one form for all spellings; `counted`: roots of the words behind; `near`: those of the
    words around it; `is_bound`: it is a bound or an estimate."""

    values: frozenset[Decimal]
    unit: str
    counted: frozenset[str]
    near: frozenset[str]
    is_bound: bool
    start: int
    end: int

    def is_of_same_kind(self, other: "Quantity") -> bool:
        """Whether both measure in the same unit, or count the same."""
        if self.unit or other.unit:
            return self.unit == other.unit
        return not self.counted.isdisjoint(other.counted)


def quantities(text: str) -> Iterator[Quantity]:
    """The quantities of a sentence; no years, times, dates, versions or numbers of names."""
    for match in _QUANTITY.finditer(text):
        after = match["after"].strip(" +-").casefold()
        scale = _scales().get(after, Decimal(1))
        words = _behind(text, match.end() if after in _scales() else match.end("number"))
        is_year = _YEAR.fullmatch(match["number"]) and not match["money"] and scale == 1
        if is_year or after in ("st", "nd", "rd", "th"):
            continue
        written = ((match["money"] or "").strip(), after, words[0] if words else "")
        unit = next((_units()[name] for name in written if name in _units()), "")
        if not unit and (not words or _is_of_name(text, match)):
            continue
        if values := frozenset(value * scale for value in _readings(match["number"])):
            behind = words[1:] if unit and words and words[0] in _units() else words
            counted = frozenset(map(root, filter(is_telling, behind)))
            yield Quantity(values, unit, counted, *_around(text, match, unit), match.start(), match.end())


def model_numbers(text: str) -> frozenset[str]:
    """The numbers, and words with digits, that belong to names ("Forerunner 265", "X20")."""
    numbers = {match["number"] for match in _QUANTITY.finditer(text) if _is_of_name(text, match)}
    mixed = {word for word in _TOKEN.findall(text) if re.search(r"\d", word) and word[0].isalpha()}
    return frozenset(map(str.casefold, numbers | mixed))


def _around(text: str, match: re.Match[str], unit: str) -> tuple[frozenset[str], bool]:
    before = text[max(0, match.start() - 120) : match.start()]
    behind = text[match.end() if unit else match.end("number") : match.end() + 120]
    near = [word for word in _TOKEN.findall(before) if is_telling(word)][-NEAR:]
    near += [word for word in _TOKEN.findall(behind) if is_telling(word)][:NEAR]
    is_bound = _BOUND.search(before.casefold()) is not None or "+" in match["after"]
    return frozenset(map(root, near)), is_bound


def _is_of_name(text: str, match: re.Match[str]) -> bool:
    """Whether a number stands beside a word with a capital, as in the names of models."""
    if match["money"] or match["after"].strip(" +-").casefold() in _units():
        return False
    before = _CAPITAL_BEFORE.search(text, max(0, match.start() - 40), match.start())
    return match["after"].strip(" +-")[:1].isupper() or (before is not None and before.start() > 0)


def _behind(text: str, start: int) -> list[str]:
    """The words right behind a number, in small letters, up to the next sign."""
    words = []
    behind = text[start : start + 80].lstrip(". +-")
    for word in re.split(r"[^\w\s'’-]", behind, maxsplit=1)[0].split()[:MOST_COUNTED]:
        plain = word.strip("-'’").split("'")[-1].casefold()
        if not _WORD.fullmatch(plain):
            break
        words.append(plain)
    return words


def _readings(written: str) -> list[Decimal]:
    """The values that a written number can have."""
    digits = re.sub(r"['’\u00a0\u202f]", "", written)
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return [Decimal(digits)]
    whole, rest = re.sub(r"[.,]", "", digits[:last]), digits[last + 1 :]
    if len(rest) != 3:
        return [Decimal(f"{whole}.{rest}")]
    grouped = Decimal(whole + rest)
    return [grouped] if digits.count(digits[last]) > 1 else [grouped, Decimal(f"{whole}.{rest}")]


@cache
def _units() -> dict[str, str]:
    return {written: unit for unit, several in table("units").items() for written in several.split()}


@cache
def _scales() -> dict[str, Decimal]:
    return {written: Decimal(scale) for scale, several in table("scales").items() for written in several.split()}
