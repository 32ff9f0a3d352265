"""What a question is about: its arguments are linked to what the site has. Nothing else narrows facts."""

from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from uuid import UUID

from apikeys.scopes import Scope
from apikeys.text import marked
from brands.later import is_counted_again
from brands.models import Brand, Competitor
from visibility.ask.context import Context, markets_of
from visibility.ask.markets import long_names_of, markets_like
from visibility.ask.question import names_in
from visibility.ask.resources import Kind, Resolved, ResolvedPlain
from visibility.counts.untracked import sums_naming
from visibility.counts.words import listed, market_name
from visibility.detection.folding import fold
from visibility.detection.untracked import name_key
from visibility.models import Topic
from visibility.scores.engines import asked_engines, engines_like
from visibility.scores.words import RECOUNTING
from visibility.topics.pooling import stems
from visibility.topics.reads import nearest_topics, topics_like

MOST_OTHERS = 5
NEARLY_SAME = 0.85
"""Of two names, twice the letters that they share of all: one letter more in four, another one in seven."""
SEE_TOPICS = {Scope.READ_VISIBILITY, Scope.READ_PROMPTS, Scope.READ_COMPETITORS}
"""Each of them shows the topics and engines of a site."""


def resolve(context: Context) -> list[str]:
    """Link the arguments; names in the text of a question are only offered. What could mean two things narrows to
    neither; what the key may not see is not linked. Returns notes on it."""
    notes = list[str]()
    if context.caller.scopes & SEE_TOPICS:
        _resolve_engine(context)
        _resolve_topic(context)
        _resolve_market(context)
    if context.sees_competitors:
        notes += _resolve_competitor(context)
    return notes + _not_counted_yet(context)


def _resolve_topic(context: Context) -> None:
    topics, given = list(Topic.objects.filter(brand=context.brand)), context.question.topic
    if given is None:
        _offer(context, "topic", [topic.name for topic in topics])
        return
    like = topics_like(topics, given)
    context.topics = like or [topic for topic in topics if topic.own is not False]
    if len(context.topics) == 1:
        _link(context, "topic", context.topics[0], given)
        if not like:
            only = f"{marked(given)} is no topic of this site. Facts are of its only one"
            context.unknown["topic"] = f"{only}, {marked(context.topics[0].name)}.", None
        return
    near = nearest_topics(context.topics, given)
    context.resolved.append(Resolved(kind="topic", from_=given, others=near))
    alike = next((name for name in near if stems(name) & stems(given)), None)
    which = f"could be any of {len(context.topics)} topics" if alike else "is no topic of this site"
    context.unknown["topic"] = f"{marked(given)} {which}. Facts are of each.", alike


def _resolve_engine(context: Context) -> None:
    names, given = asked_engines(context.brand), context.question.engine
    if given is None:
        _offer(context, "engine", names)
        return
    near = engines_like(names, given)
    if len(near) == 1:
        context.engine = near[0]
        context.resolved.append(ResolvedPlain(kind="engine", name=near[0], from_=given))
        return
    context.resolved.append(ResolvedPlain(kind="engine", from_=given, others=(near or names)[:MOST_OTHERS]))
    which = "could be several engines" if near else "is no engine that was asked"
    context.unknown["engine"] = f"{marked(given)} {which}.", next(iter(near), None)


def _resolve_market(context: Context) -> None:
    markets, given = markets_of(context.every), context.question.market
    if given is None:
        text = context.question.text
        written = [each for each in markets if any(names_in(text, name) for name in long_names_of(each))]
        if written and len(markets) > 1:
            context.resolved.append(ResolvedPlain(kind="market", others=written[:MOST_OTHERS]))
        return
    like = markets_like(markets, given)
    if like:
        context.markets = like
        context.resolved.append(ResolvedPlain(kind="market", name=", ".join(like), from_=given))
        return
    context.resolved.append(ResolvedPlain(kind="market", from_=given, others=markets[:MOST_OTHERS]))
    known = f"They are {listed([*map(market_name, markets)])}" if markets else "None is known"
    why = f"{marked(given)} is none of the markets that were asked for. {known}. Facts are of all answers."
    context.unknown["market"] = why, None


