"""What a question takes for granted, held against the figures: corrected with them, or confirmed."""

from collections.abc import Callable, Mapping

from apikeys.scopes import Scope
from visibility.services.ask.fact import Fact, QuestionContext, fact
from visibility.services.ask.kinds.changes import told_of_change
from visibility.services.ask.kinds.rivals import verdict_of
from visibility.services.ask.types import Claimed, Premise, Subject, Value

CHANGES = (Claimed.ROSE, Claimed.FELL)
CHANGED = ("change_record", "changed", "drifted")
"""Sentences that tell a change."""
RARELY = 1 / 3
"""Named in at most this part of the answers: seldom, if not never."""
CLOSE = 0.5
"""Points by which a figure in a question may differ: people round."""


def fact_of_premise(context: QuestionContext, premise: Premise) -> Fact | None:
    """The premise corrected or confirmed; None where nothing is known of it, or the caller may not know."""
    subjects = {premise.subject.id, premise.other.id if premise.other else premise.subject.id}
    known = {subject.id for subject in context.counts.subjects}
    if premise.claimed in CHANGES:
        return _changed(context, premise)
    if not subjects <= known or not context.counts.days:
        return None
    return _HELD[premise.claimed](context, premise)


def _not_named(context: QuestionContext, premise: Premise) -> Fact | None:
    tally = context.counts.tally(premise.subject)
    if not tally.answers:
        return None
    verdict = "confirmed" if not tally.named else "rarely" if tally.share <= RARELY else "false"
    return _told(context, premise, f"premise_not_named_{verdict}", verdict)


def _leads(context: QuestionContext, premise: Premise) -> Fact | None:
    """Whether nobody is named in a larger part of the answers."""
    ranked = [subject for subject in context.counts.ranked() if subject != premise.subject]
    if not ranked:
        return None
    first = premise.subject
    leads = verdict_of(context.counts.tally(first), context.counts.tally(ranked[0])) != "behind"
    return _told(
        context,
        premise,
        "premise_leads_confirmed" if leads else "premise_leads_false",
        "confirmed" if leads else "false",
        ranked[0],
    )


def _against(context: QuestionContext, premise: Premise) -> Fact | None:
    """Whether one is ahead of, or behind, the other; without another, of whom answers name most."""
    others = [subject for subject in context.counts.ranked() if subject.id != premise.subject.id]
    other = premise.other or (others[0] if others else None)
    if other is None:
        return None
    verdict = verdict_of(context.counts.tally(premise.subject), context.counts.tally(other))
    is_true = verdict == premise.claimed.value
    key = f"premise_{premise.claimed.value}_{'confirmed' if is_true else 'false'}"
    return _told(context, premise, key, "confirmed" if is_true else "false", other, standing=verdict)


def _changed(context: QuestionContext, premise: Premise) -> Fact | None:
    """Whether the score rose or fell: only what is confirmed did."""
    if Scope.READ_VISIBILITY not in context.caller.scopes:
        return None
    first = next((item for item in told_of_change(context).facts if item.statement.key in _DEVELOPED), None)
    if first is None:
        return None
    values = first.statement.values
    rose = values.get("direction") == "rose"
    if first.statement.key in CHANGED:
        is_true = rose == (premise.claimed == Claimed.ROSE)
        key = "premise_changed_confirmed" if is_true else "premise_changed_false"
        verdict = "confirmed" if is_true else "false"
    else:
        key, verdict = "premise_unchanged", "not_confirmed"
    more: dict[str, Value] = {"claimed": premise.claimed.value, "verdict": verdict}
    return fact(key, *first.refs, **{**values, **more})


_DEVELOPED = (*CHANGED, "unchanged")


def _figure(context: QuestionContext, premise: Premise) -> Fact | None:
    """Whether the subject is named in so many per cent, as people round it."""
    now = context.now if premise.subject.id is None else None
    tally = context.counts.tally(premise.subject)
    score = now.score if now else 100 * tally.share
    if premise.value is None or score is None or not tally.answers:
        return None
    is_true = abs(premise.value - score) <= CLOSE
    key = "premise_figure_confirmed" if is_true else "premise_figure_false"
    return _told(
        context,
        premise,
        key,
        "confirmed" if is_true else "false",
        asked=premise.value,
        score=round(score, 1),
        low=now.low if now else None,
        high=now.high if now else None,
    )


def _told(
    context: QuestionContext, premise: Premise, key: str, verdict: str, other: Subject | None = None, **more: Value
) -> Fact:
    """The sentence about the premise's subject, and another beside it."""
    counts = context.counts
    others: list[Value] = [counts.values(other)] if other else []
    values = {**counts.values(premise.subject), **context.place, **counts.span, **more}
    refs = [subject.id for subject in (premise.subject, other) if subject and subject.id]
    return fact(
        key,
        *refs,
        *counts.runs,
        **{
            **values,
            "others": others,
            "other": other.name if other else None,
            "claimed": premise.claimed.value,
            "verdict": verdict,
        },
    )


_HELD: Mapping[Claimed, Callable[[QuestionContext, Premise], Fact | None]] = {
    Claimed.NOT_NAMED: _not_named,
    Claimed.LEADS: _leads,
    Claimed.AHEAD: _against,
    Claimed.BEHIND: _against,
    Claimed.FIGURE: _figure,
}
