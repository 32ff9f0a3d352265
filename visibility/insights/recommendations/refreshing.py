"""Keeps the stored recommendations in step with what is measured now, kind by kind."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from apikeys.text.sentences import shortened
from brands.models import Brand
from visibility.insights.recommendations.fix_prompts import compose
from visibility.insights.recommendations.kind import Basis, Kind, Observation, Standing, Words
from visibility.insights.recommendations.kinds import KINDS
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.moot import moot_reasons
from visibility.insights.recommendations.priority import priority, worth
from visibility.insights.recommendations.queue import (
    Draft,
    Key,
    Measurement,
    key_of,
    known_rows,
    resolve,
    trim,
    write,
)
from visibility.insights.recommendations.types import EngineTally, Payload
from visibility.insights.recommendations.wording import MAX_TITLE
from visibility.measured.audits import finished_audits
from visibility.measured.stored import as_stored
from visibility.models import Recommendation, Run

HIGH_IMPACT = 60
MEDIUM_IMPACT = 30
"""The priorities from which on doing it is worth much, or something."""

_Level = Recommendation.Level
_Status = Recommendation.Status
_DECIDED = (_Status.IN_PROGRESS, _Status.DONE, _Status.DISMISSED)


@transaction.atomic
def refresh_recommendations(brand: Brand, run: Run | None = None, now: datetime | None = None) -> None:
    """Derive the recommendations that rest on answers anew; `run` is the one that was measured last, None where
    stored answers were measured again; `now` is the time that is written beside what changes.

    A recommendation is the same as long as brand, kind and subject are. A gap opens it at one threshold and closes it
    at another: between them what is there follows the measurement, and nothing comes or goes. A closed gap resolves
    it, also where people were at it or had done it; one that is dismissed stays so. What is resolved opens again with
    the gap. Open ones that nothing can close any more are resolved with the reason. Call it under the lock of the
    brand's row.
    """
    material = Material(brand)
    if not material.basis.engines:
        return
    latest = max(material.basis.engines, key=lambda engine_day: engine_day.day).runs
    seen_in = run.pk if run and run.pk in latest else latest[-1]
    _refresh(material, Basis.ANSWERS, Measurement(now or timezone.now(), seen_in, material.basis.latest))


@transaction.atomic
def refresh_from_evidence(brand: Brand) -> None:
    """The same for those that rest on evidence: on what pages, reviews and answers say for buyers. Call it when that
    was made, under the lock of the brand's row."""
    material = Material(brand)
    engine_days = material.basis.engines
    runs = max(engine_days, key=lambda engine_day: engine_day.day).runs if engine_days else (None,)
    _refresh(material, Basis.EVIDENCE, Measurement(timezone.now(), runs[-1], material.basis.latest))


@transaction.atomic
def recommend_from_audit(run: Run, now: datetime | None = None) -> None:
    """The same for what this audit found, which is finished and whose results are stored. An audit that is older than
    the latest finished one changes nothing. Call it under the lock of the brand's row."""
    latest = finished_audits(Run.objects.filter(brand=run.brand_id)).first()
    if latest is not None and latest.pk == run.pk:
        _refresh(Material(run.brand), Basis.AUDIT, Measurement(now or timezone.now(), run.pk, run.created_at.date()))


@dataclass(frozen=True, slots=True)
class _Sighting:
    """An observation with its place in the queue."""

    kind: Kind
    observation: Observation
    priority: int

    @property
    def key(self) -> Key:
        return key_of(self.kind.id, self.observation.subject)

    @property
    def worth(self) -> tuple[object, ...]:
        return worth(self.observation, self.priority)


def _refresh(material: Material, basis: Basis, measurement: Measurement) -> None:
    kinds = [kind for kind in KINDS if kind.basis is basis]
    known = known_rows(material.brand, [kind.id for kind in kinds])
    sightings = [sighting for kind in kinds for sighting in _sightings(kind, material)]
    _close(sightings, known, measurement.at)
    there = {sighting.key for sighting in sightings if _is_there(sighting, known)}
    _close_moot(material, known, there, measurement.at)
    drafts: list[Draft] = []
    for kind in kinds:
        of_kind = [sighting for sighting in sightings if sighting.kind is kind and _is_told(sighting, known)]
        drafts += _drafts(kind, _kept(of_kind, known, kind.max_open), material, measurement.day)
    write(material.brand, drafts, known, measurement)
    budgets = {kind.id: kind.max_open for kind in kinds}
    trim(material.brand, budgets, {draft.key for draft in drafts}, measurement.at)


