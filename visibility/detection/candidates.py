"""Which answers may contain a name, by their raw text: no others need to be read again when the name changes."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache

from visibility.detection.folding import compose, fold
from visibility.detection.variants import variants

_LAST = 0x30000
"""No letter above this code point is written in two ways."""
# PostgreSQL's \w knows the letters of its locale only. These are all letters and digits, and some signs.
_LETTER = r"[^\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]"
_SIGN = r"[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]"
_WORD = re.compile(f"{_LETTER}+")
_BETWEEN_WORDS = rf"({_SIGN}|\]\([^\n]*\)|<[^>]*>)+"
# A name does not begin or end inside of a word, but for capitals ("EufyCam"), short endings and what an answer's copy
# glues to it: addresses, marks of citations.
_BEGINNINGS = (r"(^|[^a-zA-Z])", r"(^|[^A-Z])")
_END = r"($|[^a-z]|[a-z]{1,3}($|[^a-z])|https?:|www\.|(file)?cite|navlist|products?turn|turn[0-9]|contentReference)"
# Markup that vanishes between two letters, so that one word is two stretches of raw text: "**Acm**e",
# "[Acm](https://…)e", "<b>Acm</b>e", "&Aacute;cme", letters with their accents apart.
_UNSEEN = r"\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_MARKS = rf"[*_~`\\{_UNSEEN}]*"
_BROKEN_WORD = "|".join(
    (
        rf"{_LETTER}{_MARKS}(\*\*|__|~~|`|\\){_MARKS}{_LETTER}",
        rf"{_LETTER}{_MARKS}\[[^\n]*\]\(",
        rf"\]\([^\n]*\){_MARKS}({_LETTER}|<)",
        rf"{_LETTER}{_MARKS}<[a-zA-Z/!]",
        r"&(?!#x20;|nbsp;|amp;|quot;)#?[^\s;&]{2,31};",
        rf"{_LETTER}{_MARKS}[{_UNSEEN}]",
        rf"[\u0900-\u1fff]{_MARKS}[*_]{_MARKS}[\u0900-\u1fff]",  # marks of vowels end a word for Markdown
        r"<!--|[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u093c\u1160-\u11ff\u3099\u309a]",
    )
)


def holding(names: Iterable[str]) -> list[str]:
    """Regular expressions of PostgreSQL, one of which matches the raw text of every answer that mentions one of the
    names. Texts with markup inside of words match, too, and few others. Empty without names."""
    patterns = []
    for name in names:
        forms = {tuple(_WORD.findall(fold(form))) for form in variants(compose(name.strip())[0])}
        if not forms or () in forms:
            return [""]  # a name without letters: any text may contain it
        patterns.append("|".join(sorted(map(_pattern, forms))))
    return [*patterns, _BROKEN_WORD] if patterns else []


def _pattern(words: tuple[str, ...]) -> str:
    first, *others = (list(map(_written, word)) for word in words)
    rest = _BETWEEN_WORDS.join(["".join(first[1:]), *map("".join, others)])
    return f"{_beginning(words[0][0])}{rest}{_END}"


def _beginning(letter: str) -> str:
    """The first letter of a name with what may come before it."""
    characters = _alike().get(letter, letter)
    if not letter.isascii():
        return f"[{characters}]"
    small, large = _BEGINNINGS
    either = [f"{small}{letter}"]
    if letter.isalpha():
        either.append(f"{large}{letter.upper()}")
    if accented := "".join(character for character in characters if not character.isascii()):
        either.append(f"[{accented}]")
    return f"({'|'.join(either)})"


def _written(letter: str) -> str:
    """All characters that count as this one."""
    return f"[{_alike().get(letter, letter)}]"


@cache
def _alike() -> Mapping[str, str]:
    """By a letter in its folded form, itself and all characters that are folded to it."""
    written: dict[str, list[str]] = defaultdict(list)
    for character in map(chr, range(1, _LAST)):
        folded = fold(unicodedata.normalize("NFC", character))
        if folded.isalnum() and folded != character and len(folded) == 1:
            written[folded].append(character)
    return {letter: letter + "".join(characters) for letter, characters in written.items()}
