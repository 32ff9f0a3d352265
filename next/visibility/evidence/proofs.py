"""Sentences of the site's own pages that prove a criterion for it: with a number, or an assurance."""

import re
from collections.abc import Iterable, Mapping, Sequence

from visibility.audit import ParsedPage
from visibility.evidence.claims import SiteClaim, concrete
from visibility.evidence.criteria import TopicCriterion
from visibility.evidence.pages import Sentence, sentences_of, speaks_for_itself
from visibility.evidence.quantities import roots
from visibility.evidence.reading import TermFinder, tokens_of

_NOT_OF_THE_SITE = ("legal", "login", "search")


def find_proofs(
    criteria: Sequence[TopicCriterion], pages: Iterable[ParsedPage], others: Iterable[str]
) -> Mapping[str, Sentence]:
    """By the key of a criterion the sentence that proves it best, where there is one; none that names `others`."""
    names = "|".join(re.escape(name) for name in sorted(others, key=len, reverse=True))
    named = re.compile(rf"(?<!\w)(?:{names or '(?!)'})(?!\w)", re.IGNORECASE)
    finder = TermFinder({criterion.key: criterion.terms for criterion in criteria})
    found: dict[str, SiteClaim] = {}
    for claim in concrete(sentences_of(page for page in pages if page.kind not in _NOT_OF_THE_SITE)):
        text = claim.sentence.text
        if named.search(text):
            continue
        tokens = tokens_of(text)
        for key, first, last in finder.places(tokens):
            if not claim.proven.isdisjoint(roots(text[tokens[first].start : tokens[last - 1].end])):
                found[key] = min(found.get(key, claim), claim, key=_clarity)
    return {key: claim.sentence for key, claim in found.items()}


def _clarity(claim: SiteClaim) -> tuple[bool, bool, int]:
    return claim.kind != "quantity", not speaks_for_itself(claim.sentence.page), len(claim.sentence.text)
