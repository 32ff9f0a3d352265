"""Checks of the latest audit that the site does not pass.

A finding *matters* when it is above `info` and weighs in the score; one of high severity matters without a weight,
too: hidden text that addresses AI systems may be somebody else's. It closes when its check passes or does not apply
any more, unless the audit could look at fewer pages than the one that saw it last, and when it no longer matters. A
check that could not be told changes nothing.

The priority keeps the audit's own order, by consequence: critical defects from 100 down to 90, then high from 89,
medium from 59, low from 29, one less for each further finding. The factors say of how many pages it is true and what
is lost of them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from django.utils.formats import date_format

from apikeys.text.sentences import counted, shortened
from apikeys.text.untrusted import clean
from visibility.audit import wording
from visibility.audit.catalogue import CATALOGUE
from visibility.audit.outcome import CatalogueEntry, Category, Evidence, Severity
from visibility.insights.recommendations.kind import (
    Basis,
    Effect,
    Effort,
    Factors,
    Observation,
    ProvenBy,
    Standing,
    Words,
)
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.wording import MAX_QUOTE, MAX_TITLE, EvidenceText
from visibility.measured.audits import AuditFacts, FoundDefect, finished_audits, read_audit
from visibility.models import Audit, Recommendation, Run

_MAX_WEIGHT = max(entry.weight for entry in CATALOGUE.values())
_FIRST: Mapping[Severity, int] = {"critical": 100, "high": 89, "medium": 59, "low": 29}
"""The priority of the first finding of a severity."""
_LEAST: Mapping[Severity, int] = {"critical": 90, "high": 60, "medium": 30, "low": 1}
_FIRST_ONES = 3
"""Of so many it is said what they gain."""
_NOT_THERE = "The check does not apply to the site any more."
_NOT_ASKED = "Audits do not ask for this any more."
_EFFORTS: Mapping[Category, Effort] = {
    "access": Effort.LOW,
    "discovery": Effort.LOW,
    "structured-data": Effort.LOW,
    "agent-surfaces": Effort.LOW,
    "entity-trust": Effort.MEDIUM,
    "structure": Effort.MEDIUM,
    "citability": Effort.MEDIUM,
    "freshness": Effort.MEDIUM,
    "rendering": Effort.HIGH,
}
"""Low: a setting or a template. Medium: pages are edited. High: how the site is built changes."""
_READABLE = ("access", "rendering")
"""What keeps pages from being read keeps them from being quoted."""
_LITTLE = ("structured-data", "structure")
"""Trials have shown that these add little or nothing to citations."""


class AuditFindings:
    """Checks that the site does not pass."""

    id = "audit_finding"
    reason = "What keeps pages from being fetched, read or understood keeps answers from using them."
    basis = Basis.AUDIT
    proven_by = ProvenBy.AUDIT
    max_open = 100

    def observe(self, material: Material) -> Iterable[Observation]:
        """The checks of the latest finished audit that failed or passed, and what no longer matters."""
        run = finished_audits(Run.objects.filter(brand=material.brand)).first()
        if run is None:
            return []
        facts = read_audit(run)
        return [*_failed(facts), *_closed(facts)]

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What the catalogue says of each, with what was found."""
        return [_words(*row.details) for row in observations]


def _failed(facts: AuditFacts) -> Iterator[Observation]:
    places: Counter[Severity] = Counter()
    for place, defect in enumerate(defect for defect in facts.defects if defect.entry.matters):
        severity = defect.severity
        yield Observation(
            subject=defect.entry.id,
            standing=Standing.OPEN,
            factors=_factors(defect),
            details=(defect, facts.run, place),
            urgency=max(_FIRST[severity] - places[severity], _LEAST[severity]),
        )
        places[severity] += 1


def _factors(defect: FoundDefect) -> Factors:
    """Pages stand in the place of answers: `affected` ones of those that the share says were looked at."""
    entry, failing = defect.entry, 1.0 - (defect.result.share or 0.0)
    affected = max(defect.result.affected, 1)
    return Factors(
        answers=affected,
        of_answers=max(affected, round(affected / failing)) if failing else affected,
        engines=0,
        of_engines=1,
        reach=max(defect.result.lost, entry.weight / _MAX_WEIGHT * failing),
        effect=_effect(entry),
        effort=_EFFORTS[entry.category],
    )


def _effect(entry: CatalogueEntry) -> Effect:
    """As the catalogue has it: shown, shown in part, or not known or known to be little."""
    if not entry.effect.known or entry.category in _LITTLE:
        return Effect.UNKNOWN
    return Effect.KNOWN if entry.category in _READABLE else Effect.LIKELY


def _closed(facts: AuditFacts) -> list[Observation]:
    """The stored findings whose checks pass or do not apply, and those that no longer matter."""
    verdicts = {check.entry.id: check.result.verdict for check in facts.others}
    rows = Recommendation.objects.filter(brand=facts.run.brand_id, kind=AuditFindings.id).order_by("subject")
    stored: dict[str, UUID | None] = dict(rows.values_list("subject", "last_seen_run"))
    runs = [*filter(None, stored.values()), facts.run.pk]
    reach = dict(Audit.objects.filter(pk__in=runs).values_list("pk", "max_pages"))
    pages = reach.get(facts.run.pk, 0)
    nothing = Factors(0, 0, 0, 1, 0.0, Effect.UNKNOWN, Effort.LOW)
    closed = []
    for check, seen_in in stored.items():
        verdict = verdicts.get(check, "")
        as_far = seen_in is None or reach.get(seen_in, 0) <= pages
        is_asked = check in CATALOGUE and CATALOGUE[check].matters
        if not is_asked or (as_far and verdict in ("passed", "not_applicable")):
            reason = _NOT_ASKED if not is_asked else _NOT_THERE if verdict == "not_applicable" else ""
            closed.append(Observation(check, Standing.CLOSED, nothing, reason=reason))
    return closed


def _words(defect: FoundDefect, run: Run, place: int) -> Words:
    entry, result = defect.entry, defect.result
    pieces = [
        EvidenceText("page", shortened(clean(_piece(piece)), MAX_QUOTE), url=piece.url)
        for piece in defect.outcome.evidence
    ]
    gain = round(defect.gain)
    worth = (
        f" Mending it gains {counted(gain, 'point')} of the audit's score." if place < _FIRST_ONES and gain else ""
    )
    said = f"{defect.sentence.rstrip('.')} (audit of {date_format(run.created_at)}, {entry.id}).{worth}"
    return Words(
        title=shortened(defect.title, MAX_TITLE),
        summary=f"{said} {wording.effect(entry)}",
        evidence=pieces or [EvidenceText("page", defect.title, url=url) for url in result.urls],
        fix=defect.prompt or f"{defect.title}: nothing has to be changed; decide whether it is meant so.",
    )


def _piece(piece: Evidence) -> str:
    shared = f" (the same on {piece.pages} pages)" if piece.pages > 1 else ""
    to = f" → {piece.to}" if piece.to else ""
    return f"{piece.where}{shared}: {piece.quote}{to}"
