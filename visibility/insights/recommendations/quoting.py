"""Quotes of evidence in the form that recommendations keep. Pure."""

from uuid import UUID

from apikeys.text.sentences import shortened
from apikeys.text.untrusted import clean
from visibility.evidence.types import Quote
from visibility.insights.recommendations.wording import MAX_QUOTE, EvidenceText


def of_page(quote: Quote) -> EvidenceText:
    """Words of a page of the brand."""
    return EvidenceText("page", _text(quote), url=quote.url or None)


def of_answer(quote: Quote, prompt: UUID | None) -> EvidenceText:
    """Words of an answer; `prompt` is None where its answer is no longer one of now."""
    return EvidenceText("answer", _text(quote), quote.engine or None, prompt, UUID(quote.answer))


def of_review(quote: Quote) -> EvidenceText:
    """Words of a review."""
    return EvidenceText("review", _text(quote), url=quote.url or None)


def _text(quote: Quote) -> str:
    return shortened(clean(quote.text).strip(), MAX_QUOTE)
