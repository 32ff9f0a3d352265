"""Who is ahead: the competitors that a question names beside the brand, or all of them; and on which topics."""

import re
from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from apikeys.scopes import Scope
from visibility.resources.competitors import CompetitorItem
from visibility.services.ask.days import Tally
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact, site_step, unmeasured
from visibility.services.ask.types import Subject, Value
from visibility.services.ask.vocabulary import any_of
from visibility.services.competitors.listing import competitors_of

_WHERE = re.compile(rf"\b(?:{any_of(lambda words: words.meaning.where)})", re.IGNORECASE)
_WE_OURSELVES = rf"\b(?:{any_of(lambda words: words.people.we_ourselves)})\b"
_BEHIND = re.compile(rf"\b(?:{any_of(lambda words: words.meaning.behind)})\b", re.IGNORECASE)


def told_of_rivals(context: QuestionContext) -> Told:
    """Those whom the question names beside the brand, or how all of them stand."""
    report = competitors_of(context.caller, brand_id=context.brand.pk)
    may_tell_own = context.sections.may_read(Scope.READ_VISIBILITY, "competitors.ahead")
    if not report.competitors:
        return Told(
            [fact("no_competitors", subject=context.brand.name, used=report.quota.used, limit=report.quota.limit)],
            site_step("list_competitors", "would_suggest", context.brand),
        )
    if not context.counts.days:
        return unmeasured(context)
    scores = {item.id: item for item in report.competitors}
    named = [Subject(rival.name, rival.pk) for rival in context.about.rivals]
    if not named:
        return _ranking(context, scores, may_tell_own)
    several = isinstance(context.place["topic"], list)
    asks_where = not context.about.narrowing and _WHERE.search(context.question)
    if len(named) == 1 and may_tell_own and (several or asks_where):
        return _by_topic(context, named[0])
    return compared(context, named, scores, own=may_tell_own)


def compared(
    context: QuestionContext, rivals: Sequence[Subject], scores: Mapping[UUID, CompetitorItem], *, own: bool
) -> Told:
    """The brand beside these: of all that is meant, then by engine, then on which topics who is named more often."""
    counts = context.counts
    missing = [
        fact("not_counted", subject.id, subject=subject.name) for subject in rivals if subject in counts.unmeasured
    ]
    own_side = [context.own] if own else []
    everybody = [*own_side, *rivals] if context.about.own else [*rivals, *own_side]
    subjects = [subject for subject in everybody if subject in counts.subjects]
    if not subjects:
        return Told(missing)
    first = fact("compared", *_ids(subjects), *counts.runs, **_side_by_side(context, subjects, scores))
    support = [
        fact("compared_by_engine", *_ids(subjects), **_side_by_side(context, subjects, scores, engine))
        for engine in counts.by_engine
        if len(counts.by_engine) > 1
    ]
    if own and len(rivals) == 1 and not counts.prompts and len(subjects) > 1:
        support += list(_leads(context, rivals[0], _pairs(context, rivals[0])))[:3]
    unknown = site_step(
        "run_competitor_comparison",
        "would_compare",
        context.brand,
        {"competitorIds": [str(rival.id) for rival in rivals]},
    )
    return Told([first, *missing, *support[:MOST]], unknown)


def _side_by_side(
    context: QuestionContext, subjects: Sequence[Subject], scores: Mapping[UUID, CompetitorItem], engine: str = ""
) -> dict[str, Value]:
    """The values of the first, and of the others in rows, with who of the two first is ahead."""
    counts = context.counts
    only = engine or (next(iter(counts.by_engine)) if len(counts.by_engine) == 1 else "")
    rows = [_with_score(context, subject, scores, counts.values(subject, only), only) for subject in subjects]
    place = {**context.place, **counts.span}
    if engine:
        place |= {"engine": engine, "day": counts.by_engine[engine][-1].day}
    return {**rows[0], **place, "others": rows[1:], "verdict": _verdict(*map(_rate, rows[:2])) if rows[1:] else None}


def _with_score(
    context: QuestionContext,
    subject: Subject,
    scores: Mapping[UUID, CompetitorItem],
    values: dict[str, Value],
    engine: str,
) -> dict[str, Value]:
    """The values with the subject's score of now, where no part of it is meant."""
    if engine or context.about.is_narrowed or values["score"] is not None:
        return values
    item = scores.get(subject.id) if subject.id else context.now
    if item is None:
        return values
    prompts = context.now.prompts if context.now else None
    return values | {
        "score": item.score,
        "low": item.low,
        "high": item.high,
        "onQuestions": prompts if item.interval == "questions" else None,
        "shareOfVoice": item.share_of_voice,
    }


def verdict_of(first: Tally, second: Tally) -> str:
    """Who of two is named in the larger part of the answers, from the first one's side."""
    return _verdict(first.share, second.share)


def _verdict(first: float, second: float) -> str:
    if first == second:
        return "level"
    return "ahead" if first > second else "behind"


def _rate(row: Mapping[str, Value]) -> float:
    """How often a subject is named: its score, or where a part of the answers is meant, its share of them."""
    score, named, answers = row["score"], row["named"], row["answers"]
    if isinstance(score, float):
        return score
    return 100 * named / answers if isinstance(named, int) and isinstance(answers, int) else 0.0


