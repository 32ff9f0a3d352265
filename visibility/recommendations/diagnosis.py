"""The diagnosis: five sentences of facts on how a brand stands and why, the same for page, brief and ask."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apikeys.text import marked
from visibility.counts.words import engine_name
from visibility.models import DailyScore, Diagnosis
from visibility.recommendations.buyers import is_free, offered, offered_words
from visibility.recommendations.differences import (
    CLOSED_POINTS,
    ENGINE_FIRST_PICK,
    ENGINE_GAP,
    Claim,
    words_by_pages,
)
from visibility.recommendations.material import (
    HARDLY,
    Material,
    Seen,
    Subject,
    days_of,
    is_offered,
    naming,
    words_asked,
)
from visibility.recommendations.products import above_limit, first_picks, products_words
from visibility.recommendations.resources import Slot
from visibility.recommendations.sources import address_of, most_cited, pages_read, presence
from visibility.scores.change_reads import score_change_reported_on

OTHERS_FIELD = 0.5
LEAST_CITING = 4
MOST_NAMES, MOST_CRITERIA = 3, 5


@transaction.atomic
def write_diagnosis(material: Material, claims: Sequence[Claim]) -> None:
    """Write the diagnosis over all topics and of each topic, where it differs from what is stored. `claims`: the lags
    that are beyond chance."""
    rows = [(None, material.answers), *material.by_topic.items()]
    found = {topic: [*_facts(material, claims, topic, answers)] for topic, answers in rows if answers}
    stored = {row.topic_id: row for row in Diagnosis.objects.filter(brand=material.brand)}
    for topic, facts in found.items():
        row = stored.pop(topic, None) or Diagnosis(brand=material.brand, topic_id=topic)
        if row.facts != facts:
            row.facts, row.made_at = facts, timezone.now()
            row.save()
    Diagnosis.objects.filter(pk__in=[row.pk for row in stored.values()]).delete()


def _facts(
    material: Material, claims: Sequence[Claim], topic: UUID | None, answers: Sequence[Seen]
) -> Iterator[list[str]]:
    """Slot and sentence, where there are facts for it, in their order."""
    # Over all topics: the one of the brand's field on which most answers lack it.
    missing = {each: len(rows) - len(naming(rows, None)) for each, rows in material.field.items()}
    focus = topic or max(missing, key=lambda each: (missing[each], str(each)))
    sentences: dict[Slot, str] = {
        "standing": _standing(material, topic, answers),
        "split": " ".join(
            filter(
                None,
                (
                    _split(material, claims, topic, answers),
                    _by_pages(material, answers),
                    _products(material, topic, answers),
                ),
            )
        ),
        "criteria": _criteria(material, focus),
        "sources": _sources(material, claims, topic, answers),
        "field": _field(material, topic),
    }
    for slot, sentence in sentences.items():
        if sentence:
            yield [slot, sentence]


def _is_wrong_field(material: Material, topic: UUID) -> bool:
    """Whether nobody has decided on a topic, and answers hardly name the brand on it and mostly another."""
    if topic in material.field and len(material.field) < len(material.by_topic):
        return False
    rows = material.by_topic[topic]
    rivals = [len(naming(rows, rival)) for rival in material.competitors]
    hardly = material.topics[topic].own is None and sum(each.may_name_brand for each in rows) <= HARDLY * len(rows)
    return hardly and max(rivals, default=0) >= OTHERS_FIELD * len(rows)


def _standing(material: Material, topic: UUID | None, answers: Sequence[Seen]) -> str:
    own, of = len(naming(answers, None)), len(answers)
    fair: dict[UUID, list[Seen]] = {
        rival: [each for each in answers if rival not in each.asks_for] for rival in material.competitors
    }
    counts = {rival: (len(naming(rows, rival)), len(naming(rows, None))) for rival, rows in fair.items() if rows}
    others = sorted(counts, key=lambda rival: (-counts[rival][0], material.name(rival)))
    shown = ", ".join(
        f"{material.name(rival)} {counts[rival][0]}{_offered(answers, rival, ' (offered in {})')}"
        for rival in others[:MOST_NAMES]
    )
    on = f" on {material.topic_name(topic)}" if topic else ""
    offered = _offered(answers, None, ", offered as a choice in {}")
    first = f"You are mentioned in {own} of {of} answers{on}{offered} ({days_of(answers)})"
    first += f", {shown}." if shown else "."
    if nobody := sum(each.names_nobody for each in answers):
        first += f" Nobody at all is offered in {nobody} of them."
    if similar := sum(bool(each.similar) for each in answers):
        first += f" {similar} more name {marked(material.similar)}: is that you?"
    if topic and _is_wrong_field(material, topic):
        return f"{first} Is this topic yours? Nobody has decided, and answers hardly name you on it."
    more = "" if topic else f"{_best_and_worst(material)}{_development(material)}"
    return f"{first} {_first_named(material, answers)}{more}".strip()


def _offered(answers: Sequence[Seen], subject: Subject, words: str) -> str:
    """In how many answers somebody is offered, where it is often mentioned as something else."""
    number = sum(subject in each.offered for each in answers)
    return "" if is_offered(answers, subject) else words.format(number)


def _first_named(material: Material, answers: Sequence[Seen]) -> str:
    """How often the brand is the first pick, and who is it most beside it, engine by engine."""
    if not any(material.first_name(each) for each in answers):
        return ""
    own, others = sum(each.puts_first(None) for each in answers), first_picks(material, answers)
    return f"You are the first pick in {own or 'none'}{f'; otherwise first: {others}' if others else ''}. "


def _best_and_worst(material: Material) -> str:
    """The topics with the largest and the smallest share of answers that mention the brand, of all that count."""
    shares = {topic: len(naming(rows, None)) / len(rows) for topic, rows in material.by_topic.items()}
    best, worst = max(shares.values()), min(shares.values())
    if best == worst:
        return ""
    shown = (_tied_topics(material, [topic for topic in shares if shares[topic] == each]) for each in (best, worst))
    return "Best on {}, worst on {}. ".format(*shown)


def _tied_topics(material: Material, topics: Sequence[UUID]) -> str:
    """One of these topics with its counts, and how many are as the same."""
    first = min(topics, key=lambda each: (-len(material.by_topic[each]), material.topics[each].name))
    rows = material.by_topic[first]
    more = f", as on {len(topics) - 1} more" if len(topics) > 1 else ""
    return f"{material.topic_name(first)} ({len(naming(rows, None))} of {len(rows)}{more})"


def _development(material: Material) -> str:
    """The reported change of the score, or why there is none."""
    days = list(DailyScore.objects.of_brand(material.brand).exclude(date=None).order_by("-date")[:2])
    if days and days[0].date and (record := score_change_reported_on(material.brand, days[0].date)):
        verb = "gained" if record.delta > 0 else "lost"
        day = f"{record.began.day} {record.began:%B}"
        return f"You {verb} {abs(record.delta):.0f} points on {day} ({record.before:.0f} → {record.after:.0f} %)."
    if len(days) < 2:
        return "A trend begins with the second measured day."
    if not days[0].comparable:
        return "Too few comparable answers to show a trend yet."
    return "No clear change."


def _split(material: Material, claims: Sequence[Claim], topic: UUID | None, answers: Sequence[Seen]) -> str:
    """How often each engine mentions the brand, whether they differ beyond chance, and on which topic most."""
    by_engine: dict[str, list[Seen]] = defaultdict(list)
    for answer in answers:
        by_engine[answer.engine].append(answer)
    if len(by_engine) < 2 or material.is_unsure:
        return ""
    counts = {engine: len(naming(rows, None)) for engine, rows in by_engine.items()}
    every = "Both engines" if len(by_engine) == 2 else "All engines"
    if all(counts[engine] == len(rows) for engine, rows in by_engine.items()):
        mentions = f"{every} mention you in every answer"
    elif not any(counts.values()):
        return "Neither engine mentions you." if len(by_engine) == 2 else "No engine mentions you."
    else:
        if lags := _lags(claims, ENGINE_GAP, topic):
            widest = max(lags, key=lambda each: (each.matters, each.lag.gap.points))
            on = _where(material, widest) if topic is None else ""
            if any(each.matters for each in lags):
                return f"Engines differ: {_listed(by_engine, counts)}{on}."
            return f"{_listed(by_engine, counts)}: a sure but small difference{on}."
        shares = [counts[engine] / len(rows) for engine, rows in by_engine.items()]
        is_wide = max(shares) - min(shares) > CLOSED_POINTS
        verdict = "a difference that is not sure yet" if is_wide else "alike"
        mentions = f"{_listed(by_engine, counts)}: {verdict}"
    firsts = {engine: sum(each.puts_first(None) for each in rows) for engine, rows in by_engine.items()}
    if not any(firsts.values()):
        return f"{mentions}."
    differ = "They differ in first picks" if _lags(claims, ENGINE_FIRST_PICK, topic) else "First picks"
    return f"{mentions}. {differ}: {_listed(by_engine, firsts)}."


def _by_pages(material: Material, answers: Sequence[Seen]) -> str:
    """The engines that mention the brand where they cite pages, and hardly where they do not."""
    shown = ((each, [row for row in answers if row.engine == each]) for each in sorted(material.by_engine))
    return " ".join(
        f"{engine_name(engine)} mentions {words}."
        for engine, rows in shown
        if (words := words_by_pages(material, rows))
    )


def _products(material: Material, topic: UUID | None, answers: Sequence[Seen]) -> str:
    """Which product of the brand each engine names first mostly, and its price, on one topic."""
    shown = products_words(material, answers, [None]) if topic or len(material.by_topic) == 1 else ""
    sentences = [f"Your leading product: {shown}." if shown else "", above_limit(answers)]
    return " ".join(filter(None, sentences))


def _listed(by_engine: Mapping[str, Sequence[Seen]], counts: Mapping[str, int]) -> str:
    """The engines with their counts, the highest first; of many the highest and the lowest."""
    engines = sorted(by_engine, key=lambda each: (-counts[each] / len(by_engine[each]), each))
    shown = [f"{engine_name(each)} {counts[each]} of {len(by_engine[each])}" for each in engines]
    if len(shown) > MOST_NAMES:
        shown[MOST_NAMES - 1 : -1] = [f"{len(shown) - MOST_NAMES} more"]
    return ", ".join(shown)


def _where(material: Material, claim: Claim) -> str:
    """The topic on which an engine lags most, of several."""
    if claim.topic is None or len(material.field) < 2:
        return ""
    gap = claim.lag.gap
    return f"; most on {material.topic_name(claim.topic)}: {engine_name(claim.engine)} {gap.k} of {gap.n}"


def _lags(claims: Iterable[Claim], kind: str, topic: UUID | None) -> list[Claim]:
    """The engines that lag beyond chance: over all topics, or also on one; for the whole brand on any."""
    return [each for each in claims if each.kind == kind and (topic is None or each.topic in (None, topic))]


def _criteria(material: Material, topic: UUID) -> str:
    asked = words_asked(material.by_topic[topic])
    # What the questions ask for ("Security" of security cameras) is in every answer and decides nothing.
    telling = (each for each in material.criteria if not {*each.label.casefold().split()} <= asked)
    rows = sorted((each for each in telling if each.topic_id == topic), key=lambda each: -each.mentioned)
    if not rows:
        return ""
    shown = ", ".join(f"{marked(each.label)} {each.mentioned}" for each in rows[:MOST_CRITERIA])
    sentence = f"Answers on {material.topic_name(topic)} judge by {shown} (of {rows[0].of})."
    free = [each for each in rows if each.own_sentence and is_free(each)]
    if free:
        sentence += f" {marked(free[0].label)} is yours to win: answers link it with nobody, and your page proves it."
    return sentence


def _sources(material: Material, claims: Sequence[Claim], topic: UUID | None, answers: Sequence[Seen]) -> str:
    """What an engine rests on, and whether the brand is on those pages: of the engines that lag, if some do, the one
    with most answers that cite."""
    by_engine: dict[str, list[Seen]] = defaultdict(list)
    for answer in answers:
        if answer.cited:
            by_engine[answer.engine].append(answer)
    asked = Counter(each.engine for each in answers)
    telling = [each for each, rows in by_engine.items() if len(rows) >= max(LEAST_CITING, asked[each] / 2)]
    if not telling:
        return ""
    lagging = {each.engine for each in _lags(claims, ENGINE_GAP, topic)}
    engine = max(telling, key=lambda each: (each in lagging, len(by_engine[each]), each))
    rows = by_engine[engine]
    most = most_cited(rows, lambda page: page.owner is not None)
    read = pages_read(material, [page for page, _ in most])
    shown = "; ".join(
        f"{address_of(page)} in {len(citing)}, {presence(read.get(page.digest), citing)}" for page, citing in most
    )
    pages = f": {shown}" if shown and not material.is_unsure else ""
    return f"{engine_name(engine)} cites pages in {len(rows)} of {asked[engine]} answers{pages}."


def _field(material: Material, topic: UUID | None) -> str:
    """The untracked name in the largest part of answers, and topics that may not be the brand's own."""
    sentences = []
    for row in offered(material):
        if row.group.topic and topic in (None, row.group.topic.pk):
            sentences.append(f"{offered_words(row)}. You do not track it.")
            break
    if topic is None:
        wrong = [each for each in material.by_topic if _is_wrong_field(material, each)]
        if wrong:
            shown = ", ".join(material.topic_name(each) for each in wrong[:MOST_NAMES])
            more = f" and {len(wrong) - MOST_NAMES} more" if len(wrong) > MOST_NAMES else ""
            sentences.append(f"Are these topics yours? Answers hardly name you on {shown}{more}.")
    return " ".join(sentences)
