"""The ways in which a name is written: open or closed, with or without hyphens, accents and signs."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from visibility.detection.text.folding import fold
from visibility.detection.text.words import parts_of_speech

_HYPHEN = re.compile(r"(?<=\w)[-\u2010-\u2013](?=\w)")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Z])")
_PLAIN_TOKEN = re.compile(r"(?=\d?[A-Za-z0-9]{3})[A-Za-z0-9]*[A-Za-z]{2}[A-Za-z0-9]*(?:['\u2019]s)?")
_LETTERS = re.compile(r"[A-Za-z]{4,24}")
_WORDS_OF = re.compile(r"[\s\u2010-\u2013-]+")
_MARKS = re.compile(r"[!*\"]")
_DOT = re.compile(r"(?<=[A-Za-z])\.\s?(?=[A-Z])")
_INITIAL = re.compile(r"\b([A-Z])\s(?=[A-Z])")
_LETTERED = re.compile(r"(?:[A-Za-z]\.){2,6}")
_OWNER = re.compile(r"([A-Z][a-z]{2,})s\Z")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019](?=\w)")
_AND = re.compile(r"\s*[&+]\s*(?=\w)|\s+and\s+")
_SHORTENED = re.compile(r"\b(Dr|St|Mr|Mrs|Ms)\.?\s(?=\w)")
_OF_MANY = re.compile(r"(?<=[a-z])([A-Z][a-z]+[^\Ws])s\Z")
_MIN_PART_LENGTH = 3
_MOST = 60
_SHORT_NAME = 6
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
            yield plain, "unaccented", tuple(_WORDS_OF.split(plain))
            yield from _respaced(plain)
    yield from _respaced(text)
    for parts in _opened(text):
        yield " ".join(parts), "open", parts if all(map(_is_plain, parts)) else ()
        if len(parts[0]) == 1:
            yield f"{parts[0]}.{' '.join(parts[1:])}", "open", ()
    if (many := _OF_MANY.search(text)) and "n" in parts_of_speech(many[1].lower()):
        yield text[:-1], "singular", (text[:-1],)
    if text.isupper() and text.isalpha() and text.isascii() and 1 < len(text) < _SHORT_NAME:
        yield "".join(f"{letter}." for letter in text), "stops", ()
    elif _LETTERED.fullmatch(text):
        yield text.replace(".", "").upper(), "stops", (text.replace(".", "").upper(),)
    if (owner := _OWNER.fullmatch(text)) and not parts_of_speech(owner[1].lower()):
        yield f"{owner[1]}'s", "apostrophe", (f"{owner[1]}'s",)
    if text.endswith("+"):
        spoken = f"{text[:-1].rstrip()} Plus"
        yield spoken, "plus", tuple(spoken.split())


def _respaced(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Without hyphens, spaces, apostrophes and stops; with "and" for "&" and the other way round; and all of these
    together ("Ben and Jerrys")."""
    forms = {text: ""}
    for rule, rewrite in _SIGNS:
        for form in list(forms)[:_MOST]:
            for other in rewrite(form):
                forms.setdefault(other, rule)
    for form, rule in list(forms.items()):
        if form != text:
            yield form, rule, _as_written(form) if rule == "closed" else _with_capitals(form, text)
    for form in forms:
        yield from _closed(form)


def _without(pattern: re.Pattern[str], *others: str) -> Callable[[str], list[str]]:
    return lambda form: [pattern.sub(other, form) for other in others]


_SIGNS: tuple[tuple[str, Callable[[str], list[str]]], ...] = (
    ("closed", _without(_MARKS, "")),
    ("closed", _without(_DOT, " ", ".", ". ", "")),
    ("closed", _without(_INITIAL, r"\1.", r"\1. ")),
    ("closed", _without(_SHORTENED, r"\1. ", r"\1 ", r"\1")),
    ("closed", _without(_APOSTROPHE, "")),
    ("and", _without(_AND, " and ", " & ", "&", " + ", "+")),
    ("closed", _without(_HYPHEN, "")),
)


def _closed(text: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """All spaces closed, and where there are several each of them ("Bath & Bodyworks")."""
    words = text.split(" ")
    joined = "".join(words)
    if joined.isalnum():
        yield joined, "closed", _as_written(joined)
    if len(words) > 2:
        for place, (one, other) in enumerate(pairwise(words)):
            if one.isalnum() and other.isalnum() and min(len(one), len(other)) >= _MIN_PART_LENGTH:
                yield " ".join([*words[:place], one + other.lower(), *words[place + 2 :]]), "closed", ()


def _with_capitals(form: str, text: str) -> tuple[str, ...]:
    """The words of a short name with a spelt-out "and", which would be plain words without their capitals."""
    return tuple(form.split()) if " " not in text else ()


def _as_written(text: str) -> tuple[str, ...]:
    """The parts that must have their capitals, where the rewritten name is a plain word."""
    return tuple(text.split()) if _is_plain(text) else ()


def _is_plain(text: str) -> bool:
    return text.isdigit() or len(text) == 1 or bool(parts_of_speech(text.casefold()))


def _opened(text: str) -> Iterator[tuple[str, ...]]:
    """A closed compound as two or more words: at its inner capitals and numbers, else where two plain words meet, or
    behind its first letter ("K-Mart")."""
    if not _PLAIN_TOKEN.fullmatch(text):
        return
    joints = [match.start() for match in _CAMEL.finditer(text)]
    if joints:
        for cuts in [joints, *([joint] for joint in joints if len(joints) > 1)]:
            yield tuple(text[start:end] for start, end in pairwise([0, *cuts, len(text)]))
        return
    if not _LETTERS.fullmatch(text):
        return
    for joint in range(_MIN_PART_LENGTH, len(text) - _MIN_PART_LENGTH + 1):
        first, second = text[:joint].lower(), text[joint:].lower()
        if parts_of_speech(first) or parts_of_speech(second):
            yield first.capitalize(), second.capitalize()
    if not (text[0] in "AaIi" and _is_plain(text[1:])):
        yield text[0], text[1:].capitalize()


def _unaccented(text: str) -> str:
    """The name without accents, as people type it who lack them ("Nestle"). Other scripts stay as they are."""
    letters = (
        unicodedata.normalize("NFD", letter) for letter in unicodedata.normalize("NFC", text.translate(_BARRED))
    )
    return "".join(letter[0] if letter[0].isascii() else letter for letter in letters)
