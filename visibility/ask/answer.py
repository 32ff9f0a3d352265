"""The reply to a question: of which subjects, with which measure, cut by whole rows to what models read well."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from uuid import UUID

import orjson
from django.db.models import Max, prefetch_related_objects

from apikeys.accounts.caller import Caller
from apikeys.errors import invalid
from apikeys.resources import FOR_AGENTS, Resource
from apikeys.scopes import Scope
from apikeys.text import marked
from apikeys.tokens import tokens_of
from brands.access import readable_brand
from brands.models import Brand
from visibility.answers.passages import find_words, words_sentence
from visibility.ask.context import Context
from visibility.ask.counted import Found
from visibility.ask.measures import (
    ELSEWHERE,
    LIMITS,
    MEASURES,
    OTHER,
    READ,
    UNTRACKED,
    Measure,
    measure_named,
    nearest_measure,
)
from visibility.ask.of_site import found_sites
from visibility.ask.question import LONGEST_AGAIN, Question, names_in
from visibility.ask.resolve import resolve
from visibility.ask.resources import Answered, CannotTell, FactRow, NextCall, shown
from visibility.ask.subjects import OF_THE_ACCOUNT, SUBJECTS, TELLS
from visibility.models import DailyScore
from visibility.overview.reads import list_sites

MOST_TOKENS = 800
ROOM = 90
"""Tokens for the names of parts that are added last, for the door's prefix of tools and its note on arguments."""
MOST_ROWS, MOST_SUBJECTS = 500, 4
NOTHING = Measure(abouts=())
ON_ROWS = {name: each.fields[0] for name, each in MEASURES.items() if each.fields and name != UNTRACKED}


def answer_question(caller: Caller, site_id: UUID | None, question: Question) -> Answered:
    """The facts about a question. Without a site: of the caller's only one, else the list of sites.

    Raises not_found for a site that the caller cannot see, invalid_arguments for days in the wrong order and for
    subjects that there are not.
    """
    if question.first and question.last and question.first > question.last:
        raise invalid("from", "from is later than to. Give an earlier from, or leave one of them out.")
    measure, abouts, notes = _route(question)
    brand = readable_brand(caller, site_id) if site_id else None
    is_of_account = bool(abouts) and OF_THE_ACCOUNT.keys() >= {*abouts}
    if brand is None and not is_of_account:
        sites = list_sites(caller).sites
        named = sites if len(sites) == 1 else [site for site in sites if names_in(question.text, site.name)]
        if len(named) != 1:
            likely = min(named or sites, key=lambda site: site.latest_run is None, default=None)
            step = question.again(likely.id) if likely else NextCall(tool="get_portfolio_summary", arguments={})
            why = "This key sees several. Give siteId." if likely else "This key sees no site."
            reply = Answered(cannot_tell=CannotTell(what="which site is meant", why=why, next_step=step))
            return _fitted(reply, {"sites": found_sites(sites)}, question)
        brand = readable_brand(caller, named[0].id)
    reply = Answered(site_id=brand and brand.pk, about=", ".join(abouts) or None, notes=notes)
    is_of_one_read = bool(abouts) and not any(each in SUBJECTS and SUBJECTS[each].counts_answers for each in abouts)
    if measure == OTHER and is_of_one_read:
        measure = None
    elif question.measure and measure not in (*MEASURES, *READ) and "definitions" not in abouts:
        reply.cannot_tell = _refused(caller, brand, question, measure)
        if brand is None or question.words is None:
            return _fitted(reply, {}, question)
        measure, abouts = None, []  # what can be said is where the words are
    if brand is None or is_of_account:
        return _fitted(reply, {about: OF_THE_ACCOUNT[about](caller, question, brand) for about in abouts}, question)
    prefetch_related_objects([brand], "competitors")  # which several parts of a reply read
    last_day = DailyScore.objects.of_brand(brand).aggregate(Max("date"))["date__max"]
    return _answer_about(Context(caller, brand, question, measure, last_day), reply, abouts)


