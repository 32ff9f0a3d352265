"""Names that need care in plain sentences, for people."""

from brands.models import NamePolicy
from visibility.resources.names import NameCheck


def in_sentences(check: NameCheck) -> str:
    """Why a name needs care, how often that matters, and what is proposed or was said of it."""
    sentences = [check.reason]
    if check.answers:
        sentences.append(
            f"Its letters occur in {check.occurs_in} of the newest {check.answers} answers; "
            f"they counted as the name in {check.counted_in} of them."
        )
    if check.policy:
        sentences.append(f"What was said: {NamePolicy(text=check.name, **dict(check.policy))}.")
    elif check.proposal:
        sentences.append(f"Proposed: {NamePolicy(text=check.name, **dict(check.proposal))}.")
    return " ".join(sentences)
