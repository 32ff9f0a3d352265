"""Whether a name that also means something else means its subject here.

A decision list (Yarowsky 1994): the first rule that knows an answer decides, and its name is kept. What stays open
follows the certain places of the same name, since a text seldom uses one word in two senses (Gale, Church and
Yarowsky 1992, "One sense per discourse").
"""

import re
from collections.abc import Sequence

from visibility.detection.ambiguity import HOMONYMS, Kind
from visibility.detection.context import Context
from visibility.detection.grammar import (
    DETERMINERS,
    FOREIGN_FUNCTION_WORDS,
    IMPERATIVES,
    LANDSCAPE,
    MEASURES,
    PRESSING,
    UNCOUNTED,
    may_be_predicate,
)
from visibility.detection.proper_names import GIVEN_NAMES
from visibility.detection.propers import calendar, person, place_name, sky
from visibility.detection.verdicts import Evidence, Rule, Verdict
from visibility.detection.words import parts_of_speech

_GERMAN = re.compile(r"\b(?:der|die|das|und|ist|nicht|ein|eine|einen|f\u00fcr|mit|auch|bei|zum|zur)\b")
_QUOTES = ('"', "'", "\u201c", "\u201d", "\u2018", "\u2019", "\u00ab", "\u00bb", "\u201e")
_SIGNS = ("=", "+", "*", "/", "^", "<", ">")

# Phrases in which a word never is the company of that name; the next or last word of the phrase by the word.
_PHRASES = {
    "amazon": "river rainforest basin jungle forest delta deforestation",
    "apple": "pie pies cider juice tree trees orchard sauce crumble tart",
    "gap": "year years analysis",
    "mercury": "retrograde poisoning thermometer",
    "meta": "analysis description descriptions tag tags data",
    "orange": "juice peel",
    "brave": "new",
    "prime": "minister ministers rib ribs number numbers time",
    "square": "foot feet meter meters metre metres mile miles root roots",
    "target": "audience group groups market markets date",
}


def judge(place: Context, kind: Kind | None, evidence: Evidence) -> Verdict:
    """Whether a name means its subject at this place, as far as the place itself tells."""
    if kind is None:
        return Verdict(True, "name")
    if kind == "word" and place.plural and place.opens:
        return Verdict(False, "plural")
    for rule in (*_ANY_KIND, *_BY_KIND[kind]):
        if verdict := rule(place, evidence):
            return verdict
    return Verdict(None, "open")


def is_last_name(text: str, start: int) -> bool:
    """Whether a given name stands right before a name that means nothing else: it is a person's last name then."""
    if start < 2 or text[start - 1] != " ":
        return False
    before = text[max(0, start - 20) : start - 1].rpartition(" ")[2]
    return before[:1].isupper() and before.lower() in GIVEN_NAMES


def _owned(place: Context, evidence: Evidence) -> Verdict | None:
    if evidence.owned:
        return Verdict(True, "own_link")
    return Verdict(True, "owner") if evidence.owner else None


def _fixed_phrase(place: Context, evidence: Evidence) -> Verdict | None:
    following = _PHRASES.get(place.name.lower(), "").split()
    if place.gap_after in (" ", "\u00a0", "-") and place.after.lower() in following and not place.possessive:
        return Verdict(False, "phrase")
    return None


def _longer_name(place: Context, evidence: Evidence) -> Verdict | None:
    """A capitalised word right before makes both one name ("Trafalgar Square"), unless it begins the sentence."""
    if not place.follows_capital or place.before == "I":
        return None
    word = place.before.lower()
    if place.begins:
        kinds = parts_of_speech(word)
        if (
            word in IMPERATIVES
            or word in FOREIGN_FUNCTION_WORDS
            or set(kinds) & set("far")
            or ("v" in kinds and "n" not in kinds)
        ):
            return None
        return Verdict(False, "longer_name")
    return None if place.in_title else Verdict(False, "longer_name")


def _pressed(place: Context, evidence: Evidence) -> Verdict | None:
    """What is clicked or pressed is a button."""
    if place.before.lower() in PRESSING and not evidence.supports:
        return Verdict(False, "button")
    return None


def _formula(place: Context, evidence: Evidence) -> Verdict | None:
    if len(place.name) == 1 and (
        place.gap_after.strip().startswith(_SIGNS) or place.gap_before.strip().endswith(_SIGNS)
    ):
        return Verdict(False, "formula")
    return None


def _lower_case(place: Context, evidence: Evidence) -> Verdict | None:
    """A plain word that is written small, as its owner writes it, needs company."""
    if place.name[:1].islower():
        return Verdict(True, "kin") if evidence.kin else Verdict(None, "lower_case")
    return None


