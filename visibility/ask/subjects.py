"""The subjects of questions, and the read of each: from what was meant to rows of facts and a sentence."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import Usage
from apikeys.resources import Resource, Worded, worded
from apikeys.scopes import Scope
from apikeys.text import marked
from apikeys.usage import quotas
from brands.models import Brand
from visibility.answers.detect import BRAND
from visibility.ask.bare import DEFINITIONS, is_usual, words_in
from visibility.ask.context import LEAST_ANSWERS, WEEK, Compared, Context
from visibility.ask.passages import Passage, find_warnings
from visibility.ask.question import Meant, Question
from visibility.ask.resources import (
    About,
    AuditFact,
    CannotTell,
    CardFact,
    CostFact,
    Definition,
    NextCall,
    ProofFact,
    SiteFact,
)
from visibility.audits.reads import read_audit, read_findings
from visibility.audits.services import MOST_PAGES
from visibility.counts.row_words import (
    against_sentence,
    rivals_sentence,
    stances,
    standing_sentence,
    topics_sentence,
    where_named_sentence,
)
from visibility.counts.rows import CountRow
from visibility.counts.words import listed
from visibility.evidence.reads import read_claims, read_criteria
from visibility.evidence.resources import CriterionRow
from visibility.models import DailyScore, Recommendation, Run, Topic
from visibility.overview.reads import list_sites, scores_words
from visibility.overview.resources import Site, line_of
from visibility.recommendations.cards import proof_of
from visibility.recommendations.kinds import CHORES
from visibility.recommendations.reads import cards_of
from visibility.runs.reads import engine_names, run_resource
from visibility.runs.services import plan_scan
from visibility.scores.change_reads import changes_of
from visibility.scores.changes import stored_change
from visibility.scores.days import DayCounts, counts_of_day
from visibility.scores.now_resources import ChangeResource
from visibility.scores.resources import Change
from visibility.scores.words import change_words, difference_words
from visibility.sources.cited import cited_domains
from visibility.sources.resources import SourceDomain

CHANGE_DAYS, TREND_DAYS = 28, 30
MOST_SHOWN = 5
"""Days, runs, sites or domains."""
MOST_CRITERIA = 3
LEAST_ASSOCIATED = 5
"""Answers that connect a name with a criterion; fewer happen by luck."""
RELATION = (
    "relation: against the site, by mentions in the same answers. A lead has a chance (how often luck alone makes "
    "such a difference) of at most 0.05, all tracked names compared together, and so the untracked ones offered "
    "most. level: a difference of 10 points would have shown. too_close: not told apart. Tested over topics, where "
    "these are few over prompts or over answers that name only one of both: withoutBrand, onlyBrand."
)
UNTRACKED = (
    "tracked false: nobody tracks the name; its mentions are found as if somebody did; whether it is recommended or "
    "warned against is not read."
)
STANCES = "recommended, cautioned: at least so many, read where a name is offered; `words` searches whole texts."
ENGINES = "Engines are not tested against each other: where low to high overlap, no difference is shown."
CHANGES = (
    "Changes are tested for the score (the share of answers that name the site), not for other figures; nothing is "
    "forecast."
)
CRITERIA = (
    f"winners: tracked names alone that at least {LEAST_ASSOCIATED} answers connect with the criterion; not tested."
)
SITES = "Sites are counted, each once an answer; get_competitor_gaps and get_content_opportunities have pages."


@dataclass
class Found:
    """What a read found, maybe more than a reply has room for. `is_narrowed`: by what was asked for, also where the
    subject is not."""

    facts: list[Resource] = field(default_factory=list)
    answer: str | None = None
    notes: list[str] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    cannot_tell: CannotTell | None = None
    is_narrowed: bool = False


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
        """A note where facts are not narrowed by what was asked for."""
        other = meant.is_narrow or question.has_days
        if self.counts_answers or not (other or meant.topics):
            return None
        if self.by_topic and meant.topics:
            return "Narrowed by topic alone." if other else None
        return "These facts are of the whole site."


def _standing(context: Context) -> Found:
    whole, split = context.compare(), context.compare("engine", alone=True)
    found = _found(context, whole.grouped(whole.named if context.is_about_others else whole.others))
    _compare_where_named(context, whole, found)
    if (subject := whole.subject) is not None:
        engines = [row for row in (*split.own, *split.others) if row.subject == subject.subject]
        found.facts += map(context.fact, engines if len(engines) > 1 else [])
        found.passages = _warnings(context, subject)
    found.answer = found.answer or _sentence(context, whole, split.own)
    if whole.pair and subject and subject.tracked:
        found.answer = f"{found.answer} {marked(subject.subject)}: {stances(subject)}."
    return found


def _compare_where_named(context: Context, whole: Compared, found: Found) -> None:
    """The comparison with the only other that was asked for, on those topics where answers name it, if these are not
    all: over the others it says nothing."""
    if not whole.pair or context.meant.topics or context.meant.prompt:
        return
    split = context.compare("topic")
    own = {row.topic: row for row in split.own}
    pairs = [(own[row.topic], row) for row in split.named if row.mentioned]
    if 0 < len(pairs) < len(own):
        found.answer = where_named_sentence(pairs, len(own), context.where).marked
        found.facts += [context.fact(row) for pair in pairs for row in pair]


def _warnings(context: Context, row: CountRow) -> list[Passage]:
    """What answers say against a subject, if the key may read it."""
    if not row.cautioned or Scope.READ_PROMPTS not in context.caller.scopes:
        return []
    return find_warnings(context.selection.answers, row.competitor_id, row.subject)


def _competitors(context: Context) -> Found:
    if context.is_about_others:
        return _standing(context)
    whole = context.compare(untracked=context.compared_untracked.sums)
    others = [row for row in whole.others if row.tracked or row.mentioned >= LEAST_ANSWERS]
    found = _found(context, whole.grouped(others))
    found.notes += filter(None, [context.compared_untracked.limit])
    if len(whole.own) == 1:
        found.answer = _for_agents(rivals_sentence(whole.own[0], others, context.where, are_asked=False))
    return found


def _topics(context: Context) -> Found:
    split = context.compare("topic")
    near = {name for row in context.meant.resolved if row.kind == "topic" for name in row.others or ()}
    split = replace(split, own=sorted(split.own, key=lambda row: (row.topic not in near, row.mentioned / row.of)))
    found = _found(context, split.grouped(split.named or [row for row in split.others if row.relation == "ahead"]))
    found.answer, rows = _sentence(context, split, ()), split.named or split.own
    if len(rows) > 1 and len({row.subject for row in rows}) == 1:
        found.answer = topics_sentence(rows, () if split.named else split.others, context.where).marked
        if split.named:
            ahead, behind = ([row for row in rows if row.relation == way] for way in ("ahead", "behind"))
            found.answer += f" It is ahead beyond chance on {_topics_of(ahead)}, behind on {_topics_of(behind)}."
    return found


def _topics_of(rows: Sequence[CountRow]) -> str:
    return listed([marked(row.topic or "") for row in rows]) or "no topic"


def _engines(context: Context) -> Found:
    split, whole = context.compare("engine", alone=True), context.compare(alone=True)
    found = _found(context, split.grouped(split.named))
    if (row := whole.subject) is not None:
        found.answer = standing_sentence(row, split.named or split.own, context.where).marked
    found.notes += [ENGINES] if len(split.own) > 1 else []
    return found


def _change(context: Context) -> Found:
    brand, meant, question = context.brand, context.meant, context.question
    if (last := question.last or context.last_day) is None:
        return Found()
    is_part = bool(meant.topics or meant.competitors or meant.prompt)
    since = question.first or last - timedelta(days=CHANGE_DAYS)
    records = [] if is_part else changes_of(brand, since, last, full=False)
    if question.first:  # a change that began earlier is none of these days
        records = [each for each in records if each.since >= since]
    if meant.engines:
        records = [each for each in records if (each.engine or "").rpartition(" ")[0] in meant.engines]
    if meant.name:
        return Found(cannot_tell=_not_tested(context.again(about="competitors")))
    number = question.limit or MOST_SHOWN
    span = context.select(question.first or last - timedelta(days=TREND_DAYS - 1), last)
    key = next(iter(context.chosen), None)
    trend = span.rows("day", "subject", subjects=[key])
    days = sorted(trend, key=lambda row: row.first_day, reverse=True)[: max(number, 2)]
    found = Found([*records], notes=[CHANGES])
    if question.first or (len(meant.engines) == 1 and not is_part):
        _test_window(context, found, since, last)
    elif not is_part and not meant.engines:
        measured = f" Measured: {days[-1].first_day} to {days[0].first_day}." if len(days) > 1 else ""
        found.answer = change_words(brand.name, records, len(days)).marked + measured
        score = DailyScore.objects.of_brand(brand).between(since, last).last()
        change = score and score.change and Change.model_validate(score.change)
        found.facts += [change] if change and change.verdict != "not_comparable" else []
    if is_part and found.answer is None and found.cannot_tell is None:
        found.cannot_tell = _not_tested(context.again(about="change", topic=None, competitor=None))
    found.facts += map(context.fact, days[:number])
    return found


def _not_tested(step: NextCall) -> CannotTell:
    why = "Changes are tested for the site's score over all topics."
    return CannotTell(what="a change on one topic or of a competitor", why=why, next_step=step)


def _test_window(context: Context, found: Found, first: date, last: date) -> None:
    """Test the score of the site, or of a competitor, on the last measured day of a window against the first."""
    brand, meant = context.brand, context.meant
    scores = DailyScore.objects.of_brand(brand).between(first, last).order_by("date")
    days = list(scores.values_list("date", flat=True))
    if meant.topics or meant.prompt or len(meant.competitors) > 1 or len(meant.engines) > 1:
        return
    if len(days) < 2:
        found.answer = f"Only {days[0]} was measured in these days: nothing to compare it with." if days else None
        return
    before, after = counts_of_day(brand, days[0]), counts_of_day(brand, days[-1])
    subject = next(((str(each.pk), each.name) for each in meant.competitors), (BRAND, brand.name))
    engine = next((key for key, (name, _) in after.engines.items() if name in meant.engines), None)
    if meant.engines and engine is None:
        return
    if engine is not None:  # what differs of other engines does not matter
        before, after = (_of_engine(counts, engine) for counts in (before, after))
    change = Change.model_validate(stored_change(days[0], before, after, subject[0], engine))
    both = sorted({name for name, _ in before.engines.values()} & {name for name, _ in after.engines.values()})
    if both and before.engines != after.engines:
        why = f"Not the same engines were asked on {days[0]} and {days[-1]}; on both: {', '.join(both)}."
        step = context.again(engine=both[0])
        found.cannot_tell = CannotTell(what="a change over all engines", why=why, next_step=step)
        return
    held = [each for each in found.facts if isinstance(each, ChangeResource) and each.engine is None]
    known = change_words(brand.name, held, len(days)).marked if held and not meant.engines else ""
    whose = worded(lambda theirs: f"{theirs(subject[1])}{context.narrowed}")
    found.answer = f"{known} {difference_words(whose, days[-1], change).marked}".strip()
    found.facts.append(change)


def _of_engine(counts: DayCounts, engine: str) -> DayCounts:
    """A day as if this engine alone had been asked."""
    engines = {key: name for key, name in counts.engines.items() if key == engine}
    return replace(counts, engines=engines, served={key: counts.served[key] for key in engines})


def _sources(context: Context) -> Found:
    whole, chosen = context.compare(alone=True), {competitor.name for competitor in context.meant.competitors}
    rows = [row for row in whole.named if row.tracked] or whole.own
    domains = cited_domains(context.brand, context.selection.answers)
    words, named = context.question.words, [row for row in domains if _is_asked(context.question, row.domain)]
    if words and context.selection.sums:
        of = f"{context.selection.answers.count()} answers{context.where}"
        none = f"None of {of} cites a domain with {marked(words)}."
        return Found([*named], f"Of {of} cited: {_cited(named, with_page=True)}." if named else none)
    domains = [row for row in domains if not chosen or row.competitor in chosen]
    found = Found([*named, *map(context.fact, rows), *(row for row in domains if row not in named)])
    if len(rows) == 1:
        [row] = rows
        asked = f" They cite {_cited(named, with_page=True)}." if named else ""
        most = f" Cited most: {_cited(domains)}." if domains and not chosen else ""
        own = f"{row.cited} of {row.of} answers{context.where} cite a page of {marked(row.subject)}'s own domains."
        found.answer = own + asked + most
    found.notes.append(SITES)
    if chosen:
        found.notes.append(f"Counted are the own sites of {' and '.join(map(marked, sorted(chosen)))}.")
    return found


def _is_asked(question: Question, domain: str) -> bool:
    """Whether a question or its words name a domain, or its first part, if that is no word of questions."""
    if question.words and question.words.casefold() in domain:
        return True
    given = Question(f"{question.text} {question.words or ''}")
    return any(given.words_of(each) for each in (domain, domain.partition(".")[0]) if not is_usual(each))


def _cited(domains: Sequence[SourceDomain], *, with_page: bool = False) -> str:
    parts = []
    for each in domains[:MOST_SHOWN]:
        page = f" (most cited page: {marked(each.top_page)} in {each.top_page_answers})" if each.top_page else ""
        parts.append(f"{marked(each.domain)} in {each.answers}{page if with_page else ''}")
    return ", ".join(parts)


def _criteria(context: Context) -> Found:
    topics: Sequence[Topic | None] = context.meant.topics or [None]
    found = [read_criteria(context.caller, context.brand.pk, topic, full=False) for topic in topics]
    asked = {*words_in(f"{context.question.text} {context.question.words or ''}")}
    facts = [_without_weak_winners(row) for each in found for row in each.criteria]
    facts.sort(key=lambda row: not asked & {*words_in(row.label)})
    if not facts:
        return Found(answer=found[0].how_to_get_some)
    has_one_topic = len({row.topic for row in facts}) == 1
    parts = "; ".join(_criterion_words(row, has_one_topic) for row in facts[:MOST_CRITERIA])
    return Found([*facts], f"Answers judge by {parts}.", [CRITERIA, WEEK])


def _without_weak_winners(row: CriterionRow) -> CriterionRow:
    strong = [each for each in row.winners if each.answers >= LEAST_ASSOCIATED]
    return row.model_copy(update={"winners": strong, "winner": row.winner if strong else None})


def _criterion_words(row: CriterionRow, has_one_topic: bool) -> str:
    topic = "" if has_one_topic else f" on {marked(row.topic)}"
    names = ", ".join(f"of {marked(each.subject)} in {each.answers}" for each in row.winners)
    names = f"; said {names}" if names else ""
    least = "at least " if row.basis == "labelled" else ""
    return f"{marked(row.label)} (in {least}{row.answers} of {row.of} answers{topic}{names})"


def _claims(context: Context) -> Found:
    """What the site claims; where no claim was read, how answers speak of it."""
    read = read_claims(context.caller, context.brand.pk, full=False)
    if read.claims:
        return Found([*read.claims])
    found = _criteria(context)
    found.answer = found.answer if found.facts else ""
    row = context.compare(alone=True).subject if Scope.READ_VISIBILITY in context.caller.scopes else None
    if row is not None:
        found.facts.insert(0, context.fact(row))
        found.answer = f"{standing_sentence(row, (), context.where).marked} {found.answer}".strip()
        found.passages, found.is_narrowed = _warnings(context, row), True
    found.answer = found.answer or read.how_to_get_some
    if not _is_audited(context):
        found.cannot_tell = _audit_first(context, "what the site itself claims")
    return found


def _proofs(context: Context) -> Found:
    done = Recommendation.objects.filter(brand=context.brand, status=Recommendation.Status.DONE)
    rows = done.filter(proof__result__isnull=False).order_by("-status_changed_at", "id")
    proofs = ((card, proof_of(card.row, card)) for card in cards_of(context.brand, rows))
    facts = [ProofFact(title=card.title, **dict(proof)) for card, proof in proofs if proof]
    answer = f"{_counted(done.count(), 'recommendation')} done; on {len(facts)} of them something can be said."
    if not done:
        answer = "No recommendation is marked as done, so nothing is proven yet."
    return Found([*facts], answer)


def _recommendations(context: Context) -> Found:
    rows = Recommendation.objects.filter(brand=context.brand, status=Recommendation.Status.OPEN)
    of_topics = rows.filter(facts__topic_id__in=[str(topic.pk) for topic in context.meant.topics])
    is_elsewhere = bool(context.meant.topics) and not of_topics.exists()
    rows = of_topics if context.meant.topics and not is_elsewhere else rows
    cards = [
        CardFact(**dict(line_of(card)), kind=card.row.kind, is_chore=card.row.kind in CHORES)
        for card in cards_of(context.brand, rows.order_by("-priority", "-created_at", "id"))
    ]
    advice, chores = ([card for card in cards if card.is_chore is is_chore] for is_chore in (False, True))
    answer = "No open recommendation claims a gain."
    if advice:
        answer = (
            f"{_counted(len(advice), 'open recommendation')} to be named more. Most urgent: {advice[0].title.marked}."
        )
    if chores:
        answer += f" {_counted(len(chores), 'chore')} only to make figures complete: {chores[0].title.marked}."
    if is_elsewhere:
        answer = f"No open recommendation is on this topic. Of the whole site: {answer}"
    found = Found([*advice, *chores], answer, [WEEK] if cards else [], is_narrowed=is_elsewhere)
    if not advice and not _is_audited(context):
        found.cannot_tell = _audit_first(context, "what else would help")
    return found


def _for_agents(sentence: Worded | None) -> str | None:
    return sentence and sentence.marked


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _is_audited(context: Context) -> bool:
    return Run.objects.measured().filter(brand=context.brand, kind=Run.Kind.AUDIT).exists()


def _audit_first(context: Context, what: str, failed: str = "") -> CannotTell:
    """What only an audit finds is not known; the step finds it, if the key may take it."""
    step = NextCall(tool="run_audit_scan", arguments={"siteId": str(context.brand.pk)})
    how = f"The step takes up to {MOST_PAGES} credits, one a page: ask the user first."
    if Scope.RUN_AUDITS not in context.caller.scopes:
        step, how = context.brief, "This key may not start one."
    why = f"{failed} No audit of the site has ended, and an audit says what to mend. {how}".strip()
    return CannotTell(what=what, why=why, next_step=step)


def _audit(context: Context) -> Found:
    audit = read_audit(context.caller, context.brand.pk)
    failed = ""
    if audit.failed:
        why = audit.failed.error.message if audit.failed.error else "no reason is known"
        failed = f"The audit of {audit.failed.created_at:%Y-%m-%d} failed: {why}"
    if audit.run is None:
        cannot_tell = _audit_first(context, "what is wrong with the site", failed)
        return Found(answer=failed or "The site was not audited yet.", cannot_tell=cannot_tell)
    found = read_findings(context.caller, context.brand.pk, full=False).findings
    day, score = audit.run.created_at, "no score" if audit.overall is None else f"{audit.overall:g} of 100"
    defects = len(audit.critical_defects)
    answer = f"The audit of {day:%Y-%m-%d} gave {score}; critical defects: {defects or 'none'}."
    return Found([AuditFact.model_validate(finding) for finding in found], f"{answer} {failed}".strip())


def _runs(context: Context) -> Found:
    brand, due = context.brand, context.brand.next_run_at
    runs = list(Run.objects.filter(brand=brand).not_refused().newest()[: context.question.limit or MOST_SHOWN])
    engines = engine_names(runs)
    measured = f"Last measured: {context.last_day}." if context.last_day else "Nothing is measured yet."
    coming = f"The next scan is due {due:%Y-%m-%d %H:%M} UTC." if due else "No scan is scheduled."
    return Found([run_resource(context.caller, run, engines[run.pk]) for run in runs], f"{measured} {coming}")


def _costs(caller: Caller, question: Question, brand: Brand | None) -> Found:
    used = quotas(caller.user) if caller.user else {}
    brands = [brand] if brand else Brand.objects.restrict(caller, "view").order_by("name")[:MOST_SHOWN]
    facts: list[Resource] = [CostFact(what=str(kind.label), **dict(quota)) for kind, quota in used.items()]
    prices = []
    for each in brands:
        try:
            credits = plan_scan(each).total
        except ServiceError as refusal:
            prices.append(f"A scan of {marked(each.name)} cannot be started: {refusal.message}")
        else:
            prices.append(f"A scan of {marked(each.name)} takes {credits} credits now.")
    if credits_of_month := used.get(Usage.Kind.CREDITS):
        prices.append(f"Used of the calendar month's credits: {credits_of_month.used} of {credits_of_month.limit}.")
    notes = ["Credits are counted by calendar month, not by the days given."] if question.has_days else []
    return Found(facts, " ".join(prices) or None, notes)


def _definitions(caller: Caller, question: Question, brand: Brand | None) -> Found:
    """What the terms of the question mean, or all of them where it has none."""
    words = words_in(f"{question.text} {question.words or ''}")
    named = [term for term in DEFINITIONS if f" {' '.join(words_in(term))} " in f" {' '.join(words)} "]
    return Found([Definition(term=term, means=DEFINITIONS[term]) for term in named or DEFINITIONS])


def _sites(caller: Caller, question: Question, brand: Brand | None) -> Found:
    return found_sites(list_sites(caller).sites)


def found_sites(sites: Sequence[Site]) -> Found:
    """The sites, each with its score of now alone: that of its latest run is another."""
    facts = [SiteFact(**site.model_dump(include={*SiteFact.model_fields})) for site in sites]
    return Found([*facts], _for_agents(scores_words(sites)))


def _found(context: Context, rows: Sequence[CountRow]) -> Found:
    """The rows as facts, with what one has to know to read them."""
    notes = [RELATION] if any(row.relation for row in rows) else []
    notes += [UNTRACKED] if any(not row.tracked for row in rows) else []
    notes += [STANCES] if any(row.recommended is not None for row in rows) else []
    return Found([*map(context.fact, rows)], notes=notes)


def _sentence(context: Context, whole: Compared, engines: Sequence[CountRow]) -> str | None:
    """A sentence on whom was asked for, else on the brand; None where there are several rows of the brand."""
    if whole.pair:
        return against_sentence(*whole.pair, context.where).marked
    if len(whole.own) != 1:
        return None
    if whole.named:
        return _for_agents(rivals_sentence(whole.own[0], whole.named, context.where, are_asked=True))
    return standing_sentence(whole.own[0], engines, context.where).marked


_VISIBILITY, _CARDS = Scope.READ_VISIBILITY, Scope.READ_RECOMMENDATIONS
SUBJECTS: Mapping[About, Subject] = {
    "standing": Subject("how often answers name, recommend or warn against whom", _VISIBILITY, _standing, True),
    "change": Subject("confirmed changes of the score, the last measured days", _VISIBILITY, _change, True),
    "topics": Subject("each topic: named, first, alone, who is ahead", _VISIBILITY, _topics, True),
    "competitors": Subject(
        "who is ahead, behind, level, first, untracked", Scope.READ_COMPETITORS, _competitors, True
    ),
    "engines": Subject("the same by engine", _VISIBILITY, _engines, True),
    "sources": Subject("whose sites answers cite", _VISIBILITY, _sources, True),
    "criteria": Subject("what answers judge by", Scope.READ_VOICE, _criteria, by_topic=True, slots=["words"]),
    "claims": Subject("what the site claims, and whether answers repeat it", Scope.READ_VOICE, _claims),
    "recommendations": Subject("what to do", _CARDS, _recommendations, by_topic=True, slots=["words", "sources"]),
    "proofs": Subject("whether what was done shows in answers", _CARDS, _proofs),
    "audit": Subject("what is wrong with the site for AI crawlers", Scope.READ_AUDITS, _audit),
    "runs": Subject("the latest scans and the next one", _VISIBILITY, _runs),
}
WITH_FIRSTS: Collection[About] = ("standing", "topics", "competitors", "engines")
"""To these belong the first picks of the same answers."""
OF_THE_ACCOUNT: Mapping[About, Callable[[Caller, Question, Brand | None], Found]] = {
    "costs": _costs,
    "definitions": _definitions,
    "sites": _sites,
}
"""Subjects that belong to no site and need no further scope."""
TELLS: Mapping[About, str] = {
    **{about: subject.tells for about, subject in SUBJECTS.items()},
    "costs": "credits and quotas, what a scan takes",
    "definitions": "what the words of this service mean",
    "sites": "the sites of this key",
}
