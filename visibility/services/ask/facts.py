"""Facts in sentences, each from the service that the tool of its topic uses, with the ids that it speaks of."""

from collections.abc import Callable, Collection, Iterator
from datetime import date
from uuid import UUID

from django.utils import timezone
from django.utils.formats import date_format

from apikeys.caller import Caller
from apikeys.text.sentences import joined
from brands.models import Brand
from visibility.resources.brands import SubjectChanges
from visibility.resources.changes import EngineChange, MetricChange
from visibility.resources.portfolio import SiteFigures
from visibility.resources.writing import Withheld
from visibility.services.ask import topics
from visibility.services.ask.audits import facts_of_audit
from visibility.services.ask.definitions import facts_of_definitions
from visibility.services.ask.fact import MOST, Fact, QuestionContext, interval, percent, short, unmeasured, used
from visibility.services.ask.figures import Subject, facts_of_figures
from visibility.services.ask.narrowed import (
    count_of,
    gaps_meant,
    opportunities_meant,
    prompts_meant,
    recommendations_meant,
    scope_of,
)
from visibility.services.ask.rivals import facts_of_rivals
from visibility.services.ask.sources import facts_of_sources
from visibility.services.ask.topics import Topic
from visibility.services.competitors.gaps import competitor_gaps
from visibility.services.content.opportunities import content_report
from visibility.services.overview.portfolio import portfolio
from visibility.services.prompts.listing import prompts_of
from visibility.services.reading.change_words import (
    NO_CHANGE,
    causes_in_words,
    common_in_words,
    figure_in_words,
    in_words,
)
from visibility.services.reading.changes import change_report
from visibility.services.reading.reporting import recommendations, runs
from visibility.services.reading.scores import visibility_scores

Reader = Callable[[QuestionContext], Iterator[Fact]]


def facts_of(topic: Topic, context: QuestionContext) -> list[Fact]:
    """What is known of the brand on the topic. The caller carries the topic's scope and sees the brand."""
    return [short(fact, context.brand.pk) for fact in _READERS[topic.name](context)]


def facts_of_sites(caller: Caller, brands: Collection[Brand]) -> tuple[list[Fact], list[Withheld]]:
    """How each of these brands stands, a sentence each, and what the caller may not read of it."""
    brand_ids = {brand.pk for brand in brands}
    gathered = portfolio(caller)
    sites = [site for site in gathered.sites if site.id in brand_ids]
    return [short(Fact(_standing(site)), site.id) for site in sites], gathered.withheld


def _standing(site: SiteFigures) -> str:
    parts = []
    if site.visibility:
        change = f", {site.visibility.development}"
        parts.append(f"mentioned in {percent(site.visibility.score)} ({site.visibility.based_on}){change}")
    if site.open_recommendations is not None:
        parts.append(f"{site.open_recommendations} open recommendations")
    if site.audit_score is not None:
        parts.append(f"audited at {percent(site.audit_score)}")
    if site.latest_run:
        parts.append(f"latest run {site.latest_run.status} ({date_format(site.latest_run.created_at)})")
    return f"{site.name} ({site.domain}): {'; '.join(parts) or 'nothing measured yet'}."


def _score(context: QuestionContext) -> Iterator[Fact]:
    caller, brand = context.caller, context.brand
    if context.about.is_narrowed and context.about.days:
        yield from facts_of_figures(context, [Subject(brand.name)])
        return
    today = timezone.now().date()
    now = visibility_scores(caller, brand_id=brand.pk, first=today, last=today).now
    if now is None:
        yield unmeasured(brand, "scores")
        return
    old = f", {now.age}" if now.age else ""
    averaged = sum(engine.averaged for engine in now.engines)
    of_answers = f"of the answers, the mean of {averaged} engines" if averaged > 1 else "of the answers"
    yield Fact(
        f"{brand.name} is mentioned in {percent(now.score)} {of_answers}{interval(now)}, by {now.answers} answers "
        f"to {now.prompts} prompts on {now.topics} topics: {now.based_on}{old}.",
        tuple(map(str, now.runs)),
    )
    yield Fact(
        f"As measured now ({now.based_on}) its share of voice is {percent(now.share_of_voice)}, its prominence "
        f"{percent(now.prominence)}, and its citation rate {percent(now.citation_rate)}."
    )


def _engines(context: QuestionContext) -> Iterator[Fact]:
    if context.about.days:
        yield from facts_of_figures(context, [Subject(context.brand.name)])
    else:
        yield unmeasured(context.brand, "engines")


