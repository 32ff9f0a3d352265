"""The one reader of what audits found: the finished audits of a brand, and of one of them every finding, with what
the audit before it said of the same check."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.db.models import QuerySet
from django.utils.functional import cached_property

from visibility.audit.catalogue import CATALOGUE
from visibility.audit.outcome import CatalogueEntry, Evidence, Severity
from visibility.measured.audit_words import finding_prompt, finding_sentence
from visibility.models import Audit, CheckResult, Run

FINISHED = (Run.Status.SUCCEEDED, Run.Status.PARTIAL)
SEVERITIES: Sequence[Severity] = ("critical", "high", "medium", "low", "info")
"""The most severe first."""
_PLACES = {check: place for place, check in enumerate(CATALOGUE)}
FindingState = Literal["new", "still_there"]


@dataclass(frozen=True)
class FoundDefect:
    """A check that the site does not pass. `state` compares with the audit before; null in the first one."""

    entry: CatalogueEntry
    result: CheckResult
    state: FindingState | None

    @cached_property
    def evidence(self) -> tuple[Evidence, ...]:
        """What shows it."""
        return tuple(Evidence(each["url"], each["where"], each["quote"]) for each in self.result.evidence)

    @property
    def sentence(self) -> str:
        """What was found, in a line that holds words of the site."""
        return finding_sentence(self.entry, self.result.words)

    @property
    def prompt(self) -> str:
        """The prompt that fixes it; words of the site stand between quote marks."""
        return finding_prompt(self.entry, self.result.words, self.evidence, self.result.urls)

    @property
    def is_scored(self) -> bool:
        """Whether it takes points from the score."""
        return self.entry.weight > 0

    @property
    def rank(self) -> tuple[int, float, int]:
        """What to sort by: the most severe first, then what weighs more, then the order of the catalogue."""
        return SEVERITIES.index(self.entry.severity), -self.entry.weight, _PLACES[self.entry.id]


@dataclass(frozen=True)
class CheckedEntry:
    """A check that did not fail, with what it says."""

    entry: CatalogueEntry
    result: CheckResult


@dataclass(frozen=True)
class AuditFacts:
    """What an audit found, the most severe first.

    `fixed` failed in the audit before (`before`) and pass now; `unclear` failed then, and this time do not apply or
    could not be found out.
    """

    run: Run
    audit: Audit | None
    before: Run | None
    found: Sequence[FoundDefect]
    fixed: Sequence[CheckedEntry]
    unclear: Sequence[CheckedEntry]
    others: Sequence[CheckedEntry]
    """All checks that did not fail, in the order of the catalogue."""

    @property
    def critical(self) -> list[FoundDefect]:
        """The defects that cap the score."""
        return [each for each in self.found if each.result.critical]


def finished_audits(audits: QuerySet[Run]) -> QuerySet[Run]:
    """Of these runs the audits that gave findings, newest first: one that failed hides none."""
    finished: QuerySet[Run] = audits.filter(kind=Run.Kind.AUDIT, status__in=FINISHED)
    return finished.order_by("-created_at", "-id")


def audit_before(run: Run) -> Run | None:
    """The finished audit of the same brand before this one."""
    audits = finished_audits(Run.objects.filter(brand=run.brand_id))
    earlier: Run | None = audits.filter(created_at__lt=run.created_at).first()
    return earlier


def read_audit(run: Run) -> AuditFacts:
    """What a finished audit found; three statements. Checks that the catalogue no longer has are passed over."""
    before = audit_before(run)
    runs = [run.pk] if before is None else [run.pk, before.pk]
    rows = CheckResult.objects.filter(run__in=runs).order_by("check_id")
    now: dict[str, CheckResult] = {}
    failed_before: set[str] = set()
    for row in rows:
        if row.check_id not in CATALOGUE:
            continue
        if row.run_id == run.pk:
            now[row.check_id] = row
        elif row.verdict == CheckResult.Verdict.FAILED:
            failed_before.add(row.check_id)
    others = _others(now)
    again = [each for each in others if each.entry.id in failed_before]
    return AuditFacts(
        run=run,
        audit=Audit.objects.filter(pk=run.pk).first(),
        before=before,
        found=_found(now, None if before is None else failed_before),
        fixed=[each for each in again if each.result.verdict == CheckResult.Verdict.PASSED],
        unclear=[each for each in again if each.result.verdict != CheckResult.Verdict.PASSED],
        others=others,
    )


def _found(now: Mapping[str, CheckResult], failed_before: set[str] | None) -> list[FoundDefect]:
    found = [
        FoundDefect(CATALOGUE[check], row, _state(check, failed_before))
        for check, row in now.items()
        if row.verdict == CheckResult.Verdict.FAILED
    ]
    return sorted(found, key=lambda each: each.rank)


def _state(check: str, failed_before: set[str] | None) -> FindingState | None:
    if failed_before is None:
        return None
    return "still_there" if check in failed_before else "new"


def _others(now: Mapping[str, CheckResult]) -> list[CheckedEntry]:
    passed = [check for check, row in now.items() if row.verdict != CheckResult.Verdict.FAILED]
    return [CheckedEntry(CATALOGUE[check], now[check]) for check in sorted(passed, key=_PLACES.__getitem__)]
