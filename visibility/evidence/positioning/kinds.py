"""What a sentence about the brand says: whether it is a claim, and of which kind."""

from visibility.audit.checks.phrases.phrases import phrases_of
from visibility.evidence.positioning.quantities import quantities
from visibility.evidence.positioning.subjects import Subjects
from visibility.evidence.sentences import Sentence
from visibility.evidence.types import ClaimKind


def kind_of(sentence: Sentence, subjects: Subjects) -> ClaimKind | None:
    """The kind of claim that a sentence makes of the brand; null for a sentence that makes none, or of others.

    What is easiest to check decides where several would do: a quantity, then a superlative.
    """
    words, text = sentence.words.claims, sentence.text
    if text.endswith(":") or words.no_claim.search(text):
        return None
    begin = subjects.begin(text)
    if begin is None:
        return _kind(sentence) if sentence.block.kind != "heading" and subjects.elided(text) else None
    verb = words.capability.search(text, begin)
    if sentence.block.kind == "heading" and verb and not verb[0].islower():
        # "Features" in the title of a section is no verb.
        return None
    kind, says = _kind(sentence), verb is not None
    # A whole sentence has a verb, whichever it is; what is left when nothing special is said has to be known.
    return kind if says or (sentence.ends and kind != ClaimKind.CAPABILITY) else None


def _kind(sentence: Sentence) -> ClaimKind:
    words, text = sentence.words.claims, sentence.text
    if words.quantified.search(text) or any(quantities(text)):
        return ClaimKind.QUANTIFIED
    phrases = phrases_of(sentence.page)
    praised = phrases and phrases.claims.superlatives.search(text) and not phrases.claims.no_superlatives.search(text)
    if praised or words.superlative.search(text):
        return ClaimKind.SUPERLATIVE
    for kind, rule in (
        (ClaimKind.ASSURANCE, words.assurance),
        (ClaimKind.DIFFERENTIATOR, words.differentiator),
        (ClaimKind.AUDIENCE, words.audience),
    ):
        if rule.search(text):
            return kind
    return ClaimKind.CAPABILITY
