"""Cards about buyers: what they judge by, what they are warned of, and who else they are offered."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from apikeys.text import marked
from visibility.detection import Stance
from visibility.evidence.resources import Criterion, Quote
from visibility.metrics import chance_of_fewer
from visibility.models import Recommendation
from visibility.models.recommendations import Level
from visibility.recommendations.fix_prompts import fix_prompt
from visibility.recommendations.material import LEAST_AHEAD, NAME, Material, Seen, days_of, naming, quotes_at
from visibility.recommendations.priority import NEW_PAGE, OWN_PAGE, SEEN, impact_of, priority_of
from visibility.recommendations.queue import Card
from visibility.scores.words import engine_name

CRITERION, OBJECTION, TRACK = "criterion", "objection", "track"
LEAST_LABELLED, LABELLED_SHARE = 4, 0.10
RATIO, CHANCE = 2, 0.05
PRAISED = 2
LEAST_NAMED = 5
"""Answers that name the brand, which it takes for their silence to mean something."""
LEAST_WARNINGS, LEAST_NAMING = 2, 6
TRACKED_SHARE, LEAST_OFFERED, MOST_UNTRACKED = 0.5, 5, 5
UNTRACKED = "untracked names"
BEHIND = "behind"
MOST_BEHIND = 5
FIRST = 89
"""The priority of a question on names, which all counts depend on: below critical defects of the site only."""
PRICE = "price"
"""The criterion that makes no card: no page makes a product cheaper."""
WARNINGS = frozenset({Stance.CAUTIONED, Stance.REJECTED})


@dataclass(frozen=True, slots=True)
class Behind:
    """A criterion for which `k` of the answers that name a competitor (`naming`) praise it: a lower bound. `own`
    speak of it with the brand at all: an upper one."""

    criterion: Criterion
    rival: str
    k: int
    naming: int
    own: int

    @property
    def quote(self) -> Quote:
        """What an answer says of the competitor by it."""
        return next(winner.quote for winner in self.criterion.winners if winner.subject == self.rival)


def criteria(material: Material, without: Collection[tuple[UUID, str]] = ()) -> list[Card]:
    """A card for each criterion that nobody is praised for and an own page proves; and one a topic for the criteria
    that a competitor is praised for far more often, except in `without`: topic and competitor of other cards."""
    own = [
        _own_card(material, each, each.own_sentence)
        for each in material.criteria
        if weighs(each) and each.own_sentence and is_free(each)
    ]
    behind = {topic: rows for topic in material.field if (rows := criteria_behind(material, topic))}
    return [
        *own,
        *(
            _catch_up_card(material, topic, rows)
            for topic, rows in behind.items()
            if (topic, rows[0].rival) not in without
        ),
    ]


def criteria_behind(material: Material, topic: UUID, rival: str | None = None) -> list[Behind]:
    """The criteria of a topic for which a competitor (`rival`: this one) is praised far more often, the widest
    first."""
    of_topic = (each for each in material.criteria if each.topic_id == topic and weighs(each))
    rows = [row for each in of_topic if (row := _ahead(each)) and (rival is None or row.rival == rival)]
    return sorted(
        rows, key=lambda row: (row.own / row.criterion.own_naming - row.k / row.naming, row.criterion.label)
    )[:MOST_BEHIND]


def weighs(each: Criterion) -> bool:
    """Whether enough answers use the criterion as a label."""
    return each.labelled >= max(LEAST_LABELLED, LABELLED_SHARE * each.of)


def is_free(each: Criterion) -> bool:
    """Whether nobody is praised for the criterion by more than one answer."""
    return all(winner.answers < PRAISED for winner in each.winners)


def strength_of(material: Material, topic: UUID, rival: UUID) -> str:
    """What answers praise a competitor for most, and far more often than the brand; "" for nothing."""
    most = 0, "", 0
    for each in material.criteria:
        winners = {winner.competitor_id: winner for winner in each.winners if each.topic_id == topic}
        own, theirs = winners[None].answers if None in winners else 0, winners.get(rival)
        # Praise is found in about half of its places: a reason that few answers show may be any other.
        if theirs and theirs.answers - own >= LEAST_AHEAD and 2 * theirs.answers >= theirs.naming:
            most = max(most, (theirs.answers, each.label, own))
    k, label, own = most
    praise = f"{material.name(rival)} is praised most for {marked(label)}: in {k} answers, you in {own or 'none'}"
    return praise if label else ""


def closed_criterion(material: Material, row: Recommendation) -> str | None:
    """Why the card is over: the brand is praised for the criterion, or nobody far more often for any of the
    topic's."""
    topic = UUID(row.subject.partition(" ")[0])
    if topic not in material.by_topic or not material.criteria:
        return None
    if row.subject.endswith(f" {BEHIND}"):
        is_open = criteria_behind(material, topic)
        return None if is_open else "Nobody is praised far more often than you by any of them."
    each = next((each for each in material.criteria if _subject(each) == row.subject), None)
    if each is None:
        return "Answers do not judge by it any more."
    own = next((winner.answers for winner in each.winners if winner.competitor_id is None), 0)
    rivals = [winner.answers for winner in each.winners if winner.competitor_id is not None]
    return f"{own} answers praise you for it." if own >= max(PRAISED, max(rivals, default=0) / 2) else None


