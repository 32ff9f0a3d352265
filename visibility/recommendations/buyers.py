"""Cards about buyers: what they judge by, what they are warned of, and who else they are offered."""

from uuid import UUID

from apikeys.text import marked
from visibility.counts.rows import CountRow
from visibility.counts.words import engine_name
from visibility.detection import Stance
from visibility.evidence.resources import Criterion, Quote
from visibility.models import Recommendation
from visibility.models.recommendations import Level
from visibility.recommendations.fix_prompts import fix_prompt
from visibility.recommendations.material import NAME, Material, Seen, asked, days_of, naming, quotes_at
from visibility.recommendations.priority import NEW_PAGE, OWN_PAGE, SEEN, impact_of, priority_of
from visibility.recommendations.queue import Card

CRITERION, OBJECTION, TRACK = "criterion", "objection", "track"
LEAST_LABELLED, LABELLED_SHARE = 4, 0.10
FREE = 0.1
"""The part of the answers which speak of a criterion that may associate it with somebody, while nobody owns it."""
TOLD = 2
LEAST_WARNINGS, LEAST_NAMING = 2, 6
TRACKED_SHARE, LEAST_OFFERED, MOST_UNTRACKED = 0.5, 5, 5
UNTRACKED = "untracked names"
FIRST = 89
"""The priority of a question on names, which all counts depend on: below critical defects of the site only."""
WARNINGS = frozenset({Stance.CAUTIONED, Stance.REJECTED})


def criteria(material: Material) -> list[Card]:
    """A card for each criterion that answers associate with nobody and an own page proves."""
    return [
        _own_card(material, each, each.own_sentence)
        for each in material.criteria
        if weighs(each) and each.own_sentence and is_free(each)
    ]


def weighs(each: Criterion) -> bool:
    """Whether enough answers use the criterion as a label."""
    return each.labelled >= max(LEAST_LABELLED, LABELLED_SHARE * each.of)


def is_free(each: Criterion) -> bool:
    """Whether hardly an answer that speaks of the criterion associates it with anybody."""
    return all(winner.answers <= max(1, FREE * each.mentioned) for winner in each.winners)


def closed_criterion(material: Material, row: Recommendation) -> str | None:
    """Why the card is over: answers associate the criterion with the brand, or do not judge by it any more."""
    topic = UUID(row.subject.partition(" ")[0])
    if topic not in material.by_topic or not material.criteria:
        return None
    each = next((each for each in material.criteria if _subject(each) == row.subject), None)
    if each is None:
        return "Answers do not judge by it any more."
    own = next((winner.answers for winner in each.winners if winner.competitor_id is None), 0)
    rivals = [winner.answers for winner in each.winners if winner.competitor_id is not None]
    return f"{own} answers link you with it." if own >= max(TOLD, max(rivals, default=0) / 2) else None


def _subject(each: Criterion) -> str:
    return f"{each.topic_id} {each.label.casefold()}"


def _own_card(material: Material, each: Criterion, own: Quote) -> Card:
    label, on = marked(each.label), f"{each.mentioned} of {each.of} answers on {marked(each.topic)}"
    priority = priority_of(material, range(each.mentioned), each.labelled, each.of, reach=OWN_PAGE)
    page = marked(own.url or material.brand.domain)
    return Card(
        subject=_subject(each)[:300],
        title=f"Own the {label} argument ({each.mentioned} of {each.of} answers)",
        summary=f"{on} speak of {label}; they link it with hardly anybody. Your page proves it: {marked(own.text)}",
        priority=priority,
        impact=impact_of(priority),
        effort=Level.LOW,
        evidence=[_quote(own, "page"), *(_quote(quote, "answer") for quote in each.quotes[:3])],
        payload={
            "topic": str(each.topic_id),
            "criterion": each.label,
            "page": own.url,
            "of": each.of,
            "fixPrompt": fix_prompt(
                material,
                CRITERION,
                [
                    f"{on} speak of {label}, {each.labelled} of them as a point of its own; they link it with hardly "
                    "anybody.",
                    f"From our page {page}: {marked(own.text)}",
                ],
                questions=asked(material.by_topic.get(each.topic_id, [])),
                label=label,
                page=page,
                told=TOLD,
            ),
        },
    )


def _quote(quote: Quote, kind: str) -> dict[str, object]:
    return {"kind": kind, "text": quote.shown, "url": quote.url, "engine": quote.engine, "answerId": quote.answer_id}


def objections(material: Material) -> list[Card]:
    """One card for what answers hold against the brand."""
    warning, mentioning = _warnings(material)
    if len(warning) < LEAST_WARNINGS:
        return []
    k, n = len(warning), len(mentioning)
    priority = priority_of(material, warning, k, n, reach=NEW_PAGE)
    quotes = material.quotes(warning, None, most=5)
    return [
        Card(
            subject="warnings",
            title=f"Answer what {k} of {n} answers hold against you",
            summary=f"{k} of {n} answers that mention you caution against you ({days_of(warning)}).",
            priority=priority,
            impact=impact_of(priority),
            effort=Level.MEDIUM,
            evidence=quotes,
            payload={
                "k": n - k,
                "of": n,
                "fixPrompt": fix_prompt(
                    material,
                    OBJECTION,
                    [
                        f"{k} of {n} answers that mention us caution against us ({days_of(warning)}):",
                        *(f"{engine_name(str(each['engine']))}: {marked(str(each['text']))}" for each in quotes),
                    ],
                    questions=asked(warning),
                    n=LEAST_NAMING,
                ),
            },
        )
    ]


