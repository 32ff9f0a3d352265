"""Rules for names that are plain words, too: grammar and capitals decide where the company does not."""

import re

from visibility.detection.names.bearers import is_another_matter
from visibility.detection.names.context import Context
from visibility.detection.names.grammar import (
    ARTICLES,
    DETERMINERS,
    IMPERATIVES,
    LANDSCAPE,
    PLACE_BEFORE,
    PRESSING,
    PRODUCT_NOUNS,
    TELLING_VERBS,
    UNCOUNTED,
    may_be_predicate,
)
from visibility.detection.names.proper_names import GIVEN_NAMES, LANDS, PLACES
from visibility.detection.names.trade import speaks_of_trade
from visibility.detection.names.verdicts import ALONE, Evidence, Verdict
from visibility.detection.text.languages import FOREIGN, GERMAN_ARTICLES, is_foreign, is_german
from visibility.detection.text.words import parts_of_speech, word_set

_QUOTES = ('"', "'", "\u201c", "\u201d", "\u2018", "\u2019", "\u00ab", "\u00bb", "\u201e")
FEATURES = word_set("mode modes setting settings option options feature features function button link links")
EDITIONS = word_set("edition mode version")
_JOINED = frozenset("-\u2010\u2011\u00b2\u00b3\u00b9")
_LABELLED = word_set(
    """
    appendix blood category chapter class column exhibit factor figure gate gen generation grade group hepatitis
    letter level line minor model note part plan point question row rule schedule section series site size stage
    step table team terminal tier type variable vitamin zone
    """
)
_PRICE = re.compile(r"\s(?:from|at)\s(?:[$\u20ac\u00a3\u00a5]\s?)?\d")
_PAIRING = word_set("at for from in on with")
# "Requests for scripts, httpx for async"
_FOR_EACH = re.compile(r"\s(at|for|from|in|on|with)\s[^,;]{2,40}(?:,|\sand)\s(?:and\s|but\s)?\S+\s\1\s")
_SIGNS = ("=", "+", "*", "/", "^", "<", ">")
_ADVERBS = word_set("first second third then next too also instead again here there together alone yet even itself")
_PLACING = word_set("on to of in between among at from against towards over under")
_PARTICLES = word_set("up down off out away back")
_PLURALS = word_set("people men women children")
_NUMBERS = word_set("one two three four five six seven eight nine ten")


def set_apart(place: Context, evidence: Evidence) -> Verdict | None:
    """What is "another matter" than the rest of the answer is the other meaning of the name."""
    rest = place.clause.rpartition(place.name)[2]
    return Verdict(False, "apart") if is_another_matter(rest) else None


def styled(place: Context, evidence: Evidence) -> Verdict | None:
    """No plain word has a capital inside ("reMarkable"), or a mark behind it in the middle of a sentence."""
    if place.name.endswith("!") and place.after.islower() and place.gap_after.isspace():
        return Verdict(True, "sign")  # "Yahoo! still counts": no sentence ends there
    inner = place.name[1:]
    return Verdict(True, "capital") if inner != inner.lower() and inner != inner.upper() else None


def maker(place: Context, evidence: Evidence) -> Verdict | None:
    """Behind the name of another in the same run of capitals it is a model or a line of that other's product."""
    made_by = place.maker(evidence.makers)
    return Verdict(False, "maker") if made_by and not _is_of_other_alphabet(made_by) else None


def quoted(place: Context, evidence: Evidence) -> Verdict | None:
    """With other words in quotes it is a part of a title, and before "mode" what a function is called."""
    opens, closes = place.gap_before.endswith(_QUOTES), place.gap_after.startswith(_QUOTES)
    if opens and closes and place.after.lower() in FEATURES:
        return Verdict(False, "feature")
    if opens and not closes and place.precedes_capital:
        return Verdict(False, "quoted")
    return None


def edition(place: Context, evidence: Evidence) -> Verdict | None:
    """Before "Edition" or "Mode" it tells which of several there are."""
    return Verdict(False, "edition") if place.precedes_capital and place.after.lower() in EDITIONS else None


def longer_name(place: Context, evidence: Evidence) -> Verdict | None:
    """A capitalised word right before makes both one name ("Trafalgar Square"), unless it begins the sentence."""
    if not place.follows_capital or place.before == "I" or _is_of_other_alphabet(place.before):
        return None
    if place.earlier.lower() in PLACE_BEFORE and place.before.lower() in PLACES | LANDS:
        return None  # "In Australia Amber ..."
    word = place.before.lower()
    if word in GIVEN_NAMES:
        return Verdict(False, "person")
    if not place.begins:
        return None if place.in_title else Verdict(False, "longer_name")
    kinds = parts_of_speech(word)
    if word in IMPERATIVES or word in FOREIGN or set(kinds) & set("far") or ("v" in kinds and "n" not in kinds):
        return None
    return Verdict(False, "longer_name")


