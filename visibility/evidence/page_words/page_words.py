"""The words by which a brand's pages are read for evidence, by language: what each file beside this one must hold.

A page is read in its own language only; one in a language without a file holds no evidence that needs words.
"""

from pathlib import Path

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Languages, Pattern, Words
from visibility.audit.checks.languages import DOUBTFUL, primary
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
class ClaimWords:
    """How a page says something of its own brand.

    What a sentence begins with: `us` speaks of the brand; `articles`, `of` and `joining` may stand before the name;
    `pronouns` mean the subject of the sentence before; `elided` verbs begin one that leaves its subject out. What it
    says: `quantified` without a unit (since when), `superlative` (beside those that audits know), `assurance`,
    `differentiator`, `audience`, `capability`.
    `no_claim`: directions, requests, wishes, disclaimers and words about the page. `others`: one person speaks in the
    block that holds them, who is no brand. `reasons`: headings above what speaks of the brand without naming it;
    `features`: addresses and headings of features.
    """

    us: Pattern
    articles: Pattern
    of: Pattern
    joining: Pattern
    pronouns: Pattern
    elided: Rule
    quantified: Rule
    superlative: Rule
    assurance: Rule
    differentiator: Rule
    audience: Rule
    capability: Rule
    no_claim: Rule
    others: Rule
    reasons: Rule
    features: Rule


@dataclass(frozen=True, slots=True, config=STRICT)
class QuantityWords:
    """`units`: the spellings of a unit by its English name, the same for all languages. `scales`: those of a factor.
    `hours`: what makes a number a time of the day."""

    units: dict[str, tuple[str, ...]]
    scales: dict[str, tuple[str, ...]]
    hours: Words


@dataclass(frozen=True, slots=True, config=STRICT)
class WeighingWords:
    """`small`: words that two sentences share whatever they say. `denying`: words that deny what follows them;
    `bounding`: words before a number that make it a bound or an estimate. `parting`: what parts what a sentence says
    of one from what it says of another."""

    small: Words
    denying: Rule
    bounding: Rule
    parting: Rule


@dataclass(frozen=True, slots=True, config=STRICT)
class PageWords:
    """All words of one language. `set_aside`: sentences about consent, cookies, privacy and the like."""

    set_aside: Rule
    voice: VoiceWords
    reviews: ReviewWords
    claims: ClaimWords
    quantities: QuantityWords
    weighing: WeighingWords


LANGUAGES: Languages[PageWords] = Languages(Path(__file__).parent, PageWords)


def language_for(page: ParsedPage) -> str:
    """The language to read a page by: that of its text; the declared one where the detector says what it says of
    lists and numbers."""
    declared = primary(page.lang_declared)
    return declared if page.lang_detected in DOUBTFUL and declared else language_of(page)


def words_for(page: ParsedPage) -> PageWords | None:
    """The words to read a page by; none for a language without a file."""
    return LANGUAGES.get(language_for(page))
