"""Words of a language as opposed to names: a bundled list of plain English words with their parts of speech."""

import re
from functools import cache, lru_cache
from pathlib import Path


def word_set(words: str) -> frozenset[str]:
    """The words of a text that lists them with spaces between."""
    return frozenset(words.split())


FUNCTION = word_set(
    """
    a about above after against all along also although am among an and another any are around as at be because been
    before behind below besides between both but by can cannot could despite did do does during each either else every
    few for from had has have he her here his how however i if in instead into is it its just least less like many may
    me might more most much must my near neither no none nor not now of on once only onto or other our out over per
    rather several she should since so some such than that the their them then there these they this those through
    till to too toward under unless until up us via was we were what when where whether which while who whose why will
    with within without would yes yet you your
    """
)
"""Words of grammar, in lower case."""

# The list lacks what its sources took for names, short forms or grammar.
_MORE = word_set(
    """
    app apps blog children men women feet first second third two three four five six seven eight nine ten hundred
    thousand million billion dozen max mini plus pro next windows teams pages sheets threads times favorite theater
    online wifi wi fi tv tvs usb etc ai vpn pc web info numbers one docs mac zero vs versus
    what's it's that's here's you're
    don't
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december
    """
)
_IRREGULAR = word_set(
    """
    best better worst worse made built found kept bought chosen known left lost said seen sold told began begun broke
    broken brought caught done drawn driven fell felt flown forgot forgotten fought given gone got gotten grew grown
    heard held hidden laid led lent lit meant met paid ran rang read ridden risen rode rung sang sat sent shaken shone
    shook shot shown shut slept slid sought spent spoke spoken spun stole stolen stood struck stuck sung swam swept
    swore sworn swum taken taught thought threw thrown took torn tore understood went woke woken won wore worn wrote
    written
    """
)
# In small letters, too, these mean the brand far more often than the word.
_BRANDS = word_set("android google kleenex photoshop skype tesla xerox")
# An ending, what its base ends with instead, and what the word can be then.
_ENDINGS = (
    ("ies", "y", "nv"),
    ("es", "", "nv"),
    ("s", "", "nv"),
    ("ing", "", "nva"),
    ("ing", "e", "nva"),
    ("ed", "", "va"),
    ("ed", "e", "va"),
    ("er", "", "n"),
    ("er", "e", "n"),
    ("ers", "", "n"),
    ("ers", "e", "n"),
)
_PLURALS = ("ies", "es", "s")
_MIN_STEM = 3
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_MODEL = re.compile(r"\b(?=[^\W\d_]{0,40}\d)(?=\d{0,40}[^\W\d_])\w{2,40}")
_NUMBER = re.compile(r"(?<![$€£\d,.])\b(?!(?:19|20)\d\d\b)\d{2,40}\b")
OTHER_LETTER = re.compile(r"[^\W\d_A-Za-z\u00c0-\u024f]")
"""A letter that is not Latin."""
READ = 20_000
"""Characters of an answer that show how its words are written, and in which language."""
_OTHERS = 0.1
"""The part of the letters of an English text that is not Latin."""
_LONGEST = 120
"""Longer stretches are sentences, not names."""


@cache
def _words() -> dict[str, str]:
    lines = Path(__file__).with_name("words.txt").read_text(encoding="utf-8").splitlines()
    listed = dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))
    return dict.fromkeys(_IRREGULAR, "va") | dict.fromkeys(_MORE, "n") | listed


@lru_cache(maxsize=16_384)
def parts_of_speech(word: str) -> str:
    """What a word in lower case can be: n(oun), v(erb), a(djective), r (adverb), f(unction word).

    Empty where it is no plain word: then it is likely a name.
    """
    words = _words()
    if word in _BRANDS:
        return ""
    if word in FUNCTION:
        return "f" + words.get(word, "")
    if word in words:
        return words[word]
    for ending, base, kinds in _ENDINGS:
        stem = word[: -len(ending)] + base
        if word.endswith(ending) and len(stem) >= _MIN_STEM and stem in words:
            return "".join(kind for kind in kinds if ending not in _PLURALS or kind in words[stem])
    return ""


@lru_cache(maxsize=64)
def is_english(text: str) -> bool:
    """Whether nearly all of its letters are Latin and most of its words in small letters English, as far as READ."""
    words = words_in(text[:READ])
    if len(OTHER_LETTER.findall(text[:READ])) > _OTHERS * sum(map(len, words)):
        return False
    small = [word for word in words if word.islower() and len(word) > 1]
    return 2 * sum(bool(parts_of_speech(word)) for word in small) >= len(small)


def is_function_word(word: str) -> bool:
    """Whether a word in lower case is one of grammar, such as "for"."""
    return word in FUNCTION


def is_order(word: str) -> bool:
    """Whether a word is a verb that begins an order, "Consider", and can be nothing else."""
    low = word.lower()
    return "v" in parts_of_speech(low) and not {"n", "a"} & set(parts_of_speech(low)) and not low.endswith("s")


def words_in(text: str) -> list[str]:
    """The words of letters in a text, as they are written."""
    return _WORD.findall(text)


def is_plain(text: str) -> bool:
    """Whether all words are of the language and none is a model's ("X20", "500"), so that it may be no name."""
    return _is_plain(text) if len(text) <= _LONGEST else not _MODEL.search(text)


@lru_cache(maxsize=8_192)
def _is_plain(text: str) -> bool:
    if _MODEL.search(text) or _NUMBER.search(text):
        return False
    return all(parts_of_speech(word.lower().replace("’", "'")) for word in _WORD.findall(text))
