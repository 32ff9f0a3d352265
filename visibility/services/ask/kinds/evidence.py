"""What buyers judge by, what the brand claims, what reviews speak of, how its pages sound."""

from django.conf import settings

from visibility.resources.steps import NextStep, called
from visibility.resources.voice import CriterionWinner
from visibility.services.ask.fact import MOST, QuestionContext, Told, fact, site_step
from visibility.services.ask.types import Statement, Step, Value
from visibility.services.evidence.voice import buyer_criteria, positioning_claims, review_themes, voice_profile

MAX_TRAITS = 4


def told_of_criteria(context: QuestionContext) -> Told:
    """What answers to buying questions judge by, the weightiest first, and whom they name as good by it: of the topic
    where the question is about one, else of all."""
    topics = context.about.narrowing.topics if context.about.narrowing else ()
    topic = topics[0] if len(topics) == 1 else None
    report = buyer_criteria(context.caller, brand_id=context.brand.pk, topic=topic)
    criteria = [item for item in report.criteria if topic or not topics or {*topics} & {*item.topics}]
    if not criteria:
        return _nothing(context, "no_criteria", report.next_step, "get_prompt_detail")
    first = fact(
        "criteria",
        **context.place,
        subject=context.brand.name,
        count=len(criteria),
        labels=[item.label for item in criteria[:3]],
        answers=criteria[0].of_answers,
    )
    facts = [
        fact(
            "criterion",
            *(quote.answer_id for quote in item.quotes[:2] if quote.answer_id),
            label=item.label,
            answers=item.answers,
            ofAnswers=item.of_answers,
            weight=item.weight,
            others=[_winner(winner) for winner in item.winners[:3]],
        )
        for item in criteria[:MOST]
    ]
    return Told([first, *facts])


def _winner(winner: CriterionWinner) -> dict[str, Value]:
    competitor = str(winner.competitor) if winner.competitor else None
    return {"subject": winner.name, "competitor": competitor, "count": winner.answers}


def told_of_claims(context: QuestionContext) -> Told:
    """What the brand's pages claim, those that answers contradict first."""
    report = positioning_claims(context.caller, brand_id=context.brand.pk)
    if not report.claims:
        return _nothing(context, "no_claims", report.next_step, "run_audit_scan")
    order = {"contradicted": 0, "absent": 1, "supported": 2}
    claims = sorted(report.claims, key=lambda claim: order[claim.engines_say])
    counts = {state: sum(claim.engines_say == state for claim in claims) for state in order}
    first = fact(
        "claims",
        subject=context.brand.name,
        count=len(claims),
        supported=counts["supported"],
        contradicted=counts["contradicted"],
        absent=counts["absent"],
    )
    facts = [
        fact(
            "claim",
            *(quote.answer_id for quote in claim.quotes[:2] if quote.answer_id),
            label=claim.claim,
            verdict=claim.engines_say,
            answers=claim.answers,
            page=claim.ours[0].url if claim.ours else None,
        )
        for claim in claims[:MOST]
    ]
    return Told([first, *facts])


def told_of_themes(context: QuestionContext) -> Told:
    """What reviews speak about, those of most reviews first."""
    report = review_themes(context.caller, brand_id=context.brand.pk)
    if not report.themes:
        return _nothing(context, "no_themes", report.next_step, "run_audit_scan")
    first = fact(
        "themes",
        subject=context.brand.name,
        count=len(report.themes),
        labels=[theme.label for theme in report.themes[:3]],
        reviews=report.themes[0].reviews,
    )
    facts = [
        fact(
            "theme",
            label=theme.label,
            count=theme.count,
            reviews=theme.reviews,
            polarity=theme.polarity,
            stars=theme.mean_stars,
            answers=theme.answers,
        )
        for theme in report.themes[:MOST]
    ]
    return Told([first, *facts])


def told_of_voice(context: QuestionContext) -> Told:
    """How the brand's own pages sound: what is measured of it."""
    report = voice_profile(context.caller, brand_id=context.brand.pk)
    if report.profile is None:
        return _nothing(context, "no_voice", report.next_step, "run_audit_scan")
    profile = report.profile
    first = fact(
        "voice",
        subject=context.brand.name,
        words=profile.words,
        pages=profile.pages,
        day=profile.as_of,
        language=profile.language,
    )
    facts = [
        fact("trait", trait=figure.trait, value=figure.value, unit=figure.unit)
        for figure in profile.figures[:MAX_TRAITS]
    ]
    return Told([first, *facts])


_TOOLS = {
    "no_criteria": "get_buyer_criteria",
    "no_claims": "get_positioning_claims",
    "no_themes": "get_review_themes",
    "no_voice": "get_voice_profile",
}
"""The tool of each: where it is the step as well, what it shows is being made."""


def _nothing(context: QuestionContext, key: str, next_step: NextStep | None, tool: str) -> Told:
    """That there is nothing yet, and the step that the service names, else the usual one."""
    usual = site_step(tool, f"would_bring_{key.removeprefix('no_')}", context.brand)
    if next_step is not None and next_step.tool:
        is_being_made = next_step.tool == called(_TOOLS[key])
        why = Statement("would_be_made") if is_being_made else usual.why
        usual = Step(next_step.tool.removeprefix(settings.TOOL_PREFIX), why, next_step.arguments)
    return Told([fact(key, subject=context.brand.name)], usual)
