"""What there is to do and to write, and the prompts that are asked."""

from collections.abc import Iterable

from django.utils import timezone

from visibility.resources.prompts import PromptItem
from visibility.resources.recommendations import RecommendationResource
from visibility.resources.writing import Opportunity
from visibility.services.ask.about import About
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact, site_step, step
from visibility.services.ask.types import Value
from visibility.services.content.opportunities import content_report
from visibility.services.prompts.listing import prompts_of
from visibility.services.reading.reporting import recommendations
from visibility.writers.words import names_any


def told_of_recommendations(context: QuestionContext) -> Told:
    """What to do first, of what is meant, and how much there is."""
    brand = context.brand
    queue = recommendations(context.caller, brand_id=brand.pk, status="open").recommendations
    meant = [item for item in queue if is_meant(context, item)]
    if not meant:
        return Told(
            [fact("no_recommendations", **context.place, subject=brand.name, total=len(queue))],
            site_step("run_visibility_scan", "would_find_more", brand),
        )
    first = meant[0]
    facts = [
        fact(
            "do_first",
            first.id,
            **context.place,
            subject=brand.name,
            label=first.title,
            count=len(meant),
            total=len(queue),
            priority=first.priority,
            effort=first.effort,
            impact=first.impact,
        )
    ]
    facts += _why(first)
    facts += [
        fact(
            "recommendation",
            item.id,
            label=item.title,
            priority=item.priority,
            effort=item.effort,
            impact=item.impact,
            kind=item.kind,
        )
        for item in meant[1 : MOST + 1 - len(facts[1:])]
    ]
    return Told(facts, site_step("get_recommendations", "effect_of_work", brand))


def _why(item: RecommendationResource) -> list[Fact]:
    """What its priority is made of, where that is known."""
    factors = item.factors
    if factors is None:
        return []
    return [
        fact(
            "why_first",
            item.id,
            answers=factors.answers,
            ofAnswers=factors.of_answers,
            showing=factors.engines,
            ofEngines=factors.of_engines,
            reach=round(100 * factors.reach, 1),
            effect=factors.effect,
            effort=factors.effort,
        )
    ]


def is_meant(context: QuestionContext, item: RecommendationResource) -> bool:
    """Whether it is about the topic that is meant, or its evidence of the engines and prompts, and it names who is
    meant."""
    about, narrowing = context.about, context.about.narrowing
    topic = context.topics.meant_by(item.topic) if narrowing and item.topic else None
    prompts = topic.prompts if topic else {evidence.prompt_id for evidence in item.evidence}
    return (
        (narrowing is None or not prompts.isdisjoint(narrowing.prompts))
        and (not about.engines or any(evidence.engine in about.engines for evidence in item.evidence))
        and _names_rivals(about, f"{item.title} {item.summary}")
    )


def told_of_content(context: QuestionContext) -> Told:
    """What to write first, of what is meant."""
    brand, about = context.brand, context.about
    report = content_report(context.caller, brand_id=brand.pk)
    meant = [item for item in report.opportunities if _is_worth(about, item)]
    rest: dict[str, Value] = {
        "subject": brand.name,
        "drafts": len(report.drafts),
        "used": report.quota.used,
        "limit": report.quota.limit,
    }
    if not meant:
        return Told(
            [fact("no_content", **context.place, total=len(report.opportunities), **rest)],
            site_step("get_content_opportunities", "would_find_more", brand),
        )
    first = meant[0]
    facts = [
        fact(
            "write_first",
            first.id,
            **context.place,
            **rest,
            label=first.title,
            format=first.format,
            priority=first.score,
            count=len(meant),
        )
    ]
    facts += [
        fact("opportunity", item.id, label=item.title, format=item.format, priority=item.score, topic=item.topic)
        for item in meant[1 : MOST + 1]
    ]
    arguments: dict[str, Value] = {"opportunityId": first.id}
    return Told(facts, site_step("generate_content_draft", "would_draft", brand, arguments))


def _is_worth(about: About, item: Opportunity) -> bool:
    prompts = about.narrowing.prompts if about.narrowing else None
    return (
        (prompts is None or any(question.prompt_id in prompts for question in item.questions))
        and (not about.engines or any(row.engine in about.engines for row in item.engines))
        and _names_rivals(about, " ".join(item.competitors))
    )


def _names_rivals(about: About, text: str) -> bool:
    return not about.rivals or any(names_any(text, [rival.name]) for rival in about.rivals)


def told_of_prompts(context: QuestionContext) -> Told:
    """To how many prompts no answer names the brand, and to which it is named least."""
    brand, about = context.brand, context.about
    listed = prompts_of(context.caller, brand_id=brand.pk)
    rows = _answered(about, [prompt for prompt in listed.prompts if not prompt.branded])
    active = len(listed.prompts)
    common: dict[str, Value] = {
        "subject": brand.name,
        "prompts": active,
        "used": listed.quota.used,
        "limit": listed.quota.limit,
    }
    if not rows:
        return Told(
            [fact("prompts_not_asked", **context.place, **common)],
            site_step("run_visibility_scan", "would_measure", brand, subject=brand.name),
        )
    never = sum(not row["named"] for row in rows)
    first = fact(
        "prompts", **context.place, **common, count=len(rows), never=never, day=listed.as_of or timezone.now().date()
    )
    least = sorted(rows, key=_share)[:MOST]
    facts = [first, *(fact("prompt", row["id"], **{"subject": brand.name, **row}) for row in least)]
    return Told(facts, step("get_prompt_detail", "why_not_measured", {"promptId": str(least[0]["id"])}))


def _share(row: dict[str, Value]) -> tuple[float, int]:
    named, answers = row["named"], row["answers"]
    return (named / answers, -answers) if isinstance(named, int) and isinstance(answers, int) else (0.0, 0)


def _answered(about: About, prompts: Iterable[PromptItem]) -> list[dict[str, Value]]:
    """The prompts that are meant, each with the answers of the engines that are meant."""
    rows: list[dict[str, Value]] = []
    for item in prompts:
        engines = [row for row in item.engines if not about.engines or row.engine in about.engines]
        answers = sum(row.answers for row in engines)
        if answers and (about.narrowing is None or item.id in about.narrowing.prompts):
            named: list[Value] = [
                {"engine": row.engine, "named": row.named, "answers": row.answers, "day": row.as_of}
                for row in engines
            ]
            rows.append(
                {
                    "id": str(item.id),
                    "prompt": item.text,
                    "topic": item.topic or None,
                    "engines": named,
                    "named": sum(row.named for row in engines),
                    "answers": answers,
                }
            )
    return rows
