"""The reply to a question: what the key may see, cut by whole rows to a length that models read well."""

import re
from bisect import bisect_right
from calendar import day_name, month_name
from collections.abc import Sequence
from itertools import accumulate
from uuid import UUID

import orjson
from django.db.models import Max, Min, prefetch_related_objects

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.resources import FOR_AGENTS, Resource
from apikeys.scopes import Scope
from apikeys.text import marked
from brands.access import readable_brand
from brands.models import Brand
from visibility.ask.bare import is_never_measured, likely_subjects, subject_of, unusual, words_in
from visibility.ask.context import Context
from visibility.ask.firsts import firsts_sentence
from visibility.ask.passages import find_words, words_sentence
from visibility.ask.question import LONGEST_AGAIN, Question
from visibility.ask.resolve import resolve
from visibility.ask.resources import About, Answered, CannotTell, NextCall
from visibility.ask.subjects import OF_THE_ACCOUNT, SUBJECTS, TELLS, WITH_FIRSTS, Found, found_sites
from visibility.detection import is_function_word
from visibility.detection.words import is_plain
from visibility.models import DailyScore
from visibility.overview.reads import list_sites
from visibility.overview.resources import Site

MOST_BYTES = 800 * 4
"""Of a reply, at four bytes a token."""
MOST_ROWS = 500
_NAME = re.compile(r"(?<=[\w,] )[A-Z]\w+")
"""A word with a capital that begins no sentence."""
_YEAR = re.compile(r"\b20[0-4]\d\b")


def answer_question(caller: Caller, site_id: UUID | None, question: Question) -> Answered:
    """The facts about a question. Without a site: of the caller's only one, else the list of sites.

    Raises not_found for a site that the caller cannot see, invalid_arguments for days in the wrong order.
    """
    if question.first and question.last and question.first > question.last:
        raise invalid("from", "from is later than to. Give an earlier from, or leave one of them out.")
    brand = readable_brand(caller, site_id) if site_id else None
    about = subject_of(words_in(question.text)) if question.is_alone else question.about
    if about is not None and about in OF_THE_ACCOUNT:
        found = OF_THE_ACCOUNT[about](caller, question, brand)
        return _fitted(Answered(site_id=site_id, about=about), found, question)
    if brand is None:
        sites = list_sites(caller).sites
        named = [site for site in sites if question.named(site.name)]
        named = named if len(sites) > 1 else sites
        if len(named) != 1:
            return _fitted(Answered(cannot_tell=_which_site(question, sites)), found_sites(sites), question)
        brand = readable_brand(caller, named[0].id)
    return _answer_about(caller, brand, question)


def _answer_about(caller: Caller, brand: Brand, question: Question) -> Answered:
    prefetch_related_objects([brand], "competitors")  # which several parts of a reply read
    days = DailyScore.objects.of_brand(brand).aggregate(Min("date"), Max("date"))
    context = Context(caller, brand, question, days["date__min"], days["date__max"])
    notes, meant = resolve(context), context.meant
    reply = Answered(
        site_id=brand.pk, about=question.about, resolved=meant.resolved, last_measured_day=context.last_day
    )
    if question.is_alone:
        reply.cannot_tell = _not_sure(context, reply)
        if reply.cannot_tell:
            return _fitted(reply, Found(), question)
    if reply.about is None and question.words is None:
        likely = subject_of(question.left(meant.terms))
        reply.about = likely if likely in SUBJECTS else "standing"
    about = reply.about
    if question.about is None and about is not None:
        notes.append(f"about is not given: {about} is shown.")
    found = Found()
    if about is not None:
        found, reply.withheld = _read(context, about)
    if question.words is not None and about != "sources":  # there they are a part of a domain
        _search(context, reply, found)
    reply.cannot_tell = _cannot_tell(context, reply, found)
    found.notes = notes + found.notes
    return _fitted(reply, found, question)