def _product(place: Context, evidence: Evidence) -> Verdict | None:
    """A capitalised word or a number behind it makes it the name of a product ("Tile Pro", "Omega Speedmaster")."""
    if not place.precedes_capital:
        return None
    after = place.after.lower()
    if after in LANDSCAPE and not evidence.kin:
        return Verdict(False, "place")
    if _may_order(place) and after.isalpha() and not parts_of_speech(after):
        return Verdict(True, "kin") if evidence.kin else Verdict(None, "imperative")
    if evidence.supports:
        return Verdict(True, "product")
    certain = not (place.opens or place.in_title or place.after[0].isdigit())
    return Verdict(certain or None, "product")


def _may_order(place: Context) -> bool:
    """Whether the name opens a line of prose, or an item without digits, as a verb in the imperative does."""
    if not place.opens or "v" not in parts_of_speech(place.name.lower()) or place.name.endswith("s"):
        return False
    return place.line.place.kind == "text" or not any(char.isdigit() for char in place.line.text)


def _part_of(place: Context, evidence: Evidence) -> Verdict | None:
    """ "Notion of order", "the Oracle of Delphi": a plain noun; "the Uber of dog walking" is none."""
    if place.after.lower() == "of" and place.gap_after.isspace() and (place.opens or place.later[:1].isupper()):
        return Verdict(False, "part_of")
    return None


def _supported(place: Context, evidence: Evidence) -> Verdict | None:
    """A proper name of several bearers means the one that the question and the company around it are about."""
    return Verdict(True, "support") if evidence.supports else None


def _opening(place: Context, evidence: Evidence) -> Verdict | None:
    """At the head of a sentence, where every word has a capital, grammar and company decide."""
    if not place.opens:
        return None
    after, kinds = place.after.lower(), parts_of_speech(place.name.lower())
    open_unless_supported = Verdict(True if evidence.supports else None, "subject")
    if place.closes or place.possessive:
        return open_unless_supported
    if after in ("and", "or", "vs", "versus", "&"):
        return open_unless_supported if place.later[:1].isupper() else Verdict(False, "plain_pair")
    if after in DETERMINERS:
        return Verdict(False, "imperative")
    if may_be_predicate(after, place.later):
        # A noun of things that are counted cannot be a subject without an article: it is a name.
        counted = "n" in kinds and "a" not in kinds and place.name.lower() not in UNCOUNTED and parts_of_speech(after)
        return Verdict(True, "subject") if counted and not evidence.common else open_unless_supported
    if "f" in parts_of_speech(after):
        return Verdict(False, "imperative") if "v" in kinds else open_unless_supported
    if set(parts_of_speech(after)) == {"r"}:
        return open_unless_supported
    return Verdict(None, "compound")


def _within(place: Context, evidence: Evidence) -> Verdict | None:
    """Inside a sentence a capital makes a name, where other words have none."""
    quoted = place.gap_before.endswith(_QUOTES) and place.gap_after.startswith(_QUOTES)
    german = len(_GERMAN.findall(place.line.text)) > 1
    if place.in_title or evidence.common or quoted or german:
        return Verdict(True if evidence.supports else None, "support")
    return Verdict(True, "capital")


def _measured(place: Context, evidence: Evidence) -> Verdict | None:
    counted = place.before[-1:].isdigit() or place.gap_before.endswith(("$", "\u20ac", "\u00a3", "\u00a5"))
    if place.after.lower() in MEASURES or counted:
        return Verdict(False, "quantity")
    return Verdict(True, "spelling")


def _spelling(place: Context, evidence: Evidence) -> Verdict | None:
    return Verdict(True, "spelling")


def _homonym(place: Context, evidence: Evidence) -> Verdict | None:
    words = HOMONYMS.get(place.name, ())
    if any(word in place.line.text for word in words) and not evidence.kin:
        return Verdict(False, "homonym")
    return Verdict(True, "homonym")


_ANY_KIND: Sequence[Rule] = (_owned, _fixed_phrase)
_BY_KIND: dict[Kind, Sequence[Rule]] = {
    "word": (_longer_name, _pressed, _formula, _lower_case, _part_of, _product, _opening, _within),
    "proper": (_longer_name, _lower_case, _pressed, person, place_name, sky, calendar, _product, _supported),
    "letters": (_longer_name, _spelling),
    "phrase": (_spelling,),
    "quantity": (_measured,),
    "homonym": (_homonym,),
}
