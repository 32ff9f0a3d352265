"""Facts in sentences, each from the service that the tool of its topic uses, with the ids that it speaks of."""

from collections.abc import Callable, Collection, Iterator

from django.utils import timezone

from apikeys.caller import Caller
from brands.models import Brand
from visibility.change_words import in_words
from visibility.portfolio_resources import SiteStanding
from visibility.services.ask import topics
from visibility.services.ask.engine_facts import facts_of_engines
from visibility.services.ask.rivals import facts_of_rivals
from visibility.services.ask.sources import facts_of_sources
from visibility.services.ask.told import MOST, Asked, Told, interval, percent, short, unmeasured, used
from visibility.services.ask.topics import Topic
from visibility.services.audits import audit_scores
from visibility.services.change import change_report
from visibility.services.competitor_gaps import competitor_gaps
from visibility.services.content import content_report
from visibility.services.portfolio import portfolio
from visibility.services.prompt_list import prompts_of
from visibility.services.reading import recommendations, runs
from visibility.services.scores import visibility_scores
from visibility.writing_resources import Withheld

Reader = Callable[[Asked], Iterator[Told]]


def facts_of(topic: Topic, asked: Asked) -> list[Told]:
    """What is known of the brand on the topic. The caller carries the topic's scope and sees the brand."""
    return [short(told, asked.brand.pk) for told in _READERS[topic.name](asked)]


def facts_of_sites(caller: Caller, brands: Collection[Brand]) -> tuple[list[Told], list[Withheld]]:
    """How each of these brands stands, a sentence each, and what the caller may not read of it."""
    wanted = {brand.pk for brand in brands}
    gathered = portfolio(caller)
    sites = [site for site in gathered.sites if site.id in wanted]
    return [short(Told(_standing(site)), site.id) for site in sites], gathered.withheld


def _standing(site: SiteStanding) -> str:
    parts = []
    if site.visibility:
        change = f", {in_words(site.visibility.change)}" if site.visibility.change else ""
        parts.append(f"mentioned in {percent(site.visibility.score)} ({site.visibility.based_on}){change}")
    if site.open_recommendations is not None:
        parts.append(f"{site.open_recommendations} open recommendations")
    if site.latest_run:
        parts.append(f"latest run {site.latest_run.status} ({site.latest_run.created_at:%Y-%m-%d})")
    return f"{site.name} ({site.domain}): {'; '.join(parts) or 'nothing measured yet'}."


def _score(asked: Asked) -> Iterator[Told]:
    caller, brand = asked.caller, asked.brand
    today = timezone.now().date()
    now = visibility_scores(caller, brand_id=brand.pk, first=today, last=today).now
    if now is None:
        yield unmeasured(brand, "scores")
        return
    old = f", {now.age}" if now.age else ""
    yield Told(
        f"{brand.name} is mentioned in {percent(now.score)} of the answers{interval(now)}, by {now.answers} answers "
        f"to {now.prompts} prompts on {now.topics} topics: {now.based_on}{old}.",
        tuple(map(str, now.runs)),
    )
    yield Told(
        f"As measured now ({now.based_on}) its share of voice is {percent(now.share_of_voice)}, its prominence "
        f"{percent(now.prominence)}, and its citation rate {percent(now.citation_rate)}."
    )


def _change(asked: Asked) -> Iterator[Told]:
    caller, brand = asked.caller, asked.brand
    report = change_report(caller, brand_id=brand.pk)
    own = next((subject for subject in report.subjects if subject.competitor is None), None)
    if own is None or own.change is None:
        yield Told(f"Nothing can be said yet of a change of {brand.name}: it takes two measured days.")
        return
    words = in_words(own.change)
    verb = words if words.startswith("moved") else f"is {words}"
    yield Told(f"Since {own.change.from_} the score of {brand.name} {verb} (by {report.as_of}).")
    if report.budgets.change:
        yield Told(f"To see changes of {brand.name} better: {report.budgets.change.reason}")


