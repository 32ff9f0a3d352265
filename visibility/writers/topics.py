"""Names of topics as people write them within a question: no slug, no singular where English wants a plural."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from visibility.detection.grammar import UNCOUNTED
from visibility.detection.words import parts_of_speech, word_set
from visibility.writers.protocol import LONGEST_PROMPT

LONGEST_PHRASE = 60
_PREFIXES = word_set("co re ex wi in on bi")
_CAPITALS = {
    word.casefold(): word
    for word in word_set(
        "AI API B2B BBQ CMS CRM DIY ERP EV GPS HR LED OLED PC POS SaaS SEO SUV TV UK USB VPN VR WiFi"
    )
}
_LINKS = word_set("above at below by for from in near of on over that to under which with within without")
_COUNTED_CAPITALS = word_set("CMS CRM ERP EV PC SUV TV VPN")
# "High-performance blenders", "55-inch TVs": two words that describe a third one together.
_COMPOUND = re.compile(
    r"\b(?:(all|easy|eco|energy|entry|family|full|heavy|high|large|long|low|mid|open|part|real|short|small) "
    r"(capacity|definition|duty|efficient|end|friendly|level|performance|power|purpose|quality|range|resolution|"
    r"scale|setup|size|sized|source|speed|term|time|volume)|"
    r"(\d+) (day|gallon|inch|kilogram|litre|liter|mile|person|piece|seat|seater|watt|week))(?= \w)",
    re.IGNORECASE,
)
# Nouns of which there is no plural, and endings that such nouns have, with those that have one all the same.
_MASS = UNCOUNTED | word_set("""
    accommodation advertising automation banking beer catering childcare cheese clothing compliance data decor
    education electricity email entertainment equipment footwear furniture gear generation help hosting housing
    internet jewelry jewellery legal lighting management mining news payroll pasta ramen recruitment research
    retail seafood seo skincare software stationery storage sushi tea tourism translation transport
    transportation travel wifi wine work yoga
    """)
_MASS_ENDINGS = ("ing", "ware", "ity", "ness", "ism", "ance", "ence", "ship", "care", "wear")
# What people do for others: one chooses who does it.
_ACTIVITIES = word_set("""
    accounting advertising bookkeeping catering childcare cleaning consulting generation hosting landscaping marketing
    payroll plumbing recruiting recruitment removal security seo shipping translation tutoring
    """)
_WITH_PLURAL = word_set("appliance building conference earring painting residence ring spring wing")
_AFTER_F = {"knife": "knives", "shelf": "shelves", "scarf": "scarves", "leaf": "leaves", "person": "people"}

_BUDGET = re.compile(r"\s+(?:(?:for )?(?:under|below|less than|up to|around)|within)\s+[^\s]*\d.*$", re.IGNORECASE)
_TAIL = re.compile(r"\s+(?:please|thanks|thank you|for me|right now|today|in 20\d\d)$", re.IGNORECASE)
_ASKED = re.compile(
    r"^.*\b(?:best|top|find me|find|recommend(?: me)?|shopping for|looking for|need|buy|suggest)\s+"
    r"(?:(?:an?|some|the|good)\s+)?(\S.*)$",
    re.IGNORECASE,
)
_WHICH_IS_BEST = re.compile(r"^which\s+(\S.*?)\s+is best\b(.*)$", re.IGNORECASE)
_OPENING = re.compile(r"^(?:(?:the|a|an|best|top|good)\s+)+", re.IGNORECASE)
_ARTICLE = {
    "de": re.compile(r"^(?:der|die|das|ein|eine)\s+", re.IGNORECASE),
    "fr": re.compile(r"^(?:le|la|les|un|une|des)\s+|^l['’]", re.IGNORECASE),
    "es": re.compile(r"^(?:el|la|los|las|un|una)\s+", re.IGNORECASE),
}


def is_slug(topic: str, language: str = "en") -> bool:
    """Whether machines write the topic so: "running_shoes", "tv-55-inch", but not "e-bikes" or "haut-parleurs"."""
    if " " in topic or "_" in topic:
        return "_" in topic
    parts = topic.split("-")
    if language != "en" and (len(parts) == 2 or not (topic.islower() or topic.isupper())):
        return False
    natural = len(parts) == 2 and (len(parts[0]) == 1 or parts[0].casefold() in _PREFIXES)
    return len(parts) > 1 and not natural


def topic_name(topic: str, language: str, wordings: Sequence[str] = ()) -> str:
    """The topic as a list shows it. A slug takes the name that its own `wordings` give it, else its words."""
    if not is_slug(topic, language):
        return " ".join(topic.split())
    return _asked_for(wordings) or _spaced(topic)


def phrase(topic: str, language: str, wordings: Sequence[str] = ()) -> str:
    """The topic as it stands within a question of this language."""
    name = topic_name(topic, language, wordings).strip(" ?!.")
    if language != "en":
        return _ARTICLE[language].sub("", name) if language in _ARTICLE else name
    return _plural(_hyphenated(_small(_OPENING.sub("", name)))) or name


def _spaced(slug: str) -> str:
    """The words of a slug as they are said, its closing numbers left out: "blender-high-performance" is "high
    performance blender", "headphones-wireless" is "wireless headphones"."""
    words = [word.casefold() if word.isupper() else word for word in re.split(r"[-_ ]+", slug) if word]
    while len(words) > 1 and words[-1].isdigit():
        words.pop()
    words = [word for word in words if word != "general"] or words
    described = _COMPOUND.search(f"{' '.join(words[-2:])} x")
    if len(words) > 2 and described:
        return " ".join([*words[-2:], *words[:-2]])
    if _is_plural(words[0]) and not _is_plural(words[-1]) and "n" in parts_of_speech(words[0]):
        return " ".join([*words[1:], words[0]])
    kinds = parts_of_speech(words[-1])
    if len(words) > 1 and "a" in kinds and "n" not in kinds:
        return " ".join([words[-1], *words[:-1]])
    return " ".join(words)