def _unanswered(context: Context, answer: str) -> CannotTell | None:
    """What a question in English asks that is never measured, or by names that neither the site nor the answer has,
    as of places and months."""
    question, words = context.question, context.question.left(context.meant.terms)
    if 2 * sum(map(is_plain, words)) < len(words):
        return None
    names = {*words_in(" ".join(_NAME.findall(question.text)))} if question.words is None else set()
    if question.has_days:
        names -= {*words_in(" ".join([*month_name, *day_name]))}
    names = names & {*unusual(words)} - {*words_in(answer)}
    asked = [word for word in dict.fromkeys(words) if is_never_measured(word) or word in names]
    asked += [] if question.has_days else _YEAR.findall(question.text)
    return CannotTell(what=_quoted(asked), why=context.limits, next_step=None) if asked else None


def _quoted(words: Sequence[str]) -> str:
    return marked(", ".join(words)[:LONGEST_AGAIN])


def _single_prompts(context: Context) -> CannotTell | None:
    """Where a question is about prompts, the call that has each: facts count all of them together."""
    sees = Scope.READ_PROMPTS in context.caller.scopes
    if context.meant.prompt or not sees or "prompt" not in words_in(context.question.text):
        return None
    site = {"siteId": str(context.brand.pk)}
    if len(context.meant.topics) == 1:
        site["topic"] = marked(context.meant.topics[0].name)
    step = NextCall(tool="list_prompts", arguments=site)
    return CannotTell(what="single prompts", why="Facts count all of them; the step has each.", next_step=step)


def _not_sure(context: Context, reply: Answered) -> CannotTell | None:
    """What a question without arguments leaves open; None where it is about one subject, which the reply then has.

    A word that no name and no example explains, or a topic or day that it may mean, may make it another question.
    """
    meant, question = context.meant, context.question
    left = question.left(meant.terms)
    strange = [word for word in left if not is_function_word(word)]
    about = subject_of(left) or ("standing" if meant and not strange else None)
    if about in SUBJECTS and not meant.maybe_topic and not meant.unknown:
        reply.about = about
        return None
    likely = [about] if about else likely_subjects(left)
    reply.subjects = {about: TELLS[about] for about in sorted(TELLS, key=lambda about: about not in likely[:2])}
    step = context.brief
    if likely or meant or meant.maybe_topic:
        names = [meant.name, *(each.name for each in meant.competitors), None]
        topic = next((each.name for each in meant.topics), meant.maybe_topic)
        about = likely[0] if likely else "standing"
        engine = next(iter(meant.engines), None)
        step = context.again(about=about, topic=topic, engine=engine, competitor=names[0] or names[1])
    why = "about is not given, and the words of the question alone do not say for sure which facts are meant."
    if words := [word for word in left if is_never_measured(word)] or unusual(left):
        why = f"about is not given, and no fact is about {_quoted(words)}. {context.limits}"
    return CannotTell(what="which facts are asked for", why=why, next_step=step)


def _read(context: Context, about: About) -> tuple[Found, list[str]]:
    """What the subject finds, and the parts that the key may not see."""
    subject = SUBJECTS[about]
    if subject.scope not in context.caller.scopes:
        return Found(), [about]
    if context.meant.is_lost and (subject.counts_answers or subject.by_topic):
        return Found(), []
    found = subject.read(context)
    if about in WITH_FIRSTS and context.sees_competitors:
        found.answer = f"{found.answer or ''} {firsts_sentence(context)}".strip() or None
    found.notes += context.diagnosed(subject.slots)
    if not found.is_narrowed and (note := subject.not_narrowed(context.meant, context.question)):
        found.notes.append(note)
    return found, ["competitors"] if subject.counts_answers and not context.sees_competitors else []


def _search(context: Context, reply: Answered, found: Found) -> None:
    if Scope.READ_PROMPTS not in context.caller.scopes:
        reply.withheld.append("passages")
        return
    words, asked = context.question.words or "", context.asked
    reply.words_found, found.passages = find_words(
        context.selection.answers, words, context.names, context.company_of, asked
    )
    found.answer = f"{words_sentence(reply.words_found, context.where, asked)} {found.answer or ''}".strip()


