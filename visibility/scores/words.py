"""Facts about scores as sentences, the same at every door."""

from collections.abc import Sequence
from datetime import date

from apikeys.resources import Worded, worded
from visibility.scores.now_resources import ChangeResource
from visibility.scores.resources import Change

RECOUNTING = Worded(
    "Names have changed and history is being counted again; until then figures do not know the change."
)


def change_words(name: str, changes: Sequence[ChangeResource], days: int) -> Worded:
    """The latest confirmed change of the score, or that there is none."""
    open_changes = [change for change in changes if change.engine is None and change.state != "recovered"]
    if open_changes:
        change = open_changes[0]
        how = f"{'rose' if change.delta > 0 else 'fell'} by {abs(change.delta):.0f} points"
        ends = f"from {change.from_.value:.0f} to {change.to.value:.0f} % since {change.since}"
        return worded(lambda theirs: f"{theirs(name)}'s score {how}: {ends}.")
    if days < 2:
        return Worded("Nothing can be said of changes here: that needs at least two measured days.")
    return worded(lambda theirs: f"No change of {theirs(name)}'s score is confirmed over the measured days.")


def difference_words(name: str, day: date, change: Change) -> Worded:
    """Whether a score of one day differs from that of an earlier one."""
    delta, since = change.delta or 0.0, change.from_
    match change.verdict:
        case "moved":
            how = f"{abs(delta):.0f} points {'more' if delta > 0 else 'less'} than on {since}, beyond chance"
            return worded(lambda theirs: f"On {day} the score of {theirs(name)} is {how}.")
        case "within_noise":
            verdict = f"is seen beyond chance ({delta:+.0f})"
            return worded(
                lambda theirs: f"Between {since} and {day} no change of the score of {theirs(name)} {verdict}."
            )
        case "cannot_detect":
            days = f"between {since} and {day}"
            return worded(
                lambda theirs: f"Too little was measured to tell a change of the score of {theirs(name)} {days}."
            )
    why = "too few of the same prompts, engines and samples"
    return worded(lambda theirs: f"The scores of {theirs(name)} on {since} and {day} are not comparable: {why}.")
