"""Names that need care in plain sentences, for people."""

from collections.abc import Sequence

from apikeys.text.sentences import joined
from brands.models import NamePolicy
from visibility.detection.names.cost import LongerName, NameCost
from visibility.resources.names import NameCheck


def cost_in_words(cost: NameCost) -> str:
    """How often the name stands in the newest answers, and how often it is meant there."""
    if not cost.answers:
        return "No answers are stored yet to tell how often: look at the brand's names again after its first scan."
    newest = "the one answer" if cost.answers == 1 else f"the newest {cost.answers:,} answers"
    if not cost.places:
        return f"With these capitals it does not stand in {newest}, so it costs nothing there."
    times = {1: "once", 2: "twice"}.get(cost.places, f"{cost.places:,} times")
    return f"It stands {times} in {newest}; {_meant(cost)}"


def longer_in_words(longer: Sequence[LongerName]) -> str:
    """What longer names cost the name that they begin with, as a question."""
    costs = joined([f"{item.places:,} of “{item.name} {item.word}”" for item in longer])
    return (
        f"Of its {longer[0].mentions:,} mentions in the newest answers, {costs}. Is that somebody else's? Then "
        "accept what is proposed, and it no longer counts. Else add it as an alias, and it is asked no more."
    )


def advice_in_words(longer_names: Sequence[str]) -> str:
    """What to do about a name that is meant less often than it stands."""
    such_as = f", such as {joined([f'“{name}”' for name in longer_names])}" if longer_names else ""
    return f"Add the longer name that answers use{such_as}, or say when this one counts."


def _meant(cost: NameCost) -> str:
    if cost.counted == cost.places:
        return "it is meant there by the words around it." if cost.places == 1 else "all of these mean it."
    if not cost.counted:
        return "by the words around it, none of these means it." if cost.places > 1 else "there it is not meant."
    means = "means" if cost.counted == 1 else "mean"
    return f"by the words around them, {cost.counted:,} of these {means} it."


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
