"""What makes a brand's figures uncertain, and what it would take, within its owner's plan and beyond."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import orjson
from pydantic import TypeAdapter

from visibility.measured import stored
from visibility.metrics.planning import (
    ASSUMED_SPREAD,
    Design,
    Limits,
    Plan,
    Reach,
    Source,
    Spread,
    Wander,
    assumed_wander,
    half_width,
    least_change,
    plan_for,
)
from visibility.resources.plans import Budgets, PlannedScan, VarianceBudget
from visibility.services.reading.plan_words import CHANGE, SCORE, Wording, plan_in_words, shares_in_words

PLAN_FIELDS = ("max_prompts_per_site", "max_samples", "credits_per_month")
"""What of an account's plan bounds a scan."""
_STORED = TypeAdapter(dict[str, stored.VarianceBudget])
_WORDING: Mapping[str, Wording] = {"score": SCORE, "change": CHANGE}


@dataclass(frozen=True, slots=True)
class Known:
    """What plans reckon with: of the score, and of its change."""

    spread: Spread
    wander: Wander

    def reach(self, figure: str) -> Reach:
        """What a design shows of the score, or of its change."""
        if figure == "score":
            return partial(half_width, spread=self.spread)
        return partial(least_change, wander=self.wander)

    def source(self, figure: str) -> Source:
        """Whose answers that rests on."""
        return self.spread.source if figure == "score" else self.wander.source


def stored_budgets(kept: Mapping[str, Any]) -> dict[str, stored.VarianceBudget]:
    """The budgets that a daily score keeps, by name, without those that an earlier release wrote."""
    return _STORED.validate_python({name: budget for name, budget in kept.items() if budget and "spread" in budget})


def known_of(budgets: Mapping[str, stored.VarianceBudget]) -> Known:
    """What is known of a brand's answers; what is usual where nothing is."""
    spread = (budgets["score"].spread if "score" in budgets else None) or ASSUMED_SPREAD
    wander = budgets["change"].wander if "change" in budgets else None
    # Two days that are alike to the last answer do not show how far topics move between others.
    is_told = wander is not None and (wander.run > 0 or wander.sample > 0)
    return Known(spread, wander if wander and is_told else assumed_wander(spread))


def limits_of(allowed: Mapping[str, int | None], branded: int) -> Limits:
    """What the plan (its `PLAN_FIELDS`) allows to ask beside so many prompts that name the brand."""
    prompts, samples, answers = (allowed[name] or 0 for name in PLAN_FIELDS)
    return Limits(max(0, prompts - branded), max(1, samples), answers)


def budgets_of(text: str, allowed: Mapping[str, int | None]) -> Budgets:
    """The budgets of a daily score (JSON), each with what would lessen it, by the plan's `PLAN_FIELDS`."""
    kept = stored_budgets(orjson.loads(text))
    known = known_of(kept)
    return Budgets(**{name: _budget(name, budget, known, allowed) for name, budget in kept.items()})


def measured_design(budget: stored.VarianceBudget) -> Design:
    """What was asked where the budget was measured."""
    return Design(budget.topics, budget.prompts / budget.topics, budget.samples, budget.engines)


def _budget(
    figure: str, budget: stored.VarianceBudget, known: Known, allowed: Mapping[str, int | None]
) -> VarianceBudget:
    present = measured_design(budget)
    limits, reach = limits_of(allowed, budget.branded), known.reach(figure)
    plan = plan_for(reach, budget.target, limits=limits, present=present, measured_reach=budget.reach)
    words = plan_in_words(plan, limits, _WORDING[figure])
    return VarianceBudget(
        shares=dict(budget.shares),
        reach=budget.reach,
        target=budget.target,
        prompts=budget.prompts,
        topics=budget.topics,
        samples=budget.samples,
        needed=planned(plan.needed, reach),
        allowed=planned(plan.allowed, reach),
        known_from=known.source(figure).value,
        advice=_advice(plan),
        reason=f"{words} {shares_in_words(budget.shares, budget.topics)}",
    )


def planned(design: Design | None, reach: Reach) -> PlannedScan | None:
    """The design as it looks from outside."""
    if design is None:
        return None
    return PlannedScan(
        topics=design.topics,
        wordings=round(design.wordings, 2),
        samples=round(design.samples, 2),
        prompts=design.prompts,
        answers=design.answers,
        reach=round(float(reach(design)), 2),
    )


def _advice(plan: Plan) -> Literal["enough", "prompts", "samples"]:
    if plan.is_enough:
        return "enough"
    return "samples" if plan.adds_samples_only else "prompts"
