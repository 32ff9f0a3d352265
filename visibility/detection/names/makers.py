"""The makers that an answer's own structure shows: first words of several of its entries and product cards.

A maker may be tracked or not, and may be called by a plain word ("Instant Vortex Plus", "Instant Omni"). A name that
means other things behind a maker's is a model or a line of it.
"""

import re
from collections import Counter

from visibility.detection.text.words import parts_of_speech

_ENTRY = re.compile(
    r"(?:(?<=[\n\0\u00a0.!?:)\d])|(?<=[\n\0.:]\s)|\A)(?P<first>[A-Z][\w'\u2019&+-]*)"
    r"(?:[ ][A-Z\d][\w'\u2019&+.-]*){1,8}"
    r"(?P<end>\s?[:(\u2013\u2014]|\$|\s-\s|[\n\0])"
)
_ENOUGH = 2


def makers_in(shown: str) -> frozenset[str]:
    """The words that head at least two different entries of a visible text, as they are written there."""
    heads: Counter[str] = Counter()
    priced = set()
    for entry in _ENTRY.finditer(shown):
        heads[entry["first"]] += 1
        if entry["end"] == "$":
            priced.add(entry["first"])
    often = {word for word, count in heads.items() if count >= _ENOUGH}
    return frozenset(priced | {word for word in often if not set(parts_of_speech(word.lower())) & set("farv")})
