"""Questions and patterns in one spelling: lower case, without accents, with one kind of apostrophe. Pure."""

import re
import unicodedata
from functools import lru_cache

_APOSTROPHES = dict.fromkeys(map(ord, "‘’‛ʼ′´`"), "'")  # noqa: RUF001
_GERMAN = {"ä": "(?:a|ae)", "ö": "(?:o|oe)", "ü": "(?:u|ue)", "ß": "(?:ss)"}
_UNSEEN = re.compile(
    r"[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]"
)
_OTHER_USE = re.compile(r"[\x00-\x1f\x7f-\x9f\ue000-\uf8ff\ud800-\udfff]")


def cleaned(question: str) -> str:
    """The question composed, without invisible characters; control characters and those of private use, which stand
    for what was understood, are spaces."""
    return unicodedata.normalize("NFC", _OTHER_USE.sub(" ", _UNSEEN.sub("", question)))


def holds_signs(name: str) -> bool:
    """Whether a name has characters that a cleaned question cannot have."""
    return _OTHER_USE.search(name) is not None


@lru_cache(maxsize=256)
def folded(text: str) -> str:
    """The text in lower case without accents, its white space single spaces."""
    return " ".join(_bare(text.translate(_APOSTROPHES).casefold()).split(" "))


def folded_pattern(pattern: str) -> str:
    """The pattern as it is found in a folded text; German umlauts also as two letters."""
    return _bare("".join(_GERMAN.get(letter, letter) for letter in pattern))


def _bare(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
