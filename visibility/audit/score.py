"""Scores from what the checks found.

    overall  = 100 · Σ weight · share / Σ weight      over the checks that passed or failed
    category = the same, over the checks of the category
    capped   = the least of overall and, of each check by which pages are lost, 100 · (1 - lost), at least its cap

`share` is the part of what a check looked at that is as it should be: a check that passed has 1. Checks that do not
apply, or could not be told, are in neither sum; a check of weight 0 is counted and changes no score. `lost` is the
part of the site's pages that machines do not get at all: a score is no higher than what is left. Where all is lost it
is the cap of the catalogue, 25 where that names none. Scores stay exact here: they are rounded where they are shown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

from visibility.audit.outcome import CatalogueEntry, Category, Outcome

CATEGORIES: tuple[Category, ...] = get_args(Category)
LEAST_CAP = 25.0


@dataclass(frozen=True, slots=True)
class CategoryScore:
    """How the site does in one category.

    `score`: 0 to 100, null where none of its checks that weigh applies. `passed`, `failed`: checks, those of weight 0
    included. `weight`: the share of the category in all weights that apply, in percent.
    """

    id: Category
    score: float | None
    passed: int
    failed: int
    weight: float


@dataclass(frozen=True, slots=True)
class Cap:
    """A critical defect, and what it holds the overall score down to."""

    check: str
    cap: float


@dataclass(frozen=True, slots=True)
class Scores:
    """The overall score, 0 to 100 (null where nothing that weighs applies), all categories in the order of the
    catalogue, and the caps that critical defects set, the lowest first."""

    overall: float | None
    categories: tuple[CategoryScore, ...]
    caps: tuple[Cap, ...]


def scores(outcomes: Mapping[str, Outcome], catalogue: Mapping[str, CatalogueEntry]) -> Scores:
    """The scores of one audit. Outcomes of checks that the catalogue does not have are left out."""
    judged = {
        entry: outcome
        for check, outcome in outcomes.items()
        if (entry := catalogue.get(check)) and outcome.verdict in ("passed", "failed")
    }
    caps = [Cap(entry.id, cap_of(entry, outcome.lost)) for entry, outcome in judged.items() if outcome.critical]
    mean = _mean(judged.items())
    left = [cap_of(entry, outcome.lost) for entry, outcome in judged.items()]
    overall = mean if mean is None else min([mean, *left])
    every = sum(entry.weight for entry in judged)
    return Scores(
        overall,
        tuple(_category(name, judged, every) for name in CATEGORIES),
        tuple(sorted(caps, key=lambda cap: (cap.cap, cap.check))),
    )


def cap_of(entry: CatalogueEntry, lost: float) -> float:
    """What is left of the score where this part of the pages is lost by a check."""
    return max(LEAST_CAP if entry.cap is None else entry.cap, 100 * (1 - lost)) if lost else 100.0


def _category(name: Category, judged: Mapping[CatalogueEntry, Outcome], every: float) -> CategoryScore:
    own = {entry: outcome for entry, outcome in judged.items() if entry.category == name}
    verdicts = [outcome.verdict for outcome in own.values()]
    weight = sum(entry.weight for entry in own)
    return CategoryScore(
        id=name,
        score=_mean(own.items()),
        passed=verdicts.count("passed"),
        failed=verdicts.count("failed"),
        weight=100 * weight / every if every else 0.0,
    )


def _mean(judged: Iterable[tuple[CatalogueEntry, Outcome]]) -> float | None:
    """The weighted mean of the shares, in percent."""
    parts = [(entry.weight, outcome.share or 0.0) for entry, outcome in judged]
    every = sum(weight for weight, _ in parts)
    return 100 * sum(weight * share for weight, share in parts) / every if every else None
