"""What a question is about: its arguments and names are linked to what the site has. Nothing else narrows facts."""

from collections.abc import Sequence
from difflib import get_close_matches
from uuid import UUID

from django.db.models.functions import Length

from apikeys.scopes import Scope
from apikeys.text import marked
from brands.models import Brand, Name
from visibility.answers.detect import BRAND
from visibility.ask.bare import words_in
from visibility.ask.context import Context
from visibility.ask.question import Meant, Question
from visibility.ask.resources import Kind, Resolved, ResolvedEngine
from visibility.counts.untracked import sums_naming
from visibility.counts.words import listed
from visibility.detection import is_function_word
from visibility.detection.folding import fold
from visibility.detection.untracked import name_key
from visibility.models import Prompt, Topic
from visibility.scores.engines import asked_engines, engines_like
from visibility.scores.words import RECOUNTING
from visibility.topics.reads import find_topic, nearest_topics

MOST_OTHERS = 5
SURE_WORDS = 2
LEAST_OF_PROMPT = 3
"""Words that a prompt has to have to be seen in a question."""
SIGNS = 10
"""A prompt may be longer by so many signs than the question that contains its words."""
NEARLY_SAME = 0.85
"""Of two names, twice the letters that they share of all: one letter more in four, another one in seven."""
SEE_TOPICS = {Scope.READ_VISIBILITY, Scope.READ_PROMPTS, Scope.READ_COMPETITORS}
"""Each of them shows the topics and engines of a site."""


def resolve(context: Context) -> list[str]:
    """Link the arguments; without arguments, what the question names in full; otherwise its names are only offered.
    What could mean two things narrows to neither; what the key may not see is not linked. Returns notes on it."""
    caller, brand, question, meant = context.caller, context.brand, context.question, context.meant
    meant.know([brand.name])
    if context.sees_competitors:
        _resolve_competitors(brand, question, meant)
    if caller.scopes & SEE_TOPICS:
        _resolve_engines(brand, question, meant)
        _resolve_topics(brand, question, meant)
    if Scope.READ_PROMPTS in caller.scopes:
        _link_prompt(brand, question, meant)
    if question.is_alone and context.sees_competitors and question.left(meant.terms):
        _link_offered(context)
    notes = [] if meant.name is None else _link_untracked(context, meant.name)
    return notes + _not_counted_yet(context)


def _resolve_competitors(brand: Brand, question: Question, meant: Meant) -> None:
    tracked = {str(competitor.pk): competitor for competitor in brand.competitors.all()}
    names = list(brand.names.all())
    meant.know(name.text for name in names)
    found = {str(name.competitor_id or BRAND): words for name in names if (words := question.named(name.text))}
    found = dict(sorted(found.items(), key=lambda each: question.text.find(each[1])))
    if not question.is_alone:
        found.pop(BRAND, None)
        if question.competitor is None:
            _offer(meant, "competitor", [tracked[key].name for key in found])
            return
    if (given := question.competitor) is not None:
        key = _competitor_key(brand, names, given)
        if key in {BRAND, *tracked}:
            found.pop(key, None)
            found = {key: given, **found}
        else:
            meant.name = given
    for subject, words in found.items():
        if competitor := tracked.get(subject):
            meant.competitors.append(competitor)
            meant.link("competitor", competitor, words)
        else:
            meant.link("site", brand, words)


def _competitor_key(brand: Brand, names: Sequence[Name], given: str) -> str:
    """The id of a competitor that was given by its id or a name however it is spelled; BRAND for the brand itself."""
    try:
        key = str(UUID(given))
    except ValueError:
        alike = {str(name.competitor_id or BRAND) for name in names if key_of(name.text) == key_of(given)}
        return alike.pop() if len(alike) == 1 else ""
    return BRAND if key == str(brand.pk) else key


def key_of(name: str) -> str:
    """The same for all spellings of a name: whatever case, accents, apostrophes, hyphens and spaces."""
    return name_key(fold(name))


def _resolve_engines(brand: Brand, question: Question, meant: Meant) -> None:
    names = asked_engines(brand)
    meant.know(names)
    if (given := question.engine) is None:
        written = {name: question.words_of(name) or question.words_of(name.partition("_")[0]) for name in names}
        linked = {name: words for name, words in written.items() if words}  # "Google" for google_ai_mode
        if not question.is_alone:
            _offer(meant, "engine", list(linked))
            return
        meant.engines = list(linked)
        meant.resolved += [ResolvedEngine(name=name, from_=words) for name, words in linked.items()]
        return
    near = engines_like(names, given)
    if len(near) == 1:
        meant.engines = near
        meant.resolved.append(ResolvedEngine(name=meant.engines[0], from_=given))
    else:
        meant.resolved.append(ResolvedEngine(from_=given, others=(near or names)[:MOST_OTHERS]))
        meant.unknown["engine"] = "several engines" if near else "no engine that was asked", next(iter(near), None)