def _change(context: QuestionContext) -> Iterator[Fact]:
    """Only what is confirmed, or was raised by the monitor, is told as a change; else that there is none, and why."""
    about, period = context.about, context.about.period
    report = change_report(context.caller, brand_id=context.brand.pk)
    meant: set[UUID | None] = {rival.pk for rival in about.rivals} or {None}
    subjects = [subject for subject in report.subjects if subject.competitor in meant and subject.change]
    if not subjects:
        names = joined([rival.name for rival in about.rivals]) if about.rivals else context.brand.name
        yield Fact(f"Nothing can be said yet about a change of {names}: that takes two measured days.")
        return
    first = min(subject.change.since for subject in subjects if subject.change)
    last = report.as_of or first
    if period and not period.first <= first <= last <= period.last:
        yield Fact(
            f"What changed is known up to the last measured day only, from {date_format(first)} to "
            f"{date_format(last)}, which is not within {date_format(period.first)} to {date_format(period.last)}."
        )
        return
    for subject in subjects:
        if not about.engines:
            yield Fact(_told(f"the score of {subject.name}", subject.development, last))
            yield from _notes(subject)
        for engine in about.engines:
            yield _change_of_engine(subject, engine, last)
    if report.budgets.change and not about.rivals:
        yield Fact(f"To see changes of {context.brand.name} better: {report.budgets.change.reason}")


def _told(what: str, development: str, last: date) -> str:
    """“By 9 Apr 2026 the score of Acme rose by …”, or that there is no confirmed change of it."""
    by = f"By {date_format(last)}"
    if development.startswith(NO_CHANGE):
        return f"{by} there is {NO_CHANGE} of {what}{development.removeprefix(NO_CHANGE)}."
    return f"{by} {what} {development}."


def _notes(subject: SubjectChanges) -> Iterator[Fact]:
    """How the latest day compares with the one before where that claims no change; where it cannot be compared, why,
    and what part of the difference is on what both days share."""
    change = subject.change
    if change is None or change.verdict == "moved":
        return
    day = date_format(change.since)
    if change.verdict != "not_comparable":
        yield Fact(f"Against {day}, the measured day before: {in_words(change)}.")
    elif change.causes:
        words = f"The latest day cannot be compared with {day}: {causes_in_words(change.causes)}"
        yield Fact(". ".join(filter(None, [words, common_in_words(change)])) + ".")


def _change_of_engine(subject: SubjectChanges, engine: str, last: date) -> Fact:
    """What may be called a change of the engine's own score."""
    engine_change: EngineChange | MetricChange | None = next(
        (row for row in (subject.change.by_engine if subject.change else []) if row.engine == engine), None
    ) or next((row for row in subject.changes if row.engine == engine and row.metric == "score"), None)
    what = f"the score of {subject.name} on {engine}"
    if engine_change is None or not (engine_change.confirmation or engine_change.monitor):
        causes = causes_in_words(engine_change.causes) if isinstance(engine_change, EngineChange) else ""
        words = f"By {date_format(last)} nothing can be said about a change of {what}"
        return Fact(": ".join(filter(None, [words, causes])) + ".")
    return Fact(_told(what, figure_in_words(engine_change), last))


def _gaps(context: QuestionContext) -> Iterator[Fact]:
    caller, brand = context.caller, context.brand
    report = competitor_gaps(caller, brand_id=brand.pk)
    if report.as_of is None:
        yield unmeasured(brand, "gaps")
        return
    meant, scope = gaps_meant(context.about, report.gaps), scope_of(context.about, rivals=False)
    latest = f"By the latest answers of each engine (up to {date_format(report.as_of)})"
    if scope or context.about.rivals:
        rival_names = (
            joined([rival.name for rival in context.about.rivals]) if context.about.rivals else "competitors"
        )
        first = f" of the {len(report.gaps)} most consistent" if report.more else ""
        yield Fact(
            f"{latest} {len(meant)} prompts{first}{scope} have answers that name {rival_names}, not {brand.name}."
        )
    else:
        yield Fact(
            f"{latest} competitors are named and {brand.name} is not in answers to "
            f"{len(report.gaps) + report.more} of {report.prompts} prompts."
        )
    for gap in meant[:MOST]:
        names = ", ".join(rival.name for rival in gap.competitors[:3])
        counts = "; ".join(f"{row.engine} {row.gaps} of {row.answers}{_on(row.as_of)}" for row in gap.engines)
        yield Fact(f"Instead of {brand.name}, answers to “{gap.text}” name {names} ({counts}).", (str(gap.prompt),))


