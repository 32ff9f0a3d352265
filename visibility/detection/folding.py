"""Texts made comparable: one form of each letter (NFC), and names as they sound, however they are typed."""

import re
import unicodedata
from collections.abc import Sequence

_ACCENTED = (
    letter
    for first, end in ((0xC0, 0x250), (0x370, 0x400), (0x1E00, 0x2000))
    for letter in map(chr, range(first, end))
    if letter.isalpha()
)
_ALIKE = str.maketrans(
    {
        **{letter: unicodedata.normalize("NFD", letter)[0] for letter in _ACCENTED},
        **{chr(wide): chr(wide - 0xFEE0) for wide in range(0xFF10, 0xFF5B) if chr(wide).isalnum()},
        **dict.fromkeys("‐‑‒–−", "-"),
        **dict.fromkeys("‘’‛ʼ′´`", "'"),
        **dict.fromkeys("\u00a0\u2009\u202f\u3000\t", " "),
        **dict.fromkeys("“”„", '"'),
        **dict(zip("øØłŁđĐıёЁςΣ", "oOlLdDiеЕσσ", strict=True)),
    }
)
# What a reader never sees: soft hyphens, joiners and spaces of no width, marks of direction. Between Arabic letters
# one that keeps them apart parts words.
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff](?<![\u0600-\u06ff]\u200c)")
_DASHED = re.compile(r"(?<=\w)-(?=\w)")
# A letter with the marks that compose with it; Korean syllables may come as their single sounds.
_CLUSTER = re.compile(
    r"[\s\S][\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u093c\u1160-\u11ff\u3099\u309a]{0,30}"
)


def compose(raw: str) -> tuple[str, Sequence[int]]:
    """The text in NFC without marks of no width, and where each of its characters, and its end, stood in the raw
    text."""
    places: Sequence[int] = range(len(raw) + 1)
    if raw.isascii():
        return raw, places
    if unseen := {mark.start() for mark in _UNSEEN.finditer(raw)}:
        places = [place for place in places if place not in unseen]
        raw = _UNSEEN.sub("", raw)
    if unicodedata.is_normalized("NFC", raw):
        return raw, places
    composed: list[str] = []
    stood: list[int] = []
    for cluster in _CLUSTER.finditer(raw):
        letters = unicodedata.normalize("NFC", cluster[0])
        composed.append(letters)
        stood.extend([places[cluster.start()]] * len(letters))
    return "".join(composed), [*stood, places[-1]]


def unaccented(text: str) -> str:
    """Letters without accents, one kind of dash, quote and space; as long as `text`."""
    return text.translate(_ALIKE)


def fold(text: str) -> str:
    """The same in small letters without hyphens inside words; as long as `text`."""
    return _DASHED.sub(" ", unaccented(text).lower())
