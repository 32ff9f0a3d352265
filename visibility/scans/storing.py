"""Stores what engines answered. Their answers are foreign input: what a database refuses is made storable first."""

import zlib
from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import F

from visibility.engines.protocol import EngineAnswer, EngineError
from visibility.models import Answer, RawBody, Run
from visibility.scans.asking.items import Asked
from visibility.scans.claim import DRAINED, fenced
from visibility.storable import storable

MAX_TEXT = 500_000
MAX_COST = Decimal(10) ** 6


def store_answers(run_id: UUID, worker: str, batch: Sequence[Asked]) -> None:
    """Store the answers and count them on the run, all in one fenced transaction; raises LeaseLost.

    An answer is stored once: one that is no longer pending is left as it is and not counted again. Progress
    makes the run's attempts count anew, so that only a run that gets nowhere runs out of them.
    """
    with fenced(run_id, worker, DRAINED):
        stored = [asked for asked in batch if _store(run_id, asked)]
        answered = [asked for asked in stored if isinstance(asked.outcome, EngineAnswer)]
        RawBody.objects.bulk_create(
            RawBody(answer_id=asked.answer_id, body=zlib.compress(asked.outcome.raw))
            for asked in answered
            if isinstance(asked.outcome, EngineAnswer) and asked.outcome.raw
        )
        Run.objects.filter(pk=run_id).update(
            done=F("done") + len(answered), failed=F("failed") + len(stored) - len(answered), attempt=1
        )


def _store(run_id: UUID, asked: Asked) -> bool:
    if isinstance(asked.outcome, EngineAnswer):
        fields = _answer_fields(asked.outcome)
    else:
        fields = _error_fields(asked.outcome)
    pending = Answer.objects.filter(pk=asked.answer_id, run_id=run_id, state=Answer.State.PENDING)
    return bool(
        pending.update(attempts=asked.attempts, latency_ms=asked.latency_ms, answered_at=asked.answered_at, **fields)
    )


def _answer_fields(answer: EngineAnswer) -> dict[str, Any]:
    text = storable(answer.text)
    return {
        "state": Answer.State.ANSWERED,
        "text": text[:MAX_TEXT],
        "truncated": answer.truncated or len(text) > MAX_TEXT,
        "sources": storable([source.as_json() for source in answer.sources]),
        "searched": answer.searched,
        "searches": storable(list(answer.searches)),
        "served_model": storable(answer.served_model)[:100],
        "usage": storable(answer.usage),
        "cost": answer.cost if answer.cost is not None and _is_price(answer.cost) else None,
        "cost_source": answer.cost_source[:20],
    }


def _error_fields(error: EngineError) -> dict[str, Any]:
    return {
        "state": Answer.State.FAILED,
        "error_code": storable(error.code)[:40],
        "error_message": storable(error.message)[:2000],
    }


def _is_price(cost: Decimal) -> bool:
    return cost.is_finite() and 0 <= cost < MAX_COST