def _cannot_tell(context: Context, reply: Answered, found: Found) -> CannotTell | None:
    """What part of the question has no answer, with the first reason that applies."""
    name, about, brief = marked(context.brand.name), reply.about, context.brief
    if about in reply.withheld or (about is None and reply.withheld):
        scope = SUBJECTS[about].scope if about else Scope.READ_PROMPTS
        return CannotTell(what=reply.withheld[0], why=f"This key lacks the scope {scope}.", next_step=brief)
    counts = about is None or SUBJECTS[about].counts_answers
    if counts and context.last_day is None:
        return CannotTell(what="any figure", why=f"{name} is not measured yet.", next_step=brief)
    for argument, (what, near) in context.meant.unknown.items():
        step = context.again(**({argument: near} if near else {argument: None, "about": f"{argument}s"}))
        shown = "no facts are shown" if context.meant.is_lost else f"facts are not about it, but about {name}"
        why = f"It is {what}, so {shown}."
        return CannotTell(what=f"the {argument} that was given", why=why, next_step=step)
    is_empty = not (found.facts or found.answer) or (reply.words_found is not None and not reply.words_found.of)
    if counts and is_empty:
        return _nothing_counted(context)
    if about is None or not counts:
        return found.cannot_tell
    # A forecast is told as one, also where the subject itself has something that cannot be told.
    return _unanswered(context, found.answer or "") or found.cannot_tell or _single_prompts(context)


def _nothing_counted(context: Context) -> CannotTell:
    question, last = context.question, context.last_day
    if any(topic.own is False for topic in context.meant.topics):
        why = f"Its people decided that this topic is not {marked(context.brand.name)}'s own: no figure counts it."
        step = context.again(topic=None, about="topics")
    elif question.first or question.last:
        why = f"Nothing that counts was measured in these days. The last measured day is {last}."
        step = context.again(**{"from": str(last), "to": str(last)})
    else:
        why = "No answer counts for it now."
        step = context.again(about="engines", engine=None, topic=None)
    return CannotTell(what="any figure of this", why=why, next_step=step)


def _which_site(question: Question, sites: Sequence[Site]) -> CannotTell:
    if not sites:
        step = NextCall(tool="get_portfolio_summary", arguments={})
        return CannotTell(what="any site", why="This key sees no site.", next_step=step)
    text = question.text.casefold()
    likely = min(sites, key=lambda site: (site.name.casefold() not in text, site.latest_run is None))
    why = "This key sees several. Give siteId."
    return CannotTell(what="which site is meant", why=why, next_step=question.again(likely.id))


def _fitted(reply: Answered, found: Found, question: Question) -> Answered:
    """The reply with what was found: as many whole rows as fit, at least one, or as were asked for."""
    reply.answer, reply.notes, reply.facts_total = found.answer, found.notes, len(found.facts)
    if question.limit is not None:
        reply.facts, reply.passages = found.facts[: question.limit], found.passages
        return reply
    left = MOST_BYTES - _size(reply)
    space = left - min(sum(map(_size, found.passages)), left // 2) if found.facts else 0
    used = [*accumulate(map(_size, found.facts))]
    if used and used[-1] > space:
        reply.see_more = question.again(reply.site_id, reply.resolved, limit=min(len(used), MOST_ROWS))
        left, space = left - _size(reply.see_more), space - _size(reply.see_more)
    number = max(bisect_right(used, space), 1)
    reply.facts, left = found.facts[:number], left - sum(used[:number][-1:])
    for passage in found.passages:
        if (left := left - _size(passage)) >= 0:
            reply.passages.append(passage)
    return reply


def _size(resource: Resource) -> int:
    return len(orjson.dumps(resource.model_dump(mode="json", by_alias=True, context=FOR_AGENTS))) + 1
