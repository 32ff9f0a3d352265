"""Tells which names also mean something else, so that letters alone do not make a mention."""

import re
from dataclasses import dataclass
from typing import Literal

from visibility.detection.proper_names import PROPER_NAMES
from visibility.detection.words import parts_of_speech

Kind = Literal["word", "phrase", "proper", "letters", "quantity", "homonym"]

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_QUANTITY = re.compile(r"\d+[A-Za-z]{1,3}")
_SHORT = 3

_EATEN = (
    "\u5403 \u751c \u6c34\u679c \u679c\u6c41 \u6d3e \u6811 \u7ca5 \u7c73\u996d \u679c\u7269 \u679c\u5b9f "
    "\u30d1\u30a4 \u30b8\u30e5\u30fc\u30b9 \u30b8\u30e3\u30e0 \u30bf\u30eb\u30c8 \u30c6\u30a3\u30fc "
    "\uacfc\uc77c \uc8fc\uc2a4 \ud30c\uc774 \ub9db"
)
# Names in scripts without capitals that are also words, and what stands in the line where the word is meant.
HOMONYMS: dict[str, tuple[str, ...]] = dict.fromkeys(
    ("\u82f9\u679c", "\u860b\u679c", "\u5c0f\u7c73", "\u30a2\u30c3\u30d7\u30eb", "\u30aa\u30ec\u30f3\u30b8",
     "\uc560\ud50c", "\uc0ac\uacfc", "\uc624\ub80c\uc9c0"), tuple(_EATEN.split())
)  # fmt: skip
HOMONYMS |= {
    "\u30a2\u30de\u30be\u30f3": ("\u5ddd", "\u718d\u5e2f", "\u30b8\u30e3\u30f3\u30b0\u30eb"),
    "\u4e9a\u9a6c\u900a": ("\u6cb3", "\u96e8\u6797", "\u6d41\u57df"),
    "\uc544\ub9c8\uc874": ("\uac15", "\uc5f4\ub300", "\ubc00\ub9bc"),
}


@dataclass(frozen=True, slots=True)
class Flag:
    """Why a name needs care: the kind of its other meaning, and a sentence about it for people."""

    kind: Kind
    reason: str


def flag_ambiguous(name: str) -> Flag | None:
    """What a name means besides the subject; None where nothing is known.

    Plain words ("Notion"), names of people, places, days, stars and gods ("Mercury"), one to three letters ("X"),
    quantities ("3M"), phrases of plain words ("Best Buy"), and words of scripts without capitals ("\u5c0f\u7c73").
    """
    text = name.strip()
    words = [word.casefold() for word in _WORD.findall(text)]
    shown = f"\u201c{text}\u201d"
    if text in HOMONYMS:
        return Flag("homonym", f"{shown} is also a plain word; it counts where the words around it allow.")
    if _QUANTITY.fullmatch(text):
        return Flag("quantity", f"{shown} is also a quantity; only this spelling counts, away from measures.")
    if len(words) == 1 and _WORD.fullmatch(text):
        if words[0] in PROPER_NAMES:
            return Flag(
                "proper", f"{shown} is also a person, place, day or star; it counts where the talk is of brands."
            )
        if len(text) == 1 or parts_of_speech(words[0]):
            return Flag("word", f"{shown} is also a plain word; it counts where it is written and used as a name.")
    if len(text) <= _SHORT and text.isalpha() and text.isascii():
        return Flag("letters", f"{shown} is very short; only this spelling counts.")
    if len(words) > 1 and " ".join(words) == text.casefold() and all(map(parts_of_speech, words)):
        return Flag("phrase", f"{shown} is made of plain words; only this spelling counts.")
    return None
