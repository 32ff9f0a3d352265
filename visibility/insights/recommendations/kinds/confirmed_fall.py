"""A fall of the brand's score, over all engines or of one, that is on record as a change.

Open: the fall is told as a change. Closed: it has recovered, or a rise is told since. What one day shows opens
nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.formats import date_format

from apikeys.text.sentences import joined, one_line, shortened
from visibility.engines.display import display_name
from visibility.insights.recommendations.kind import (
    Basis,
    Effect,
    Effort,
    Factors,
    Fix,
    Observation,
    ProvenBy,
    Standing,
    Words,
)
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.types import Tally
from visibility.insights.recommendations.wording import MAX_QUOTE, EvidenceText
from visibility.measured.change_words import words
from visibility.measured.facts import AnswerFacts
from visibility.metrics.shown import shown
from visibility.models import ChangeRecord

ALL_ENGINES = "score"
"""The subject of the figure over all engines; an engine's is its name behind a colon."""
MOST_PARTS = 3
"""Of each list that the evidence tells."""


class ConfirmedFalls:
    """Falls that are on record: confirmed, or found by daily monitoring; never what one day shows."""

    id = "confirmed_fall"
    reason = "The brand is named less than before, and that is no chance of a day."
    basis = Basis.ANSWERS
    proven_by = ProvenBy.SCORE
    max_open = 3

    def observe(self, material: Material) -> Iterable[Observation]:
        """The score over all engines and that of each, by its latest change.

        It opens where a fall is told, and closes where it has recovered or a rise is told; else nothing is said, and
        what is open stays.
        """
        rows = ChangeRecord.objects.filter(brand=material.brand, began__lte=material.basis.latest)
        latest = {row.engine: row for row in rows.exclude(of=ChangeRecord.Of.TOPIC).order_by("began")}
        for engine in (None, *(engine_day.engine for engine_day in material.basis.engines)):
            yield _observation(latest.get(engine or ""), engine, material)

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """The record in words; nothing more is read."""
        return [_words(row.details, one_line(material.brand.name)) for row in observations]


def _standing(record: ChangeRecord | None, material: Material) -> Standing:
    if record is None:
        return Standing.BETWEEN
    if record.state == ChangeRecord.State.RECOVERED:
        return Standing.CLOSED
    if material.basis.latest and record.told_until < material.basis.latest:
        return Standing.BETWEEN
    return Standing.OPEN if record.direction == ChangeRecord.Direction.DOWN else Standing.CLOSED


def _observation(record: ChangeRecord | None, engine: str | None, material: Material) -> Observation:
    answers = [answer for answer in material.unbranded if engine in (None, answer.engine)]
    standing = _standing(record, material)
    without = sum(not answer.brand_named for answer in answers)
    return Observation(
        subject=f"engine:{engine}" if engine else ALL_ENGINES,
        standing=standing,
        factors=Factors(
            answers=without,
            of_answers=len(answers),
            engines=1 if engine else len(material.engines),
            of_engines=len(material.engines),
            reach=without / len(material.unbranded) if material.unbranded else 0.0,
            effect=Effect.UNKNOWN,
            effort=Effort.MEDIUM,
        ),
        tallies=tuple(_tallies(answers)),
        details=record if standing is Standing.OPEN else None,
    )


def _tallies(answers: Sequence[AnswerFacts]) -> Iterable[Tally]:
    for engine in sorted({answer.engine for answer in answers}):
        group = [answer for answer in answers if answer.engine == engine]
        yield Tally(engine, sum(not answer.brand_named for answer in group), len(group))


def _words(fall: ChangeRecord, brand: str) -> Words:
    where = f" on {one_line(display_name(fall.engine))}" if fall.engine else ""
    points = f"{shown(abs(fall.delta))} points"
    since = date_format(fall.began)
    causes = fall.content.get("known_causes", ())
    return Words(
        title=f"Win back the {points} lost{where} since {since}",
        summary=" ".join([f"{words(fall)}.", *_parts(fall)]),
        evidence=list(_evidence(fall)),
        fix=Fix(
            goal=f"{brand}: {words(fall)}. Find out why, and mend what can be mended.",
            tasks=(
                *(
                    ["Put back the own pages that answer with an error, as the evidence lists them."]
                    if causes
                    else []
                ),
                "Begin with the topics and prompts that make most of the fall: read the answers that the evidence "
                "names, and say who is named there instead.",
                "List what changed on the site around that day: pages that were removed, moved, rewritten or blocked "
                "for crawlers; put back what answers used to cite.",
                "Say whether cited sources of others dropped the brand, and which ones to write to.",
            ),
            keep=("Pages and topics that have not fallen.",),
            done_when="The cause is named with its evidence, what can be mended is published, and later scans say "
            "whether the score rises.",
        ),
    )


def _parts(fall: ChangeRecord) -> Iterator[str]:
    """The largest parts of the fall, and what changed at the same time."""
    if parts := _largest(fall, "topics"):
        told_rows = [f"{one_line(part['name'])} {shown(part['points'], signed=True)}" for part in parts]
        yield f"By topic most of it: {joined(told_rows)}."
    rivals = [
        f"{one_line(row['name'])} went from {shown(row['before'], 0)} % to {shown(row['after'], 0)} %"
        for row in _largest(fall, "competitors")
    ]
    if rivals:
        yield f"At the same time {joined(rivals)}."


def _largest(fall: ChangeRecord, what: str) -> Sequence[Mapping[str, Any]]:
    return sorted(fall.content.get(what, ()), key=lambda row: -abs(row["points"]))[:MOST_PARTS]


def _evidence(fall: ChangeRecord) -> Iterator[EvidenceText]:
    for text in (f"{words(fall)}.", *_parts(fall)):
        yield EvidenceText("measurement", shortened(text, MAX_QUOTE), fall.engine or None)
    for cause in fall.content.get("known_causes", ()):
        yield EvidenceText(
            "page", shortened(one_line(f"{cause['what']} since {cause['day']}"), MAX_QUOTE), url=cause["url"]
        )
    for part in _largest(fall, "topics"):
        for answer in part.get("answers", ()):
            text = shortened(f"“{one_line(answer['prompt'])}”, answered on {answer['day']}", MAX_QUOTE)
            yield EvidenceText("measurement", text, answer["engine"], answer_id=UUID(answer["answer"]))