def _subject(each: Criterion) -> str:
    return f"{each.topic_id} {each.label.casefold()}"


def _ahead(each: Criterion) -> Behind | None:
    """The competitor that is praised far more often than answers speak of it with the brand; None: none, or too
    few."""
    if each.label.casefold() == PRICE:
        return None
    rivals = [winner for winner in each.winners if winner.competitor_id is not None]
    first = max(rivals, key=lambda winner: winner.answers, default=None)
    if first is None or not first.naming or each.own_naming < LEAST_NAMED:
        return None
    k, naming = first.answers, first.naming
    chance = chance_of_fewer([(each.own_spoken, each.own_naming, each.own_spoken + k, each.own_naming + naming)])
    if k - each.own_spoken < LEAST_AHEAD or k / naming < RATIO * each.own_spoken / each.own_naming or chance > CHANCE:
        return None
    return Behind(each, first.subject, first.answers, first.naming, each.own_spoken)


def _own_card(material: Material, each: Criterion, own: Quote) -> Card:
    label = marked(each.label)
    priority = priority_of(material, range(each.mentioned), each.labelled, each.of, reach=OWN_PAGE)
    page = marked(own.url or material.brand.domain)
    return _card(
        material,
        each,
        subject=_subject(each),
        title=f"Own the {label} argument ({each.mentioned} of {each.of} answers)",
        summary=f"{each.mentioned} of {each.of} answers on {marked(each.topic)} speak of {label}; nobody is praised "
        f"for it in more than one. Your page proves it: {marked(own.text)}",
        priority=priority,
        effort=Level.LOW,
        evidence=[_quote(own, "page"), *(_quote(quote, "answer") for quote in each.quotes[:3])],
        fix=fix_prompt(
            material,
            "criterion_own",
            [
                f"{each.mentioned} of {each.of} answers on {marked(each.topic)} speak of {label}, {each.labelled} of "
                "them as a point of its own; nobody is praised for it in more than one.",
                f"From our page {page}: {marked(own.text)}",
            ],
            answers=material.by_topic.get(each.topic_id, []),
            label=label,
            page=page,
            praise=PRAISED,
        ),
    )


