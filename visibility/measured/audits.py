"""The one reader of what audits found: the finished audits of a brand, and of one of them every finding, with what
the audit before it said of the same check, in the one order that all doors show: by consequence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args
from urllib.parse import urlsplit

from django.db.models import QuerySet
from django.utils.functional import cached_property

from visibility.audit import wording
from visibility.audit.catalogue import CATALOGUE
from visibility.audit.outcome import CatalogueEntry, Consequence, Evidence, Outcome, Severity, Verdict, passed
from visibility.audit.page import ParsedPage
from visibility.audit.score import cap_of, scores
from visibility.measured.page_facts import page_from_bytes
from visibility.models import Audit, AuditPage, CheckResult, Run

FINISHED = (Run.Status.SUCCEEDED, Run.Status.PARTIAL)
SEVERITIES: Sequence[Severity] = ("critical", "high", "medium", "low", "info")
"""The most severe first."""
CONSEQUENCES: Sequence[Consequence] = get_args(Consequence)
"""The gravest first."""
_PLACES = {check: place for place, check in enumerate(CATALOGUE)}
FindingState = Literal["new", "still_there"]


@dataclass(frozen=True)
class FoundDefect:
    """A check that the site, a host, does not pass. `state` compares with the audit before; null where
    that did not make it."""

    entry: CatalogueEntry
    result: CheckResult
    state: FindingState | None
    site: str
    gain: float = 0.0
    """Points that the score gains by it once all findings before it are mended."""

    @cached_property
    def outcome(self) -> Outcome:
        """The result as the check gave it."""
        return _outcome(self.result)

    @property
    def severity(self) -> Severity:
        """As the catalogue has it, but critical only and always where so much is lost that it caps the score."""
        if self.result.critical:
            return "critical"
        return "high" if self.entry.severity == "critical" else self.entry.severity

    @property
    def cap(self) -> float | None:
        """The overall score is no higher than this; null where it is no critical defect."""
        return cap_of(self.entry, self.result.lost) if self.result.critical else None

    @property
    def title(self) -> str:
        """What is wrong, in a few words."""
        return wording.title(self.entry)

    @property
    def sentence(self) -> str:
        """What was found, in a line that holds words of the site."""
        return wording.finding(self.entry, self.outcome)

    @property
    def prompt(self) -> str:
        """The prompt that fixes it, empty where nothing is to be fixed. Words of the site stand between marks."""
        return wording.fix_prompt(self.entry, self.outcome, self.site)

    @property
    def rank(self) -> tuple[float, ...]:
        """What to sort by, the gravest first: what matters at all; severity; pages that are lost, then facts, then
        form; the part of the pages that is lost; the part that fails, by what it weighs; the catalogue's order."""
        entry, row = self.entry, self.result
        failing = entry.weight * (1 - (row.share or 0.0))
        return (
            not entry.matters,
            SEVERITIES.index(self.severity),
            CONSEQUENCES.index(entry.consequence),
            -row.lost,
            -failing,
            _PLACES[entry.id],
        )


@dataclass(frozen=True)
class CheckedEntry:
    """A check that did not fail, with what it says."""

    entry: CatalogueEntry
    result: CheckResult

    @property
    def severity(self) -> Severity:
        """How grave it is where it fails."""
        return self.entry.severity


@dataclass(frozen=True)
class AuditFacts:
    """What an audit found, the most severe first.

    `fixed` failed in the audit before (`before`) and pass now; `unclear` failed then, and this time do not apply or
    could not be found out.
    """

    run: Run
    audit: Audit | None
    before: Run | None
    defects: Sequence[FoundDefect]
    fixed: Sequence[CheckedEntry]
    unclear: Sequence[CheckedEntry]
    others: Sequence[CheckedEntry]
    """All checks that did not fail, in the order of the catalogue."""

    @property
    def critical(self) -> list[FoundDefect]:
        """The defects that cap the score."""
        return [defect for defect in self.defects if defect.result.critical]


