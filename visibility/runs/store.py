"""Storing what engines answered: the answer and the settlement of its call in one transaction, each once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import uniform
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F
from django.utils import timezone

from apikeys.text import storable
from brands.later import defer_measure
from visibility.engines import EngineError, Reply, Source
from visibility.models import Answer, Engine, EngineAccount, ProviderCall, RawBody, Run, RunEngine
from visibility.runs.engines import Reached
from visibility.runs.finish import settle_cancelled
from visibility.runs.monitoring import CALLS, SECONDS
from visibility.runs.spending import GiveUp

Outcome = ProviderCall.Outcome
MOST_ATTEMPTS = 5
"""Failures of one question that say something about it; a provider that is away says nothing."""
MOST_CHARGED = 2
"""Calls that cost and gave no answer, of one question."""
LONGEST_WAIT = 120
"""Seconds after which a question, or a whole provider, is tried again at the latest."""
FAILURES_THAT_OPEN = 5
"""Failures in a row after which a provider is left alone for a while."""
FINAL = frozenset({"auth", "quota", "unknown_model"})
"""Failures that every further question to the engine would meet as well."""
_AWAY = frozenset({"server_error", "timeout", "unreachable"})
_NO_ATTEMPT = frozenset({"rate_limited", "unreachable"})
_FILLED = (
    "state",
    "text",
    "sources",
    "searched",
    "searches",
    "unknown_parts",
    "truncated",
    "refused",
    "served_model",
    "country",
    "latency_ms",
    "answered_at",
    "attempts",
    "not_before",
    "error_code",
    "error_message",
)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one call: a reply or an error, and how long it took."""

    call: ProviderCall
    reply: Reply | EngineError
    milliseconds: int


def store(run_id: UUID, reached: Reached, results: Sequence[Result]) -> None:
    """Settle the calls of one engine and fill their answers; each result counts once, however often it is stored.

    A result that comes late corrects a call that was given up as unknown.
    """
    with transaction.atomic():
        account = EngineAccount.objects.select_for_update(no_key=True).get(digest=reached.account)
        run = Run.objects.select_for_update(of=("self",), no_key=True).filter(pk=run_id).first()
        calls = _locked_calls(results)
        answers = _locked_answers(results)
        # Calls that have cost and given nothing: counted in the ledger, so that a kill forgets none.
        paid = ProviderCall.objects.filter(answer__in=answers, outcome=Outcome.CHARGED)
        charged = dict(paid.values_list("answer").annotate(Count("pk")).order_by())
        bodies = []
        now = timezone.now()
        for result in results:
            if call := calls.get(result.call.pk):
                settle(call, result, now)
            if answer := answers.get(result.call.answer or 0):
                bodies += _fill(answer, result, charged.get(answer.pk, 0), now)
            _learn(account, result, now)
        _write(account, calls.values(), answers.values(), bodies)
        if run is not None:  # else its brand was deleted meanwhile: the calls are paid all the same
            states = [answer.state for answer in answers.values()]
            done = states.count(Answer.State.ANSWERED) + states.count(Answer.State.ABSENT)
            failed = states.count(Answer.State.FAILED)
            _count(run, reached.engine, reached.surface, done, failed)
            _go_on(run)
    errors = [result.reply for result in results if isinstance(result.reply, EngineError)]
    if final := next((error for error in errors if error.code in FINAL), None):
        give_up(run_id, reached.engine, reached.surface, GiveUp(final.code, final.message))


@transaction.atomic
def give_up(run_id: UUID, engine: Engine, surface: str, why: GiveUp) -> None:
    """Fail an engine's questions that are not under way; the other engines go on."""
    run = Run.objects.active().select_for_update(of=("self",), no_key=True).filter(pk=run_id).first()
    if run is None:
        return
    under_way = ProviderCall.objects.filter(run=run.pk, outcome=Outcome.PENDING).values("answer")
    left = run.answers.pending().filter(engine=engine, surface=surface).exclude(pk__in=under_way)
    number = left.update(state=Answer.State.FAILED, error_code=why.code, error_message=storable(why.reason)[:500])
    _count(run, engine, surface, 0, number)
    _go_on(run)


def _locked_calls(results: Sequence[Result]) -> dict[int, ProviderCall]:
    unsettled = ProviderCall.objects.filter(outcome__in=[Outcome.PENDING, Outcome.UNKNOWN])
    rows = unsettled.filter(pk__in=[result.call.pk for result in results])
    return {call.pk: call for call in rows.select_for_update(no_key=True).order_by("pk")}


def _locked_answers(results: Sequence[Result]) -> dict[int, Answer]:
    rows = Answer.objects.pending().filter(pk__in=[result.call.answer for result in results])
    return {answer.pk: answer for answer in rows.select_for_update(no_key=True).order_by("pk")}


