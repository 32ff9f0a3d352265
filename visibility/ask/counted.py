"""The subjects that count answers: rows of counts, and what sums them up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from math import ceil

from apikeys.resources import Resource, worded
from apikeys.scopes import Scope
from apikeys.text import marked
from visibility.answers.detect import BRAND
from visibility.answers.passages import Passage, find_warnings
from visibility.ask.context import Context
from visibility.ask.measures import MEASURES, UNTRACKED, measure_sentence, share_in
from visibility.ask.question import names_in
from visibility.ask.resources import CannotTell, PanelFact
from visibility.counts.row_words import against_sentence, rivals_sentence, standing_sentence, topics_sentence
from visibility.counts.rows import Axis, CountRow
from visibility.counts.words import engine_name, listed
from visibility.metrics import MIN_TOPICS, topics_for
from visibility.models import DailyScore
from visibility.scores.change_reads import changes_of
from visibility.scores.changes import stored_change
from visibility.scores.days import DayCounts, counts_of_day
from visibility.scores.resources import Change
from visibility.scores.words import change_words, difference_words
from visibility.sources.cited import cited_domains
from visibility.sources.resources import SourceDomain

AXES: Mapping[str, Axis] = {"topics": "topic", "engines": "engine"}
CHANGE_DAYS, TREND_DAYS = 28, 30
MOST_SHOWN = 5
"""Days or domains."""
MARGINS = (10.0, 5.0)
LEAST_MENTIONED, MOST_UNTRACKED = 2, 5
"""Answers that have to name who is not tracked, and names of these beside the tracked ones."""
OF_THE_SCORE = (None, "change", "score", "mentioned")
"""Measures by which a change of the score is meant."""


@dataclass
class Found:
    """What a read found, maybe more than a reply has room for."""

    facts: list[Resource] = field(default_factory=list)
    answer: str | None = None
    notes: list[str] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    cannot_tell: CannotTell | None = None


def count(context: Context, about: str) -> Found:
    """The site and others in the same answers: all others, or the one that was asked for; by topic, unless one was,
    those that are ahead."""
    if context.measure in ("margin", "promptsNeeded"):
        return _precision(context)
    naming = context.compared_untracked if about == "competitors" and not context.is_about_others else None
    rows = context.rows(*([AXES[about]] if about in AXES else []), untracked=naming and naming.sums)
    own, others, named = context.split(rows)
    untracked = [row for row in others if not row.tracked and row.mentioned >= LEAST_MENTIONED]
    untracked.sort(key=lambda row: -row.mentioned)
    shown = [*(row for row in others if row.tracked), *untracked[:MOST_UNTRACKED]]
    if context.measure == UNTRACKED:
        shown = named or untracked
    elif context.is_about_others or (about == "engines" and context.measure != "relation"):
        shown = named
    elif about in AXES or len(own) > 1:
        shown = [row for row in others if row.relation == "ahead"]
    if about != "engines":
        own = sorted(own, key=lambda row: row.mentioned / row.of)
    counted = [row for each in own for row in (each, *(other for other in shown if other.is_of_same_answers(each)))]
    if len(own) > 1 and not named:
        counted.sort(key=lambda row: not row.is_own)
    sentence = _sentence(context, about, counted, named, others)
    if (name := context.measure) and MEASURES[name].lead:
        counted.sort(key=lambda row: -(share_in(name, row) or 0))
    found = Found([*map(context.fact, counted)], sentence, cannot_tell=_not_counted(context, named or own))
    found.notes = [naming.limit] if naming and naming.limit else []
    if name in (None, "cautioned") and about == "standing" and Scope.READ_PROMPTS in context.caller.scopes:
        for row in [row for row in named or own if row.cautioned][:1]:
            found.passages = find_warnings(context.selection.answers, row.competitor_id, row.subject)
    return found


def _sentence(
    context: Context, about: str, rows: Sequence[CountRow], named: Sequence[CountRow], every: Sequence[CountRow]
) -> str | None:
    """What sums rows up: the measure alone that was asked for, else how often who is named, and who is ahead of
    `every` other."""
    name, where = context.measure, context.where
    own = [row for row in rows if row.is_own]
    others = [row for row in rows if not row.is_own]
    if name == "surface":
        through = sorted({f"{engine_name(row.engine or '')}: {row.surface}" for row in own})
        return f"Answers{where} were taken through: {'; '.join(through)}." if through else None
    if name == UNTRACKED:
        sentence = measure_sentence(name, [row for row in others if not row.tracked], where)
        return sentence.marked if sentence else f"No name that nobody tracks is in two of the answers{where}."
    if name and MEASURES[name].lead:
        compared = every if name == "first" and len(own) == 1 else ()  # one name is first where no other is
        sentence = measure_sentence(name, [*own, *(named or compared)] if named or compared else rows, where)
    elif about != "engines" and len(own) > 1:
        sentence = topics_sentence(named or own, () if named else every, where)
        if named:
            ahead, behind = ([row for row in named if row.relation == way] for way in ("ahead", "behind"))
            return f"{sentence.marked} It is ahead beyond chance on {_topics(ahead)}, behind on {_topics(behind)}."
    elif len(own) != 1:
        sentence = measure_sentence("mentioned", named or own, where)
    elif len(named) == 1:
        sentence = against_sentence(own[0], named[0], where)
    elif about == "competitors" and others:
        sentence = rivals_sentence(own[0], others, where, are_asked=False)
    else:
        sentence = standing_sentence(own[0], (), where)
    return sentence.marked if sentence else None


def _topics(rows: Sequence[CountRow]) -> str:
    return listed([marked(row.topic or "") for row in rows]) or "no topic"


def _not_counted(context: Context, rows: Sequence[CountRow]) -> CannotTell | None:
    """That the measure has no value for whom was asked for, and why."""
    name = context.measure
    if not rows or name is None:
        return None
    if MEASURES[name].fields and (not MEASURES[name].lead or any(share_in(name, row) is not None for row in rows)):
        return None
    why = "It has no value for these answers."
    if not rows[0].tracked:
        why = "Nobody tracks the name: only its mentions are counted."
    elif context.topics:
        why = "It is counted over all topics."
    step = context.again(measure="mentioned")
    return CannotTell(what=f"{name} of {marked(rows[0].subject)}", why=why, next_step=step)


def _precision(context: Context) -> Found:
    """How exact a score is, and how many prompts a narrower margin takes, each asked as those of now are."""
    own, _, named = context.split(context.rows())
    row = next(iter([*named, *own]), None)
    if row is None or row.score is None:
        return Found(cannot_tell=_not_counted(context, [*named, *own]))
    figures, table = context.selection.figures[row.key].overall, context.selection.table
    panels, takes = list[PanelFact](), list[str]()
    for margin in MARGINS:
        topics = topics_for(margin, table, row.key)
        prompts = None if topics is None else ceil(topics * figures.prompts / figures.topics)
        panels.append(PanelFact(margin=margin, topics_needed=topics, prompts_needed=prompts))
        takes.append(f"± {margin:g} takes {prompts or 'too many'} prompts on {topics or 'over 1,000'} topics")
    ends = [(row.panel_low, row.panel_high), (row.low, row.high)]
    here, general = ("none" if low is None or high is None else f"{low:.0f} to {high:.0f}" for low, high in ends)
    base = f"these {figures.prompts} prompts on {figures.topics} topics"
    score = f"The score of {marked(row.subject)} over answers{context.where} is {row.score:.0f}"
    interval = f"Its 95 % interval on {base}: {here}; on prompts like these: {general}, where {'; '.join(takes)}"
    notes = ["A change, or a difference between two subjects, has a wider margin than one score: relation tests it."]
    if figures.topics < MIN_TOPICS:
        few = f"{figures.topics} topic{'s' * (figures.topics > 1)}"
        notes.insert(0, f"Reckoned with the usual spread between topics: {few} cannot show the site's own.")
    return Found([context.fact(row, measure="score"), *panels], f"{score}. {interval}.", notes)


def sources(context: Context, about: str) -> Found:
    """Whose sites answers cite, each once an answer, the domains that were asked for first."""
    question, where = context.question, context.where
    own, _, named = context.split(context.rows())
    rows = [row for row in named if row.tracked] or own
    domains = cited_domains(context.brand, context.selection.answers)
    if words := question.words:
        domains = [row for row in domains if words.casefold() in row.domain]
        of = f"{context.selection.answers.count()} answers{where}"
        none = f"None of {of} cites a domain with {marked(words)}."
        return Found([*domains], f"Of {of} cited: {_cited(domains, with_page=True)}." if domains else none)
    if chosen := context.competitor:
        domains = [row for row in domains if row.competitor == chosen.name]
    written = {row.domain for row in domains if names_in(question.text, row.domain.partition(".")[0])}
    domains.sort(key=lambda row: row.domain not in written)
    facts = [context.fact(row, measure="cited") for row in rows]
    found = Found([*facts, *domains], cannot_tell=_not_counted(context, named or own))
    if sentence := measure_sentence("cited", rows, where):
        found.answer = f"{sentence.marked} Cited{'' if chosen else ' most'}: {_cited(domains) or 'no site'}."
    return found


def _cited(domains: Sequence[SourceDomain], *, with_page: bool = False) -> str:
    parts = []
    for each in domains[:MOST_SHOWN]:
        page = f" (most cited page: {marked(each.top_page)} in {each.top_page_answers})" if each.top_page else ""
        parts.append(f"{marked(each.domain)} in {each.answers}{page if with_page else ''}")
    return ", ".join(parts)


def change(context: Context, about: str) -> Found:
    """Whether the score changed: of the site as reported, else between the ends of the measured days."""
    brand, question = context.brand, context.question
    if (last := question.last or context.last_day) is None:
        return Found()
    since = question.first or last - timedelta(days=CHANGE_DAYS)
    span = context.select(question.first or last - timedelta(days=TREND_DAYS - 1), last)
    subjects = [context.competitor.pk if context.competitor else None]
    days = sorted(span.rows("day", "subject", subjects=subjects), key=lambda row: row.first_day, reverse=True)
    rows = [context.fact(row, has_period=True) for row in days[: question.limit or MOST_SHOWN]]
    if context.name or context.topics or context.markets or context.measure not in OF_THE_SCORE:
        what = "score" if context.measure in OF_THE_SCORE else context.measure
        why = "Changes are tested for the score, of the site or a tracked competitor, over all topics and markets."
        step = context.again(measure=None, topic=None, competitor=None, market=None)
        reason = CannotTell(what=f"a change of {what} here", why=why, next_step=step)
        return Found([] if context.name else [*rows], cannot_tell=reason)
    if len(days) == 1:
        return Found([*rows], f"Measured on one day only, {days[0].first_day}: there is nothing to compare it with.")
    if not days:
        return Found()
    records = [] if context.competitor else changes_of(brand, since, last, full=False)
    if question.first:  # a change that began earlier is none of these days
        records = [each for each in records if each.since >= since]
    if context.engine:
        records = [each for each in records if (each.engine or "").rpartition(" ")[0] == context.engine]
    words = change_words(brand.name, records, len(days)).marked
    if question.first or context.engine or context.competitor:
        found = _compared_days(context, days[-1], days[0])
        if any(each.engine is None for each in records):
            found.answer = f"{words} {found.answer or ''}".strip()
    else:
        found = Found(answer=f"{words} Measured: {days[-1].first_day} to {days[0].first_day}.")
        score = DailyScore.objects.of_brand(brand).between(since, last).last()
        difference = score and score.change and Change.model_validate(score.change)
        found.facts += [difference] if difference and difference.verdict != "not_comparable" else []
    found.facts = [*records, *found.facts, *rows]
    return found


def _compared_days(context: Context, first: CountRow, last: CountRow) -> Found:
    """The score of the site or a competitor on the last measured day of a window, tested against the first."""
    before, after = (counts_of_day(context.brand, row.first_day) for row in (first, last))
    if engine := next((key for key, (name, _) in after.engines.items() if name == context.engine), None):
        before, after = (_of_engine(counts, engine) for counts in (before, after))  # others do not matter
    both = sorted({name for name, _ in before.engines.values()} & {name for name, _ in after.engines.values()})
    if both and before.engines != after.engines:
        days = f"{first.first_day} and {last.first_day}"
        why = f"Not the same engines were asked on {days}; on both: {', '.join(both)}."
        step = context.again(engine=both[0])
        return Found(cannot_tell=CannotTell(what="a change over all engines", why=why, next_step=step))
    subject = str(first.competitor_id) if first.competitor_id else BRAND
    tested = Change.model_validate(stored_change(first.first_day, before, after, subject, engine))
    whose = worded(lambda theirs: f"{theirs(first.subject)}{context.narrowed}")
    return Found([tested], difference_words(whose, last.first_day, tested).marked)


def _of_engine(counts: DayCounts, engine: str) -> DayCounts:
    """A day as if this engine alone had been asked."""
    engines = {key: name for key, name in counts.engines.items() if key == engine}
    return replace(counts, engines=engines, served={key: counts.served[key] for key in engines})
