"""What site audits look like from outside."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, Timestamp, UntrustedText
from visibility.audit.outcome import Category as Category
from visibility.audit.outcome import Severity as Severity
from visibility.resources.brands import Percent, RunResource

FindingState = Literal["new", "still_there"]
_RUN = "the latest audit that gave findings; null before the first"
_RUNNING = "the audit under way, with its progress in pages; null: none is"
_NOTE = "what to know of these findings, in sentences: an audit under way or refused since, pages left out; or null"
_HOW = "null where there is an audit"


class CategoryScore(Resource):
    """How a site does in one category of checks."""

    id: Category
    score: Percent = Field(description="0–100; null where no check of the category applies")
    passed: int
    failed: int
    weight: float = Field(description="share of the overall score, in percent; 0: shown, not scored")


class CriticalDefect(Resource):
    """A defect by which machines lose so many pages that it caps the overall score, whatever the other checks say."""

    check: str
    title: str = Field(description="what is wrong, in a few words")
    what: UntrustedText = Field(description="what was found, in a sentence")
    cap: float | None = Field(description="the overall score is no higher than this")


class SeverityCounts(Resource):
    """How many checks fail, by severity."""

    critical: int = 0
    high: int = 0
    medium: int = 0
    low: int = 0
    info: int = 0


class CheckCounts(Resource):
    """How many checks say what. Those that do not apply, or could not be found out, are in no score."""

    passed: int
    failed: int
    not_applicable: int
    inconclusive: int


class AuditPages(Resource):
    """What came of the addresses that were asked for."""

    total: int = Field(description="0: audited from robots.txt alone")
    read: int
    cut: int = Field(description="longer than the cap: read to there")
    failed: int = Field(description="no answer, an error, or nothing that can be read")


class SinceLastAudit(Resource):
    """What changed since the finished audit before."""

    run: UUID = Field(description="the audit before")
    created_at: Timestamp
    overall: Percent = Field(description="its score")
    change: float | None = Field(description="of the overall score, in points; null where one of them has none")
    new: int = Field(description="checks that fail now and did not then; not those it had not")
    fixed: int = Field(description="checks that failed then and pass now")
    still_there: int = Field(description="checks that fail both times")
    unclear: int = Field(description="checks that failed then and could not be looked at again")
    max_pages: int | None = Field(description="how many pages it could read at most: fewer pages find less")


class AuditScores(Resource):
    """The scores of the latest finished audit; one under way stands beside it, so that it can be waited for."""

    site: UUID
    run: RunResource | None = Field(description=_RUN)
    running: RunResource | None = Field(description=_RUNNING)
    failed: RunResource | None = Field(description="an audit after `run` that failed; its `error` says why")
    overall: Percent = Field(description="0–100, capped by critical defects; null while unmeasured")
    categories: list[CategoryScore]
    critical_defects: list[CriticalDefect] = Field(description="what caps the score")
    findings: SeverityCounts
    checks: CheckCounts | None
    pages: AuditPages | None
    since_last: SinceLastAudit | None = Field(description="null for the first audit")
    note: str | None = Field(description=_NOTE)
    how_to_get_one: str | None = Field(description=_HOW)


class Source(Resource):
    """What justifies a check."""

    grade: str = Field(description="strength of the evidence: A, A*, B, B-, C, C+")
    references: list[str] = Field(description="where it stands")


class KnownEffect(Resource):
    """What is known of a check's effect on answers. No check promises a rise."""

    known: str | None = Field(description="null: nothing is known of it")
    counter: str | None = Field(description="what speaks against it")
    source: str | None


class FindingEvidence(Resource):
    """What shows a finding: where it stands, and the words there."""

    url: UntrustedText
    where: UntrustedText = Field(description="a line, an element, a header")
    quote: UntrustedText
    to: UntrustedText = Field(default="", description="what should stand there instead; empty: the fix prompt says")
    pages: int = Field(default=1, description="on how many pages the same stands: mend what they share")


class Finding(Resource):
    """One check that a site does not pass. What is null is left out of the short form."""

    check: str
    title: str = Field(description="what is wrong, in a few words")
    category: Category
    severity: Severity
    weight: float = Field(description="in the score; 0: shown, not scored")
    critical: bool = Field(description="it caps the overall score")
    gain: float | None = Field(
        default=None, description="points that the score gains by mending it after all findings above it"
    )
    state: FindingState | None = Field(description="since the audit before; null where that did not check it")
    what: UntrustedText = Field(description="what was found, in a sentence")
    affected: int = Field(description="pages that it concerns")
    urls: list[UntrustedText] = Field(description="some of them; in the short form one")
    evidence: list[FindingEvidence] | None = Field(default=None, description="quoted from the site; 10 at most")
    fix_prompt: str | None = Field(
        default=None, description="a prompt to paste into an assistant that can edit the site; null: nothing to fix"
    )
    effect: KnownEffect | None = None
    source: Source | None = None


class EarlierFinding(Resource):
    """A check that failed in the audit before and does not fail any more."""

    check: str
    title: str
    severity: Severity


class AuditFindings(Resource):
    """The findings of the latest finished audit, by consequence: most severe first, pages that machines do not get
    before wrong facts before form."""

    site: UUID
    run: UUID | None = Field(description=_RUN)
    created_at: Timestamp | None = Field(description="of that audit")
    findings: list[Finding]
    more: int = Field(description="findings beyond those listed: raise limit, or filter")
    fixed: list[EarlierFinding] = Field(description="failed in the audit before, pass now; 10 at most")
    unclear: list[EarlierFinding] = Field(
        description="failed in the audit before; this time they did not apply or could not be found out; 10 at most"
    )
    note: str | None = Field(description=_NOTE)
    how_to_get_one: str | None = Field(description=_HOW)