def settle(call: ProviderCall, result: Result, now: datetime) -> None:
    """Write into a call how it ended and what it costs, and count it; not saved."""
    reply = result.reply
    bill = reply.bill
    if isinstance(reply, Reply):
        call.outcome = Outcome.ANSWERED
    elif reply.code == "timeout":
        call.outcome = Outcome.UNKNOWN  # the provider may have worked, and may charge
    else:
        call.outcome = Outcome.FAILED if bill is None else Outcome.CHARGED
    if bill is not None:
        call.cost, call.cost_source, call.usage = bill.cost, bill.cost_source, dict(bill.usage)
    call.error_code = reply.code[:40] if isinstance(reply, EngineError) else ""
    call.settled_at = now
    CALLS.labels(call.engine, call.outcome).inc()
    SECONDS.labels(call.engine).observe(result.milliseconds / 1000)


def _fill(answer: Answer, result: Result, charged: int, now: datetime) -> list[RawBody]:
    """Put the reply into a pending answer; after an error it fails or waits for its next turn."""
    reply = result.reply
    if isinstance(reply, EngineError):
        _fail_or_wait(answer, reply, charged, now)
        return []
    answer.state = Answer.State.ABSENT if reply.absent else Answer.State.ANSWERED
    answer.answered_at, answer.latency_ms = now, result.milliseconds
    answer.text = storable(reply.text)
    answer.sources = [_stored(each) for each in reply.sources]
    answer.searched, answer.searches = reply.searched, storable(list(reply.searches))
    answer.unknown_parts = storable(list(reply.unknown_parts))
    answer.truncated, answer.refused = reply.truncated, reply.refused
    answer.served_model = storable(reply.served_model)[:100]
    answer.country = reply.country[:2]
    answer.error_code = answer.error_message = ""
    return [RawBody(answer=answer, body=reply.raw)] if reply.raw else []


def _stored(source: Source) -> dict[str, str | int | None]:
    stored = {"url": storable(source.url), "title": storable(source.title), "start": source.start, "end": source.end}
    return {**stored, "domain": storable(source.domain)} if source.domain else stored


def _fail_or_wait(answer: Answer, error: EngineError, charged: int, now: datetime) -> None:
    answer.attempts += error.code not in _NO_ATTEMPT
    answer.error_code, answer.error_message = error.code[:40], storable(error.message)[:500]
    is_charged = error.bill is not None and error.code != "timeout"
    if not error.can_retry or answer.attempts >= MOST_ATTEMPTS or charged + is_charged >= MOST_CHARGED:
        answer.state = Answer.State.FAILED
        return
    wait = error.retry_after or uniform(0.5, 1) * min(2**answer.attempts, LONGEST_WAIT)  # noqa: S311 - no secret
    answer.not_before = now + timedelta(seconds=min(wait, LONGEST_WAIT))


def _learn(account: EngineAccount, result: Result, now: datetime) -> None:
    """What a result says of the provider: whether to slow down, to leave it alone, or that all is well."""
    error = result.reply
    if isinstance(error, Reply) or error.code not in {"rate_limited", *_AWAY}:
        account.window = min(1.0, account.window + 0.02)
        account.failures, account.failing_since, account.open_until = 0, None, None
        return
    if error.code == "rate_limited":
        # Calls that were under way together are refused together: that is one refusal.
        if account.paused_until is None or account.paused_until <= now:
            account.window /= 2
        pause = now + timedelta(seconds=min(error.retry_after or 5, LONGEST_WAIT))
        account.paused_until = max(account.paused_until or pause, pause)
        return
    if account.open_until and account.open_until > now:
        return  # those that were under way together fail together: that is one failure
    account.failures += 1
    account.failing_since = account.failing_since or now
    if account.failures >= FAILURES_THAT_OPEN:
        doublings = min(account.failures - FAILURES_THAT_OPEN, 5)
        account.open_until = now + timedelta(seconds=min(5 * 2**doublings, LONGEST_WAIT))


def _write(
    account: EngineAccount, calls: Collection[ProviderCall], answers: Collection[Answer], bodies: Sequence[RawBody]
) -> None:
    account.save(update_fields=["window", "failures", "failing_since", "open_until", "paused_until"])
    # An upsert writes many rows in a seventh of the time that bulk_update takes.
    ProviderCall.objects.bulk_create(
        calls,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["outcome", "cost", "cost_source", "usage", "error_code", "settled_at"],
    )
    Answer.objects.bulk_create(answers, update_conflicts=True, unique_fields=["id"], update_fields=_FILLED)
    RawBody.objects.bulk_create(bodies, ignore_conflicts=True)


def _count(run: Run, engine: Engine, surface: str, done: int, failed: int) -> None:
    """Count answers that are done or have failed, for the run and for its engine."""
    counts = {"done": F("done") + done, "failed": F("failed") + failed}
    if done or failed:
        Run.objects.filter(pk=run.pk).update(**counts)
        RunEngine.objects.filter(run=run, engine=engine, surface=surface).update(**counts)


def _go_on(run: Run) -> None:
    """Where nothing is left to ask: have the run measured, or settle one that was cancelled meanwhile."""
    if run.status == Run.Status.CANCELLED:
        run.refresh_from_db(fields=["done", "failed"])
        settle_cancelled(run)
    elif run.is_active and not run.answers.pending().exists():
        defer_measure(run.pk, run.brand_id, run.kind)
