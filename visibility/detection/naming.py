"""The names at a place of an answer, recognised by their capitals alone."""

import re
from collections.abc import Sequence

from visibility.detection.titles import VERB
from visibility.detection.visible import Span
from visibility.detection.words import is_plain, parts_of_speech, word_set

_MAX_WORDS = 16
_SHORT_NAME = 4  # in small letters: "eero"
_END = re.compile(
    r"""\s[‒-—|•→-]{1,3}(?:\s|$) | \s{0,20}[:;!?(\[{（：™®\0\n] | \s?\\?\$ | \s[~≈]
      | (?<!\bMr)(?<!\bDr)(?<!\bSt)(?<!qt)\.(?:\s|$) | \s{2} | \xa0""",
    re.VERBOSE,
)
_JOINT = re.compile(r"\s/\s|,\s{1,4}(?:and\s|or\s)?|\s(?:and|or|und|oder|et|ou|y|o)\s|(?<=\w)/(?=\w)")
_APART = re.compile(r",\s|\s/\s")
_LINKING = word_set("of the de la le by with for in on to and or & + – - von der und et y i")
_ARTICLES = word_set("the a an our your my")
_NO_BEGINNING = word_set("avoid not never don't do if when how why what where who which here there these this")
_WORD = re.compile(r"[^\W_]+")
_NO_KEY = word_set("the a an by with for of and")


def end_of_names(shown: str, start: int, end: int, *, verbs: bool) -> int:
    """Where the names that begin here end: before a bracket, a dash or a price, and with `verbs` before a verb."""
    patterns = (_END, VERB) if verbs else (_END,)
    stops = (pattern.search(shown, start, end) for pattern in patterns)
    return min((stop.start() for stop in stops if stop), default=end)


def key_of(name: str) -> frozenset[str]:
    """The words of a name in small letters, without those that link them: the same for two ways of writing it."""
    return frozenset(map(str.lower, _WORD.findall(name))) - _NO_KEY


def is_name(words: Sequence[str]) -> bool:
    """Whether words may be a name: each has a capital or a digit, except for linking words and one more."""
    if not words or len(words) > _MAX_WORDS or not any(map(str.isalpha, "".join(words))):
        return False
    if words[0].lower().replace("’", "'") in _NO_BEGINNING:
        return False
    small = [word for word in words if not _has_capital(word) and word.lower() not in _LINKING]
    if any(map(is_plain, small)):
        # One small word: within a long name, or what the thing is: "Zentrova boots".
        is_kind = words[0].istitle() and small[0] == words[-1] and "n" in parts_of_speech(small[0])
        return len(small) == 1 and not is_plain(words[0]) and (len(words) > 3 or is_kind)
    return (len(small) <= 1 and len(words) > len(small)) or (len(words[0]) >= _SHORT_NAME and not is_plain(words[0]))


def _has_capital(word: str) -> bool:
    """Whether it has a capital, a digit, or letters of a script without capitals; signs alone do as well."""
    if word.islower() and word.isalpha() and word.isascii():
        return False
    letters = [char for char in word if char.isalpha()]
    return not letters or any(map(str.isdigit, word)) or not all(map(str.islower, letters))


def names_at(shown: str, start: int, end: int) -> tuple[Sequence[Span], bool]:
    """The names side by side at the beginning of this stretch, and whether there is nothing else in it.

    What follows a comma may be no name ("Vessi, the best"); "and" separates two names only where they are alike, as
    it is also a part of names.
    """
    parts: list[Span] = []
    done, by_word = start, False
    for joint in [*_JOINT.finditer(shown, start, end), None]:
        name = _name(shown, done, joint.start() if joint else end)
        if name is None or (by_word and not _is_another(shown[slice(*parts[-1])], shown[slice(*name)])):
            break
        parts.append(name)
        if joint is None:
            return parts, True
        done, by_word = joint.end(), "," not in joint[0] and "/" not in joint[0]
    whole = _name(shown, start, end)
    if whole and not _APART.search(shown, *whole):
        return [whole], True
    return (parts if parts and not is_plain(shown[slice(*parts[0])]) else []), False


def _is_another(one: str, other: str) -> bool:
    """Whether the words behind "and" are another name: no plain word first, and not much longer than the other."""
    words = other.split()
    return not is_plain(words[0]) and len(words) <= len(one.split()) + 1


def _name(shown: str, start: int, end: int) -> Span | None:
    words = list(re.finditer(r"\S+", shown[start:end]))
    while words and words[0][0].lower() in _ARTICLES:
        words.pop(0)
    if not is_name([word[0] for word in words]):
        return None
    return start + words[0].start(), start + words[-1].end()