def _resolve_topics(brand: Brand, question: Question, meant: Meant) -> None:
    topics = list(Topic.objects.filter(brand=brand))
    meant.know(topic.name for topic in topics)
    if question.topic is None:
        _link_topics(topics, question, meant)
        return
    if topic := find_topic(topics, question.topic):
        meant.topics = [topic]
        meant.link("topic", topic, question.topic)
    else:
        near = nearest_topics(topics, question.topic)
        alike = [name for name in near if {*words_in(name)} & {*words_in(question.topic)}]
        meant.resolved.append(Resolved(kind="topic", from_=question.topic, others=near))
        meant.unknown["topic"] = "neither the full name nor the id of a topic", next(iter(alike), None)


def _link_prompt(brand: Brand, question: Question, meant: Meant) -> None:
    """The prompt whose whole text is in the question, the longest: the facts are of its answers alone."""
    prompts = Prompt.objects.filter(brand=brand).tracked().annotate(length=Length("text"))
    texts = prompts.filter(length__lte=len(question.text) + SIGNS).values_list("pk", "text")
    plain = {key: (Question(text).plain, text) for key, text in texts}
    held = {key: each for key, each in plain.items() if each[0] in question.plain}
    key = max(held, key=lambda key: len(held[key][0]), default=None)
    if key is not None and len(held[key][0].split()) >= LEAST_OF_PROMPT:
        meant.prompt = key
        meant.resolved.append(Resolved(kind="prompt", id=key, name=held[key][1]))
        meant.know([held[key][1]])


def _link_topics(topics: Sequence[Topic], question: Question, meant: Meant) -> None:
    """Topics whose full name of several words is in the text, or the only one that shares two words; by single words
    a topic is only offered."""
    words_of = {topic: question.words_of(topic.name) or "" for topic in topics}
    linked = [topic for topic, words in words_of.items() if len(words_in(words)) > 1]
    if linked and question.is_alone:
        meant.topics = linked
        for topic in linked:
            meant.link("topic", topic, words_of[topic])
        return
    telling = {word for word in words_in(question.text) if not is_function_word(word) and not word.isdecimal()}
    shared = {topic: telling & {*words_in(topic.name)} for topic in topics if topic.own is not False}
    near = sorted(filter(shared.get, shared), key=lambda topic: (-len(shared[topic]), topic.name))
    if question.is_alone and len(near) == 1 and len(shared[near[0]]) >= SURE_WORDS:
        meant.topics = near
        meant.link("topic", near[0], " ".join(sorted(shared[near[0]])))
        return
    if question.is_alone and near:
        meant.maybe_topic = near[0].name
    _offer(meant, "topic", [topic.name for topic in near])


def _offer(meant: Meant, kind: Kind, names: Sequence[str]) -> None:
    if names:
        row = ResolvedEngine if kind == "engine" else Resolved
        meant.resolved.append(row(kind=kind, others=list(names[:MOST_OTHERS])))


def _link_untracked(context: Context, given: str) -> list[str]:
    """Link the name that was given and nobody tracks, if answers mention it; else the tracked name that is nearly the
    same. Returns notes that say so, or that not all answers were read for it."""
    meant, tracked = context.meant, context.brand.competitors.all()
    same = next((name for name in context.offered if key_of(name) == key_of(given)), given)
    if (naming := sums_naming(context.selection, [same])).sums:
        context.untracked = {**context.compared_untracked.sums, **naming.sums}
        meant.name = same
        meant.resolved.append(Resolved(kind="untracked", name=same, from_=given))
        meant.know([given])
        return list(filter(None, [naming.limit]))
    meant.name = None
    by_key = {key_of(each.name): each for each in (context.brand, *tracked)}
    if len(near := get_close_matches(key_of(given), by_key, cutoff=NEARLY_SAME)) == 1:
        read = by_key[near[0]]
        meant.competitors += [each for each in tracked if each is read]
        meant.link("site" if read is context.brand else "competitor", read, given)
        return [f"No answer has {marked(given)}: it is read as {marked(read.name)}."]
    others = [by_key[key].name for key in get_close_matches(key_of(given), by_key, n=MOST_OTHERS)]
    of = context.selection.answers.count()
    why = f"not tracked, and none of the {of} answers{context.where} has it"
    meant.resolved.append(Resolved(kind="competitor", from_=given, others=others))
    meant.unknown["competitor"] = why, next(iter(others), None)
    return []


def _link_offered(context: Context) -> None:
    """Link the untracked name in a question without arguments, if it is the only one."""
    names = [name for name in context.offered if context.question.named(name)]
    if any(key_of(engine).startswith(key_of(name)) for name in names for engine in context.meant.engines):
        context.meant.unknown["engine"] = "an engine, or a company that answers offer", None
    elif len(names) == 1:
        context.meant.name = names[0]


def _not_counted_yet(context: Context) -> list[str]:
    """Which competitors are not counted yet, for the notes; one that was asked for narrows nothing."""
    brand, meant = context.brand, context.meant
    if brand.counted_version == brand.names_version:
        return []
    waiting = [each for each in brand.competitors.all() if each.pk not in context.selection.names]
    if not waiting or not context.sees_competitors:
        return [RECOUNTING]
    if any(each in waiting for each in meant.competitors):
        meant.unknown["competitor"] = "tracked and not counted yet, a matter of minutes", None
    return [RECOUNTING, f"Not counted yet, so in no row: {listed([marked(each.name) for each in waiting])}."]
