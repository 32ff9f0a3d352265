"""Rules for names that are plain words, too: grammar and capitals decide where the company does not."""

import re

from visibility.detection.names.context import Context
from visibility.detection.names.grammar import may_be_predicate
from visibility.detection.names.lists import BEARERS, ENGLISH, TRADE
from visibility.detection.names.proper_names import GIVEN_NAMES, PROPER_NAMES
from visibility.detection.names.verdicts import ALONE, Evidence, Rule, Verdict
from visibility.detection.text.languages import FOREIGN, is_foreign, is_german
from visibility.detection.text.words import parts_of_speech, word_set

_QUOTES = ('"', "'", "\u201c", "\u201d", "\u2018", "\u2019", "\u00ab", "\u00bb", "\u201e")
_JOINED = frozenset("-\u2010\u2011\u00b2\u00b3\u00b9")
_SIGNS = ("=", "+", "*", "/", "^", "<", ">")
_PRICE = re.compile(r"\s(?:from|at)\s(?:[$\u20ac\u00a3\u00a5]\s?)?\d")
_PAIRING = word_set("at for from in on with")
# "Requests for scripts, httpx for async"
_FOR_EACH = re.compile(r"\s(at|for|from|in|on|with)\s[^,;]{2,40}(?:,|\sand)\s(?:and\s|but\s)?\S+\s\1\s")
_ADVERBS = word_set("first second third then next too also instead again here there together alone yet even itself")
_PLACING = word_set("on to of in between among at from against towards over under")
_PARTICLES = word_set("up down off out away back")
_PLURALS = word_set("people men women children")
_PAIRS = frozenset({"and", "or", "vs", "versus", "&"})


def first_of(rules: tuple[Rule, ...], place: Context, evidence: Evidence) -> Verdict | None:
    """What the first rule that knows an answer says."""
    return next((verdict for rule in rules if (verdict := rule(place, evidence))), None)


def maker(place: Context, evidence: Evidence) -> Verdict | None:
    """Behind the name of another in the same run of capitals it is a model or a line of that other's product."""
    made_by = place.maker(evidence.makers)
    return Verdict(False, "maker") if made_by else None


def quoted(place: Context, evidence: Evidence) -> Verdict | None:
    """With other words in quotes it is a part of a title, and before "mode" what a function is called."""
    opens, closes = place.gap_before.endswith(_QUOTES), place.gap_after.startswith(_QUOTES)
    if opens and closes and place.after.lower() in ENGLISH.features:
        return Verdict(False, "feature")
    return Verdict(False, "quoted") if opens and not closes and place.precedes_capital else None


def edition(place: Context, evidence: Evidence) -> Verdict | None:
    """Before "Edition" or "Mode" it tells which of several there are."""
    return Verdict(False, "edition") if place.precedes_capital and place.after.lower() in ENGLISH.editions else None


def longer_name(place: Context, evidence: Evidence) -> Verdict | None:
    """A capitalised word right before makes both one name ("Trafalgar Square"), unless it begins the sentence."""
    word = place.before.lower()
    if not place.follows_capital or word == "i" or word in ENGLISH.articles:
        return None
    if place.earlier.lower() in ENGLISH.place_before and word in BEARERS.places | BEARERS.lands:
        return None  # "In Australia Amber ..."
    if word in GIVEN_NAMES:
        return Verdict(False, "person")
    is_free = _may_begin(word) if place.begins else place.in_title
    return None if is_free else Verdict(False, "longer_name")


def _may_begin(word: str) -> bool:
    """Whether the first word of a sentence has its capital from there, and is no part of a name."""
    kinds = parts_of_speech(word)
    return (
        word in ENGLISH.imperatives
        or word in FOREIGN
        or bool(set(kinds) & set("far"))
        or ("v" in kinds and "n" not in kinds)
    )


def styled(place: Context, evidence: Evidence) -> Verdict | None:
    """No plain word has a capital inside ("reMarkable"), or a mark behind it in the middle of a sentence."""
    if place.name.endswith("!") and place.after.islower() and place.gap_after.isspace():
        return Verdict(True, "sign")  # "Yahoo! still counts": no sentence ends there
    inner = place.name[1:]
    return Verdict(True, "capital") if inner != inner.lower() and inner != inner.upper() else None