def _is_of_other_alphabet(word: str) -> bool:
    """Whether a word is Greek, Cyrillic, Armenian or Georgian, so that it makes no name with Latin letters."""
    return "\u0370" <= word[0] < "\u1e00"


def pressed(place: Context, evidence: Evidence) -> Verdict | None:
    """What is clicked or pressed is a button."""
    if place.before.lower() in PRESSING and (len(place.name) == 1 or not evidence.supports):
        return Verdict(False, "button")
    return None


def unit(place: Context, evidence: Evidence) -> Verdict | None:
    """Degrees are measured in it."""
    return Verdict(False, "unit") if place.before.lower() in ("degree", "degrees", "\u00b0") else None


def formula(place: Context, evidence: Evidence) -> Verdict | None:
    if len(place.name) == 1 and (
        place.gap_after.strip().startswith(_SIGNS) or place.gap_before.strip().endswith(_SIGNS)
    ):
        return Verdict(False, "formula")
    return None


def lettered(place: Context, evidence: Evidence) -> Verdict | None:
    """A single letter behind "vitamin" or "plan", or joined to a word, is a label and no name."""
    if len(place.name) > 1:
        return None
    labelled = place.before.lower() in _LABELLED and place.gap_before in (" ", "\u00a0")
    return Verdict(False, "letter") if labelled or (place.gap_after or place.after)[:1] in _JOINED else None


def article(place: Context, evidence: Evidence) -> Verdict | None:
    """In German, where every noun has a capital, an article (and an adjective) before it shows the plain noun."""
    if place.opens or place.precedes_capital or not is_german(place.line.text):
        return None
    before, earlier = place.before.lower(), place.earlier.lower()
    inflected = place.before.islower() and before.endswith(("e", "en", "er", "es", "em"))
    if before in GERMAN_ARTICLES or (inflected and earlier in GERMAN_ARTICLES):
        return Verdict(False, "article")
    return None


def lower_case(place: Context, evidence: Evidence) -> Verdict | None:
    """A plain word that is written small, as its owner writes it, needs company."""
    if place.name.islower():
        if place.before.lower() in ARTICLES and place.gap_before.isspace() and not place.precedes_capital:
            return Verdict(evidence.kin and place.closes, "article")
        return Verdict(True, "kin") if evidence.kin else Verdict(None, "lower_case")
    return None


def product(place: Context, evidence: Evidence) -> Verdict | None:
    """A capitalised word or a number behind it makes it the name of a product ("Tile Pro", "Omega Speedmaster")."""
    if not place.precedes_capital:
        return None
    after = place.after.lower()
    if after in LANDSCAPE and not evidence.kin:
        return Verdict(False, "place")
    if _may_order(place) and after.isalpha() and not parts_of_speech(after):
        return Verdict(True, "kin") if evidence.kin else Verdict(None, "imperative")
    if evidence.makers and not evidence.makes and not place.opens and place.before.lower() not in ARTICLES and not (evidence.kin or evidence.named or evidence.full):
        return Verdict(None, "product")
    if not place.opens and place.before.lower() not in ARTICLES and "n" in parts_of_speech(after) and after not in PRODUCT_NOUNS and not (evidence.kin or evidence.named or evidence.full or evidence.trade or evidence.makes):
        return Verdict(None, "product")
    if evidence.supports:
        return Verdict(True, "product")
    certain = not (place.opens or place.in_title or place.after[0].isdigit())
    return Verdict(certain or None, "product")


def _may_order(place: Context) -> bool:
    """Whether the name opens a line of prose, or an item without digits, as a verb in the imperative does."""
    if (
        not place.opens
        or "v" not in parts_of_speech(place.name.lower())
        or place.name.endswith(("s", "ing", "ed", "er"))
    ):
        return False
    return place.line.place.kind == "text" or not any(char.isdigit() for char in place.line.text)


def part_of(place: Context, evidence: Evidence) -> Verdict | None:
    """ "Notion of order", "the Oracle of Delphi": a plain noun; "the Uber of dog walking" is none."""
    if place.after.lower() == "of" and place.gap_after.isspace() and (place.opens or place.later[:1].isupper()):
        return Verdict(False, "part_of")
    return None


