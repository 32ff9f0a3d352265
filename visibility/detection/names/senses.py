"""Whether a name that also means something else means its subject here.

A decision list (Yarowsky 1994): the first rule that knows an answer decides, and its name is kept. What stays open
follows the certain places of the same name, since a text seldom uses one word in two senses (Gale, Church and
Yarowsky 1992, "One sense per discourse").
"""

from collections.abc import Mapping
from dataclasses import replace

from visibility.detection.names.ambiguity import Kind
from visibility.detection.names.context import Context
from visibility.detection.names.homonyms import plain_meaning_beside
from visibility.detection.names.lists import ENGLISH
from visibility.detection.names.other_senses import other_sense
from visibility.detection.names.plain_words import (
    edition,
    first_of,
    lettered,
    longer_name,
    lower_case,
    maker,
    opening,
    product,
    quoted,
    styled,
    within,
)
from visibility.detection.names.proper_names import GIVEN_NAMES
from visibility.detection.names.trade import speaks_of_trade_unspaced
from visibility.detection.names.verdicts import ALONE, Evidence, Rule, Verdict
from visibility.detection.text.languages import is_foreign, is_german
from visibility.detection.text.words import parts_of_speech, word_set

_SAID = 6
_SIZED = word_set("battery batteries cell cells")


def judge(place: Context, kind: Kind, evidence: Evidence) -> Verdict:
    """Whether a name means its subject at this place, as far as the place itself tells."""
    if kind == "word" and (place.opens or place.in_title) and "f" in parts_of_speech(place.name.lower()):
        # A small word of grammar has its capital from the sentence, so that what is asked for tells nothing.
        evidence = replace(evidence, asks=evidence.makes or evidence.full)
    return first_of(_BY_KIND[kind], place, evidence) or Verdict(None, "open")


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
    is_code = not ENGLISH.code_nouns.isdisjoint({place.before.lower(), *said[:1], *told})
    return is_code and not place.gap_after.startswith(":")


def _owned(place: Context, evidence: Evidence) -> Verdict | None:
    if evidence.owned:
        return Verdict(True, "own_link")
    return Verdict(True, "owner") if evidence.owner else None


def _plural(place: Context, evidence: Evidence) -> Verdict | None:
    return Verdict(False, "plural") if place.plural and place.opens and not evidence.kin else None


def _person(place: Context, evidence: Evidence) -> Verdict | None:
    """A given name before a last name, which is no plain word."""
    if place.name.lower() not in GIVEN_NAMES or not place.precedes_capital or evidence.kin or evidence.makes:
        return None
    is_word = place.after.isalpha() and not place.after.isupper()  # "Wilson NCAA" is no person
    is_last = is_word and not place.later[:1].isdigit() and not parts_of_speech(place.after.lower())
    return Verdict(False, "person") if is_last else None


def _supported(place: Context, evidence: Evidence) -> Verdict | None:
    """A proper name of several bearers means the one that the question and the company around it are about."""
    return Verdict(True, "support") if evidence.supports_strongly else None


def _sized(place: Context, evidence: Evidence) -> Verdict | None:
    return Verdict(False, "size") if place.after.lower() in _SIZED else None


def _measured(place: Context, evidence: Evidence) -> Verdict | None:
    counted = place.before[-1:].isdigit() or place.gap_before.endswith(("$", "\u20ac", "\u00a3", "\u00a5"))
    return Verdict(False, "quantity") if counted or place.after.lower() in ENGLISH.measures else None


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
    return Verdict(False, "homonym") if any(word in place.line.text for word in shown_by) else Verdict(None, ALONE)


def _noun(place: Context, evidence: Evidence) -> Verdict | None:
    """A noun of another language: in that language a capital tells nothing in German, and little at the head of a
    sentence."""
    if not is_foreign(place.line.text):
        return longer_name(place, evidence) or Verdict(True, "name")
    if not (place.opens or is_german(place.line.text)):
        return Verdict(True, "capital")
    return Verdict(True, "support") if evidence.kin or evidence.trade else Verdict(None, ALONE)


_BY_KIND: Mapping[Kind, tuple[Rule, ...]] = {
    "word": (
        _plural,
        _owned,
        other_sense,
        quoted,
        edition,
        maker,
        longer_name,
        styled,
        lettered,
        lower_case,
        product,
        opening,
        within,
    ),
    "proper": (_owned, edition, longer_name, _person, other_sense, product, _supported),
    "letters": (_owned, _sized, _spelling),
    "phrase": (_owned, _spelling),
    "quantity": (_owned, _measured, _spelling),
    "homonym": (_owned, _homonym),
    "noun": (_owned, _noun),
}