def _ranking(context: QuestionContext, scores: Mapping[UUID, CompetitorItem], own: bool) -> Told:
    """Who is named most often, where the brand stands, and everybody in that order."""
    counts = context.counts
    subjects = [subject for subject in counts.subjects if own or subject.id]
    rows = [_with_score(context, subject, scores, counts.values(subject), "") for subject in subjects]
    rows.sort(key=lambda row: (-_rate(row), str(row["subject"])))
    if not rows:
        return unmeasured(context)
    place = {**context.place, **counts.span}
    first = _first_of_ranking(rows, {**place, "count": len(rows)}, counts.runs)
    others = [
        fact("competitor", row["competitor"], **{**row, **place, "rank": number})
        for number, row in enumerate(rows, start=1)
        if row["competitor"]
    ]
    missing = [fact("not_counted", subject.id, subject=subject.name) for subject in counts.unmeasured if subject.id]
    unknown = site_step("run_competitor_comparison", "would_compare", context.brand)
    return Told([first, *others[: MOST - min(len(missing), 1)], *missing[:1]], unknown)


def _first_of_ranking(rows: Sequence[dict[str, Value]], place: Mapping[str, Value], runs: Sequence[UUID]) -> Fact:
    """Where the brand stands among these, and who is ahead of it, or next; without the brand who is first."""
    own = next((number for number, row in enumerate(rows) if not row["competitor"]), None)
    if own is None:
        return fact("ranking_of_rivals", rows[0]["competitor"], **{**rows[0], **place})
    if own == 0:
        next_rows = [*rows[1:2]]
        refs = [row["competitor"] for row in next_rows]
        return fact("ranking_first", *refs, *runs, **{**rows[0], **place, "rank": 1, "others": next_rows})
    ahead = [*rows[:own][:MOST]]
    refs = [row["competitor"] for row in ahead]
    return fact("ranking", *refs, *runs, **{**rows[own], **place, "rank": own + 1, "ahead": ahead})


def _by_topic(context: QuestionContext, rival: Subject) -> Told:
    """On which topics the competitor is named more often than the brand, and on which less."""
    pairs = _pairs(context, rival)
    if not pairs:
        return Told([fact("not_counted", rival.id, subject=rival.name)])
    ahead = sum(own.share > other.share for own, other in pairs.values())
    behind = sum(own.share < other.share for own, other in pairs.values())
    first = fact(
        "topics_against",
        rival.id,
        subject=context.brand.name,
        other=rival.name,
        competitor=str(rival.id),
        count=len(pairs),
        ahead=ahead,
        behind=behind,
        engine=context.place["engine"],
    )
    unknown = site_step(
        "run_competitor_comparison", "would_compare", context.brand, {"competitorIds": [str(rival.id)]}
    )
    return Told([first, *list(_leads(context, rival, pairs))[:MOST]], unknown)


def _leads(context: QuestionContext, rival: Subject, pairs: Mapping[str, tuple[Tally, Tally]]) -> Iterator[Fact]:
    """The topics on which the two are named most differently, those first that are asked for."""
    leads = {topic: own.share - other.share for topic, (own, other) in pairs.items() if own.share != other.share}
    sign = -1 if _asks_of_own_lead(context, rival) else 1
    for topic in sorted(leads, key=lambda topic: (sign * leads[topic], topic)):
        own, other = pairs[topic]
        row: dict[str, Value] = {
            "subject": rival.name,
            "competitor": str(rival.id),
            "named": other.named,
            "answers": other.answers,
        }
        yield fact(
            "topic_against",
            rival.id,
            topic=topic,
            engine=context.place["engine"],
            subject=context.brand.name,
            named=own.named,
            answers=own.answers,
            others=[row],
            verdict=verdict_of(own, other),
        )


def _pairs(context: QuestionContext, rival: Subject) -> dict[str, tuple[Tally, Tally]]:
    """By topic how often the brand and the competitor are named; topics without answers of both left out."""
    counts = context.counts
    pairs = {
        topic.name: (counts.tally(context.own, prompts=topic.prompts), counts.tally(rival, prompts=topic.prompts))
        for topic in context.topics.topics
        if counts.prompts is None or counts.prompts.intersection(topic.prompts)
    }
    return {topic: pair for topic, pair in pairs.items() if all(tally.answers for tally in pair)}


def _asks_of_own_lead(context: QuestionContext, rival: Subject) -> bool:
    """Whether it is the brand that the question sees in front: "where are we ahead of them"."""
    rival_match = re.search(rf"(?<!\w){re.escape(rival.name)}", context.question, re.IGNORECASE)
    own_match = re.search(rf"{_WE_OURSELVES}|(?<!\w){re.escape(context.brand.name)}", context.question, re.IGNORECASE)
    ours_first = bool(own_match and rival_match and own_match.start() < rival_match.start())
    return ours_first != bool(_BEHIND.search(context.question))


def _ids(subjects: Sequence[Subject]) -> list[UUID]:
    return [subject.id for subject in subjects if subject.id]