def _resolve_competitor(context: Context) -> list[str]:
    tracked, given = list(context.brand.competitors.all()), context.question.competitor
    if given is None:
        _offer(context, "competitor", [each.name for each in tracked])
        return []
    found = {name.competitor_id for name in context.brand.names.all() if _key(name.text) == _key(given)}
    known = {each.pk: each for each in tracked}
    with suppress(ValueError):
        found = {UUID(given)} & {*known, context.brand.pk}
    if len(found) != 1:
        return _resolve_untracked(context, given)
    context.competitor = known.get(found.pop() or context.brand.pk)
    _link(context, "competitor" if context.competitor else "site", context.competitor or context.brand, given)
    return []


def _resolve_untracked(context: Context, given: str) -> list[str]:
    """Link the name that was given and nobody tracks, if answers mention it; else the tracked name that is nearly the
    same. Returns notes that say so, or that not all answers were read for it."""
    same = next((name for name in context.offered if _key(name) == _key(given)), given)
    if (naming := sums_naming(context.selection, [same])).sums:
        context.untracked = {**context.compared_untracked.sums, **naming.sums}
        context.name = same
        context.resolved.append(Resolved(kind="untracked", name=same, from_=given))
        return [naming.limit] if naming.limit else []
    by_key = {_key(each.name): each for each in (context.brand, *context.brand.competitors.all())}
    near = [by_key[key] for key in get_close_matches(_key(given), by_key, cutoff=NEARLY_SAME)]
    if len(near) == 1:
        context.competitor = near[0] if isinstance(near[0], Competitor) else None
        _link(context, "competitor" if context.competitor else "site", near[0], given)
        return [f"No answer has {marked(given)}: it is read as {marked(near[0].name)}."]
    others = [by_key[key].name for key in get_close_matches(_key(given), by_key)]
    context.resolved.append(Resolved(kind="competitor", from_=given, others=others))
    answers = f"none of the {context.selection.answers.count()} answers{context.where} has it"
    why = f"{marked(given)} is not tracked, and {answers}. Facts are of {marked(context.brand.name)}."
    context.unknown["competitor"] = why, next(iter(others), None)
    return []


def _not_counted_yet(context: Context) -> list[str]:
    """Which competitors are not counted yet, for the notes; one that was asked for narrows nothing."""
    if not is_counted_again(context.brand):
        return []
    waiting = [each for each in context.brand.competitors.all() if each.pk not in context.selection.names]
    if context.competitor in waiting:
        name = marked(context.question.competitor or "")
        context.unknown["competitor"] = f"{name} is tracked and not counted yet, a matter of minutes.", None
        context.competitor = None
    names = listed([marked(each.name) for each in waiting]) if context.sees_competitors else ""
    return [str(RECOUNTING), *([f"Not counted yet, so in no row: {names}."] if names else [])]


def _link(context: Context, kind: Kind, linked: Brand | Competitor | Topic, words: str) -> None:
    context.resolved.append(Resolved(kind=kind, id=linked.pk, name=linked.name, from_=words))


def _offer(context: Context, kind: Kind, names: Sequence[str]) -> None:
    """Note which of these the question names, and that it is not narrowed to them."""
    is_engine, text = kind == "engine", context.question.text
    written = [name for name in names if names_in(text, name.partition("_")[0] if is_engine else name)]
    row = ResolvedPlain if is_engine else Resolved
    context.resolved += [row(kind=kind, others=written[:MOST_OTHERS])] if written else []


def _key(name: str) -> str:
    """The same for all spellings of a name: whatever case, accents, apostrophes, hyphens and spaces."""
    return name_key(fold(name))
