"""Verdicts on changes in plain words, for people."""

from visibility.resources import Change, MetricChange, ReportedChange

WHY_NOT_COMPARABLE = (
    "Days are not comparable where other prompts, engines, models, locales or another detector stand behind them, or "
    "one of them has no score; which it was is not told here."
)


def in_words(change: Change | MetricChange) -> str:
    """What may be said of a change, with its numbers in points."""
    if change.delta is None or change.verdict == "not_comparable":
        return "not comparable"
    span = "" if change.low is None or change.high is None else f" ({change.low:.1f} to {change.high:.1f})"
    if change.verdict == "moved":
        return f"moved {'up' if change.delta > 0 else 'down'} {abs(change.delta):.1f} points{span}"
    if change.verdict == "within_noise":
        return f"within noise: {change.delta:+.1f} points{span}"
    if change.minimum_detectable is None:
        return "cannot be told yet: too few prompts, or no differences to reckon with"
    return f"cannot be told yet: the smallest change that would show is {change.minimum_detectable:.0f} points"


def reported_in_words(change: ReportedChange) -> str:
    """As `in_words`, and whether the change is confirmed: only then is it worth acting on."""
    if change.verdict != "moved":
        return in_words(change)
    told = "confirmed: on two measured days in a row" if change.confirmed else "not confirmed yet"
    return f"{in_words(change)}, {told}"