def _on(day: date | None) -> str:
    return f" on {date_format(day)}" if day else ""


def _recommendations(context: QuestionContext) -> Iterator[Fact]:
    caller, brand = context.caller, context.brand
    queue = recommendations(caller, brand_id=brand.pk, status="open").recommendations
    meant, scope = recommendations_meant(context.about, queue), scope_of(context.about)
    if scope:
        yield Fact(f"{count_of(len(meant), len(queue), brand.name, 'open recommendations')}{scope}.")
    else:
        yield Fact(f"{brand.name} has {len(queue)} open recommendations.")
    for item in meant[:MOST]:
        yield Fact(f"Priority {item.priority}, effort {item.effort}: {item.title}.", (str(item.id),))


def _content(context: QuestionContext) -> Iterator[Fact]:
    caller, brand = context.caller, context.brand
    report = content_report(caller, brand_id=brand.pk)
    meant, scope = opportunities_meant(context.about, report.opportunities), scope_of(context.about)
    written = f"{len(report.drafts)} drafts are written, {used(report.quota)} of this month are used"
    if scope:
        yield Fact(f"{count_of(len(meant), len(report.opportunities), brand.name, 'content opportunities')}{scope}.")
    else:
        yield Fact(f"{brand.name} has {len(report.opportunities)} content opportunities; {written}.")
    for item in meant[:MOST]:
        yield Fact(f"Score {item.score}, as {item.format}: {item.title}.", (item.id,))


def _prompts(context: QuestionContext) -> Iterator[Fact]:
    caller, brand, about = context.caller, context.brand, context.about
    listed = prompts_of(caller, brand_id=brand.pk)
    scope = scope_of(about, rivals=False)
    if not scope:
        yield Fact(f"{brand.name} asks {used(listed.quota)} prompts that its plan allows.")
    answered = prompts_meant(about, [prompt for prompt in listed.prompts if not prompt.branded])
    latest = f"By the latest answers of each engine (up to {date_format(listed.as_of or timezone.now())})"
    if answered:
        never = sum(not named for _, named, _ in answered)
        some = f"{never} of {len(answered)} prompts{scope} have no answer that names {brand.name}"
        every = f"each of {len(answered)} prompts{scope} has an answer that names {brand.name}"
        yield Fact(f"{latest} {some if never else every}.")
    elif scope:
        yield Fact(f"{latest} none is to a prompt{scope}.")
    for item, named, answers in sorted(answered, key=lambda row: (row[1] / row[2], -row[2]))[:MOST]:
        by_engine = "; ".join(
            f"{row.engine} {row.named} of {row.answers}{_on(row.as_of)}"
            for row in item.engines
            if not about.engines or row.engine in about.engines
        )
        yield Fact(
            f"Of {answers} answers to “{item.text}”, {named} name {brand.name} ({by_engine}).",
            (str(item.id),),
        )


def _runs(context: QuestionContext) -> Iterator[Fact]:
    caller, brand = context.caller, context.brand
    period = context.about.period
    latest = [
        run
        for run in runs(caller, brand_id=brand.pk).runs
        if period is None or period.first <= run.created_at.date() <= period.last
    ][:MOST]
    if not latest:
        yield Fact(f"{brand.name} has no scan {f'that was started {period}' if period else 'yet'}.")
    for run in latest:
        trouble = f" It says: {run.error.message}" if run.error else ""
        begun = date_format(run.created_at, "DATETIME_FORMAT")
        yield Fact(
            f"The {run.kind} run of {brand.name} from {begun} is {run.status}: "
            f"{run.progress.done} of {run.progress.total} answers, {run.progress.failed} failed.{trouble}",
            (str(run.id),),
        )


def _no_facts(context: QuestionContext) -> Iterator[Fact]:
    return iter(())


_READERS: dict[str, Reader] = {
    topics.SCORE.name: _score,
    topics.ENGINES.name: _engines,
    topics.CHANGE.name: _change,
    topics.COMPETITORS.name: facts_of_rivals,
    topics.GAPS.name: _gaps,
    topics.RECOMMENDATIONS.name: _recommendations,
    topics.CONTENT.name: _content,
    topics.PROMPTS.name: _prompts,
    topics.SOURCES.name: facts_of_sources,
    topics.RUNS.name: _runs,
    topics.AUDIT.name: facts_of_audit,
    topics.QUOTAS.name: _no_facts,
    topics.OTHER_TOOLS.name: facts_of_definitions,
}