def opening(place: Context, evidence: Evidence) -> Verdict | None:
    """At the head of a sentence, where every word has a capital, grammar and company decide."""
    if not place.opens:
        return None
    after, kinds = place.after.lower(), parts_of_speech(place.name.lower())
    open_unless_supported = Verdict(True if evidence.supports else None, "subject")
    if place.gap_after.startswith("!") and kinds.strip("v") == "":
        return Verdict(None, "imperative")
    if place.possessive and kinds in ("a", "v") and "f" not in parts_of_speech(after):
        return Verdict(True, "possessive")  # what is no noun owns nothing
    if place.closes or place.possessive:
        return open_unless_supported
    if after in ("and", "or", "vs", "versus", "&"):
        return open_unless_supported if place.later[:1].isupper() else Verdict(False, "plain_pair")
    if after in DETERMINERS:
        return Verdict(False, "imperative")
    if may_be_predicate(after, place.later):
        # A noun of things that are counted cannot be a subject without an article: it is a name.
        # A mere verb can be none at all.
        counted = "n" in kinds and place.name.lower() not in UNCOUNTED and ("a" not in kinds or _has_acted(place))
        named = parts_of_speech(after) and (counted or kinds == "v")
        return Verdict(True, "subject") if named and not evidence.common else open_unless_supported
    if "f" in parts_of_speech(after):
        return _before_small_word(place, evidence, kinds)
    if "v" in kinds and after in _PARTICLES:
        return Verdict(False, "imperative")
    if (
        "a" in kinds
        and (after.endswith("s") or after in _PLURALS or after in UNCOUNTED)
        and "n" in parts_of_speech(after)
        and not speaks_of_trade(after)
    ):
        return Verdict(None if evidence.full else False, "adjective")
    if set(parts_of_speech(after)) == {"r"} or after in _ADVERBS:
        return open_unless_supported
    if is_foreign(place.line.text):
        return open_unless_supported
    return Verdict(None if evidence.trade or evidence.kin or evidence.full else False, "compound")


def _has_acted(place: Context) -> bool:
    """Whether the word behind is a verb in the past and no participle ("stopped making", "bought a")."""
    later = place.later.lower()
    return place.after.lower().endswith("ed") and (later in DETERMINERS or later.endswith("ing") or later == "to")


def _before_small_word(place: Context, evidence: Evidence, kinds: str) -> Verdict:
    """At the head of a sentence before "with", "for", "is" ...: a verb orders, a plural tells of many. At the head of
    a list item "for" tells what the named thing is good for."""
    name, after = place.name.lower(), place.after.lower()
    supported = Verdict(True if evidence.supports else None, "subject")
    if after == "to" and place.later.lower() in DETERMINERS:
        return Verdict(False, "complement")
    if after in ("from", "at") and _PRICE.match(place.clause.rpartition(place.name)[2]):
        return supported
    if after in _PAIRING and evidence.kin and _FOR_EACH.search(place.clause):
        return supported
    if after == "for" and place.line.place.kind != "text":
        return supported
    if "v" in kinds and not name.endswith(("ing", "ed", "er")):
        return Verdict(False, "imperative")
    if after in _PLACING and "n" in kinds and not (evidence.trade or evidence.kin):
        return Verdict(None, ALONE)
    is_plural = name.endswith("s") and not name.endswith("ss") and "n" in parts_of_speech(name[:-1])
    return Verdict(False, "plural") if is_plural else supported


def number(place: Context, evidence: Evidence) -> Verdict | None:
    """A number before a plural counts things, unless that is a verb with an object ("Three sells cheap data")."""
    after, later = place.after.lower(), place.later.lower()
    if place.name.lower() not in _NUMBERS or not after.endswith("s") or "n" not in parts_of_speech(after):
        return None
    following = parts_of_speech(later)
    has_object = later in DETERMINERS or ("a" in following and "f" not in following)
    tells = evidence.supports and after in TELLING_VERBS and has_object
    return None if tells else Verdict(False, "number")


def within(place: Context, evidence: Evidence) -> Verdict | None:
    """Inside a sentence a capital makes a name, where other words have none."""
    quoted = place.gap_before.endswith(_QUOTES) and place.gap_after.startswith(_QUOTES)
    tells_nothing = place.in_title or len(place.name) == 1 or is_german(place.line.text)
    if tells_nothing or evidence.common or quoted:
        return Verdict(True if evidence.supports else None, "support")
    if _is_described(place) and not (evidence.supports or evidence.trade):
        return Verdict(None, "described")
    return Verdict(True, "capital")


def _is_described(place: Context) -> bool:
    """Whether an article stands before and a plain noun behind that no company has ("the Opera group")."""
    after = place.after.lower()
    if place.before.lower() not in ARTICLES or not place.gap_after.isspace() or after != place.after:
        return False
    return "n" in parts_of_speech(after) and after not in PRODUCT_NOUNS and not may_be_predicate(after, place.later)
