"""Whether a name that also means something else means its subject here.

A decision list (Yarowsky 1994): the first rule that knows an answer decides, and its name is kept. What stays open
follows the certain places of the same name, since a text seldom uses one word in two senses (Gale, Church and
Yarowsky 1992, "One sense per discourse").
"""

from collections.abc import Sequence

from visibility.detection.names.ambiguity import Kind
from visibility.detection.names.context import Context
from visibility.detection.names.grammar import (
    CODE_NOUNS,
    MEASURES,
    PRODUCT_NOUNS,
    may_be_predicate,
)
from visibility.detection.names.homonyms import plain_meaning_beside, speaks_of_trade_unspaced
from visibility.detection.names.plain_words import (
    article,
    formula,
    lettered,
    edition,
    longer_name,
    lower_case,
    maker,
    number,
    opening,
    part_of,
    pressed,
    product,
    quoted,
    set_apart,
    styled,
    unit,
    within,
)
from visibility.detection.names.propers import award, calendar, people, person, place_name, sky, thing
from visibility.detection.names.verdicts import ALONE, Evidence, Rule, Verdict
from visibility.detection.text.languages import is_foreign, is_german
from visibility.detection.text.words import parts_of_speech

_SAID = 6
PHRASES = {
    "amazon": "river rainforest basin jungle forest delta deforestation",
    "apple": "pie pies cider juice tree trees orchard sauce crumble tart",
    "gap": "year years analysis",
    "mercury": "retrograde poisoning thermometer",
    "meta": "analysis description descriptions tag tags data",
    "orange": "juice peel",
    "brave": "new",
    "prime": "minister ministers rib ribs number numbers time",
    "square": "foot footage feet inch inches yard yards meter meters metre metres kilometer kilometers kilometre "
    "kilometres mile miles root roots",
    "united": "states kingdom nations arab states' kingdom's",
    "nothing": "beats beat compares compare else but wrong special fancy comes stops",
    "pandora": "box",
    "achilles": "heel tendon",
    "new": "york zealand jersey orleans year",
    "target": "audience group groups market markets date",
}
"""What stands behind a word in phrases in which it never is the company of that name."""


def in_phrase(place: Context) -> bool:
    """Whether a name stands in a fixed phrase of its other meaning."""
    following = PHRASES.get(place.name.lower(), "").split()
    return place.gap_after in (" ", "\u00a0", "-") and place.after.lower() in following


def judge(place: Context, kind: Kind | None, evidence: Evidence) -> Verdict:
    """Whether a name means its subject at this place, as far as the place itself tells."""
    if kind is None:
        return Verdict(True, "name")
    if kind == "word" and place.plural and place.opens and not evidence.kin:
        return Verdict(False, "plural")
    for rule in (*_ANY_KIND, *_BY_KIND[kind]):
        if verdict := rule(place, evidence):
            return verdict
    return Verdict(None, "open")


def small(place: Context, evidence: Evidence, *, in_code: bool) -> Verdict:
    """A word in small letters that stands alone: in a line or cell it takes company to be a name; in code a question
    for such things is enough, unless the talk is of variables, fields and the like."""
    if in_code and _is_called(place):
        return Verdict(False, "code")
    return Verdict(True if evidence.kin or (in_code and evidence.asks) else None, "small")


def _is_called(place: Context) -> bool:
    """Whether a word stands beside the name, or behind "is", that tells what it is in code ("the field `away`")."""
    said = place.clause.rpartition(place.name)[2].lower().split()[:_SAID]
    told = said if said[:1] in (["is"], ["are"], ["as"]) else []
    return not CODE_NOUNS.isdisjoint({place.before.lower(), *said[:1], *told}) and not place.gap_after.startswith(":")


def _owned(place: Context, evidence: Evidence) -> Verdict | None:
    if evidence.owned:
        return Verdict(True, "own_link")
    return Verdict(True, "owner") if evidence.owner else None


def _fixed_phrase(place: Context, evidence: Evidence) -> Verdict | None:
    return Verdict(False, "phrase") if in_phrase(place) else None


def _supported(place: Context, evidence: Evidence) -> Verdict | None:
    """A proper name of several bearers means the one that the question and the company around it are about."""
    return Verdict(True, "support") if evidence.supports_strongly else None


def _compound(place: Context, evidence: Evidence) -> Verdict | None:
    """A proper name at the head of a sentence before a plain noun ("Mercury levels"), away from trade."""
    after = place.after.lower()
    if not place.opens or not place.gap_after.isspace() or place.possessive or place.precedes_capital:
        return None
    if "n" not in parts_of_speech(after) or after in PRODUCT_NOUNS or may_be_predicate(after, place.later):
        return None
    return None if evidence.trade or evidence.kin else Verdict(False, "compound")


def _measured(place: Context, evidence: Evidence) -> Verdict | None:
    counted = place.before[-1:].isdigit() or place.gap_before.endswith(("$", "\u20ac", "\u00a3", "\u00a5"))
    if place.after.lower() in MEASURES or counted:
        return Verdict(False, "quantity")
    return Verdict(True, "spelling")


def _sized(place: Context, evidence: Evidence) -> Verdict | None:
    return Verdict(False, "size") if place.after.lower() in ("battery", "batteries", "cell", "cells") else None


def _spelling(place: Context, evidence: Evidence) -> Verdict | None:
    return Verdict(True, "spelling")


def _homonym(place: Context, evidence: Evidence) -> Verdict | None:
    """A word without capitals: beside what shows the plain word it is one; where the sentence speaks of trade, or
    names others, it is the name; else only if the answer has no surer place for it."""
    shown_by = plain_meaning_beside(place.name)
    if any(word in place.clause for word in shown_by):
        return Verdict(False, "homonym")
    if evidence.kin or speaks_of_trade_unspaced(place.clause):
        return Verdict(True, "homonym")
    if any(word in place.line.text for word in shown_by):
        return Verdict(False, "homonym")
    return Verdict(None, ALONE)


def _noun(place: Context, evidence: Evidence) -> Verdict | None:
    """A noun of another language: in that language a capital tells nothing in German, and little at the head of a
    sentence."""
    if not is_foreign(place.line.text):
        return longer_name(place, evidence) or Verdict(True, "name")
    if place.possessive and is_german(place.line.text):
        return Verdict(True, "possessive")  # German gives the apostrophe to names alone
    if not (place.opens or is_german(place.line.text)):
        return Verdict(True, "capital")
    return Verdict(True, "support") if evidence.kin or evidence.trade else Verdict(None, ALONE)


_ANY_KIND: Sequence[Rule] = (_owned, _fixed_phrase)
_BY_KIND: dict[Kind, Sequence[Rule]] = {
    "word": (
        set_apart,
        quoted,
        edition,
        maker,
        longer_name,
        styled,
        pressed,
        formula,
        lettered,
        unit,
        number,
        lower_case,
        part_of,
        article,
        product,
        opening,
        within,
    ),
    "proper": (
        set_apart,
        edition,
        maker,
        longer_name,
        lower_case,
        pressed,
        people,
        award,
        person,
        place_name,
        sky,
        calendar,
        thing,
        product,
        _compound,
        _supported,
    ),
    "letters": (_sized, _spelling),
    "phrase": (_spelling,),
    "quantity": (_measured,),
    "homonym": (_homonym,),
    "noun": (article, _noun),
}
