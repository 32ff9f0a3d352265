"""Changes: the difference between a day's score and that of an earlier measured day, tested."""

from datetime import date

from visibility.answers.detect import BRAND
from visibility.counts.sums import rounded, wording_of
from visibility.metrics import Key, Metric, Verdict, compare
from visibility.scores.days import DayCounts

ASKED_AGAIN = 0.8
"""Two days are comparable when at least this part of the earlier day's prompts was asked again."""


def causes_between(before: DayCounts, after: DayCounts) -> list[str]:
    """Why two days are not comparable, of "prompts", "market", "engines", "model" and "country"; empty where they
    are. "market": the same wordings were asked, for other markets, as after a change of the brand's region.
    """
    # The locale is no cause, as a prompt in another locale is another wording; nor is the detector, as all days are
    # counted again when it changes.
    asked, again = set(before.counts.prompts), set(after.counts.prompts)
    wordings, wordings_again = ({wording_of(key) for key in keys} for keys in (asked, again))
    repeated = {key for key in asked if wording_of(key) in wordings_again}
    both = before.engines.keys() & after.engines.keys()
    differs = {
        "prompts": len(wordings & wordings_again) < ASKED_AGAIN * len(wordings),
        "market": len(repeated & again) < ASKED_AGAIN * len(repeated),
        "engines": before.engines != after.engines,
        "model": any(before.served[engine].models != after.served[engine].models for engine in both),
        "country": any(before.served[engine].countries != after.served[engine].countries for engine in both),
    }
    return [cause for cause, is_different in differs.items() if is_different]


def stored_change(
    since: date, before: DayCounts, after: DayCounts, subject: Key = BRAND, engine: Key | None = None
) -> dict[str, object]:
    """The change of a subject's score over all engines, or on one, on the prompts that both days asked. The keys are
    the names of the API."""
    own = next(
        (
            change
            for change in compare(before.counts, after.counts)
            if (change.subject, change.engine, change.metric) == (subject, engine, Metric.SCORE)
        ),
        None,
    )
    causes = causes_between(before, after)
    own = None if causes else own  # days that are not comparable have no difference
    verdict = own.verdict if own else Verdict.NOT_COMPARABLE
    return {
        "from": since.isoformat(),
        "delta": rounded(own.delta) if own else None,
        "low": rounded(own.low) if own else None,
        "high": rounded(own.high) if own else None,
        "verdict": verdict,
        "minimumDetectable": rounded(own.minimum_detectable) if own else None,
        "causes": causes,  # of not being comparable: for pages and tools, no field of the REST API
    }
