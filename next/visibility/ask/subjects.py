"""The subjects of questions, and the read of each: from what was meant to rows of facts and a sentence."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from difflib import get_close_matches
from functools import cached_property
from itertools import islice
from uuid import UUID

from apikeys.caller import Caller
from apikeys.resources import Resource
from apikeys.scopes import Scope
from apikeys.usage import quotas
from brands.models import Brand
from visibility.answers.passages import Passage, WordsFound, find_warnings, find_words
from visibility.ask.bare import is_usual
from visibility.ask.definitions import definitions_in
from visibility.ask.resolve import MOST_OTHERS, Meant, Question
from visibility.ask.resources import (
    About,
    AuditFact,
    CostFact,
    FactRow,
    NextCall,
    ProofFact,
    Resolved,
    ScanPrice,
    UntrackedRow,
)
from visibility.audits.reads import read_audit, read_findings
from visibility.audits.services import MOST_PAGES
from visibility.competitors.reads import LEAST_ANSWERS
from visibility.detection.untracked import name_key
from visibility.evidence.reads import read_claims, read_criteria
from visibility.models import DailyScore, Recommendation, Run, Topic
from visibility.overview.reads import list_sites, scan_credits, scores_words
from visibility.overview.resources import RecommendationLine
from visibility.recommendations.reads import diagnosis_of
from visibility.runs.reads import engine_names, run_resource
from visibility.scores.change_reads import changes_of
from visibility.scores.changes import stored_change
from visibility.scores.days import BRAND, counts_of_day
from visibility.scores.now_resources import ChangeResource
from visibility.scores.pivot import Axis, Counted, PivotRow, Summed, count_period, pivot, untracked_rows
from visibility.scores.pivot_words import against_sentence, rivals_sentence, standing_sentence, topics_sentence
from visibility.scores.resources import Change
from visibility.scores.words import change_words, difference_words
from visibility.sources.cited import cited_domains

CHANGE_DAYS, TREND_DAYS = 28, 30
MOST_DAYS = MOST_RUNS = MOST_UNTRACKED = MOST_SITES = 5
RELATION = (
    "relation: how the subject does against {site} by being mentioned in the same answers, beyond chance. Other "
    "counts are not tested."
)
UNTRACKED = "tracked false: only answers that list the name are counted, so its count is a lower bound."
ENGINES = "Engines are not tested against each other: where low to high overlap, no difference is shown."
CHANGES = "Changes are tested for the score (the share of answers that name the site), not for other figures."
NOT_TESTED = "a change on one topic or of a competitor", "Changes are tested for the site's score over all topics."


@dataclass
class Context:
    """What a read works on. `last_day` is the last measured one; `untracked` the rows of a name that nobody tracks,
    and `texts` how many answers have it anywhere."""

    caller: Caller
    brand: Brand
    question: Question
    meant: Meant
    last_day: date | None
    untracked: Mapping[str, Sequence[Summed]] = field(default_factory=dict)
    texts: WordsFound | None = None

    @cached_property
    def counted(self) -> Counted:
        """The answers that facts are about."""
        return self.count(self.question.first, self.question.last)

    @cached_property
    def offered(self) -> Mapping[str, Sequence[Summed]]:
        """The names that these answers offer and nobody tracks, those in most answers first."""
        return untracked_rows(self.counted)

    def count(self, first: date | None, last: date | None, days: int | None = None) -> Counted:
        """The answers of some days, narrowed to what was meant."""
        meant = self.meant
        return count_period(self.brand, first=first, last=last, topics=meant.topics, engines=meant.engines, days=days)

    def link_untracked(self) -> list[Passage]:
        """Link the name that was given and nobody tracks, if answers offer it or have it in their texts; returns
        sentences with it."""
        given, names = self.meant.name or "", self.counted.names.values()
        same = [name for name in self.offered if name_key(name) == name_key(given)]
        self.untracked = {name: self.offered[name] for name in same}
        self.texts, passages = find_words(self.counted.answers, given)
        if found := next(iter(self.untracked), given if self.texts.as_phrase and self.texts.answers else None):
            self.meant.resolved.append(Resolved(kind="untracked", name=found, from_=given))
            return passages if Scope.READ_PROMPTS in self.caller.scopes else []
        near = get_close_matches(given, names, n=MOST_OTHERS)
        self.meant.resolved.append(Resolved(kind="competitor", from_=given, others=near))
        what = f"not tracked, and none of the {self.texts.of} answers{self.where} has it"
        self.meant.unknown["competitor"] = what, next(iter(near), None)
        return []

    def link_offered(self) -> None:
        """Link in a question that comes alone the only name that answers offer and nobody tracks, if it is written as
        a name."""
        written = {name: self.question.words_of(name) for name in self.offered}
        names = [name for name, words in written.items() if words and words[0] == name[0] and not is_usual(words)]
        if len(names) == 1:
            self.meant.name = names[0]

    def diagnosed(self, slots: Collection[str]) -> list[str]:
        """The sentences of the diagnosis in these slots, where the facts are as wide as they."""
        asked, meant = self.question, self.meant
        is_narrow = meant.engines or meant.competitors or meant.name or asked.first or asked.last
        sees = {Scope.READ_RECOMMENDATIONS, Scope.READ_COMPETITORS} <= self.caller.scopes
        if not slots or not sees or is_narrow or len(meant.topics) > 1:
            return []
        facts = diagnosis_of(self.brand, next(iter(meant.topics), None))
        return [f"Diagnosis: {fact.sentence}" for fact in facts if fact.slot in slots]

    @property
    def sees_competitors(self) -> bool:
        """Whether the key may see competitors."""
        return Scope.READ_COMPETITORS in self.caller.scopes

    @property
    def chosen(self) -> set[UUID | None]:
        """The competitors that facts are narrowed to; empty: none in particular."""
        return {competitor.pk for competitor in self.meant.competitors}

    @property
    def where(self) -> str:
        """What the answers are narrowed to, for sentences."""
        topics, engines = len(self.meant.topics), self.meant.engines
        of_topic = {0: "", 1: " on this topic"}.get(topics, " on these topics")
        return (f" of {' and '.join(engines)}" if engines else "") + of_topic

    def compare(
        self, *by: Axis, alone: bool = False, untracked: Mapping[str, Sequence[Summed]] | None = None
    ) -> "Compared":
        """The pivot by subject and these axes, and by whatever two or more of are meant; with these untracked names,
        or with the one that was given. `alone`: of the brand, and others only where they were asked for."""
        several: dict[Axis, Sequence[object]] = {"topic": self.meant.topics, "engine": self.meant.engines}
        axes: set[Axis] = {*by, *(axis for axis, each in several.items() if len(each) > 1)}
        if not alone or self.chosen or self.untracked:
            axes.add("subject")
        rows = pivot(self.counted, axes, untracked=self.untracked if untracked is None else untracked)
        others = [row for row in rows if not row.is_own] if self.sees_competitors else []
        named = [
            row
            for row in others
            if (row.competitor_id in self.chosen if row.tracked else row.subject in self.untracked)
        ]
        return Compared([row for row in rows if row.is_own], others, named)

    def fact(self, row: PivotRow) -> FactRow:
        """A row of the pivot as a fact, with the one topic or engine that it is narrowed to."""
        topics, engines = self.meant.topics, self.meant.engines
        row = replace(
            row,
            topic=topics[0].name if len(topics) == 1 else row.topic,
            engine=engines[0] if len(engines) == 1 else row.engine,
            share_of_voice=None if row.topic or row.engine else row.share_of_voice,
        )
        fact = (FactRow if row.tracked else UntrackedRow).model_validate(row)
        own = {"without_brand": None} if row.is_own else {}
        return fact.model_copy(update={"tracked": None if row.tracked else False, **own})


@dataclass(frozen=True, slots=True)
class Compared:
    """Rows of the brand, of all others, and of those others that were asked for."""

    own: Sequence[PivotRow]
    others: Sequence[PivotRow]
    named: Sequence[PivotRow]

    @property
    def pair(self) -> tuple[PivotRow, PivotRow] | None:
        """The brand and the only other that was asked for."""
        return (self.own[0], self.named[0]) if len(self.own) == len(self.named) == 1 else None

    def grouped(self, others: Sequence[PivotRow]) -> list[PivotRow]:
        """Each row of the brand with these others of the same answers."""
        return [row for own in self.own for row in (own, *(each for each in others if each.is_beside(own)))]


@dataclass
class Found:
    """What a read found. `cannot_tell`: what has no answer, why, and the arguments that make it a question that has
    one, or another call. With `keeps_ends` the last rows tell as much as the first."""

    facts: list[Resource] = field(default_factory=list)
    answer: str | None = None
    notes: list[str] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    cannot_tell: tuple[str, str, Mapping[str, str | None] | NextCall] | None = None
    keeps_ends: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """What `about` can name: what it tells, the scope it needs, and whether it counts answers, which can be narrowed;
    all else is of the whole site, or of the topics that are meant; `slots`: of the diagnosis, that belong to it."""

    tells: str
    scope: Scope
    read: Callable[[Context], Found]
    counts_answers: bool = False
    by_topic: bool = False
    slots: Collection[str] = ()

    def not_narrowed(self, meant: Meant, question: Question) -> str | None:
        """What facts are not narrowed by, though it was asked for."""
        other = meant.engines or meant.competitors or meant.name or question.first or question.last
        if self.counts_answers or not (other or meant.topics):
            return None
        if self.by_topic and meant.topics:
            return "Narrowed by topic alone." if other else None
        return "Not narrowed by anything: this is of the whole site."


def _standing(context: Context) -> Found:
    whole, split = context.compare(), context.compare("engine", alone=True)
    facts = whole.grouped(whole.named or whole.others)
    subject = whole.named[0] if whole.pair else whole.own[0] if len(whole.own) == 1 else None
    if subject is not None:
        engines = [row for row in (*split.own, *split.others) if row.subject == subject.subject]
        facts += engines if len(engines) > 1 else []
    found = _found(context, facts)
    found.answer = _sentence(context, whole, split.own)
    if subject is not None and subject.cautioned and Scope.READ_PROMPTS in context.caller.scopes:
        found.passages = find_warnings(context.counted.answers, subject.competitor_id)
    return found


def _competitors(context: Context) -> Found:
    if context.chosen or context.untracked:
        whole = context.compare()
        found = _found(context, whole.grouped(whole.named))
        found.answer = _sentence(context, whole, ())
        return found
    whole = context.compare(untracked=dict(islice(context.offered.items(), MOST_UNTRACKED)))
    rows = whole.grouped([row for row in whole.others if row.tracked or row.mentioned >= LEAST_ANSWERS])
    found = _found(context, rows)
    if len(whole.own) == 1:
        found.answer = rivals_sentence(context.brand.name, whole.others)
    return found


def _topics(context: Context) -> Found:
    split = context.compare("topic")
    found = _found(context, split.grouped(split.named or [row for row in split.others if row.relation == "ahead"]))
    found.answer, found.keeps_ends = _sentence(context, split, ()), True
    if len(split.own) > 1 and split.others and not split.named:
        found.answer = topics_sentence(context.brand.name, split.own, split.others)
    return found


def _engines(context: Context) -> Found:
    split = context.compare("engine", alone=True)
    found = _found(context, split.grouped(split.named))
    found.answer = _sentence(context, context.compare(alone=True), split.own)
    found.notes += [ENGINES] if len(split.own) > 1 else []
    return found


def _change(context: Context) -> Found:
    brand, meant, question = context.brand, context.meant, context.question
    if (last := question.last or context.last_day) is None:
        return Found()
    is_part = bool(meant.topics or meant.competitors or meant.name)
    since = question.first or last - timedelta(days=CHANGE_DAYS)
    records = [] if is_part else changes_of(brand, since, last, full=False)
    if question.first:  # a change that began earlier is none of these days
        records = [each for each in records if each.since >= since]
    if meant.engines:
        records = [each for each in records if (each.engine or "").rpartition(" ")[0] in meant.engines]
    number = question.limit or MOST_DAYS
    counted = context.count(question.first or last - timedelta(days=TREND_DAYS - 1), last, days=max(number, 2))
    key = next(iter(context.chosen), None)
    trend = [row for row in pivot(counted, ["subject", "day"] if key else ["day"]) if row.competitor_id == key]
    days = sorted(trend, key=lambda row: row.first_day, reverse=True)
    found = Found([*records], notes=[CHANGES])
    if question.first:
        _test_window(context, found, since, last)
    elif not is_part and not meant.engines:
        found.answer = change_words(brand.name, records, len(days))
        score = DailyScore.objects.of_brand(brand).between(since, last).last()
        found.facts += [Change.model_validate(score.change)] if score and score.change else []
    if is_part and found.answer is None:
        found.cannot_tell = (*NOT_TESTED, {"about": "change", "topic": None, "competitor": None})
    found.facts += map(context.fact, days[:number])
    return found


def _test_window(context: Context, found: Found, first: date, last: date) -> None:
    """Test the score of the site, or of a competitor, on the last measured day of a window against the first."""
    brand, meant = context.brand, context.meant
    scores = DailyScore.objects.of_brand(brand).between(first, last).order_by("date")
    days = list(scores.values_list("date", flat=True))
    if meant.topics or meant.name or len(meant.competitors) > 1 or len(meant.engines) > 1:
        return
    if len(days) < 2:
        found.answer = f"Only {days[0]} was measured in these days: nothing to compare it with." if days else None
        return
    before, after = counts_of_day(brand, days[0]), counts_of_day(brand, days[-1])
    subject = next(((str(each.pk), each.name) for each in meant.competitors), (BRAND, brand.name))
    engine = next((key for key, (name, _) in after.engines.items() if name in meant.engines), None)
    if meant.engines and engine is None:
        return
    change = Change.model_validate(stored_change(days[0], before, after, subject[0], engine))
    held = [each for each in found.facts if isinstance(each, ChangeResource) and each.engine is None]
    known = change_words(brand.name, held, len(days)) if held and not meant.engines else ""
    found.answer = f"{known} {difference_words(subject[1] + context.where, days[-1], change)}".strip()
    found.facts.append(change)


def _sources(context: Context) -> Found:
    whole, chosen = context.compare(alone=True), {competitor.name for competitor in context.meant.competitors}
    rows = [row for row in whole.named if row.tracked] or whole.own
    found = Found([*map(context.fact, rows)])
    found.facts += [
        row for row in cited_domains(context.brand, context.counted.answers) if not chosen or row.competitor in chosen
    ]
    if len(rows) == 1:
        [row] = rows
        found.answer = f"{row.cited} of {row.of} answers{context.where} cite a page of {row.subject}'s own domains."
    return found


def _criteria(context: Context) -> Found:
    topics: Sequence[Topic | None] = context.meant.topics or [None]
    found = [read_criteria(context.caller, context.brand.pk, topic, full=False) for topic in topics]
    return Found([row for each in found for row in each.criteria], found[0].how_to_get_some)


def _claims(context: Context) -> Found:
    found = read_claims(context.caller, context.brand.pk, full=False)
    return Found([*found.claims], found.how_to_get_some)


def _proofs(context: Context) -> Found:
    done = Recommendation.objects.filter(brand=context.brand, status=Recommendation.Status.DONE)
    rows = done.filter(proof__result__isnull=False).order_by("-status_changed_at", "id")
    facts = [ProofFact.model_validate({"title": row.title, **row.proof["result"]}) for row in rows]
    answer = f"{done.count()} recommendations are done; on {len(facts)} of them something can be said."
    return Found([*facts], answer)


def _recommendations(context: Context) -> Found:
    rows = Recommendation.objects.filter(brand=context.brand, status=Recommendation.Status.OPEN)
    facts = [RecommendationLine.model_validate(row) for row in rows.order_by("-priority", "-created_at", "id")]
    found = Found([*facts], f"{len(facts) or 'No'} open recommendation{'s' * (len(facts) != 1)}.")
    if not facts and not Run.objects.measured().filter(brand=context.brand, kind=Run.Kind.AUDIT).exists():
        found.answer, found.cannot_tell = None, ("what to do first", *_audit_first(context))
    return found


def _audit_first(context: Context) -> tuple[str, NextCall]:
    """Why what an audit finds is not known, and the step that finds it."""
    credits = f"The step takes up to {MOST_PAGES} credits, one a page: ask the user first."
    step = NextCall(tool="run_audit_scan", arguments={"siteId": str(context.brand.pk)})
    return f"No audit of the site has ended, and an audit says what to mend. {credits}", step


def _audit(context: Context) -> Found:
    audit = read_audit(context.caller, context.brand.pk)
    failed = ""
    if audit.failed:
        why = audit.failed.error.message if audit.failed.error else "no reason is known"
        failed = f"The audit of {audit.failed.created_at:%Y-%m-%d} failed: {why}"
    if audit.run is None:
        why, step = _audit_first(context)
        cannot_tell = ("what is wrong with the site", f"{failed} {why}".strip(), step)
        return Found(answer=failed or "The site was not audited yet.", cannot_tell=cannot_tell)
    found = read_findings(context.caller, context.brand.pk, full=False).findings
    day, score = audit.run.created_at, "no score" if audit.overall is None else f"{audit.overall:g} of 100"
    defects = len(audit.critical_defects)
    answer = f"The audit of {day:%Y-%m-%d} gave {score}; critical defects: {defects or 'none'}."
    return Found([AuditFact.model_validate(finding) for finding in found], f"{answer} {failed}".strip())


def _runs(context: Context) -> Found:
    brand, due = context.brand, context.brand.next_run_at
    runs = list(Run.objects.filter(brand=brand).not_refused().newest()[: context.question.limit or MOST_RUNS])
    engines = engine_names(runs)
    measured = f"Last measured: {context.last_day}." if context.last_day else "Nothing is measured yet."
    coming = f"The next scan is due {due:%Y-%m-%d %H:%M} UTC." if due else "No scan is scheduled."
    return Found([run_resource(context.caller, run, engines[run.pk]) for run in runs], f"{measured} {coming}")


def _costs(caller: Caller, question: Question, brand: Brand | None) -> Found:
    used = quotas(caller.user) if caller.user else {}
    brands = [brand] if brand else Brand.objects.restrict(caller, "view").order_by("name")[:MOST_SITES]
    prices = [(each.name, credits) for each in brands if (credits := scan_credits(each)) is not None]
    facts = [CostFact(what=str(kind.label), **dict(quota)) for kind, quota in used.items()]
    answer = ", ".join(f"{credits} credits of {name}" for name, credits in prices)
    return Found(
        [*(ScanPrice(scan_of=name, credits=credits) for name, credits in prices), *facts],
        f"A scan takes now: {answer}." if prices else "No scan can be started now: there is no engine or no prompt.",
    )


def _definitions(caller: Caller, question: Question, brand: Brand | None) -> Found:
    return Found([*definitions_in(f"{question.text} {question.words or ''}")])


def _sites(caller: Caller, question: Question, brand: Brand | None) -> Found:
    sites = list_sites(caller).sites
    return Found([*sites], scores_words(sites))


def _found(context: Context, rows: Sequence[PivotRow]) -> Found:
    """The rows as facts, with what one has to know to read them."""
    notes = [RELATION.format(site=context.brand.name)] if any(row.relation for row in rows) else []
    notes += [UNTRACKED] if any(not row.tracked for row in rows) else []
    return Found([*map(context.fact, rows)], notes=notes)


def _sentence(context: Context, whole: Compared, engines: Sequence[PivotRow]) -> str | None:
    """About the brand alone, or it and the only other that was asked for; None where it is about more."""
    if whole.pair:
        return against_sentence(*whole.pair, context.where)
    is_single = len(whole.own) == 1 and not whole.named
    return standing_sentence(whole.own[0], engines, context.where) if is_single else None


_VISIBILITY = Scope.READ_VISIBILITY
SUBJECTS: Mapping[About, Subject] = {
    "standing": Subject("how often answers name the site and competitors; warnings", _VISIBILITY, _standing, True),
    "change": Subject("confirmed changes of the score; the last measured days", _VISIBILITY, _change, True),
    "topics": Subject("each topic: named, first, alone; who is ahead there", _VISIBILITY, _topics, True),
    "competitors": Subject("who is ahead, behind, tied; untracked names", Scope.READ_COMPETITORS, _competitors, True),
    "engines": Subject("each engine", _VISIBILITY, _engines, True),
    "sources": Subject("whose sites answers cite", _VISIBILITY, _sources, True),
    "criteria": Subject("what answers judge by", Scope.READ_VOICE, _criteria, by_topic=True, slots=["criteria"]),
    "claims": Subject("what the site claims, and whether answers repeat it", Scope.READ_VOICE, _claims),
    "recommendations": Subject(
        "what to do", Scope.READ_RECOMMENDATIONS, _recommendations, slots=["criteria", "sources", "field"]
    ),
    "proofs": Subject("whether what was done shows in answers", Scope.READ_RECOMMENDATIONS, _proofs),
    "audit": Subject("what is wrong with the site for AI crawlers", Scope.READ_AUDITS, _audit),
    "runs": Subject("the latest scans and the next one", _VISIBILITY, _runs),
}
OF_THE_ACCOUNT: Mapping[About, Callable[[Caller, Question, Brand | None], Found]] = {
    "costs": _costs,
    "definitions": _definitions,
    "sites": _sites,
}
"""What is of no site; whoever may ask may see it."""
TELLS: Mapping[About, str] = {
    **{about: subject.tells for about, subject in SUBJECTS.items()},
    "costs": "credits and quotas, used and left; what a scan takes",
    "definitions": "what the words of this service mean",
    "sites": "the sites of this key",
}