def closed_objection(material: Material, row: Recommendation) -> str | None:
    """Over where none of six answers or more warns."""
    warning, mentioning = _warnings(material)
    if warning or len(mentioning) < LEAST_NAMING:
        return None
    return f"None of {len(mentioning)} answers that mention you cautions against you."


def _warnings(material: Material) -> tuple[list[Seen], list[Seen]]:
    mentioning = naming(material.answers, None)
    return [each for each in mentioning if each.stances[None] & WARNINGS], mentioning


def similar_name(material: Material) -> list[Card]:
    """A card that asks whether a name that does not count is the brand's."""
    similar = material.similar
    if not similar:
        return []
    places = {each: each.similar[1:] for each in material.answers if each.similar}
    k, n = len(places), len(material.answers)
    wait = " Until then nothing is said of answers without you." if material.is_unsure else ""
    line = f"{k} of {n} answers name {marked(similar)} and count as not naming {material.brand.name}"
    return [
        Card(
            subject=similar,
            title=f"Is {marked(similar)} you? {k} answers name it",
            summary=f"{line} ({days_of([*places])}). If it is you, add it to your names: history is counted again "
            f"at no cost. If it is somebody else, dismiss this.{wait}",
            priority=FIRST,
            impact=Level.HIGH,
            effort=Level.LOW,
            evidence=quotes_at(places),
            payload={
                "name": similar,
                "fixPrompt": fix_prompt(material, NAME, [line], questions=asked([*places]), name=marked(similar)),
            },
        )
    ]


def closed_similar_name(material: Material, row: Recommendation) -> str | None:
    """Why the card is over: few uncounted answers have the name, or another one is more frequent."""
    return "Answers with it count now, or are few." if material.answers and material.similar != row.subject else None


def offered(material: Material) -> list[CountRow]:
    """The companies that half of a topic's answers offer and nobody tracks, but for words of the brand's own names.
    Of several topics the one where most do; the largest share first."""
    best: dict[str, CountRow] = {}
    own = {word.casefold() for name in (material.similar, *material.names) for word in name.split()}
    for row in material.untracked:
        is_often = row.ranked >= max(LEAST_OFFERED, TRACKED_SHARE * row.of)
        is_of_field = row.group.topic is not None and row.group.topic.pk in material.field
        if is_often and is_of_field and row.subject.casefold() not in own:
            best[row.subject] = max(best.get(row.subject, row), row, key=lambda each: each.ranked)
    return sorted(best.values(), key=lambda row: (-row.ranked / row.of, -row.ranked, row.subject))


def offered_words(row: CountRow) -> str:
    """In how many answers a company that nobody tracks is mentioned, on which topic, and how many offer it."""
    on = f"{row.of} answers on {marked(row.topic or '')}"
    return f"{marked(row.subject)} is named in {row.mentioned} of {on} and offered in {row.ranked}"


def track(material: Material) -> list[Card]:
    """One card for the names that nobody tracks, offered more often than one of the competitors, or first."""
    rows = [row for row in offered(material) if _is_rival(material, row)][:MOST_UNTRACKED]
    if not rows:
        return []
    lines = [f"{offered_words(row)}{_details(material, row)}" for row in rows]
    listed = ", ".join(marked(row.subject) for row in rows)
    first, more = rows[0], len(rows) - 1
    priority = priority_of(material, range(first.ranked), first.ranked, first.of, reach=SEEN)
    return [
        Card(
            subject=UNTRACKED,
            title=f"Track {marked(first.subject)}{f' and {more} more' if more else ''} "
            f"({first.mentioned} of {first.of} answers)",
            summary=f"Answers often offer these brands, and you do not track them: {'; '.join(lines)}.",
            priority=priority,
            impact=impact_of(priority),
            effort=Level.LOW,
            evidence=[
                {"kind": "figure", "text": f"{row.ranked} of {row.of} answers offer {row.subject}"} for row in rows
            ],
            payload={
                "names": [row.subject for row in rows],
                "fixPrompt": fix_prompt(material, TRACK, lines, names=listed),
            },
        )
    ]


def _is_rival(material: Material, row: CountRow) -> bool:
    answers = material.by_topic[row.group.topic.pk] if row.group.topic else []
    tracked = [len(naming(answers, rival)) for rival in material.competitors]
    return row.ranked > min(tracked, default=0) or _firsts(material, row) > 0


def _firsts(material: Material, row: CountRow) -> int:
    """In how many answers on the row's topic it is the first pick."""
    answers = material.by_topic[row.group.topic.pk] if row.group.topic else []
    return sum((each.first_untracked or ("",))[0] == row.subject for each in answers)


def _details(material: Material, row: CountRow) -> str:
    """How it is called mostly, if otherwise, and how often it is the first pick."""
    number = _firsts(material, row)
    called = material.called.get(row.subject, row.subject)
    shown = [f"mostly {marked(called)}"] if called != row.subject else []
    return ", ".join(["", *shown, *([f"first pick in {number}"] if number > 1 else [])])


def closed_track(material: Material, row: Recommendation) -> str | None:
    """Over where no such name is left."""
    return "They are tracked now." if material.answers and not track(material) else None