def _catch_up_card(material: Material, topic: UUID, rows: Sequence[Behind]) -> Card:
    first, name = rows[0], material.topic_name(topic)
    answers = material.by_topic.get(topic, [])
    reach = OWN_PAGE if any(row.criterion.own_sentence for row in rows) else NEW_PAGE
    shown = range(max(row.criterion.mentioned for row in rows))
    priority = priority_of(material, shown, first.k, first.naming, reach=reach)
    lines = [line_of(row) for row in rows]
    more = f" and {len(rows) - 1} more argument{'s' * (len(rows) > 2)}" if len(rows) > 1 else ""
    labels = ", ".join(marked(row.criterion.label) for row in rows)
    return _card(
        material,
        first.criterion,
        subject=f"{topic} {BEHIND}",
        title=f"Prove your {marked(first.criterion.label)}{more}: {first.k} answers praise {first.rival}'s",
        summary=f"On {name}: {'; '.join(lines)}.",
        priority=priority,
        effort=Level.LOW if reach == OWN_PAGE else Level.MEDIUM,
        evidence=[
            piece
            for row in rows
            for piece in (
                _quote(row.quote, "answer"),
                *([_quote(row.criterion.own_sentence, "page")] if row.criterion.own_sentence else []),
            )
        ],
        fix=fix_prompt(
            material,
            "criterion_catch_up",
            [f"{line_of(row, 'us')}: {marked(row.quote.shown)}" for row in rows],
            answers=answers,
            criteria=topic,
            labels=labels,
            praise=max(PRAISED, first.k // 2),
        ),
    )


def line_of(row: Behind, you: str = "you") -> str:
    """A criterion and its counts in one sentence; `you`: how it speaks of the brand."""
    of = row.criterion.own_naming
    spoken = f"{row.own or 'none'} of the {of} that offer {you} speak{'' if row.own > 1 else 's'} of it with {you}"
    return f"{marked(row.criterion.label)}: {row.k} of {row.naming} answers praise {row.rival} for it, {spoken}"


def _card(
    material: Material,
    each: Criterion,
    *,
    subject: str,
    title: str,
    summary: str,
    priority: int,
    effort: Level,
    evidence: list[dict[str, object]],
    fix: str,
) -> Card:
    return Card(
        subject=subject[:300],
        title=title,
        summary=summary,
        priority=priority,
        impact=impact_of(priority),
        effort=effort,
        evidence=evidence,
        payload={
            "topic": str(each.topic_id),
            "criterion": each.label,
            "page": each.own_sentence.url if each.own_sentence else None,
            "of": each.of,
            "fixPrompt": fix,
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
                    answers=warning,
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


def longer_name(material: Material) -> list[Card]:
    """A card that asks whether a longer name around the brand's is the brand's."""
    longer = material.longer
    if not longer:
        return []
    places = {each: each.longer[1:] for each in material.answers if each.longer}
    k, n = len(places), len(material.answers)
    wait = " Until then nothing is said of answers without you." if material.is_unsure else ""
    line = f"{k} of {n} answers name {marked(longer)} and count as not naming {material.brand.name}"
    return [
        Card(
            subject=longer,
            title=f"Is {marked(longer)} you? {k} answers name it",
            summary=f"{line} ({days_of([*places])}). If it is you, add it to your names: history is counted again "
            f"at no cost. If it is somebody else, dismiss this.{wait}",
            priority=FIRST,
            impact=Level.HIGH,
            effort=Level.LOW,
            evidence=quotes_at(places),
            payload={
                "name": longer,
                "fixPrompt": fix_prompt(material, NAME, [line], answers=[*places], name=marked(longer)),
            },
        )
    ]


def closed_longer_name(material: Material, row: Recommendation) -> str | None:
    """Why the card is over: few uncounted answers have the name, or another one is more frequent."""
    return "Answers with it count now, or are few." if material.answers and material.longer != row.subject else None


def offered(material: Material) -> list[tuple[str, int, int, UUID]]:
    """The names that half of a topic's answers offer and nobody tracks, but for words of the brand's own names: name,
    how many of how many, topic. Of several topics the one where most do; the largest share first."""
    best: dict[str, tuple[int, int, UUID]] = {}
    own = {word.casefold() for name in (material.longer, *material.names) for word in name.split()}
    for topic in material.field:
        n = len(material.by_topic[topic])
        for name, k in material.untracked.get(topic, {}).items():
            if (
                name.casefold() not in own
                and k >= LEAST_OFFERED
                and k >= TRACKED_SHARE * n
                and k > best.get(name, (0,))[0]
            ):
                best[name] = k, n, topic
    rows = [(name, *found) for name, found in best.items()]
    return sorted(rows, key=lambda row: (-row[1] / row[2], -row[1], row[0]))


def track(material: Material) -> list[Card]:
    """One card for the names that answers offer and nobody tracks."""
    rows = offered(material)[:MOST_UNTRACKED]
    if not rows:
        return []
    lines = [f"{marked(name)} in {k} of {n} answers on {material.topic_name(topic)}" for name, k, n, topic in rows]
    listed = ", ".join(marked(name) for name, *_ in rows)
    (first, k, n, _), more = rows[0], len(rows) - 1
    priority = priority_of(material, range(k), k, n, reach=SEEN)
    return [
        Card(
            subject=UNTRACKED,
            title=f"Track {marked(first)}{f' and {more} more' if more else ''} ({k} of {n} answers)",
            summary=f"Answers often offer these brands, and you do not track them: {'; '.join(lines)}.",
            priority=priority,
            impact=impact_of(priority),
            effort=Level.LOW,
            evidence=[{"kind": "figure", "text": f"{k} of {n} answers offer {name}"} for name, k, n, _ in rows],
            payload={
                "names": [name for name, *_ in rows],
                "fixPrompt": fix_prompt(material, TRACK, lines, names=listed),
            },
        )
    ]


def closed_track(material: Material, row: Recommendation) -> str | None:
    """Over where no such name is left."""
    return "They are tracked now." if material.answers and not track(material) else None