def finished_audits(audits: QuerySet[Run]) -> QuerySet[Run]:
    """Of these runs the audits that gave findings, newest first: one that failed hides none."""
    finished: QuerySet[Run] = audits.filter(kind=Run.Kind.AUDIT, status__in=FINISHED)
    return finished.order_by("-created_at", "-id")


def audit_before(run: Run) -> Run | None:
    """The finished audit of the same brand before this one."""
    audits = finished_audits(Run.objects.filter(brand=run.brand_id))
    earlier: Run | None = audits.filter(created_at__lt=run.created_at).first()
    return earlier


def read_pages(audit: Run) -> list[ParsedPage]:
    """The pages that an audit read, in the order of its crawl, each content once."""
    contents = AuditPage.objects.filter(run=audit, content__parsed=True).order_by("position")
    pages: dict[int, ParsedPage] = {}
    for content, facts in contents.values_list("content_id", "content__facts").iterator(chunk_size=10):
        page = page_from_bytes(bytes(facts), parsed=True) if content not in pages else None
        if isinstance(page, ParsedPage):
            pages[content] = page
    return list(pages.values())


def read_audit(run: Run) -> AuditFacts:
    """What a finished audit found; three statements. Checks that the catalogue no longer has are passed over."""
    before = audit_before(run)
    runs = [run.pk] if before is None else [run.pk, before.pk]
    rows = CheckResult.objects.filter(run__in=runs).order_by("check_id")
    now: dict[str, CheckResult] = {}
    then: dict[str, str] = {}
    for row in rows:
        if row.check_id not in CATALOGUE:
            continue
        if row.run_id == run.pk:
            now[row.check_id] = row
        else:
            then[row.check_id] = row.verdict
    others = _others(now)
    audit = Audit.objects.filter(pk=run.pk).first()
    host = urlsplit(audit.home_url).hostname if audit else None
    again = [check for check in others if then.get(check.entry.id) == CheckResult.Verdict.FAILED]
    return AuditFacts(
        run=run,
        audit=audit,
        before=before,
        defects=_with_gains(_defects(now, then, host or "the site"), now),
        fixed=[check for check in again if check.result.verdict == CheckResult.Verdict.PASSED],
        unclear=[check for check in again if check.result.verdict != CheckResult.Verdict.PASSED],
        others=others,
    )


def _defects(now: Mapping[str, CheckResult], then: Mapping[str, str], site: str) -> list[FoundDefect]:
    defects = [
        FoundDefect(CATALOGUE[check], row, _state(then.get(check)), site)
        for check, row in now.items()
        if row.verdict == CheckResult.Verdict.FAILED
    ]
    return sorted(defects, key=lambda defect: defect.rank)


def _with_gains(defects: Sequence[FoundDefect], now: Mapping[str, CheckResult]) -> list[FoundDefect]:
    """Each with the points that the score gains when it is mended after those before it."""
    outcomes = {check: _outcome(row) for check, row in now.items()}
    before = scores(outcomes, CATALOGUE).overall or 0.0
    gaining = []
    for defect in defects:
        outcomes[defect.entry.id] = passed()
        after = scores(outcomes, CATALOGUE).overall or 0.0
        gaining.append(replace(defect, gain=after - before))
        before = after
    return gaining


def _outcome(row: CheckResult) -> Outcome:
    evidence = tuple(Evidence(**piece) for piece in row.evidence)
    verdict = cast(Verdict, row.verdict)
    return Outcome(verdict, row.share, row.words, evidence, tuple(row.urls), row.affected, row.because, row.lost)


def _state(then: str | None) -> FindingState | None:
    """By the verdict of the check in the audit before; null where that had no such check."""
    if then is None:
        return None
    return "still_there" if then == CheckResult.Verdict.FAILED else "new"


def _others(now: Mapping[str, CheckResult]) -> list[CheckedEntry]:
    passed = [check for check, row in now.items() if row.verdict != CheckResult.Verdict.FAILED]
    return [CheckedEntry(CATALOGUE[check], now[check]) for check in sorted(passed, key=_PLACES.__getitem__)]
