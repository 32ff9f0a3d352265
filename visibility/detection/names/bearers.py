"""What stands right beside a name and shows that a person bears it: a first name, a title, a relative."""

import re

from visibility.detection.names.lists import BEARERS
from visibility.detection.names.proper_names import GIVEN_NAMES

_FAMILY = re.compile(
    rf"['\u2019]s?\s(?:\w+\s)?(?:{'|'.join(sorted(BEARERS.family))})\b|\s(?:himself|herself)\b"
    r"|,\s(?:the|a|an|our|my|his|her|their)\s(?:[\w-]+\s){0,2}(?:man|woman|boy|girl|guy|neighbou?r)\s(?:who|from|in|next)\b"
)
_APPOSED = re.compile(
    r",?\s(?:the|a|an|our|der|die|le|la|el|il|de)\s(?:[\w-]+\s){0,2}?(?P<title>\w+)"
    r"(?=[,.;:!?)]|\Z|\s(?:who|whose|whom|was|is|of|from|and|in|wrote|composed|painted|lived|died)\b)"
)
_REACH = 24


def is_person(text: str, start: int, end: int) -> bool:
    """Whether a title or a relative stands right before the name, or a member of the family or what the person is by
    trade ("Stanley, the inventor") right behind it."""
    before = text[max(0, start - _REACH) : start - 1].rpartition(" ")[2].strip(".,;:(\"'*") if start > 1 else ""
    if text[start - 1 : start] == " " and before:
        titled = before.lower() in BEARERS.titles or (before.lower() in BEARERS.small_titles and before.islower())
        if titled or before in BEARERS.relatives:
            return True
    if text[end : end + 1] not in (",", " ", "'", "\u2019"):
        return False
    owner = end - 2 if text[end - 2 : end] in ("'s", "\u2019s") else end  # "Wendy's brother", of the name Wendy's
    if _FAMILY.match(text, owner):
        return True
    apposed = _APPOSED.match(text, end)
    return apposed is not None and apposed["title"].lower() in BEARERS.titles


def is_last_name(text: str, start: int) -> bool:
    """Whether a given name stands right before a name that means nothing else: it is a person's last name then."""
    before = text[max(0, start - _REACH) : max(0, start - 1)].rpartition(" ")[2]
    return text[start - 1 : start] == " " and before[:1].isupper() and before.lower() in GIVEN_NAMES