def _route(question: Question) -> tuple[str | None, Sequence[str], list[str]]:
    """The measure, and the subjects that are asked for: where they count answers, those that hold the measure, else
    the usual one that does. Notes say what was chosen."""
    abouts = list(dict.fromkeys(each.strip().lower() for each in (question.about or "").split(",") if each.strip()))
    if unknown := next((each for each in abouts if each not in TELLS), None):
        which = f"{marked(unknown[:LONGEST_AGAIN])} is no subject"
        raise invalid("about", f"{which}. Give some of these, by commas: {', '.join(TELLS)}.")
    if len(abouts) > MOST_SUBJECTS:
        raise invalid("about", f"These are {len(abouts)} subjects. Give {MOST_SUBJECTS} at most.")
    measure = measure_named(question.measure or "")
    holding = ("criteria",) if measure in READ else MEASURES.get(measure or "", NOTHING).abouts
    if holding and "definitions" not in abouts:
        chosen = [
            each for each in abouts if each in holding or each not in SUBJECTS or not SUBJECTS[each].counts_answers
        ]
        chosen += ["sources"] if question.words and "sources" in abouts and "sources" not in chosen else []
        chosen += [] if {*holding} & {*chosen} else holding[:1]
        holder = next(each for each in chosen if each in holding)
        return measure, chosen, [f"The facts about {holder} hold {measure}."] if abouts and chosen != abouts else []
    is_narrowed = any((question.has_days, question.topic, question.engine, question.competitor, question.market))
    if not abouts and is_narrowed and not question.words:
        return measure, ["standing"], ["about is not given: standing is shown."]
    return measure, abouts, []


def _refused(caller: Caller, brand: Brand | None, question: Question, measure: str | None) -> CannotTell:
    """That a measure is not counted, with what is nearest and the call that has it."""
    given = question.measure or ""
    if measure and (other := ELSEWHERE.get(measure)):
        why = f"It is not counted here; {other.tool} has {other.has}"
        if other.scope not in caller.scopes:
            return CannotTell(what=measure, why=f"{why}, and this key lacks the scope {other.scope}.")
        arguments = {"siteId": str(brand.pk)} if brand else {}
        there = NextCall(tool=other.tool if brand else "list_sites", arguments=arguments)
        return CannotTell(what=measure, why=f"{why}.", next_step=there)
    near = None if measure else nearest_measure(given)
    step = question.again(brand.pk if brand else None, measure=near) if near else None
    why = f"It is not counted. {LIMITS} Counted are {', '.join(MEASURES)}; where answers are read {', '.join(READ)}."
    what = "what is asked" if measure else marked(given[:LONGEST_AGAIN])
    return CannotTell(what=what, why=why, next_step=step)


def _answer_about(context: Context, reply: Answered, abouts: Sequence[str]) -> Answered:
    question, parts = context.question, dict[str, Found]()
    reasons = [reply.cannot_tell] if reply.cannot_tell else []
    reply.notes, reply.resolved = [*reply.notes, *resolve(context)], context.resolved
    if not abouts and question.words is None:
        why = "about is not given. Fill it, and measure where one thing is asked."
        reply.cannot_tell = CannotTell(what="which facts are asked for", why=why, next_step=context.brief)
        reply.subjects = dict(TELLS)
        return _fitted(reply, parts, question)
    for about in abouts or [""]:
        parts[about] = _read(context, reply, about)
        if reason := _cannot_tell(context, reply, about, parts[about]):
            reasons.append(reason)
    if reply.period and question.has_days and context.selection.answers.exclude(prompt__archived_at=None).exists():
        reply.notes.append("Prompts that are archived now count in these days; without days they do not.")
    reply.cannot_tell = next(iter(reasons), None)
    reply.notes += [f"Of {each.what}: {each.why}" for each in reasons[1:] if each != reply.cannot_tell]
    return _fitted(reply, parts, question)


def _read(context: Context, reply: Answered, about: str) -> Found:
    """What the subject finds, and where the words are that were asked for; of none those alone."""
    caller, question = context.caller, context.question
    if about in OF_THE_ACCOUNT:
        return OF_THE_ACCOUNT[about](caller, question, context.brand)
    subject, found = SUBJECTS.get(about), Found()
    if subject and subject.scope not in caller.scopes:
        reply.withheld.append(about)
        return found
    counts_answers = subject is None or subject.counts_answers
    if counts_answers:
        reply.period, reply.markets = context.period, context.pooled_markets
        reply.withheld += {"competitors"} - {*reply.withheld} if not context.sees_competitors else ()
    elif subject and (context.is_narrow or (context.topics and not subject.by_topic)):
        found.notes = ["Narrowed by topic alone." if subject.by_topic and context.topics else "Of the whole site."]
    if subject and not (counts_answers and "engine" in context.unknown):
        notes, found = found.notes, subject.read(context, about)
        found.notes += notes
    is_of_domains = "sources" in (reply.about or "")  # there words are looked for in domains
    can_hold_words = (counts_answers and not is_of_domains) or context.measure in READ
    if question.words is not None and can_hold_words and reply.words_found is None:
        if Scope.READ_PROMPTS not in caller.scopes:
            reply.withheld.append("passages")
            return found
        counted, found.passages = find_words(
            context.selection.answers, question.words, context.names, context.company_of, context.asked
        )
        sentence = words_sentence(counted, context.where, context.asked)
        reply.words_found, found.answer = counted, f"{sentence} {found.answer or ''}".strip()
    return found


