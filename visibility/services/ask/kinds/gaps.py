"""Where competitors are named and the brand is not."""

from collections.abc import Iterable, Iterator

from visibility.resources.gaps import CompetitorGap
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact, step, unmeasured
from visibility.services.ask.types import Step, Value
from visibility.services.competitors.gaps import competitor_gaps

MAX_RIVALS = 3


def told_of_gaps(context: QuestionContext) -> Told:
    """How many prompts have the gap that is meant, then these, the most consistent first."""
    brand, about = context.brand, context.about
    report = competitor_gaps(context.caller, brand_id=brand.pk)
    if report.as_of is None:
        return unmeasured(context)
    meant = list(_meant(context, report.gaps))
    rivals = [rival.name for rival in about.rivals]
    is_narrowed = bool(about.narrowing or about.engines or rivals)
    count = len(meant) if is_narrowed else len(report.gaps) + report.more
    prompts = len(about.narrowing.prompts) if about.narrowing else report.prompts
    first = fact(
        "gaps" if count else "no_gaps",
        *(rival.pk for rival in about.rivals),
        **context.place,
        subject=brand.name,
        count=count,
        prompts=prompts,
        rivals=rivals or None,
        day=report.as_of,
    )
    return Told([first, *(_fact(gap) for gap in meant[:MOST])], _unknown(context, meant))


def _meant(context: QuestionContext, gaps: Iterable[CompetitorGap]) -> Iterator[CompetitorGap]:
    """The gaps of the competitors, prompts and engines that are meant."""
    about = context.about
    rivals = {rival.pk for rival in about.rivals}
    for gap in gaps:
        if about.narrowing is not None and gap.prompt not in about.narrowing.prompts:
            continue
        if rivals and not any(rival.id in rivals for rival in gap.competitors):
            continue
        if not about.engines or any(row.engine in about.engines and row.gaps for row in gap.engines):
            yield gap


def _fact(gap: CompetitorGap) -> Fact:
    others: list[Value] = [
        {"subject": rival.name, "competitor": str(rival.id), "count": rival.answers}
        for rival in gap.competitors[:MAX_RIVALS]
    ]
    engines: list[Value] = [
        {"engine": row.engine, "count": row.gaps, "answers": row.answers} for row in gap.engines if row.gaps
    ]
    return fact(
        "gap",
        gap.prompt,
        prompt=gap.text,
        topic=gap.topic or None,
        others=others,
        engines=engines,
        count=sum(row.gaps for row in gap.engines),
        answers=sum(row.answers for row in gap.engines),
    )


def _unknown(context: QuestionContext, gaps: list[CompetitorGap]) -> Step | None:
    """Why answers name others: their texts tell."""
    if not gaps:
        return None
    return step("get_prompt_detail", "why_not_measured", {"promptId": str(gaps[0].prompt)})
