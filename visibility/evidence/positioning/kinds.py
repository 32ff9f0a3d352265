"""What a sentence about the brand says: whether it is a claim, and of which kind."""

from visibility.audit.checks.phrases.phrases import phrases_of
from visibility.evidence.positioning.quantities import quantities
from visibility.evidence.positioning.subjects import Subjects
from visibility.evidence.sentences import Sentence
from visibility.evidence.types import ClaimKind


def kind_of(sentence: Sentence, begin: int | None, subjects: Subjects) -> ClaimKind | None:
    """The kind of claim that a sentence makes of the brand, which is its subject from `begin` on; null for a sentence
    that makes none, or of others.

    What is easiest to check decides where several would do: a quantity, then a superlative.
    """
    words, text = sentence.words.claims, sentence.text
    if text.endswith(":") or words.no_claim.search(text):
        return None
    kind = _kind(sentence)
    if begin is None:
        return kind if _is_understood(sentence, kind, subjects) else None
    verb = words.capability.search(text, begin)
    if sentence.block.kind == "heading" and verb and not verb[0].islower():
        # "Features" in the title of a section is no verb.
        return None
    # A whole sentence has a verb, whichever it is; what is left when nothing special is said has to be known.
    return kind if verb or (sentence.ends and kind != ClaimKind.CAPABILITY) else None


def _is_understood(sentence: Sentence, kind: ClaimKind, subjects: Subjects) -> bool:
    """Whether a sentence speaks of the brand without naming it: it leaves its subject out, or is one of the reasons
    that stand below a heading such as "Why us"."""
    if sentence.block.kind == "heading":
        return False
    above = sentence.block.path[-1:]
    reason = kind != ClaimKind.CAPABILITY and any(sentence.words.claims.reasons.search(heading) for heading in above)
    return reason or subjects.elided(sentence.text)


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