def _gaps(asked: Asked) -> Iterator[Told]:
    caller, brand = asked.caller, asked.brand
    found = competitor_gaps(caller, brand_id=brand.pk)
    if found.as_of is None:
        yield unmeasured(brand, "gaps")
        return
    count = len(found.gaps) + found.more
    yield Told(
        f"By the latest answers of each engine (up to {found.as_of}) competitors are named and {brand.name} is not "
        f"in answers to {count} of {found.prompts} prompts."
    )
    for gap in found.gaps[:MOST]:
        names = ", ".join(rival.name for rival in gap.competitors[:3])
        counts = "; ".join(f"{row.engine} {row.gaps} of {row.answers} on {row.as_of}" for row in gap.engines)
        yield Told(f"Instead of {brand.name}, answers to “{gap.text}” name {names} ({counts}).", (str(gap.prompt),))


def _recommendations(asked: Asked) -> Iterator[Told]:
    caller, brand = asked.caller, asked.brand
    queue = recommendations(caller, brand_id=brand.pk, status="open").recommendations
    yield Told(f"{brand.name} has {len(queue)} open recommendations.")
    for item in queue[:MOST]:
        yield Told(f"Priority {item.priority}, effort {item.effort}: {item.title}.", (str(item.id),))


def _content(asked: Asked) -> Iterator[Told]:
    caller, brand = asked.caller, asked.brand
    report = content_report(caller, brand_id=brand.pk)
    written = f"{len(report.drafts)} drafts are written, {used(report.quota)} of this month are used"
    yield Told(f"{brand.name} has {len(report.opportunities)} content opportunities; {written}.")
    for item in report.opportunities[:MOST]:
        yield Told(f"Score {item.score}, as {item.format}: {item.title}.", (item.id,))


def _prompts(asked: Asked) -> Iterator[Told]:
    caller, brand = asked.caller, asked.brand
    listed = prompts_of(caller, brand_id=brand.pk)
    yield Told(f"{brand.name} asks {used(listed.quota)} prompts that its plan allows.")
    answered = [each for each in listed.prompts if each.answers and not each.branded]
    weakest = sorted(answered, key=lambda each: (each.named / each.answers, -each.answers, str(each.id)))
    for item in weakest[:MOST]:
        by_engine = "; ".join(f"{row.engine} {row.named} of {row.answers} on {row.as_of}" for row in item.engines)
        yield Told(
            f"Of {item.answers} answers to “{item.text}”, {item.named} name {brand.name} ({by_engine}).",
            (str(item.id),),
        )


def _runs(asked: Asked) -> Iterator[Told]:
    caller, brand = asked.caller, asked.brand
    latest = runs(caller, brand_id=brand.pk).runs[:MOST]
    if not latest:
        yield Told(f"{brand.name} has no scan yet.")
    for run in latest:
        trouble = f" It says: {run.error.message}" if run.error else ""
        yield Told(
            f"The {run.kind} run of {brand.name} from {run.created_at:%Y-%m-%d %H:%M} UTC is {run.status}: "
            f"{run.progress.done} of {run.progress.total} answers, {run.progress.failed} failed.{trouble}",
            (str(run.id),),
        )


def _audit(asked: Asked) -> Iterator[Told]:
    caller, brand = asked.caller, asked.brand
    scores = audit_scores(caller, brand_id=brand.pk)
    if scores.run is None:
        yield Told(scores.how_to_get_one or "There is no audit.")
    else:
        yield Told(f"The latest audit of {brand.name} scored {percent(scores.overall)}.", (str(scores.run.id),))


def _no_facts(asked: Asked) -> Iterator[Told]:
    return iter(())


_READERS: dict[str, Reader] = {
    topics.SCORE.name: _score,
    topics.ENGINES.name: facts_of_engines,
    topics.CHANGE.name: _change,
    topics.COMPETITORS.name: facts_of_rivals,
    topics.GAPS.name: _gaps,
    topics.RECOMMENDATIONS.name: _recommendations,
    topics.CONTENT.name: _content,
    topics.PROMPTS.name: _prompts,
    topics.SOURCES.name: facts_of_sources,
    topics.RUNS.name: _runs,
    topics.AUDIT.name: _audit,
    topics.QUOTAS.name: _no_facts,
}