def _sightings(kind: Kind, material: Material) -> Iterable[_Sighting]:
    """What the kind observes, but for topics that are not the brand's own."""
    for observation in kind.observe(material):
        if observation.topic in material.not_own:
            continue
        urgency = priority(observation.factors) if observation.urgency is None else observation.urgency
        yield _Sighting(kind, observation, urgency)


def _is_there(sighting: _Sighting, known: Mapping[Key, Recommendation]) -> bool:
    """Whether the gap is there: it opens, or what is known of it follows."""
    if sighting.observation.standing is Standing.BETWEEN:
        row = known.get(sighting.key)
        return row is not None and row.status != _Status.RESOLVED
    return sighting.observation.standing is Standing.OPEN


def _is_told(sighting: _Sighting, known: Mapping[Key, Recommendation]) -> bool:
    """Whether there is something to say of it now."""
    return sighting.observation.details is not None and _is_there(sighting, known)


def _close(sightings: Iterable[_Sighting], known: Mapping[Key, Recommendation], now: datetime) -> None:
    """Resolve those whose gap has closed, as the engines that showed it say."""
    closed: dict[str, list[Recommendation]] = defaultdict(list)
    for sighting in sightings:
        row = known.get(sighting.key)
        if sighting.observation.standing is not Standing.CLOSED or row is None:
            continue
        if row.status not in (_Status.DISMISSED, _Status.RESOLVED) and _was_looked_for(sighting.observation, row):
            closed[sighting.observation.reason].append(row)
    for reason, rows in closed.items():
        resolve(rows, now, reason)


def _was_looked_for(observation: Observation, row: Recommendation) -> bool:
    """Whether the engines that showed the gap were asked again; a kind that counts no engines looks elsewhere."""
    measured = {tally.engine for tally in observation.tallies}
    return not measured or shown_by(row) <= measured


def shown_by(row: Recommendation) -> set[str]:
    """The engines whose answers showed the gap."""
    return {tally["engine"] for tally in row.payload.get("engines", []) if tally["gaps"]}


def _close_moot(
    material: Material, known: Mapping[Key, Recommendation], there: Collection[Key], now: datetime
) -> None:
    """Close those that nothing can show or close any more, and say why; what people are at only where they said that
    its topic is not the brand's own."""
    open_rows = [
        row
        for key, row in known.items()
        if key not in there
        and (row.status == _Status.OPEN or (row.status == _Status.IN_PROGRESS and row.topic in material.not_own))
    ]
    reasons = moot_reasons(material, open_rows)
    for reason in sorted(set(reasons.values())):
        resolve([row for row in open_rows if reasons.get(row.pk) == reason], now, reason)


def _kept(sightings: Sequence[_Sighting], known: Mapping[Key, Recommendation], most: int) -> list[_Sighting]:
    """Those that people have taken up or decided on, and of the others as many as the kind may have open."""
    decided = [row for row in sightings if row.key in known and known[row.key].status in _DECIDED]
    others = [row for row in sightings if row not in decided]
    return decided + sorted(others, key=lambda row: row.worth)[:most]


def _drafts(kind: Kind, sightings: Sequence[_Sighting], material: Material, day: date | None) -> list[Draft]:
    if not sightings:
        return []
    words = kind.words(material, [sighting.observation for sighting in sightings])
    return [
        Draft(sighting.key, _derived(sighting, said, material, day))
        for sighting, said in zip(sightings, words, strict=True)
    ]


def _derived(sighting: _Sighting, words: Words, material: Material, day: date | None) -> dict[str, Any]:
    """The columns that follow the measurement."""
    observation, days = sighting.observation, {day.engine: day.day for day in material.basis.engines}
    return {
        "title": shortened(words.title, MAX_TITLE),
        "summary": words.summary,
        "priority": sighting.priority,
        "impact": _impact(sighting.priority),
        "effort": observation.factors.effort.value,
        "topic": observation.topic,
        "evidence": as_stored(words.evidence),
        "factors": as_stored(observation.factors),
        "payload": as_stored(
            Payload(
                fix_prompt=words.fix if isinstance(words.fix, str) else compose(words.fix, material, words),
                topic_name=material.subject.topic_name(observation.topic) if observation.topic else "",
                measured_on=day,
                check=observation.subject if sighting.kind.basis is Basis.AUDIT else None,
                rivals=observation.rivals,
                engines=[
                    EngineTally(row.engine, row.gaps, row.answers, days[row.engine]) for row in observation.tallies
                ],
                prompts=observation.prompts,
            )
        ),
    }


def _impact(urgency: int) -> str:
    if urgency >= HIGH_IMPACT:
        return _Level.HIGH
    return _Level.MEDIUM if urgency >= MEDIUM_IMPACT else _Level.LOW
