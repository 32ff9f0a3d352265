"""Rules for names that people, places, stars and days bear as well, whose capital tells nothing."""

import re

from visibility.detection.names.context import Context
from visibility.detection.names.grammar import (
    ARTICLES,
    LANDSCAPE,
    PERSON_AFTER,
    PERSON_BEFORE,
    PLACE_BEFORE,
    PRODUCT_NOUNS,
    SKY,
    TIME_AFTER,
    TIME_BEFORE,
    may_be_predicate,
)
from visibility.detection.names.proper_names import (
    AWARDS,
    CALENDAR,
    GIVEN_NAMES,
    HEAVENS_AND_MYTHS,
    LANDS,
    PEOPLES,
    PLACES,
)
from visibility.detection.names.verdicts import Evidence, Verdict
from visibility.detection.text.words import parts_of_speech, word_set

_WORD = re.compile(r"[a-z]+")
_IT = re.compile(r",?\s(?:(?:because|since|as|and|but|though|so)\s)?(?:it|its|which)\s")
_SPEAKER = re.compile(
    r"\s(?:from|at|in|next)\s(?:[\w-]+\s){1,4}?(?:said|says|told|tells|thinks|thought|swears|agrees|agreed|asked"
    r"|joked|wrote)\b"
)
_GIVEN = re.compile(
    r"\b(?:send|sends|sent|sell|sells|sold|pay|pays|paid|switch\w*|belongs?|return\w*|upload\w*|transfer\w*|link\w*"
    r"|connect\w*"
    r"|report\w*|appl(?:y|ies)|subscrib\w*)\b[^.;:]{0,40}\bto\s\Z"
)
_AWARDED = word_set("award awards ceremony nomination nominations nominee nominees speech winner winners winning")
_BEING = word_set("am are be been being is not very was were")


def person(place: Context, evidence: Evidence) -> Verdict | None:
    """A given name with a last name, a title, or another given name beside it is a person's."""
    if place.name.lower() not in GIVEN_NAMES:
        return None
    after, later = place.after.lower(), place.later.lower()
    if (
        place.precedes_capital
        and place.after.isalpha()
        and not place.later[:1].isdigit()
        and not parts_of_speech(after)
        and not evidence.kin
    ):
        return Verdict(False, "person")
    if not evidence.owned and _SPEAKER.match(place.clause.rpartition(place.name)[2]):
        return Verdict(False, "person")
    beside = {place.before.lower()} if place.gap_before.strip() == "," else set()
    if after in ("and", "or"):
        beside.add(later)
    if beside & GIVEN_NAMES and not evidence.kin:
        return Verdict(False, "person")
    if (place.before.lower() in PERSON_BEFORE or after in PERSON_AFTER) and not evidence.kin:
        return Verdict(False, "person")
    return None


def thing(place: Context, evidence: Evidence) -> Verdict | None:
    """What the rest of the clause calls "it" ("with Dawn, because it cuts grease") is no person."""
    name = place.name.lower()
    if name not in GIVEN_NAMES or name in PLACES | HEAVENS_AND_MYTHS or name in CALENDAR or place.opens:
        return None
    rest = place.clause.rpartition(place.name)[2]
    return Verdict(True, "thing") if _IT.match(rest) else None


def people(place: Context, evidence: Evidence) -> Verdict | None:
    """A word for a people before a noun or another name, behind an article or a form of "to be" is no company."""
    if place.name.lower() not in PEOPLES or place.possessive:
        return None
    before, after = place.before.lower(), place.after.lower()
    kinds = parts_of_speech(after)
    qualifies = place.gap_after.isspace() and not may_be_predicate(after, place.later)
    if place.precedes_capital or (qualifies and set(kinds) & set("na") and not set(kinds) & set("fr")):
        return Verdict(False, "people")
    return Verdict(False, "people") if before in ARTICLES | _BEING else None


def award(place: Context, evidence: Evidence) -> Verdict | None:
    """A prize is won ("an Oscar"), or has winners."""
    if place.name.lower() not in AWARDS:
        return None
    won = place.before.lower() in ARTICLES and not place.precedes_capital and place.before.lower() != "the"
    return Verdict(False, "award") if won or place.after.lower() in _AWARDED else None


def place_name(place: Context, evidence: Evidence) -> Verdict | None:
    if place.name.lower() not in PLACES:
        return None
    before, after = place.before.lower(), place.after.lower()
    if after in LANDSCAPE and place.gap_after.isspace():
        return Verdict(False, "place")
    if after in LANDS and place.gap_after == ", ":
        return Verdict(False, "place")  # "Phoenix, Arizona"
    if before == "the" and not place.opens:
        return (
            Verdict(True, "product") if after in PRODUCT_NOUNS or place.precedes_capital else Verdict(False, "place")
        )
    if before == "to" and _GIVEN.search(place.clause.rpartition(place.name)[0]):
        return Verdict(True, "recipient")  # "send the file to Amazon"
    if before in PLACE_BEFORE and not evidence.kin and not place.precedes_capital:
        return Verdict(False, "place")
    return None


def sky(place: Context, evidence: Evidence) -> Verdict | None:
    if place.name.lower() in HEAVENS_AND_MYTHS:
        words = set(_WORD.findall(f"{place.clause} {evidence.question}".lower())) - {place.name.lower()}
        if words & SKY:
            return Verdict(False, "sky")
    return None


def calendar(place: Context, evidence: Evidence) -> Verdict | None:
    if place.name.lower() not in CALENDAR:
        return None
    dated = place.after[:1].isdigit() and place.gap_after in (" ", "\u00a0")
    if place.after.lower() in TIME_AFTER or dated:
        return Verdict(False, "time")
    before, after, later = place.before.lower(), place.after.lower(), place.later.lower()
    if before in ARTICLES and after not in PRODUCT_NOUNS and not place.precedes_capital:
        return Verdict(False, "time")
    if (
        before in CALENDAR
        or after in CALENDAR
        or (after in ("to", "through", "and", "or", "until") and later in CALENDAR)
    ):
        return Verdict(False, "time")
    if before in TIME_BEFORE and not evidence.kin:
        return Verdict(False, "time")
    qualifies = place.opens and place.gap_after.isspace() and not place.possessive and not place.precedes_capital
    if qualifies and "n" in parts_of_speech(after) and after not in PRODUCT_NOUNS:
        # "Monday prices differ"
        return None if evidence.supports or may_be_predicate(after, later) else Verdict(False, "time")
    return None