def _asked_for(wordings: Iterable[str]) -> str:
    """What most of the wordings ask for by name, the shortest of equals; empty where none says."""
    things = [thing for wording in wordings if len(wording) <= LONGEST_PROMPT and (thing := _thing(wording))]
    if not things:
        return ""
    counts = Counter(thing.casefold() for thing in things)
    return min(things, key=lambda thing: (-counts[thing.casefold()], len(thing), thing))


def _thing(wording: str) -> str:
    line = _BUDGET.sub("", _TAIL.sub("", " ".join(wording.split()).rstrip("?!. ")))
    found = _WHICH_IS_BEST.match(line) or _ASKED.match(line)
    thing = _TAIL.sub("", "".join(filter(None, found.groups()))) if found else ""
    return thing if len(thing) <= LONGEST_PHRASE and '"' not in thing else ""


def _small(name: str) -> str:
    """Plain words that only begin with a capital in small letters: "Running Shoes" is "running shoes", "Google Ads"
    stays; short names in capitals."""
    words = [_CAPITALS.get(word.casefold(), word) for word in name.split()]
    titles = [all(map(parts_of_speech, word.casefold().split("-"))) for word in words if word.istitle()]
    first_alone = len(titles) == 1 and words[0].istitle()
    return " ".join(
        word.lower() if word.istitle() and (all(titles) or (first_alone and titles[0])) else word for word in words
    )


def _hyphenated(name: str) -> str:
    return _COMPOUND.sub(lambda found: found[0].replace(" ", "-"), name)


def _plural(name: str) -> str:
    """The name with its last noun before a "for" or "in" in the plural, where it is one thing of many."""
    words = name.split()
    place = next((index for index, word in enumerate(words) if index and word in _LINKS), len(words)) - 1
    if place >= 0:
        words[place] = _many(words[place])
    return " ".join(words)


def _many(noun: str) -> str:
    if noun.casefold() in _ACTIVITIES:
        return f"{noun} services"
    if noun in _COUNTED_CAPITALS:
        return f"{noun}s"
    if not (noun.islower() and noun.replace("-", "").isalpha()) or _is_mass(noun):
        return noun
    return noun if _is_plural(noun) else _plural_of(noun)


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") and not noun.endswith(("ss", "us"))


def _is_mass(noun: str) -> bool:
    return noun in _MASS or (noun.endswith(_MASS_ENDINGS) and noun not in _WITH_PLURAL)


def _plural_of(noun: str) -> str:
    if noun in _AFTER_F:
        return _AFTER_F[noun]
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