def lettered(place: Context, evidence: Evidence) -> Verdict | None:
    """A single letter behind "vitamin" or "plan", joined to a word, or in a formula is no name."""
    if len(place.name) > 1:
        return None
    labelled = place.before.lower() in ENGLISH.labelled and place.gap_before in (" ", "\u00a0")
    computed = place.gap_after.strip().startswith(_SIGNS) or place.gap_before.strip().endswith(_SIGNS)
    joined = (place.gap_after or place.after)[:1] in _JOINED
    return Verdict(False, "letter") if labelled or computed or joined else None


def lower_case(place: Context, evidence: Evidence) -> Verdict | None:
    """A plain word that is written small, as its owner writes it, needs company."""
    if not place.name.islower():
        return None
    if place.before.lower() in ENGLISH.articles and place.gap_before.isspace() and not place.precedes_capital:
        return Verdict(evidence.kin and place.closes, "article")
    return Verdict(True, "kin") if evidence.kin else Verdict(None, "lower_case")


def product(place: Context, evidence: Evidence) -> Verdict | None:
    """A capitalised word or a number behind it makes it the name of a product ("Tile Pro", "Omega Speedmaster")."""
    if not place.precedes_capital:
        return None
    after = place.after.lower()
    if after in ENGLISH.landscape and not evidence.kin:
        return Verdict(False, "place")
    if _is_part(place, evidence):
        return Verdict(None, "part")
    certain = not (place.opens or place.in_title or after[0].isdigit())
    return Verdict(evidence.supports or certain or None, "product")


def _is_part(place: Context, evidence: Evidence) -> bool:
    """Whether a product of another has it inside its name, or a plain noun with a capital follows that no company
    has ("with Burr Grinder", "the Clean Air Act"): then another place has to show the company."""
    known = evidence.kin or evidence.named or evidence.full or evidence.makes
    if known or place.opens or place.before.lower() in ENGLISH.articles or place.name.lower() in PROPER_NAMES:
        return False
    after = place.after.lower()
    noun = "n" in parts_of_speech(after) and after not in ENGLISH.product_nouns
    if evidence.makers:
        return noun or not place.before.islower()
    return noun and not evidence.trade


def opening(place: Context, evidence: Evidence) -> Verdict | None:
    """At the head of a sentence, where every word has a capital, grammar and company decide."""
    return first_of(_OPENING, place, evidence) if place.opens else None


def _supported(evidence: Evidence) -> Verdict:
    return Verdict(True if evidence.supports else None, "subject")


def _kinds(place: Context) -> str:
    return parts_of_speech(place.name.lower())


def _closing(place: Context, evidence: Evidence) -> Verdict | None:
    """Before a stop it may be all of an entry; what is no noun owns nothing, so it is a name where it does."""
    kinds = _kinds(place)
    if place.gap_after.startswith("!") and kinds.strip("v") == "":
        return Verdict(None, "imperative")
    if place.possessive and kinds in ("a", "v") and "f" not in parts_of_speech(place.after.lower()):
        return Verdict(True, "possessive")
    return _supported(evidence) if place.closes or place.possessive else None


def _paired(place: Context, evidence: Evidence) -> Verdict | None:
    """Of a pair the other has a capital, too."""
    if place.after.lower() not in _PAIRS:
        return None
    return _supported(evidence) if place.later[:1].isupper() else Verdict(False, "plain_pair")


def _with_particle(place: Context, evidence: Evidence) -> Verdict | None:
    orders = "v" in _kinds(place) and place.after.lower() in _PARTICLES
    return Verdict(False, "imperative") if orders else None


def _telling(place: Context, evidence: Evidence) -> Verdict | None:
    """Before its verb a noun of things that are counted has no article: it is a name. A mere verb is no subject."""
    if not may_be_predicate(place.after, place.later):
        return None
    kinds, name = _kinds(place), place.name.lower()
    counted = "n" in kinds and name not in ENGLISH.uncounted and ("a" not in kinds or _has_acted(place))
    named = parts_of_speech(place.after.lower()) and (counted or kinds == "v")
    return Verdict(True, "subject") if named and not evidence.common else _supported(evidence)


