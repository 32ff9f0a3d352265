"""What a label or title in an answer is: above things to choose, above something else, or one point of a thing.

The words of each language stand in a data file beside: `offers` titles of things to choose, `introduces` what says so
beyond doubt, in a sentence too; `ends` titles of what is no such list (advice, shops, sources); `titles` those of
what says the same again; `attributes` the points that are told of each thing; `verbs` what is said of a name begins
with.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Languages, Patterns
from visibility.detection.text.words import parts_of_speech, word_set

_MAX_WORDS = 9
_MAX_KEPT = 60
"""Only what is said of short texts is kept: they come again."""
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_MODEL = re.compile(r"\b(?=[^\W\d_]*\d)(?=\d*[^\W\d_])\w{2,}")
_NUMBER = re.compile(r"(?<![$\\\u20ac\u00a3\d,.])\b(?!(?:19|20)\d\d\b)\d{2,}\b")
_MORE_WORDS = word_set("wifi wi fi tv tvs usb etc ai vpn pc online google's")


@dataclass(frozen=True, config=STRICT)
class _Words:
    offers: Patterns
    introduces: Patterns
    ends: Patterns
    titles: Patterns
    attributes: Patterns
    verbs: Patterns


_LANGUAGES = Languages(Path(__file__).parent / "entry_words", _Words)


def _any(select: Callable[[_Words], Patterns]) -> re.Pattern[str]:
    return re.compile(_LANGUAGES.any_of(select), re.IGNORECASE)


_OFFERS = _any(lambda words: words.offers)
_INTRODUCES = _any(lambda words: words.introduces)
_ENDS = _any(lambda words: words.ends)
_TITLES = _any(lambda words: words.titles)
_ATTRIBUTE = re.compile(rf"(?:{_LANGUAGES.any_of(lambda words: words.attributes)})", re.IGNORECASE)


VERB = re.compile(rf"\s(?:{_LANGUAGES.any_of(lambda words: words.verbs)})\s")
"""A verb: what stands before it is named, what stands behind is said of it."""


def is_attribute(label: str) -> bool:
    """Whether it is a point of one thing: "Price", "Best for"."""
    return _ATTRIBUTE.fullmatch(label) is not None


def is_offer(label: str) -> bool:
    """Whether things to choose may stand behind it: "Best overall", "For gaming"."""
    return _OFFERS.search(label) is not None


def introduces(label: str) -> bool:
    """Whether things to choose stand behind it beyond doubt: "Here are some top contenders"."""
    return _INTRODUCES.search(label) is not None


def is_end(label: str) -> bool:
    """Whether something else than things to choose stands behind it: "Factors to consider"."""
    if len(label.split()) > _MAX_WORDS:
        return False
    found = _ENDS.search(label)
    return found is not None and (found.start() == 0 or not introduces(label) or not is_offer(label))


def is_neutral_title(label: str) -> bool:
    """Whether it is the title of what says the same again: "Comparison table"."""
    return _TITLES.search(label) is not None


def is_plain(text: str) -> bool:
    """Whether all its words are of the language, and none is a model's: it is nobody's name for certain."""
    return _is_plain(text) if len(text) <= _MAX_KEPT else _is_plain.__wrapped__(text)


@lru_cache(maxsize=8_192)
def _is_plain(text: str) -> bool:
    if _MODEL.search(text) or (_NUMBER.search(text) and not is_offer(text)):
        return False
    return all(bool(parts_of_speech(word)) or word in _MORE_WORDS for word in map(str.lower, _WORD.findall(text)))
