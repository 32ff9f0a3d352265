"""How sure the score is, and what would make it surer."""

from visibility.metrics.planning import Design
from visibility.services.ask.fact import Fact, QuestionContext, Told, fact, site_step, unmeasured
from visibility.services.ask.kinds.figures import headline
from visibility.services.ask.types import Step, Value
from visibility.services.scans.planning import Goal, usual_goal


def told_of_certainty(context: QuestionContext) -> Told:
    """The interval of the figure that is meant, and how many topics and samples would halve it or better."""
    now = context.now
    if not context.counts.days:
        return unmeasured(context)
    goal = usual_goal(context.caller, brand_id=context.brand.pk)
    first = headline(context, context.own, now)
    values = first.statement.values
    low, high, score = values.get("low"), values.get("high"), values.get("score")
    if isinstance(low, float) and isinstance(high, float) and isinstance(score, float):
        key, half = "sure", round((high - low) / 2, 1)
    else:
        key, half = "no_interval", None
    sure = fact(key, *first.refs, **{**values, "reach": half})
    return Told([sure, *_needed(goal)], _step(context, goal))


def _needed(goal: Goal) -> list[Fact]:
    """What it takes for the usual margin, whether the plan allows it, and what the most within it would give."""
    plan = goal.plan
    if plan.is_enough:
        return [fact("sure_enough", reach=_points(plan.reach), target=plan.target)]
    facts = []
    if plan.present is not None:
        facts.append(fact("asked_now", **_design(plan.present), reach=_points(plan.reach)))
    if plan.needed is None:
        facts.insert(0, fact("never_so_sure", target=plan.target))
    else:
        key = "needed" if plan.is_within_limits else "needed_beyond_plan"
        facts.insert(0, fact(key, **_design(plan.needed), target=plan.target))
    if plan.allowed is not None and plan.allowed_reach is not None:
        facts.append(fact("most_of_plan", **_design(plan.allowed), reach=_points(plan.allowed_reach)))
    return facts


def _design(design: Design) -> dict[str, Value]:
    return {
        "topics": design.topics,
        "wordings": round(design.wordings, 1),
        "samples": round(design.samples, 1),
        "prompts": design.prompts,
        "answers": design.answers,
        "credits": design.answers,
    }


def _points(reach: float | None) -> float | None:
    return None if reach is None else round(reach, 1)


def _step(context: QuestionContext, goal: Goal) -> Step | None:
    if goal.plan.is_enough:
        return None
    return site_step("generate_prompts", "would_be_surer", context.brand, {"count": 20})
