"""Stores what engines answered. Their answers are foreign input: what a database refuses is made storable first."""

import zlib
from collections.abc import Sequence, Set
from typing import Any
from uuid import UUID

from django.db.models import F

from apikeys.text.storable import storable
from visibility.engines.protocol import EngineAnswer, EngineError
from visibility.jobs.kinds import RUN
from visibility.jobs.lease import LeaseLost, fenced
from visibility.models import Answer, RawBody, Run
from visibility.pipeline.ask.items import AskResult
from visibility.pipeline.provider_calls import Settlement, settle_calls

MAX_TEXT = 500_000


def store_answers(run_id: UUID, worker: str, batch: Sequence[AskResult]) -> None:
    """Store the answers, count them on the run, and settle the calls; raises LeaseLost.

    All in one fenced transaction. Who lost the run settles the calls all the same: they were made. An answer is
    stored once: one that is no longer pending is left as it is and not counted again. Progress makes the run's
    attempts count anew: only a run that gets nowhere runs out of them.
    """
    # Outside of the transaction: it computes for a while, and on SQLite nobody else writes meanwhile.
    bodies = {result.answer_id: zlib.compress(raw) for result in batch if (raw := _raw(result))}
    try:
        with fenced(RUN, run_id, worker, RUN.drained):
            stored = _store_pending(run_id, [result for result in batch if not result.again])
            answered = {answer.pk for answer in stored if answer.state == Answer.State.ANSWERED}
            RawBody.objects.bulk_create(RawBody(answer_id=pk, body=bodies[pk]) for pk in answered if pk in bodies)
            Run.objects.filter(pk=run_id).update(
                done=F("done") + len(answered), failed=F("failed") + len(stored) - len(answered), attempt=1
            )
            _settle(batch, answered)
    except LeaseLost:
        _settle(batch, frozenset())
        raise


def _settle(batch: Sequence[AskResult], answered: Set[UUID]) -> None:
    """What came of each call that was made; an answer that was stored takes a credit."""
    settle_calls(
        Settlement(
            result.call,
            result.outcome,
            credits=int(isinstance(result.outcome, EngineAnswer) and result.answer_id in answered),
        )
        for result in batch
        if result.call is not None
    )


def _store_pending(run_id: UUID, batch: Sequence[AskResult]) -> list[Answer]:
    """Fill in those of the answers that are pending, in one statement.

    An insert of rows that are all there already, and held until the end of the transaction, is the way to update
    each with values of its own: `bulk_update` builds a CASE for every field of every row, and takes seven times as
    long.
    """
    results = {result.answer_id: result for result in batch}
    pending = Answer.objects.filter(pk__in=results, run_id=run_id, state=Answer.State.PENDING)
    rows = list(pending.select_for_update().order_by("pk"))
    for row in rows:
        for name, value in _fields(results[row.pk]).items():
            setattr(row, name, value)
    Answer.objects.bulk_create(rows, update_conflicts=True, unique_fields=["id"], update_fields=_FILLED_IN)
    return rows


_FILLED_IN = (
    "state", "attempts", "latency_ms", "answered_at", "text", "truncated", "refused", "sources", "searched",
    "searches", "served_model", "error_code", "error_message",
)  # fmt: skip


def _raw(result: AskResult) -> bytes:
    return result.outcome.raw if isinstance(result.outcome, EngineAnswer) else b""


def _fields(result: AskResult) -> dict[str, Any]:
    outcome = result.outcome
    fields = answer_fields(outcome) if isinstance(outcome, EngineAnswer) else _error_fields(outcome)
    called = {"attempts": result.attempts, "latency_ms": result.latency_ms, "answered_at": result.answered_at}
    return {**called, **fields}


def answer_fields(answer: EngineAnswer) -> dict[str, Any]:
    """What is stored of an answer, in a form that every database takes; how it was asked is apart."""
    text = storable(answer.text)
    return {
        "state": Answer.State.ANSWERED,
        "text": text[:MAX_TEXT],
        "truncated": answer.truncated or len(text) > MAX_TEXT,
        "refused": answer.refused,
        "sources": storable([source.as_json() for source in answer.sources]),
        "searched": answer.searched,
        "searches": storable(list(answer.searches)),
        "served_model": storable(answer.served_model)[:100],
    }


def _error_fields(error: EngineError) -> dict[str, Any]:
    return {
        "state": Answer.State.FAILED,
        "error_code": storable(error.code)[:40],
        "error_message": storable(error.message)[:2000],
    }
