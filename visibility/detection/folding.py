"""Texts made comparable: one form of each letter (NFC), and names as they sound, however they are typed."""

import re
import unicodedata
from collections.abc import Sequence

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–−", "-"),
        **dict.fromkeys("‘’‛ʼ′´`", "'"),
        **dict.fromkeys("\u00a0\u2009\u202f\u3000\t", " "),
        **dict.fromkeys("“”„", '"'),
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "ı": "i",
    }
)
_DASHED = re.compile(r"(?<=\w)-(?=\w)")
# A letter with the marks that compose with it; Korean syllables may come as their single sounds.
_CLUSTER = re.compile(
    r"[\s\S][\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u093c\u1160-\u11ff\u3099\u309a]{0,30}"
)


def compose(raw: str) -> tuple[str, Sequence[int]]:
    """The text in NFC, and where each of its characters, and its end, stood in the raw text."""
    if unicodedata.is_normalized("NFC", raw):
        return raw, range(len(raw) + 1)
    composed: list[str] = []
    places: list[int] = []
    for cluster in _CLUSTER.finditer(raw):
        letters = unicodedata.normalize("NFC", cluster[0])
        composed.append(letters)
        places.extend([cluster.start()] * len(letters))
    return "".join(composed), [*places, len(raw)]


def fold(text: str) -> str:
    """Small letters without accents, one kind of dash, quote and space, no hyphen inside words; as long as `text`."""
    flat = text.translate(_ALIKE)
    small = flat.lower()
    if len(small) != len(flat):
        small = "".join(char.lower() if len(char.lower()) == 1 else char for char in flat)
    if not small.isascii():
        small = "".join(map(_unaccented, small))
    return _DASHED.sub(" ", small)


def _unaccented(char: str) -> str:
    """The Latin letter below an accent; other letters stay as they are."""
    if char < "\u00c0" or char > "\u024f":
        return char
    base = unicodedata.normalize("NFD", char)[0]
    return base if base.isascii() else char
