"""The ways in which a name is written: open or closed, with or without hyphens, accents and signs."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from visibility.detection.folding import fold
from visibility.detection.words import parts_of_speech

_HYPHEN = re.compile(r"(?<=\w)[-\u2010-\u2013](?=\w)")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PLAIN_TOKEN = re.compile(r"[A-Za-z]{4,24}")
_MARKS = re.compile(r"[!*\"]")
_DOT = re.compile(r"(?<=[A-Za-z])\.\s?(?=[A-Z])")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019](?=\w)")
_SHORTEST_PART = 3
_SPELT_OUT = str.maketrans(
    {"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00c4": "Ae", "\u00d6": "Oe", "\u00dc": "Ue",
     "\u00f8": "oe", "\u00d8": "Oe", "\u00e5": "aa", "\u00c5": "Aa"}
)  # fmt: skip

_BARRED = str.maketrans(
    {"\u00f8": "o", "\u00d8": "O", "\u0142": "l", "\u0141": "L", "\u0111": "d", "\u0110": "D", "\u00e6": "ae",
     "\u00c6": "Ae", "\u0153": "oe", "\u0152": "Oe", "\u0131": "i"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to write a name, and the same folded.

    `rule` says how it differs. `parts`, where there are any, are words that must stand in the text with these
    capitals, as only they tell the name from its words ("Sales Force").
    """

    written: str
    folded: str
    rule: str
    parts: tuple[str, ...] = ()


def variants(name: str) -> Iterator[Variant]:
    """The name as it is (rule "word"), then other ways to write it. Nothing for a name without characters."""
    text = " ".join(name.replace("\0", "\ufffd").split())
    own = _folded(text)
    if not own:
        return
    yield Variant(text, own, "word")
    seen = {own}
    for written, rule, parts in _rewritten(text):
        folded = _folded(written)
        if folded and folded not in seen:
            seen.add(folded)
            yield Variant(written, folded, rule, parts)


def _folded(text: str) -> str:
    return fold(text).text.strip()


def _rewritten(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for plain in (_unaccented(text), text.translate(_SPELT_OUT)):
        if plain != text:
            yield plain, "unaccented", _as_written(plain)
            yield from _respaced(plain)
    yield from _respaced(text)
    for parts in _opened(text):
        yield " ".join(parts), "open", parts
    if text.endswith("+"):
        spoken = f"{text[:-1].rstrip()} Plus"
        yield spoken, "plus", tuple(spoken.split())


def _respaced(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Without hyphens, spaces, apostrophes and stops; with "and" for "&" and the other way round."""
    for written in (_HYPHEN.sub("", text), _APOSTROPHE.sub("", text), _MARKS.sub("", text), _DOT.sub(" ", text)):
        yield written, "closed", _as_written(written)
    closed = _HYPHEN.sub("", text).replace(" ", "")
    if closed.isalnum():
        yield closed, "closed", _as_written(closed)
    for one, other in ((" & ", " and "), (" and ", " & "), (" & ", "&")):
        if one in text:
            yield text.replace(one, other), "and", ()
    if "&" in text and " " not in text:
        yield text.replace("&", " & "), "and", tuple(text.replace("&", " & ").split())


def _as_written(text: str) -> tuple[str, ...]:
    """The parts that must have their capitals, where the rewritten name is a plain word."""
    return tuple(text.split()) if parts_of_speech(text.casefold()) else ()


def _opened(text: str) -> Iterator[tuple[str, ...]]:
    """A closed compound as two or more words: at its inner capitals, else where two plain words meet."""
    if not _PLAIN_TOKEN.fullmatch(text):
        return
    joints = [match.start() for match in _CAMEL.finditer(text)]
    if joints:
        yield tuple(text[start:end] for start, end in pairwise([0, *joints, len(text)]))
        return
    for joint in range(_SHORTEST_PART, len(text) - _SHORTEST_PART + 1):
        first, second = text[:joint].lower(), text[joint:].lower()
        if parts_of_speech(first) or parts_of_speech(second):
            yield first.capitalize(), second.capitalize()


def _unaccented(text: str) -> str:
    """The name without accents, as people type it who lack them ("Nestle"). Other scripts stay as they are."""
    letters = (
        unicodedata.normalize("NFD", letter) for letter in unicodedata.normalize("NFC", text.translate(_BARRED))
    )
    return "".join(letter[0] if letter[0].isascii() else letter for letter in letters)
