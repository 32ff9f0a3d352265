"""The words by which a brand's pages are read for evidence, by language: what each file beside this one must hold.

A page is read in its own language only; one in a language without a file holds no evidence that needs words.
"""

from pathlib import Path

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Languages
from visibility.audit.checks.phrases.phrases import Rule, language_of
from visibility.audit.page import ParsedPage


@dataclass(frozen=True, slots=True, config=STRICT)
class VoiceWords:
    """`you`, `we`: words that speak to the reader and of oneself. `contractions`: short forms that a writer chooses;
    none where grammar demands them. `calls`: how the words of a button or link begin that ask for an action."""

    you: Rule
    we: Rule
    calls: Rule
    contractions: Rule | None = None


@dataclass(frozen=True, slots=True, config=STRICT)
class ReviewWords:
    """`headings`: whole headings above what customers say. `notices`: what shops write between reviews."""

    headings: Rule
    notices: Rule


@dataclass(frozen=True, slots=True, config=STRICT)
class PageWords:
    """All words of one language. `set_aside`: sentences about consent, cookies, privacy and the like."""

    set_aside: Rule
    voice: VoiceWords
    reviews: ReviewWords


LANGUAGES: Languages[PageWords] = Languages(Path(__file__).parent, PageWords)


def words_for(page: ParsedPage) -> PageWords | None:
    """The words to read a page by; none for a language without a file."""
    return LANGUAGES.get(language_of(page))
