"""The end of an audit: its results and scores, or why there are none."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from pydantic import TypeAdapter

from apikeys.text.storable import storable
from visibility.audit.outcome import Outcome
from visibility.audit.score import Scores
from visibility.insights.recommendations import recommend_from_audit
from visibility.jobs.kinds import AUDIT
from visibility.jobs.lease import fenced, hold_brand
from visibility.metrics.types import UNMEASURED, Estimate, rounded
from visibility.models import Audit, CheckResult, Run
from visibility.pipeline.audit.judging import NotAudited
from visibility.pipeline.audit.storing import count_total
from visibility.pipeline.finishing import end_run, verdict

_SCORES = TypeAdapter(Scores)
_OUTCOME = TypeAdapter(Outcome)


def finish_audit(run: Run, worker: str, outcomes: Mapping[str, Outcome], scores: Scores, now: datetime) -> None:
    """Store what the checks found and end the run, all of it or nothing."""
    results = [_result(run, check, outcome) for check, outcome in outcomes.items()]
    stored = _SCORES.dump_python(scores, mode="json")
    with transaction.atomic():
        hold_brand(run.brand)
        with fenced(AUDIT, run.pk, worker):
            count_total(run)
            run.refresh_from_db(fields=["done", "failed", "total"])
            CheckResult.objects.filter(run=run).delete()
            CheckResult.objects.bulk_create(results)
            Audit.objects.filter(pk=run.pk).update(
                categories=stored["categories"], caps=stored["caps"], checked_at=now
            )
            end_run(run, *verdict(run), Estimate(rounded(scores.overall), None, None), now)
            recommend_from_audit(run, now)


def fail_audit(run: Run, worker: str, why: NotAudited, now: datetime) -> None:
    """End a run whose site is not to be audited: without a score, and without a finding."""
    with transaction.atomic():
        hold_brand(run.brand)
        with fenced(AUDIT, run.pk, worker):
            count_total(run)
            end_run(run, Run.Status.FAILED, why.code, storable(why.message), UNMEASURED, now)


def _result(run: Run, check: str, outcome: Outcome) -> CheckResult:
    fields = storable(_OUTCOME.dump_python(outcome, mode="json"))
    return CheckResult(run=run, check_id=check, critical=outcome.critical, **fields)
