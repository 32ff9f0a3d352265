"""What the newest audit of the site found: critical defects, and the rest as housekeeping."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext_noop

from visibility.audit import CATALOGUE, counted, say
from visibility.audits.resources import AuditFindingResource, QuotingText
from visibility.audits.words import SentenceText
from visibility.models.recommendations import Level
from visibility.recommendations.facts import Facts
from visibility.recommendations.kinds.base import Card, CardFacts, Kind
from visibility.recommendations.pieces import Piece

SMALLER = "smaller defects"
"""The subject of the card with all findings that are neither critical nor high."""
MOST_PIECES = 10
MOST_OF_FINDING = 5
LONG_LIST = 10
"""Findings from which on the card takes days, not hours."""
MOST_GAIN = 20
"""Points of the audit's score from which on a defect weighs most."""
GONE = "The last audit does not find it any more."


class Defect(CardFacts):
    """A finding: its check, what it is called, what was seen, and how to mend it. `gain`: points of the audit's
    score; `prompt`: the fix prompt of the audit."""

    check: str
    title: SentenceText
    seen: QuotingText
    fix: str
    gain: float
    prompt: str


class Blocked(Kind[Defect]):
    """A critical defect of the site."""

    name, order, facts, of_audit = "blocked", 3, Defect, True
    cause = gettext_noop("AI cannot read your site well")
    question = "The newest audit found a critical defect: a part of the pages cannot be read at all."
    over = "An audit of as many pages does not find it any more."
    severities = ("critical",)

    def find(self, facts: Facts) -> Iterable[Card[Defect]]:
        findings = facts.audited.findings if facts.audited else ()
        of_kind = [each for each in findings if each.severity in self.severities]
        for place, finding in enumerate(of_kind):
            yield Card(
                subject=finding.check,
                facts=_defect(finding),
                weight=1 - min(place, 9) / 10,
                effort=Level.MEDIUM,
                evidence=_pieces([finding]),
            )

    def end(self, facts: Facts, card: Defect, subject: str) -> str | None:
        return GONE if facts.audited and facts.audited.is_whole else None

    def impact(self, card: Card[Defect]) -> Level:
        return Level.HIGH


class HygieneFacts(Defect):
    """One high defect, or all smaller ones together: `titles`, each with the number of addresses."""

    titles: list[SentenceText] = []


class Hygiene(Kind[HygieneFacts]):
    """The defects that are not critical: housekeeping."""

    name, order, facts, of_audit, is_chore = "hygiene", 9, HygieneFacts, True, True
    cause = gettext_noop("AI cannot read your site well")
    question = "The newest audit found defects that are not critical: a card for each high one, one for all others."
    over = "An audit of as many pages does not find it any more."

    def find(self, facts: Facts) -> Iterable[Card[HygieneFacts]]:
        findings = facts.audited.findings if facts.audited else ()
        for finding in findings:
            if finding.severity == "high":
                yield Card(
                    subject=finding.check,
                    facts=HygieneFacts(**_defect(finding).model_dump()),
                    weight=min(1.0, 0.2 + finding.gain / MOST_GAIN),
                    effort=Level.MEDIUM,
                    evidence=_pieces([finding]),
                )
        smaller = [each for each in findings if each.severity not in ("critical", "high") and each.gain > 0]
        if smaller:
            yield _smaller(smaller)

    def end(self, facts: Facts, card: HygieneFacts, subject: str) -> str | None:
        return GONE if facts.audited and facts.audited.is_whole else None


def _defect(finding: AuditFindingResource) -> Defect:
    check = CATALOGUE.get(finding.check)
    return Defect(
        check=finding.check,
        title=finding.title,
        seen=finding.finding,
        fix=check.fix.partition(". ")[0] if check else "",
        gain=finding.gain,
        prompt=finding.fix_prompt or "",
    )


def _smaller(findings: Sequence[AuditFindingResource]) -> Card[HygieneFacts]:
    prompts = [finding.fix_prompt for finding in findings if finding.fix_prompt]
    return Card(
        subject=SMALLER,
        facts=HygieneFacts(
            check="",
            title="",
            seen="",
            fix="",
            gain=sum(finding.gain for finding in findings),
            prompt="\n\n---\n\n".join(prompts),
            titles=[
                say(
                    "{title} ({addresses})",
                    title=each.title,
                    addresses=counted(each.affected, "address", "addresses"),
                )
                for each in findings
            ],
        ),
        weight=0.0,
        effort=Level.MEDIUM if len(findings) >= LONG_LIST else Level.LOW,
        evidence=_pieces(findings),
    )


def _pieces(findings: Iterable[AuditFindingResource]) -> list[Piece]:
    """The first places where each was seen."""
    seen = [
        {
            "kind": "finding",
            "text": say("{title}: {quote}", title=finding.title, quote=piece.quote) if piece.quote else finding.title,
            "url": piece.url,
        }
        for finding in findings
        for piece in finding.evidence[:MOST_OF_FINDING]
    ]
    return seen[:MOST_PIECES]
