"""Checks of a draft: they show what has no source, and never that a text is true."""

import re
from collections.abc import Iterator, Sequence

from apikeys.text import marked
from visibility.content.brief import Brief, telling_words
from visibility.content.resources import Check
from visibility.models.content import DraftFormat

HARD = ("figures", "competitors", "plain text")
"""Checks that a draft has to pass to be used at all."""
FIRST_WORDS = 80
LEAST_WORDS, MOST_WORDS = 150, 1_800
SHARED = 2
"""Stems that a statement has to share with its source, without names."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NUMBERING = re.compile(r"^\s{0,6}\d+[.)]\s", re.MULTILINE)
_FOREIGN = re.compile(r"<[a-z/!][^>]{0,200}>|https?://|www\.", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def refusal(brief: Brief, markdown: str, rivals: Sequence[str]) -> str | None:
    """Why a draft cannot be used: invented figures, addresses, HTML, statements on competitors without a source."""
    failed = [check for check in check_draft(brief, markdown, "", rivals) if not check.passed and check.name in HARD]
    return "; ".join(f"{check.name}: {check.detail}" for check in failed) or None


def check_draft(brief: Brief, markdown: str, brand: str, rivals: Sequence[str]) -> list[Check]:
    """All checks, in the order in which a person would look."""
    sources = [*(each.text for each in brief.sentences), *(each.text for each in brief.praise)]
    known = " ".join([brief.title, *brief.questions, *sources])
    words = markdown.split()
    first, missing = " ".join(words[:FIRST_WORDS]), _unanswered(brief, markdown)
    foreign = _FOREIGN.findall(markdown)
    stated = _NUMBERING.sub("", markdown)
    invented = sorted(set(_NUMBER.findall(stated)) - set(_NUMBER.findall(known)))
    unfounded = list(_unfounded(brief, markdown, rivals))
    checks = [
        ("answer first", brand.casefold() in first.casefold(), f"names the brand in the first {FIRST_WORDS} words"),
        (
            "questions",
            not missing,
            f"not answered: {marked('; '.join(missing))}" if missing else "each question is answered",
        ),
        ("length", LEAST_WORDS <= len(words) <= MOST_WORDS, f"{len(words)} words"),
        ("figures", not invented, f"in no source: {', '.join(invented[:5])}" if invented else "each is in a source"),
        (
            "competitors",
            not unfounded,
            f"in no source: {marked(unfounded[0])}" if unfounded else "each is in a source",
        ),
        ("plain text", not foreign, f"contains {marked(foreign[0])}" if foreign else "no HTML, no addresses"),
    ]
    if brief.format == DraftFormat.COMPARISON:
        checks.append(("table", "\n|" in markdown, "compares in a table"))
    return [Check(name=name, passed=passed, detail=detail) for name, passed, detail in checks]


def _unanswered(brief: Brief, markdown: str) -> list[str]:
    """The questions most of whose words the draft does not have."""
    there = telling_words(markdown)
    return [each for each in brief.questions if len(telling_words(each) & there) < len(telling_words(each)) / 2]


def _unfounded(brief: Brief, markdown: str, rivals: Sequence[str]) -> Iterator[str]:
    """Sentences on a competitor that share too few words with its sources."""
    names, asked = telling_words(*rivals), telling_words(*brief.questions)
    for sentence in _SENTENCE.split(markdown):
        stated = telling_words(sentence) - names - asked
        for rival in rivals:
            if rival.casefold() in sentence.casefold() and len(stated) >= SHARED:
                sources = telling_words(
                    *(f"{each.label} {each.text}" for each in brief.praise if each.subject == rival)
                )
                if len(stated & sources) < SHARED:
                    yield sentence[:200]
