"""What a proof says, in plain sentences: its plan, its verdict, why there is none. Pure."""

from collections.abc import Iterable, Sequence
from datetime import date

from django.utils.formats import date_format

from apikeys.text.sentences import counted, joined
from visibility.engines.display import display_names
from visibility.insights.proofs.types import EarlierVerdict, StoredPlan, StoredResult
from visibility.insights.recommendations.kind import ProvenBy
from visibility.metrics.change import Metric
from visibility.metrics.proof.planning import MAX_SCANS
from visibility.metrics.proof.types import ProofVerdict, WhyNot
from visibility.metrics.shown import shown

_DONE_TO = {Metric.SCORE: "named", Metric.CITATION_RATE: "cited"}
VERDICTS = {
    ProofVerdict.MOVED_UP: "moved up",
    ProofVerdict.MOVED_DOWN: "moved down",
    ProofVerdict.NOT_SEEN: "no change that this panel could see",
    ProofVerdict.NOT_COMPARABLE: "not comparable",
}


def plan_sentence(plan: StoredPlan, topic: str, metric: Metric) -> str:
    """What the proof takes, and what it is held against."""
    of_what = " in citations" if metric is Metric.CITATION_RATE else ""
    target = f"a change of {_points(plan.target)}{of_what}"
    where = f"on “{topic}” beside your {counted(len(plan.control_topics), 'other topic')}"
    scans = f"{counted(plan.scans, 'scan')} of {counted(len(plan.wordings), 'prompt')}"
    cost = f"{counted(plan.answers, 'answer')}, {counted(plan.credits, 'credit')}"
    if plan.reaches_target:
        size = f"To see {target} {where}, {scans} {'is' if plan.scans == 1 else 'are'} needed: {cost}."
    elif plan.least is not None:
        shows = "shows" if plan.scans == 1 else "show"
        size = f"No {MAX_SCANS} scans show {target} {where}. {scans} {shows} one of {_points(plan.least)}: {cost}."
    else:
        size = f"No {MAX_SCANS} scans show any change {where} for certain. It is judged after {scans}: {cost}."
    return f"{size} The baseline is {days_in_words(plan.baseline)}; {_left_out(plan.gap_days)}."


def waiting_sentence(plan: StoredPlan) -> str:
    """That a baseline is waited for, and until when."""
    return (
        f"No day was measured since the gap was found on {_listed(plan.gap_days)}, and that day's answers were low "
        f"because that is how it was found. The first scan until {date_format(plan.last)} becomes the baseline."
    )


def result_sentence(
    verdict: ProofVerdict, result: StoredResult, *, topic: str, brand: str, metric: Metric, verdicts: int
) -> str:
    """What the scans say; `verdicts` of the month share the false-discovery rate."""
    if result.delta is None or verdict is ProofVerdict.NOT_COMPARABLE:
        raise ValueError("there is nothing to tell of what was not compared")
    span = "" if result.low is None or result.high is None else f" ({_span(result.low, result.high)})"
    if verdict is ProofVerdict.NOT_SEEN:
        beginning = f"No change that this panel could see: on “{topic}” the difference to the other topics is"
        text = f"{beginning} {shown(result.delta, 0, signed=True)} points{span}"
        text += f"; it could have seen {_points(result.least)}." if result.least is not None else "."
        if result.low is not None and result.high is not None and (result.low > 0 or result.high < 0):
            text += f" {counted(verdicts, 'verdict')} of this month share 5 % of false alarms."
        return text + _earlier(result.earlier)
    own, control = result.own or 0.0, result.control or 0.0
    return (
        f"{VERDICTS[verdict].capitalize()}: on “{topic}” {brand} is {_DONE_TO[metric]} {_more(own)}, "
        f"{_more(control)} on the other topics; difference {shown(result.delta, 0, signed=True)}{span}."
        f"{_earlier(result.earlier)}"
    )


def without_verdict(sentence: str) -> str:
    """What a sentence of these says behind its verdict, for readers who have read that already."""
    verdict, colon, rest = sentence.partition(": ")
    is_told = colon and verdict.casefold() in VERDICTS.values()
    return f"{rest[:1].upper()}{rest[1:]}" if is_told else sentence


def not_comparable(why: str) -> str:
    """That there is no verdict, and why."""
    return f"Not comparable: {why}"


