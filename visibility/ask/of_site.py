"""The subjects that count no answers: what other rooms read of a site, or of the account, with a sentence on it."""

import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from apikeys.accounts.caller import Caller
from apikeys.accounts.usage import quotas
from apikeys.errors import ServiceError
from apikeys.models import Usage
from apikeys.scopes import Scope
from apikeys.text import marked
from brands.models import Brand, Cadence
from visibility.ask.context import Context
from visibility.ask.counted import Found
from visibility.ask.measures import READ
from visibility.ask.question import Question, names_in
from visibility.ask.resources import CannotTell, CostFact, Definition, NextCall, ProofFact, ReadFact
from visibility.audits.reads import read_audit, read_findings
from visibility.audits.services import MOST_PAGES
from visibility.counts.words import listed
from visibility.evidence.reads import READ_ANSWERS, read_claims, read_criteria
from visibility.models import Recommendation, Run, Topic
from visibility.models.reading import Facet
from visibility.overview.reads import list_sites, scores_words
from visibility.overview.resources import Site
from visibility.reading.reads import findings_of
from visibility.recommendations.cards import proof_of
from visibility.recommendations.reads import cards_of, list_for_agents
from visibility.runs.estimate import Estimate, estimate_scan
from visibility.runs.reads import list_runs
from visibility.runs.what_if import what_if, what_if_words

MOST_IN_SENTENCE = 3
MOST_SITES = 5
DEFINITIONS: Mapping[str, str] = tomllib.loads(
    Path(__file__).with_name("definitions.toml").read_text(encoding="utf-8")
)
"""What the words of this service mean."""


def criteria(context: Context, about: str) -> Found:
    """What answers judge by; with a measure that readers find, what they found of the one that was asked for."""
    if facet := READ.get(context.measure or ""):
        return _read(context, facet)
    topics: Sequence[Topic | None] = context.topics or [None]
    found = [read_criteria(context.caller, context.brand.pk, topic, full=False) for topic in topics]
    rows = [row for each in found for row in each.criteria]
    if not rows:
        return _nothing("what answers judge by", found[0].how_to_get_some)
    is_of_several = len({row.topic for row in rows}) > 1
    shown = [
        f"{marked(row.label)} in {'at least ' if row.basis == 'labelled' else ''}{row.answers} of {row.of}"
        f"{f' on {marked(row.topic)}' if is_of_several and row.topic else ''}"
        for row in rows[:MOST_IN_SENTENCE]
    ]
    return Found([*rows], f"Answers judge by {'; '.join(shown)}.")


def _read(context: Context, facet: Facet) -> Found:
    topics = {topic.pk: topic.name for topic in context.topics or Topic.objects.filter(brand=context.brand)}
    subject, name = context.competitor and context.competitor.pk, context.asked or context.brand.name
    every = [each for each in findings_of(context.brand) if each.topic in topics]
    facts = [
        ReadFact(subject=name, topic=topics[each.topic], says=each.heading, answers=each.k, of=each.n)
        for each in every
        if each.topic and each.facet == facet and each.subject == subject and not context.name
    ]
    if facts:
        said = "; ".join(f"{marked(each.says)} in {each.answers} of {each.of}" for each in facts[:MOST_IN_SENTENCE])
        return Found([*facts], f"Read in answers on {marked(name)}: {said}.")
    offered = listed([marked(each) for each in context.offered]) if facet == Facet.PRODUCT else ""
    near = f" Names offered: {offered}." if offered else ""
    rows = [row for row in context.rows() if (row.is_own if subject is None else row.competitor_id == subject)]
    if rows and not any(row.mentioned for row in rows) and not context.name:
        of = sum(row.of for row in rows)
        why = f"None of {of} answers{context.where} names {marked(name)}: there is nothing to read."
    else:
        why = "Readers found none." if every else f"Nobody has read the answers yet. {READ_ANSWERS}"
    return _nothing(str(context.measure), why + near)


def claims(context: Context, about: str) -> Found:
    """What the site claims, and whether answers repeat it."""
    read = read_claims(context.caller, context.brand.pk, full=False)
    if read.claims:
        backed = sum(each.says == "supported" for each in read.claims)
        return Found([*read.claims], f"{read.total} claims on own pages; answers support {backed} of them.")
    return _audit_first(context, what := "what the site itself claims") or _nothing(what, read.how_to_get_some)


def _nothing(what: str, why: str | None) -> Found:
    return Found(cannot_tell=CannotTell(what=what, why=why or "Nothing is stored on it."))


def proofs(context: Context, about: str) -> Found:
    """Whether what was done shows in answers."""
    done = Recommendation.objects.filter(brand=context.brand, status=Recommendation.Status.DONE)
    cards = cards_of(context.brand, done.filter(proof__result__isnull=False).order_by("-status_changed_at", "id"))
    proven = ((card, proof_of(card.row, card)) for card in cards)
    facts = [ProofFact(title=card.title, **dict(proof)) for card, proof in proven if proof]
    answer = f"Recommendations done: {done.count()}; on {len(facts)} of them something can be said."
    return Found([*facts], answer if done else "No recommendation is marked as done, so nothing is proven yet.")


