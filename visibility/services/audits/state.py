"""How the audits of a brand stand: the latest that gave findings, one under way, one that failed since; in sentences,
too."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import Window
from django.db.models.functions import RowNumber
from django.utils.formats import date_format

from apikeys.caller import Caller
from apikeys.db.snapshot import remembered
from visibility.measured.audits import FINISHED
from visibility.models import Run
from visibility.resources.audits import AuditPages

REFUSED, UNREACHABLE = "site_refused", "site_unreachable"
_WHY = {
    REFUSED: "the site did not let our crawler in, which says nothing about how it treats AI crawlers. Let ours in "
    "(the error names it), then start another one",
    UNREACHABLE: "the site could not be reached. See that its domain is right and that it answers, then start "
    "another one",
}
_OTHERWISE = "see its error, then start another one"


@dataclass(frozen=True, slots=True)
class AuditState:
    """`finished`: the latest audit that gave findings; `running`: the one under way; `failed`: one that failed after
    `finished`."""

    finished: Run | None
    running: Run | None
    failed: Run | None


@remembered
def audit_state(caller: Caller, brand_id: UUID) -> AuditState:
    """How the brand's audits stand, in one statement; none of a brand that the caller does not see."""
    place = Window(RowNumber(), partition_by=["status"], order_by=["-created_at", "-id"])
    audits = Run.objects.restrict(caller, "view").filter(brand=brand_id, kind=Run.Kind.AUDIT)
    newest = audits.exclude(status=Run.Status.CANCELLED).annotate(place=place).filter(place=1)
    runs = sorted(newest, key=lambda run: (run.created_at, str(run.pk)), reverse=True)
    finished = next((run for run in runs if run.status in FINISHED), None)
    failed = next((run for run in runs if run.status == Run.Status.FAILED), None)
    if failed and finished and failed.created_at < finished.created_at:
        failed = None
    return AuditState(finished, next((run for run in runs if run.is_active), None), failed)


def how_to_get_one(state: AuditState) -> str | None:
    """Why there are no findings, and what brings them; None where there are."""
    if state.finished:
        return None
    if state.running:
        return f"The first audit of this site is under way: {_progress(state.running)}. Look again when it has ended."
    if state.failed:
        return _failed(state.failed)
    return (
        f"This site has not been audited. {settings.TOOL_PREFIX}run_audit_scan starts an audit, and so does the "
        "page of its audits."
    )


def note(state: AuditState, pages: AuditPages | None) -> str | None:
    """What to know of the findings shown, in sentences; None where nothing is to be said."""
    if state.finished is None:
        return None
    sentences = []
    since = f"What is shown is of the audit of {date_format(state.finished.created_at)}."
    if state.failed:
        sentences += [_failed(state.failed), since]
    if state.running:
        sentences.append(f"Another audit is under way: {_progress(state.running)}.")
        sentences += [since] if not state.failed else []
    return " ".join([*sentences, *_of_pages(pages)]) or None


def _of_pages(pages: AuditPages | None) -> list[str]:
    if pages is None:
        return []
    if not pages.total:
        return ["It rests on robots.txt alone, which bars AI search crawlers and ours."]
    sentences = []
    if pages.failed:
        sentences.append(f"{pages.failed} of {pages.total} pages could not be read.")
    if pages.cut:
        sentences.append(f"{pages.cut} of {pages.total} pages are longer than the cap and were read to there.")
    return sentences


def _progress(run: Run) -> str:
    if run.status == Run.Status.QUEUED:
        return "it waits for a worker"
    return f"{run.done + run.failed} of at most {run.total} pages are fetched"


def _failed(run: Run) -> str:
    why = _WHY.get(run.error_code, _OTHERWISE)
    return f"The audit of {date_format(run.created_at)} failed ({run.error_code or 'no reason is known'}): {why}."
