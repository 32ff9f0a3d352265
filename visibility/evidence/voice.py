"""How a site writes: seven traits, counted on the text of its own pages."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from statistics import fmean
from uuid import UUID

from visibility.audit import ParsedPage
from visibility.evidence.pages import ENDED, sentences_of
from visibility.evidence.resources import VoiceProfile, VoiceTrait

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
_NUMBER = re.compile(r"\d[\d.,]*")
_CALL = re.compile(
    r"(?:get|start|try|buy|shop|order|book|sign up|join|subscribe|download|request|contact|talk to|add to|create"
    r"|schedule|reserve|learn|discover|explore|find out|compare|upgrade|see how|jetzt|entdecken|mehr erfahren"
    r"|découvr\w+|acheter|comprar|descubr\w+)\b",
    re.IGNORECASE,
)
_CLOSING = '"”’)»'
_MOST_CALL_WORDS = 5
_LONG_WORD = 7
"""Letters from which on a word is long: the readability index LIX counts words of more than six."""


def find_voice(site_id: UUID, pages: Iterable[ParsedPage]) -> VoiceProfile | None:
    """How these pages are written; None where they have fewer than 1,000 words of whole sentences."""
    own = [page for page in pages if page.kind in _WRITING]
    sentences = [each for each in islice(sentences_of(own), MOST_SENTENCES) if ENDED.search(each.text)]
    counts = [len(_WORD.findall(each.text)) for each in sentences]
    total = sum(counts)
    if total < LEAST_WORDS:
        return None
    mean = total / len(counts)
    ranked = sorted(zip(sentences, counts, strict=True), key=lambda each: (abs(each[1] - mean), each[0].text))
    return VoiceProfile(
        site_id=site_id,
        traits=_traits([each.text for each in sentences], total),
        examples=[each.quote for each, _ in ranked[:MOST_EXAMPLES]],
        calls_to_action=_calls(own),
        words=total,
    )


def _traits(texts: Sequence[str], total: int) -> list[VoiceTrait]:
    text = "\n".join(texts)
    length = total / len(texts)
    long_words = 100 * sum(len(word) >= _LONG_WORD for word in _WORD.findall(text)) / total
    you, we, short, numbers = (
        100 * len(pattern.findall(text)) / total for pattern in (_YOU, _WE, _SHORT_FORMS, _NUMBER)
    )
    asks, calls = (100 * fmean(each.rstrip(_CLOSING).endswith(sign) for each in texts) for sign in ("?", "!"))
    lix = length + long_words
    on = f"{total:,} words in {len(texts):,} sentences"
    pace = _level(length, 12, 20, "short", "medium", "long")
    tone = _level(short, 0.2, 1, "formal", "neutral", "conversational")
    ease = _level(lix, 35, 50, "easy", "medium", "demanding")
    counted = [
        ("sentence length", pace, f"{length:.1f} words on average"),
        ("address", _address(you, we), f"“you” {you:.1f} and “we” {we:.1f} times in 100 words"),
        ("formality", tone, f"{short:.1f} short forms in 100 words"),
        ("questions", _level(asks, 1, 5, "hardly any", "some", "many"), f"{asks:.0f} % of sentences"),
        ("exclamation", _level(calls, 1, 5, "hardly any", "some", "many"), f"{calls:.0f} % of sentences"),
        ("numbers", _level(numbers, 1, 3, "few", "some", "many"), f"{numbers:.1f} in 100 words"),
        ("reading ease", ease, f"LIX {lix:.0f}, with {long_words:.0f} % long words"),
    ]
    return [VoiceTrait(name=name, value=value, measured=f"{number}, in {on}") for name, value, number in counted]


def _level(number: float, low: float, high: float, *names: str) -> str:
    return names[0] if number < low else names[1] if number < high else names[2]


def _address(you: float, we: float) -> str:
    if max(you, we) < 0.3:
        return "speaks of things, to nobody"
    return "speaks to the reader" if you >= 2 * we else "speaks of itself" if we >= 2 * you else "we to you"


def _calls(pages: Iterable[ParsedPage]) -> list[str]:
    """What links of the content ask readers to do, the most frequent first."""
    counted: Counter[str] = Counter()
    for page in pages:
        texts = {" ".join(link.text.split()) for link in page.links if link.place in ("main", "other", "navigation")}
        counted.update(
            text
            for text in texts
            if len(text.split()) <= _MOST_CALL_WORDS and text[:1].isupper() and _CALL.match(text)
        )
    return sorted(counted, key=lambda text: (-counted[text], text))[:MOST_CALLS]