def why_no_plan(why: WhyNot, topic: str) -> str:
    """Why a proof cannot be planned, and what would help the next one."""
    match why:
        case WhyNot.NO_CONTROL:
            cause = (
                f"there is no topic beside “{topic}” that nobody worked on meanwhile, so a change of all topics "
                "could not be told from an effect. Ask about other topics too, then the next one can be proven."
            )
        case WhyNot.FEW_CONTROLS:
            cause = (
                f"beside “{topic}” there are too few topics that nobody worked on meanwhile to tell a change of all "
                "topics from an effect. Ask about more of them, then the next one can be proven."
            )
        case _:
            cause = f"“{topic}” was not measured well enough before the work was done to hold later scans against."
    return not_comparable(cause)


UNPROVEN = {
    ProvenBy.AUDIT: "The next audit shows whether it helped: where the check passes, this is resolved.",
    ProvenBy.NOTHING: "No figure shows whether this helps, so nothing is measured for it. It is resolved when it is "
    "no longer found.",
}
"""What is said of kinds that no figure of a topic proves."""
NO_TOPIC = not_comparable(
    "this is about no single topic, so there is nothing that did not change to hold it against. Whether it helped "
    "cannot be proven."
)


def no_baseline(plan: StoredPlan) -> str:
    """That nothing was measured between the gap and the work, and what would help the next one."""
    return not_comparable(
        f"nothing was measured after {_listed(plan.gap_days)}, when the gap was found, until "
        f"{date_format(plan.last)}, so there is nothing to hold later scans against. Scan on the day when the work "
        "is done, then the next one can be proven."
    )


def why_not(why: WhyNot, topic: str, plan: StoredPlan, scans: int) -> str:
    """Why the scans that came tell nothing; `scans` of them measured what was frozen."""
    match why:
        case WhyNot.PROMPTS_CHANGED:
            cause = (
                f"too few of the {counted(len(plan.wordings), 'prompt')} on “{topic}” and the other topics are still "
                "asked as they were when the work was done. The others were archived or worded anew."
            )
        case WhyNot.ENGINES_CHANGED:
            engines = joined(display_names(plan.engines))
            cause = f"{engines} measured the baseline, and later scans came without all of them."
        case WhyNot.NO_SCANS:
            cause = (
                f"{scans} of the {counted(plan.scans, 'scan')} that were needed came until {date_format(plan.last)}."
            )
        case WhyNot.NO_CONTROL | WhyNot.FEW_CONTROLS:
            cause = (
                f"beside “{topic}” too few topics are left that nobody worked on meanwhile, so a change of all "
                "topics cannot be told from an effect."
            )
        case WhyNot.NO_BASELINE:
            cause = f"the answers of the baseline ({days_in_words(plan.baseline)}) are no longer there."
        case _:
            cause = f"too little of what was measured on “{topic}” is the same before and after."
    return not_comparable(cause)


def days_in_words(days: Sequence[date]) -> str:
    """From the first to the last, with how many were measured where that is not each of them: "12 to 20 Nov 2026"."""
    first, last = days[0], days[-1]
    if first == last:
        return date_format(first)
    beginning = str(first.day) if (first.year, first.month) == (last.year, last.month) else date_format(first)
    gaps = "" if len(days) == (last - first).days + 1 else f" ({len(days)} measured days)"
    return f"{beginning} to {date_format(last)}{gaps}"


def _left_out(days: Sequence[date]) -> str:
    return f"{_listed(days)}, when {'the gap was' if len(days) == 1 else 'gaps were'} found, {_is(days)} left out"


def _listed(days: Iterable[date]) -> str:
    return joined([date_format(day) for day in days])


def _is(days: Sequence[date]) -> str:
    return "is" if len(days) == 1 else "are"


def _points(value: float | None) -> str:
    number = shown(value or 0.0, 0)
    return f"{number} point" if number == "1" else f"{number} points"


def _more(points: float) -> str:
    if shown(points, 0) == "0":
        return "as often as before"
    return f"{_points(abs(points))} {'more' if points > 0 else 'less'} often"


def _span(low: float, high: float) -> str:
    return f"{shown(low, 0)} to {shown(high, 0)}"


def _earlier(earlier: Sequence[EarlierVerdict]) -> str:
    if not earlier:
        return ""
    last = earlier[-1]
    return (
        f" Until {date_format(last.until)} this said “{VERDICTS[ProofVerdict(last.verdict)]}”: the verdicts of a "
        "month share 5 % of false alarms, and others have come."
    )
