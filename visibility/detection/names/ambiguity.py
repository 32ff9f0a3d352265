"""Tells which names also mean something else, so that letters alone do not make a mention."""

import re
from dataclasses import dataclass
from typing import Literal

from visibility.detection.names.homonyms import NOUNS, WORDS_WITHOUT_CAPITALS
from visibility.detection.names.proper_names import PROPER_NAMES
from visibility.detection.text.words import parts_of_speech

Kind = Literal["word", "phrase", "proper", "letters", "quantity", "homonym", "noun"]

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_QUANTITY = re.compile(r"\d+[A-Za-z]{1,3}")
_SIGNS = "!?*"
_SHORT = 3


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
    text = name.strip().rstrip(_SIGNS) or name.strip()
    words = [word.casefold() for word in _WORD.findall(text)]
    shown = f"\u201c{text}\u201d"
    if text in WORDS_WITHOUT_CAPITALS:
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
    if text in NOUNS:
        return Flag(
            "noun", f"{shown} is also a plain word of another language; there it counts where the talk is of brands."
        )
    if len(text) <= _SHORT and text.isalpha() and text.isascii():
        return Flag("letters", f"{shown} is very short; only this spelling counts.")
    if len(words) > 1 and " ".join(words) == text.casefold() and all(map(parts_of_speech, words)):
        return Flag("phrase", f"{shown} is made of plain words; only this spelling counts.")
    return None
