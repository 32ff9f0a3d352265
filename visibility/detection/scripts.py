"""Where words begin and end, in scripts with and without spaces."""

import re
import unicodedata

# Scripts that are written without spaces, or (Korean) with particles joined to the word.
_UNSPACED = {
    "han": r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "hiragana": r"\u3041-\u309f",
    "katakana": r"\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff",
    "hangul": r"\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff",
    "southeast": r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff",
}
_SCRIPT = re.compile("|".join(f"(?P<{name}>[{ranges}])" for name, ranges in _UNSPACED.items()))

# A run of these is mostly one word, so that a name inside it starts where the run does: the name Line is not in
# the word for online, but Sony is at the start of the word for Sony store.
_STARTS_WITH_RUN = frozenset({"katakana", "hangul"})


def is_word_character(char: str) -> bool:
    """Whether a character is part of a word: a letter, an accent on one, or a digit (superscripts are not)."""
    if char.isascii():
        return char.isalnum()
    category = unicodedata.category(char)
    return category[0] in "LM" or category == "Nd"


def starts_word(before: str, first: str) -> bool:
    """Whether a word can start at `first` when `before` stands right before it."""
    if not is_word_character(before):
        return True
    script = _script(first)
    if script == _script(before):
        return bool(script) and script not in _STARTS_WITH_RUN
    return True


def ends_word(last: str, after: str) -> bool:
    """Whether a word can end at `last` when `after` stands right after it."""
    if not is_word_character(after) or not is_word_character(last):
        return True
    return bool(_script(last) or _script(after)) and unicodedata.category(after)[0] != "M"


def is_unspaced(char: str) -> bool:
    """Whether a character belongs to a script in which words are not parted by spaces."""
    return _script(char) is not None


def _script(char: str) -> str | None:
    found = _SCRIPT.match(char)
    return found.lastgroup if found else None