def _has_acted(place: Context) -> bool:
    """Whether the word behind is a verb in the past and no participle ("stopped making", "bought a")."""
    later = place.later.lower()
    return place.after.lower().endswith("ed") and (
        later in ENGLISH.determiners or later.endswith("ing") or later == "to"
    )


def _before_small_word(place: Context, evidence: Evidence) -> Verdict | None:
    """Before "with", "for", "is" a verb orders and a plural tells of many. At the head of a list item "for" tells
    what the named thing is good for."""
    name, after, kinds = place.name.lower(), place.after.lower(), _kinds(place)
    if "f" not in parts_of_speech(after):
        return None
    if after == "to" and place.later.lower() in ENGLISH.determiners:
        return Verdict(False, "complement")
    is_titled = place.after[:1].isupper() and place.later[:1].isupper()  # "Away The Carry-On"
    if is_titled or _is_offered(place, evidence):
        return _supported(evidence)
    if "v" in kinds and not name.endswith(("ing", "ed", "er")):
        return Verdict(False, "imperative")
    if after in _PLACING and "n" in kinds and not (evidence.trade or evidence.kin):
        return Verdict(None, ALONE)
    is_plural = name.endswith("s") and not name.endswith("ss") and "n" in parts_of_speech(name[:-1])
    return Verdict(False, "plural") if is_plural else _supported(evidence)


def _is_offered(place: Context, evidence: Evidence) -> bool:
    """Whether what follows is a price, or what the thing is for."""
    after = place.after.lower()
    if after in ("from", "at") and _PRICE.match(place.clause.rpartition(place.name)[2]):
        return True
    if after in _PAIRING and evidence.kin and _FOR_EACH.search(place.clause):
        return True
    return after == "for" and place.line.place.kind != "text"


def _describing(place: Context, evidence: Evidence) -> Verdict | None:
    """An adjective before a plural or a noun that is not counted describes it."""
    after = place.after.lower()
    many = after.endswith("s") or after in _PLURALS or after in ENGLISH.uncounted
    if "a" not in _kinds(place) or not many or "n" not in parts_of_speech(after) or after in TRADE.words:
        return None
    return Verdict(None if evidence.full else False, "adjective")


def _else(place: Context, evidence: Evidence) -> Verdict | None:
    """Before an adverb, or in another language, company decides; before a noun it is a part of a compound."""
    after = place.after.lower()
    if set(parts_of_speech(after)) == {"r"} or after in _ADVERBS or is_foreign(place.line.text):
        return _supported(evidence)
    return Verdict(None if evidence.trade or evidence.kin or evidence.full else False, "compound")


_OPENING: tuple[Rule, ...] = (
    _closing,
    _paired,
    _telling,
    _before_small_word,
    _with_particle,
    _describing,
    _else,
)


def within(place: Context, evidence: Evidence) -> Verdict | None:
    """Inside a sentence a capital makes a name, where other words have none."""
    quoted = place.gap_before.endswith(_QUOTES) and place.gap_after.startswith(_QUOTES)
    letter = len(place.name) == 1
    tells_nothing = place.in_title or letter or is_german(place.line.text)
    if tells_nothing or evidence.common or quoted:
        return Verdict(True if evidence.supports or (letter and evidence.trade) else None, "support")
    if _is_described(place) and not (evidence.supports or evidence.trade):
        return Verdict(None, "described")
    return Verdict(True, "capital")


def _is_described(place: Context) -> bool:
    """Whether an article stands before and a plain noun behind that no company has ("the Opera group")."""
    after = place.after.lower()
    if place.before.lower() not in ENGLISH.articles or not place.gap_after.isspace() or after != place.after:
        return False
    is_had = after in ENGLISH.product_nouns or may_be_predicate(after, place.later)
    return "n" in parts_of_speech(after) and not is_had
