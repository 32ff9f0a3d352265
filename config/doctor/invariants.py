"""Checks of what always holds: credits, the ledger, runs, figures. They read what began in the last DAYS days."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from django.db import connection
from django.utils import timezone

from config.doctor.checks import Finding, Room, ok, warning, wrong
from visibility.models import ProviderCall, Run
from visibility.scores.compare import compare_scores

ROOM = Room()
DAYS = 31
SAMPLE = 20
"""Days of brands whose scores are computed again."""
LONGEST_RUN = timedelta(hours=24)
PATIENCE = timedelta(minutes=2)
"""After so long the worker has begun, settled, or given up whatever it finds in the rows."""
LONGEST_CALL = timedelta(minutes=15)
MOST_NAMED = 3
_CREDITS = """
SELECT usage.user_id, usage.period, usage.used, coalesce(runs.credits, 0)
FROM apikeys_usage AS usage
LEFT JOIN (
    SELECT payer_id, credits_month,
        sum(CASE WHEN settled_at IS NULL THEN credits_reserved ELSE credits_spent END) AS credits
    FROM visibility_run WHERE credits_month IS NOT NULL GROUP BY 1, 2
) AS runs ON runs.payer_id = usage.user_id AND runs.credits_month = usage.period
WHERE usage.kind = 'credits' AND usage.used <> coalesce(runs.credits, 0)
"""
_COUNTS = """
SELECT run.id FROM visibility_run AS run
JOIN (
    SELECT answer.run_id, count(*) AS total, count(*) FILTER (WHERE state = 'answered') AS done,
        count(*) FILTER (WHERE state = 'failed') AS failed
    FROM visibility_answer AS answer JOIN visibility_run ON visibility_run.id = answer.run_id
    WHERE visibility_run.created_at > %s GROUP BY 1
) AS answers ON answers.run_id = run.id
WHERE run.status <> 'cancelled' AND run.trigger <> 'import'
    AND (run.total, run.done, run.failed) IS DISTINCT FROM (answers.total, answers.done, answers.failed)
"""
_UNBILLED = """
SELECT answer.id FROM visibility_answer AS answer JOIN visibility_run AS run ON run.id = answer.run_id
WHERE run.created_at > %s AND run.trigger <> 'import' AND answer.state = 'answered' AND NOT EXISTS (
    SELECT 1 FROM visibility_providercall AS call
    WHERE call.run = run.id AND call.answer = answer.id AND call.outcome = 'answered'
)
"""
_UNSETTLED = """
SELECT id FROM visibility_providercall
WHERE created_at > %s AND ((outcome = 'pending') <> (settled_at IS NULL) OR cost < 0 OR reserved < 0)
"""
_JOBLESS = """
SELECT run.id FROM visibility_run AS run
WHERE run.status IN ('queued', 'running') AND run.created_at < %s AND run.trigger <> 'import' AND NOT EXISTS (
    SELECT 1 FROM procrastinate_jobs AS job JOIN visibility_run AS other ON other.id::text = job.args ->> 'run_id'
    WHERE job.status IN ('todo', 'doing') AND other.brand_id = run.brand_id AND other.kind = run.kind
)
"""


def _rows(statement: str, *parameters: object) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)  # type: ignore[arg-type]
        return list(cursor.fetchall())


def _named(rows: Sequence[tuple[object, ...]]) -> str:
    names = ", ".join(str(row[0]) for row in rows[:MOST_NAMED])
    return names if len(rows) <= MOST_NAMED else f"{names} and {len(rows) - MOST_NAMED:,} more"


@ROOM.check("credits", "credits used are those of settled runs and those reserved for others, by account and month")
def credits_add_up() -> Iterator[Finding]:
    """Runs of deleted brands are gone, and their credits stay used."""
    rows = _rows(_CREDITS)
    for account, period, used, of_runs in rows[:MOST_NAMED]:
        words = f"Account {account} has used {used} credits of {period:%b %Y}, and its runs {of_runs}"
        if int(str(used)) < int(str(of_runs)):
            yield wrong(f"{words}: somebody may spend {int(str(of_runs)) - int(str(used))} twice.")
        else:
            yield warning(f"{words}, as when one of its brands was deleted.")
    if not rows:
        yield ok("settled and reserved add up")


@ROOM.check("ledger", "calls are settled once and cost nothing below zero; runs count as many answers as they have")
def ledger_adds_up() -> Iterator[Finding]:
    """Runs whose answers were deleted for their age have no sum to compare with."""
    since = timezone.now() - timedelta(days=DAYS)
    found = False
    if rows := _rows(_UNSETTLED, since):
        found = True
        yield wrong(f"{len(rows):,} calls are neither open nor settled, or cost less than nothing: {_named(rows)}.")
    if rows := _rows(_COUNTS, since):
        found = True
        yield wrong(f"{len(rows):,} runs count other numbers than their answers: {_named(rows)}.")
    if not found:
        yield ok("calls and answers add up")


@ROOM.check("runs", "no run waits without a job, none takes a day, none stays unsettled, no call stays open")
def no_run_is_stuck() -> Iterator[Finding]:
    """The worker finds such rows by itself within seconds."""
    now = timezone.now()
    jobless = _rows(_JOBLESS, now - PATIENCE)
    old = list(Run.objects.active().filter(created_at__lt=now - LONGEST_RUN).values_list("pk"))
    ended = Run.objects.exclude(status__in=Run.ACTIVE).filter(settled_at=None, finished_at__lt=now - PATIENCE)
    calls = ProviderCall.objects.filter(outcome=ProviderCall.Outcome.PENDING)
    unsettled = list(ended.filter(credits_reserved__gt=0).exclude(pk__in=calls.values("run")).values_list("pk"))
    overdue = list(calls.filter(created_at__lt=now - LONGEST_CALL).values_list("pk"))
    groups: Sequence[tuple[Sequence[tuple[object, ...]], str]] = (
        (jobless, "runs wait and have no job"),
        (old, "runs are active for more than a day"),
        (unsettled, "runs ended and have not given credits back"),
        (overdue, "calls are open for more than a quarter of an hour"),
    )
    for rows, words in groups:
        if rows:
            yield wrong(f"{len(rows):,} {words}: {_named(rows)}. The worker's log has why.")
    if not any(rows for rows, _ in groups):
        yield ok("none is stuck")


@ROOM.check("bills", "every answer that an engine was asked for has its settled call in the ledger")
def every_answer_is_billed() -> Iterator[Finding]:
    """Imported answers cost nothing here."""
    rows = _rows(_UNBILLED, timezone.now() - timedelta(days=DAYS))
    if rows:
        yield wrong(f"{len(rows):,} answers have no bill: {_named(rows)}.")
    else:
        yield ok("each has one")


@ROOM.check("figures", f"the scores of {SAMPLE} days of brands, by chance, computed again from their answers")
def figures_are_equal() -> Iterator[Finding]:
    """As after a restore."""
    compared = compare_scores(SAMPLE)
    for words in compared.differing[:MOST_NAMED]:
        yield wrong(f"The stored score differs from its computation: {words}.")
    if not compared.differing:
        yield ok(f"{compared.scores:,} scores on {compared.days:,} days are equal")
