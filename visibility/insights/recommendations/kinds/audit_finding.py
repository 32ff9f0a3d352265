"""Checks of the latest audit that the site does not pass.

A finding *matters* when its severity is above `info` and it weighs in the score; one of high severity matters without
a weight, too: hidden text that addresses AI systems may be somebody else's. It closes when its check passes, unless
the audit could look at fewer pages than the one that saw it last, or when it no longer matters. A check that does not
apply or could not be found out changes nothing.

No answer shows a defect, so its reach stands for the part of the audit's score that it takes: the check's weight by
the greatest there is, times the share that fails. A defect that caps the score concerns every answer of every
engine.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.utils.formats import date_format

from apikeys.text.sentences import one_line, shortened
from apikeys.text.untrusted import clean
from visibility.audit import wording
from visibility.audit.catalogue import CATALOGUE
from visibility.audit.outcome import CatalogueEntry, Category
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
from visibility.insights.recommendations.wording import MAX_QUOTE, MAX_TITLE, EvidenceText
from visibility.measured.audits import AuditFacts, FoundDefect, finished_audits, read_audit
from visibility.models import Audit, Recommendation, Run

_MAX_WEIGHT = max(entry.weight for entry in CATALOGUE.values())
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


def matters(entry: CatalogueEntry) -> bool:
    """Whether a failing check is something to do."""
    return entry.severity != "info" and (entry.weight > 0 or entry.severity in ("critical", "high"))


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
        failed = [_failed(defect, facts, material) for defect in facts.defects if matters(defect.entry)]
        return [*failed, *_closed(facts)]

    def words(self, material: Material, observations: Sequence[Observation]) -> Sequence[Words]:
        """What the catalogue says of each, with what was found."""
        return [_words(*row.details) for row in observations]


def _failed(defect: FoundDefect, facts: AuditFacts, material: Material) -> Observation:
    return Observation(
        subject=defect.entry.id,
        standing=Standing.OPEN,
        factors=_of_every_answer(defect, material) if defect.result.critical else _factors(defect),
        details=(defect, facts.run),
    )


def _factors(defect: FoundDefect) -> Factors:
    """Pages stand in the place of answers: `affected` ones of those that the share says were looked at."""
    entry, failing = defect.entry, 1.0 - (defect.result.share or 0.0)
    affected = max(defect.result.affected, 1)
    return Factors(
        answers=affected,
        of_answers=max(affected, round(affected / failing)) if failing else affected,
        engines=0,
        of_engines=1,
        reach=entry.weight / _MAX_WEIGHT * failing,
        effect=_effect(entry),
        effort=_EFFORTS[entry.category],
    )


def _of_every_answer(defect: FoundDefect, material: Material) -> Factors:
    answers = len(material.unbranded) if material.basis.engines else defect.result.affected
    engines = len(material.engines) if material.basis.engines else 1
    return Factors(answers, answers, engines, engines, 1.0, _effect(defect.entry), _EFFORTS[defect.entry.category])


def _effect(entry: CatalogueEntry) -> Effect:
    """As the catalogue has it: shown, shown in part, or not known or known to be little."""
    if not entry.effect.known or entry.category in _LITTLE:
        return Effect.UNKNOWN
    return Effect.KNOWN if entry.category in _READABLE else Effect.LIKELY


def _closed(facts: AuditFacts) -> list[Observation]:
    """The stored findings whose checks pass, and those that no longer matter."""
    passed = {check.entry.id for check in facts.others if check.result.verdict == "passed"}
    rows = Recommendation.objects.filter(brand=facts.run.brand_id, kind=AuditFindings.id).order_by("subject")
    stored: dict[str, UUID | None] = dict(rows.values_list("subject", "last_seen_run"))
    runs = [*filter(None, stored.values()), facts.run.pk]
    reach = dict(Audit.objects.filter(pk__in=runs).values_list("pk", "max_pages"))
    pages = reach.get(facts.run.pk, 0)
    nothing = Factors(0, 0, 0, 1, 0.0, Effect.UNKNOWN, Effort.LOW)
    return [
        Observation(subject=check, standing=Standing.CLOSED, factors=nothing)
        for check, seen_in in stored.items()
        if check not in CATALOGUE
        or not matters(CATALOGUE[check])
        or (check in passed and (seen_in is None or reach.get(seen_in, 0) <= pages))
    ]


def _words(defect: FoundDefect, run: Run) -> Words:
    entry, result = defect.entry, defect.result
    pieces = [
        EvidenceText("page", shortened(clean(f"{piece.where}: {piece.quote}"), MAX_QUOTE), url=piece.url)
        for piece in defect.outcome.evidence
    ]
    day = date_format(run.created_at)
    return Words(
        title=shortened(defect.title, MAX_TITLE),
        summary=f"{defect.sentence.rstrip('.')} (audit of {day}, {entry.id}). {wording.effect(entry)}",
        evidence=pieces or [EvidenceText("page", defect.title, url=url) for url in result.urls],
        fix=Fix(
            goal=f"Have {one_line(defect.site)} pass the check “{entry.title}”, which failed in its audit of {day}.",
            tasks=(
                wording.task(entry, defect.outcome) or "Nothing has to be changed; decide whether it is meant so.",
            ),
            keep=("Change nothing else of the site.",),
            done_when=f"The next audit of the site passes {entry.id}.",
        ),
    )
