"""Changes: what is said of a day's score beside the measured day before it."""

from datetime import date

from visibility.metrics import Counts, Key, Metric, Verdict, compare
from visibility.scores.days import BRAND, DayCounts

ASKED_AGAIN = 0.8
"""Two days are comparable when at least this part of the earlier day's prompts was asked again."""


def causes_between(before: DayCounts, after: DayCounts) -> list[str]:
    """Why two days are not comparable, of "prompts", "engines", "model" and "country"; empty where they are."""
    # No cause by itself is the locale, as a prompt in another locale is another wording, nor the detector: when it
    # changes, all days are counted again.
    asked, again = _prompts(before.counts), _prompts(after.counts)
    both = before.engines.keys() & after.engines.keys()
    differs = {
        "prompts": len(asked & again) < ASKED_AGAIN * len(asked),
        "engines": before.engines != after.engines,
        "model": any(before.served[engine].models != after.served[engine].models for engine in both),
        "country": any(before.served[engine].countries != after.served[engine].countries for engine in both),
    }
    return [cause for cause, is_different in differs.items() if is_different]


def stored_change(
    since: date, before: DayCounts, after: DayCounts, subject: Key = BRAND, engine: Key | None = None
) -> dict[str, object]:
    """The change of a subject's score over engines, or on one, by the names of the API, on the prompts that both days
    asked."""
    own = next(
        (
            change
            for change in compare(before.counts, after.counts)
            if (change.subject, change.engine, change.metric) == (subject, engine, Metric.SCORE)
        ),
        None,
    )
    causes = causes_between(before, after)
    own = None if causes else own  # a difference of what cannot be compared is none
    verdict = own.verdict if own else Verdict.NOT_COMPARABLE
    return {
        "from": since.isoformat(),
        "delta": _rounded(own.delta) if own else None,
        "low": _rounded(own.low) if own else None,
        "high": _rounded(own.high) if own else None,
        "verdict": verdict,
        "minimumDetectable": _rounded(own.minimum_detectable) if own else None,
        "causes": causes,  # of not being comparable: for pages and tools, no field of the REST API
    }


def _prompts(counts: Counts) -> set[object]:
    return set(counts.prompts)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2) + 0.0
