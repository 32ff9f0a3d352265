"""What stands right beside a name and shows another bearer: a first name, "the town of", "is another matter"."""

import re

from visibility.detection.proper_names import GIVEN_NAMES

_PLACE_OF = re.compile(
    r"\b(?:town|city|village|county|department|d\u00e9partement|province|region|district|river|island|battle"
    r"|bay|gulf|state"
    r"|republic|kingdom|temple|planet|goddess|god)\ of\ \Z",
    re.IGNORECASE,
)
_APART = re.compile(
    r"[^.!?;\n\0]*?\b(?:another|a\ different)\ (?:matter|thing|story|question|subject)\b"
    r"|[^.!?;\n\0]*?\b(?:otra\ cosa|autre\ chose|altra\ cosa|etwas\ anderes|eine\ andere\ (?:Sache|Geschichte))\b",
    re.IGNORECASE,
)
_APART_UNSPACED = re.compile(
    r"[^.!?\n\0\u3002]*?(?:\u5225\u306e\u8a71|\u5225\u7269|\u95a2\u4fc2\u3042\u308a\u307e\u305b\u3093"
    r"|\u7121\u95a2\u4fc2"
    r"|\u53e6\u4e00\u56de\u4e8b|\u65e0\u5173|\ubcc4\uac1c|\uad00\uacc4(?:\uac00 )?\uc5c6)"
)
_APART_REACH = 80


def is_last_name(text: str, start: int) -> bool:
    """Whether a given name stands right before a name that means nothing else: it is a person's last name then."""
    if start < 2 or text[start - 1] != " ":
        return False
    before = text[max(0, start - 20) : start - 1].rpartition(" ")[2]
    return before[:1].isupper() and before.lower() in GIVEN_NAMES


def is_place(text: str, start: int) -> bool:
    """Whether "the town of" or the like stands right before."""
    return (
        text[max(0, start - 4) : start].endswith(" of ")
        and _PLACE_OF.search(text, max(0, start - 40), start) is not None
    )


def is_set_apart(text: str, end: int) -> bool:
    """Whether the rest of a sentence in an unspaced script says that this is about something else."""
    return not text[end : end + 1].isascii() and _APART_UNSPACED.match(text, end, end + _APART_REACH) is not None


def is_another_matter(rest: str) -> bool:
    """Whether the rest of a clause says that its subject is "another matter" than what the answer spoke of."""
    return _APART.match(rest) is not None
