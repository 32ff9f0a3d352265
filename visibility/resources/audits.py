"""What site audits look like from outside."""

from typing import Literal
from uuid import UUID

from pydantic import Field

from apikeys.resources import Resource, UntrustedText
from visibility.resources.brands import Percent, RunResource

Severity = Literal["critical", "high", "medium", "low", "info"]
Category = Literal[
    "access", "rendering", "discovery", "structured-data", "entity-trust", "structure", "citability", "freshness",
    "agent-surfaces",
]  # fmt: skip


class CategoryScore(Resource):
    """How a site does in one category of checks."""

    id: Category
    score: Percent = Field(description="0–100; null where no check of the category applies")
    passed: int
    failed: int
    weight: float = Field(description="share of the overall score, in percent; 0: shown, not scored")


class CriticalDefect(Resource):
    """A defect that caps the overall score, whatever the other checks say."""

    check: str
    title: str
    cap: float = Field(description="the overall score is no higher than this")


class AuditScores(Resource):
    """The scores of the latest audit. `run` tells how far it is, so that it can be waited for."""

    site: UUID
    run: RunResource | None
    overall: Percent
    categories: list[CategoryScore]
    critical_defects: list[CriticalDefect]
    how_to_get_one: str | None = Field(description="null where there is an audit")


class Source(Resource):
    """What justifies a check."""

    title: str
    url: str
    grade: str = Field(description="strength of the evidence: A, A*, B, B-, C, C+")


class Finding(Resource):
    """One check that a site does not pass."""

    check: str
    category: Category
    title: str
    severity: Severity
    evidence: list[UntrustedText] = Field(description="quoted from the site")
    urls: list[UntrustedText]
    fix_prompt: str = Field(description="a prompt to paste into an assistant that can edit the site")
    source: Source


class AuditFindings(Resource):
    """The findings of the latest audit, most severe first."""

    site: UUID
    run: RunResource | None
    findings: list[Finding]
    how_to_get_one: str | None = Field(description="null where there is an audit")
