"""Sentences of the site's own pages that prove a criterion for it: with a number, or an assurance."""

import re
from collections.abc import Iterable, Mapping, Sequence

from visibility.audit import ParsedPage
from visibility.evidence.claims import SiteClaim, any_of, claim_in
from visibility.evidence.criteria import TopicCriterion, finder_of
from visibility.evidence.pages import Sentence, sentences_of, speaks_for_itself
from visibility.evidence.reading import tokens_of
from visibility.evidence.vocabulary import roots

_NOT_OF_THE_SITE = ("legal", "login", "search")


def find_proofs(
    criteria: Sequence[TopicCriterion], pages: Iterable[ParsedPage], others: Iterable[str]
) -> Mapping[str, Sentence]:
    """By the key of a criterion the sentence that proves it best, where there is one; none that names `others`."""
    named, finder = re.compile(any_of(others), re.IGNORECASE), finder_of(criteria)
    found: dict[str, SiteClaim] = {}

    def preference(claim: SiteClaim) -> tuple[bool, bool, int]:
        return claim.kind != "quantity", not speaks_for_itself(claim.sentence.page), len(claim.sentence.text)

    for sentence in sentences_of(page for page in pages if page.kind not in _NOT_OF_THE_SITE):
        claim = claim_in(sentence)
        if claim is None or claim.kind not in ("quantity", "assurance") or named.search(sentence.text):
            continue
        for key, start, end in finder.places(tokens_of(sentence.text)):
            if not claim.proven.isdisjoint(roots(sentence.text[start:end])):
                found[key] = min(found.get(key, claim), claim, key=preference)
    return {key: claim.sentence for key, claim in found.items()}