def _cannot_tell(context: Context, reply: Answered, about: str, found: Found) -> CannotTell | None:
    """What part of the question has no answer, with the first reason that applies."""
    subject, brief = SUBJECTS.get(about), context.brief
    withheld = about if about in reply.withheld else "passages" if "passages" in reply.withheld else None
    if withheld:
        scope = subject.scope if subject and withheld == about else Scope.READ_PROMPTS
        return CannotTell(what=withheld, why=f"This key lacks the scope {scope}.", next_step=brief)
    counts_answers = about not in OF_THE_ACCOUNT and (subject is None or subject.counts_answers)
    if counts_answers and context.last_day is None:
        why = f"{marked(context.brand.name)} is not measured yet."
        return CannotTell(what="any figure", why=why, next_step=brief)
    for argument, (why, near) in context.unknown.items() if about not in OF_THE_ACCOUNT else ():
        step = context.again(**{argument: near}) if near else None
        return CannotTell(what=f"which {argument} is meant", why=why, next_step=step)
    if counts_answers and not context.selection.sums:
        return _nothing_counted(context)
    if not (found.facts or found.answer or found.cannot_tell):
        return CannotTell(what=about, why="Nothing is stored on it.", next_step=brief)
    return found.cannot_tell


def _nothing_counted(context: Context) -> CannotTell:
    why, step = "No answer counts for it now.", context.again(about="engines", engine=None, topic=None, market=None)
    if any(topic.own is False for topic in context.topics):
        why = f"Its people decided that this topic is not {marked(context.brand.name)}'s own: no figure counts it."
        step = context.again(topic=None, about="topics")
    elif context.question.has_days:
        last = str(context.last_day)
        why = f"Nothing that counts was measured in these days. The last measured day is {last}."
        step = context.again(**{"from": last, "to": last})
    return CannotTell(what="any figure of this", why=why, next_step=step)


def _fitted(reply: Answered, parts: Mapping[str, Found], question: Question) -> Answered:
    """The reply with what was found: of each subject in turn as many whole rows as fit, then notes and passages; all
    of it where a number of rows was asked for."""
    found, label = list(parts.values()), len(parts) > 1
    sentences = [f"{about}: {each.answer}" if label else each.answer for about, each in parts.items() if each.answer]
    fitting = _fit([tokens_of(each.encode()) for each in sentences], MOST_TOKENS // 2)
    reply.answer = " ".join(sentences[: max(fitting, 1)]) or None
    notes, reply.notes = [*reply.notes, *(note for each in found for note in each.notes)], []
    passages = [passage for each in found for passage in each.passages]
    queue = [(place, about, row) for about, each in parts.items() for place, row in enumerate(each.facts)]
    queue.sort(key=lambda each: each[0])
    counts = [row for *_, row in queue if isinstance(row, FactRow)]
    reply.measures = [
        name for name, field in ON_ROWS.items() if any(getattr(row, field) is not None for row in counts)
    ]
    number = question.limit
    if number is None:
        sizes = [_size(row, about if label else None) for _, about, row in queue]
        others = [tokens_of(note.encode()) + 1 for note in notes] + [_size(passage) for passage in passages]
        left = MOST_TOKENS - ROOM - _size(reply)
        space = left - min(sum(others), left // 2)
        if sum(sizes) > space:
            reply.facts_total = len(sizes)
            reply.see_more = question.again(reply.site_id, limit=min(len(sizes), MOST_ROWS))
            left, space = (each - _size(reply.see_more) for each in (left, space))
        number = max(_fit(sizes, space), _fit(sizes[:1], left))
        fitting = _fit(others, left - sum(sizes[:number]))
        notes, passages = notes[:fitting], passages[: max(0, fitting - len(notes))]
    taken = sorted(queue[:number], key=lambda each: list(parts).index(each[1]))
    reply.facts, reply.subjects_of_facts = [row for *_, row in taken], [about for _, about, _ in taken]
    reply.notes, reply.passages = notes, passages
    return reply


def _fit(sizes: Sequence[int], space: int) -> int:
    """How many of these fit."""
    return bisect_right([*accumulate(sizes)], space)


def _size(resource: Resource, about: str | None = None) -> int:
    return tokens_of(orjson.dumps(shown(resource, FOR_AGENTS, about))) + 1