def recommendations(context: Context, about: str) -> Found:
    """What to do, advice before chores, of the topics that are meant where they have any; and why."""
    topics = [str(topic.pk) for topic in context.topics]
    of_topics = {*Recommendation.objects.filter(facts__topic_id__in=topics).values_list("pk", flat=True)}
    read = list_for_agents(context.caller, context.brand.pk, "open", full=False).recommendations
    rows = [row for row in read if row.id in of_topics] or read
    rows.sort(key=lambda row: getattr(row, "is_chore", False))
    advice = [row for row in rows if not getattr(row, "is_chore", False)]
    answer = f"Open recommendations to be named more: {len(advice)}; chores: {len(rows) - len(advice)}."
    if topics and rows is read:
        answer = f"None is on this topic alone. Of the whole site: {answer}"
    found = Found([*rows], f"{answer} First: {rows[0].title.marked}." if rows else answer)
    if rows:
        cards = cards_of(context.brand, Recommendation.objects.filter(pk=rows[0].id))
        found.notes = [f"Why the first: {card.fact.marked}" for card in cards]
    if not advice and (first := _audit_first(context, "what else would help")):
        found.cannot_tell = first.cannot_tell
    return found


def audit(context: Context, about: str) -> Found:
    """What is wrong with the site for crawlers of AI systems."""
    read, failed = read_audit(context.caller, context.brand.pk), ""
    if read.failed:
        why = read.failed.error.message if read.failed.error else "no reason is known"
        failed = f"The audit of {read.failed.created_at:%Y-%m-%d} failed: {why}"
    if read.run is None and (found := _audit_first(context, "what is wrong with the site", failed)):
        return replace(found, answer="The site was not audited yet.")
    rows = read_findings(context.caller, context.brand.pk, full=False).findings
    score, defects = "no score" if read.overall is None else f"{read.overall:g} of 100", len(read.critical_defects)
    day = read.run.created_at.date() if read.run else ""
    return Found([*rows], f"The audit of {day} gave {score}; critical defects: {defects}. {failed}".strip())


def _audit_first(context: Context, what: str, failed: str = "") -> Found | None:
    """That only an audit finds this, where none has ended; the step makes one, if the key may take it."""
    if Run.objects.measured().filter(brand=context.brand, kind=Run.Kind.AUDIT).exists():
        return None
    step, how = context.brief, "This key may not start one."
    if Scope.RUN_AUDITS in context.caller.scopes:
        step = NextCall(tool="run_audit_scan", arguments={"siteId": str(context.brand.pk)})
        how = f"The step takes up to {MOST_PAGES} credits, one a page: ask the user first."
    why = f"{failed} No audit of the site has ended, and an audit says what to mend. {how}".strip()
    return Found(cannot_tell=CannotTell(what=what, why=why, next_step=step))


def runs(context: Context, about: str) -> Found:
    """The latest scans, and the next one."""
    due = context.brand.next_run_at
    measured = f"Last measured: {context.last_day}." if context.last_day else "Nothing is measured yet."
    coming = f"The next scan is due {due:%Y-%m-%d %H:%M} UTC." if due else "No scan is scheduled."
    return Found([*list_runs(context.caller, context.brand.pk).runs], f"{measured} {coming}")


def costs(caller: Caller, question: Question, brand: Brand | None) -> Found:
    """What is used of the account's limits, and what a scan takes: of the site, else of all, those that the question
    names first; without an AI engine what one would cost."""
    used = quotas(caller.user) if caller.user else {}
    brands = [brand] if brand else list(Brand.objects.restrict(caller, "view").order_by("name"))
    brands.sort(key=lambda each: not names_in(question.text, each.name))
    sites = defaultdict[str, list[str]](list)
    for each in brands[:MOST_SITES]:
        try:
            sites[_takes(estimate_scan(each), each)].append(marked(each.name))
        except ServiceError as refusal:
            sites[f"cannot be started: {refusal.message}"].append(marked(each.name))
    answers = [f"A scan of {listed(names)} {how}" for how, names in sites.items()]
    supposed = what_if(brands[0]) if brands else []
    answers += [words] if (words := what_if_words(supposed)) else []
    if len(brands) > MOST_SITES:
        answers.append(f"{len(brands) - MOST_SITES} more sites: name one, or give siteId.")
    if month := used.get(Usage.Kind.CREDITS):
        answers.append(f"Used of the calendar month's credits: {month.used} of {month.limit}.")
    facts = [CostFact(what=str(kind.label), **dict(each)) for kind, each in used.items()]
    return Found([*facts, *supposed], " ".join(answers))


def _takes(estimate: Estimate, brand: Brand) -> str:
    """What a scan takes, in money where the price of all engines is known, and what scans by cadence take a month."""
    money = "" if estimate.cost is None else f" and costs about ${estimate.cost:.2f}"
    money = money if estimate.cost or estimate.cost is None else " and costs nothing"
    takes = f"takes {estimate.credits} credits{money}"
    if brand.cadence == Cadence.MANUAL:
        return f"{takes}; none is scheduled."
    credits, cost = estimate.a_month(brand.cadence)
    monthly = "" if cost is None else f", ${cost:.2f}"
    return f"{takes}; by its {brand.cadence} schedule a month takes {credits} credits{monthly}."


def definitions(caller: Caller, question: Question, brand: Brand | None) -> Found:
    """What the terms of the question mean, or all of them where it has none."""
    text, words = f"{question.text} {question.measure or ''} {question.words or ''}", question.words or ""
    named = [
        term
        for term, means in DEFINITIONS.items()
        if any(names_in(text, form) for form in (term, f"{term}s")) or names_in(means, words)
    ]
    return Found([Definition(term=term, means=DEFINITIONS[term]) for term in named or DEFINITIONS])


def sites(caller: Caller, question: Question, brand: Brand | None) -> Found:
    """The sites of the key, each with its score of now."""
    return found_sites(list_sites(caller).sites)


def found_sites(found: Sequence[Site]) -> Found:
    """The same of sites that were read."""
    sentence = scores_words(found)
    return Found([*found], sentence and sentence.marked)
