"""How a site writes: seven traits, counted on the text of its own pages."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from visibility.audit import ParsedPage
from visibility.evidence.pages import Sentence, sentences_of
from visibility.evidence.resources import VoiceTrait

LEAST_WORDS = 1_000
MOST_SENTENCES = 5_000
MOST_EXAMPLES, MOST_CALLS = 3, 8
_WRITING = ("home", "product", "pricing", "about", "article", "other", "docs", "listing", "contact")
"""Kinds of pages that the site writes in its own voice; not legal ones, forms and search."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_YOU = re.compile(r"\b(?:you(?:rs?|rself)?|sie|ihr(?:e[nmrs]?)?|du|dein\w{0,2}|vous|votre|vos|usted|tú|tus?)\b", re.I)
_WE = re.compile(r"\b(?:we|ours?|us|wir|uns(?:ere?\w?)?|nous|nos|notre|nosotros|nuestr[oa]s?)\b", re.IGNORECASE)
_SHORT_FORMS = re.compile(
    r"\w(?:n['’]t|['’](?:re|ve|ll|d|m|s(?= \w+ing\b)))\b|\b(?:it|that|here|what|let)['’]s\b", re.I
)
_ENDED = re.compile(r"[.!?…。！？][\"”’)»]{0,3}\Z")
_NUMBER = re.compile(r"\d[\d.,]*")
_CALL = re.compile(
    r"(?:get|start|try|buy|shop|order|book|sign up|join|subscribe|download|request|contact|talk to|add to|create"
    r"|schedule|reserve|learn|discover|explore|find out|compare|upgrade|see how|jetzt|entdecken|mehr erfahren"
    r"|découvr\w+|acheter|comprar|descubr\w+)\b",
    re.IGNORECASE,
)
_MOST_CALL_WORDS = 5
_LONG_WORD = 7
"""Letters from which on a word is long: the readability index LIX counts words of more than six."""


@dataclass(frozen=True, slots=True)
class SiteVoice:
    """The traits of a site's writing, sentences that are typical of it, and what it calls its readers to do."""

    words: int
    traits: Sequence[VoiceTrait]
    examples: Sequence[Sentence]
    calls: Sequence[str]


def find_voice(pages: Sequence[ParsedPage]) -> SiteVoice | None:
    """The voice of these pages; None where they have fewer than 1,000 words of whole sentences."""
    own = [page for page in pages if page.kind in _WRITING]
    sentences = [
        each
        for each in sentences_of(own)
        if each.text.rstrip('"”’)»').endswith((".", "!", "?", "…", "。", "！", "？"))
    ][:MOST_SENTENCES]
    counts = [len(_WORD.findall(each.text)) for each in sentences]
    total = sum(counts)
    if total < LEAST_WORDS:
        return None
    traits = _traits([each.text for each in sentences], total)
    mean = total / len(counts)
    ranked = sorted(zip(sentences, counts, strict=True), key=lambda each: (abs(each[1] - mean), each[0].text))
    return SiteVoice(total, traits, [each for each, _ in ranked[:MOST_EXAMPLES]], _calls(own))


def _traits(texts: Sequence[str], total: int) -> list[VoiceTrait]:
    text = "\n".join(texts)
    length = total / len(texts)
    long_words = 100 * sum(len(word) >= _LONG_WORD for word in _WORD.findall(text)) / total
    you, we, short, numbers = (
        100 * len(pattern.findall(text)) / total for pattern in (_YOU, _WE, _SHORT_FORMS, _NUMBER)
    )
    asks, calls = (100 * fmean(each.rstrip('"”’)»').endswith(sign) for each in texts) for sign in ("?", "!"))
    lix = length + long_words
    counted = [
        ("sentence length", _level(length, 12, 20, "short", "medium", "long"), f"{length:.1f} words on average"),
        ("address", _address(you, we), f"“you” {you:.1f} and “we” {we:.1f} times in 100 words"),
        (
            "formality",
            _level(short, 0.2, 1, "formal", "neutral", "conversational"),
            f"{short:.1f} short forms in 100 words",
        ),
        ("questions", _level(asks, 1, 5, "hardly any", "some", "many"), f"{asks:.0f} % of sentences"),
        ("exclamation", _level(calls, 1, 5, "hardly any", "some", "many"), f"{calls:.0f} % of sentences"),
        ("numbers", _level(numbers, 1, 3, "few", "some", "many"), f"{numbers:.1f} in 100 words"),
        (
            "reading ease",
            _level(lix, 35, 50, "easy", "medium", "demanding"),
            f"LIX {lix:.0f}, with {long_words:.0f} % long words",
        ),
    ]
    on = f"{total:,} words in {len(texts):,} sentences"
    return [VoiceTrait(name=name, value=value, measured=f"{number}, in {on}") for name, value, number in counted]


def _level(number: float, low: float, high: float, *names: str) -> str:
    return names[0] if number < low else names[1] if number < high else names[2]


def _address(you: float, we: float) -> str:
    if max(you, we) < 0.3:
        return "speaks of things, to nobody"
    return "speaks to the reader" if you >= 2 * we else "speaks of itself" if we >= 2 * you else "we to you"


def _calls(pages: Iterable[ParsedPage]) -> list[str]:
    """What links of the content ask readers to do, the most frequent first."""
    counted: dict[str, set[str]] = {}
    for page in pages:
        for link in page.links:
            text = " ".join(link.text.split())
            is_short = len(text.split()) <= _MOST_CALL_WORDS and text[:1].isupper()
            if is_short and link.place in ("main", "other", "navigation") and _CALL.match(text):
                counted.setdefault(text, set()).add(page.url)
    return sorted(counted, key=lambda text: (-len(counted[text]), text))[:MOST_CALLS]
